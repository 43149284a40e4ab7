package androidx.savedstate;

/** The numbers that the library's classes ask for; nothing here has resources of its own. */
public final class R {
  public static final class id {
    public static int view_tree_saved_state_registry_owner = 0x7f050001;
  }
}
