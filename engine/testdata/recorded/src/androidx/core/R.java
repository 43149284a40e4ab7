package androidx.core;

/** The numbers that the library's classes ask for; nothing here has resources of its own. */
public final class R {
  public static final class id {
    public static int accessibility_custom_action_0 = 0x7f060001,
        accessibility_custom_action_1 = 0x7f060002, accessibility_custom_action_2 = 0x7f060003,
        accessibility_custom_action_3 = 0x7f060004, accessibility_custom_action_4 = 0x7f060005,
        accessibility_custom_action_5 = 0x7f060006, accessibility_custom_action_6 = 0x7f060007,
        accessibility_custom_action_7 = 0x7f060008, accessibility_custom_action_8 = 0x7f060009,
        accessibility_custom_action_9 = 0x7f06000a, accessibility_custom_action_10 = 0x7f06000b,
        accessibility_custom_action_11 = 0x7f06000c, accessibility_custom_action_12 = 0x7f06000d,
        accessibility_custom_action_13 = 0x7f06000e, accessibility_custom_action_14 = 0x7f06000f,
        accessibility_custom_action_15 = 0x7f060010, accessibility_custom_action_16 = 0x7f060011,
        accessibility_custom_action_17 = 0x7f060012, accessibility_custom_action_18 = 0x7f060013,
        accessibility_custom_action_19 = 0x7f060014, accessibility_custom_action_20 = 0x7f060015,
        accessibility_custom_action_21 = 0x7f060016, accessibility_custom_action_22 = 0x7f060017,
        accessibility_custom_action_23 = 0x7f060018, accessibility_custom_action_24 = 0x7f060019,
        accessibility_custom_action_25 = 0x7f06001a, accessibility_custom_action_26 = 0x7f06001b,
        accessibility_custom_action_27 = 0x7f06001c, accessibility_custom_action_28 = 0x7f06001d,
        accessibility_custom_action_29 = 0x7f06001e, accessibility_custom_action_30 = 0x7f06001f,
        accessibility_custom_action_31 = 0x7f060020;
    public static int accessibility_action_clickable_span = 0x7f060101, action_container = 0x7f060102,
        action_divider = 0x7f060103, action_image = 0x7f060104, action_text = 0x7f060105,
        actions = 0x7f060106, chronometer = 0x7f060107, icon = 0x7f060108, info = 0x7f060109,
        line1 = 0x7f06010a, line3 = 0x7f06010b, notification_background = 0x7f06010c,
        notification_main_column = 0x7f06010d, notification_main_column_container = 0x7f06010e,
        right_icon = 0x7f06010f, right_side = 0x7f060110, tag_accessibility_actions = 0x7f060111,
        tag_accessibility_clickable_spans = 0x7f060112, tag_accessibility_heading = 0x7f060113,
        tag_accessibility_pane_title = 0x7f060114, tag_on_apply_window_listener = 0x7f060115,
        tag_on_receive_content_listener = 0x7f060116, tag_on_receive_content_mime_types = 0x7f060117,
        tag_screen_reader_focusable = 0x7f060118, tag_state_description = 0x7f060119,
        tag_transition_group = 0x7f06011a, tag_unhandled_key_event_manager = 0x7f06011b,
        tag_unhandled_key_listeners = 0x7f06011c, tag_window_insets_animation_callback = 0x7f06011d,
        text = 0x7f06011e, text2 = 0x7f06011f, time = 0x7f060120, title = 0x7f060121;
  }
}
