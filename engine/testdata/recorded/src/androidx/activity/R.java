package androidx.activity;

/** The numbers that the library's classes ask for; nothing here has resources of its own. */
public final class R {
  public static final class id {
    public static int report_drawn = 0x7f010001, view_tree_on_back_pressed_dispatcher_owner = 0x7f010002;
  }
}
