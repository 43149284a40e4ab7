package androidx.lifecycle.viewmodel;

/** The numbers that the library's classes ask for; nothing here has resources of its own. */
public final class R {
  public static final class id {
    public static int view_tree_view_model_store_owner = 0x7f040001;
  }
}
