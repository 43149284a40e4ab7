package androidx.fragment;

/** The numbers that the library's classes ask for; nothing here has resources of its own. */
public final class R {
  public static final class id {
    public static int fragment_container_view_tag = 0x7f020001, special_effects_controller_view_tag = 0x7f020002,
        visible_removing_fragment_view_tag = 0x7f020003;
  }
}
