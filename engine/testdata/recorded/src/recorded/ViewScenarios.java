package recorded;

import android.animation.Animator;
import android.animation.AnimatorListenerAdapter;
import android.animation.ValueAnimator;
import android.content.DialogInterface;
import android.os.Bundle;
import android.text.Editable;
import android.text.TextWatcher;
import android.view.View;
import android.view.ViewGroup;
import android.view.animation.AlphaAnimation;
import android.view.animation.Animation;
import android.widget.AdapterView;
import android.widget.ArrayAdapter;
import android.widget.CheckBox;
import android.widget.CompoundButton;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.Spinner;
import android.widget.TextView;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@RunWith(RobolectricTestRunner.class)
public class ViewScenarios extends Scenario {
  /** Typing logs the callbacks of a text. */
  static class Typing implements TextWatcher {
    @Override public void beforeTextChanged(CharSequence s, int a, int b, int c) { try (Log run = Log.run(this, "beforeTextChanged(CharSequence,int,int,int)")) {} }
    @Override public void onTextChanged(CharSequence s, int a, int b, int c) { try (Log run = Log.run(this, "onTextChanged(CharSequence,int,int,int)")) {} }
    @Override public void afterTextChanged(Editable s) { try (Log run = Log.run(this, "afterTextChanged(Editable)")) {} }
  }

  /** Checks logs that a box was checked. */
  static class Checks implements CompoundButton.OnCheckedChangeListener {
    @Override public void onCheckedChanged(CompoundButton box, boolean on) { try (Log run = Log.run(this, "onCheckedChanged(CompoundButton,boolean)")) {} }
  }

  /** Clicks logs a click. */
  static class Clicks implements View.OnClickListener {
    @Override public void onClick(View view) { try (Log run = Log.run(this, "onClick(View)")) {} }
  }

  /** Picks logs what a spinner selects. */
  static class Picks implements AdapterView.OnItemSelectedListener {
    @Override public void onItemSelected(AdapterView<?> list, View row, int at, long id) { try (Log run = Log.run(this, "onItemSelected(AdapterView,View,int,long)")) {} }
    @Override public void onNothingSelected(AdapterView<?> list) { try (Log run = Log.run(this, "onNothingSelected(AdapterView)")) {} }
  }

  /** Widget logs the callbacks of a view. */
  static class Widget extends View {
    Widget(android.content.Context context) { super(context); }
    @Override protected void onAttachedToWindow() { try (Log run = Log.run(this, "onAttachedToWindow()")) { super.onAttachedToWindow(); } }
    @Override protected void onDetachedFromWindow() { try (Log run = Log.run(this, "onDetachedFromWindow()")) { super.onDetachedFromWindow(); } }
    @Override protected void onMeasure(int width, int height) { try (Log run = Log.run(this, "onMeasure(int,int)")) { super.onMeasure(width, height); } }
    @Override protected void onLayout(boolean changed, int a, int b, int c, int d) { try (Log run = Log.run(this, "onLayout(boolean,int,int,int,int)")) { super.onLayout(changed, a, b, c, d); } }
    @Override protected void onVisibilityChanged(View of, int now) { try (Log run = Log.run(this, "onVisibilityChanged(View,int)")) { super.onVisibilityChanged(of, now); } }
  }

  /** Form fills its views in onCreate, behind their listeners. */
  public static class Form extends LoggedActivity {
    EditText text;
    CheckBox box;
    TextView button;

    @Override void during(String callback) {
      if (!callback.equals("onCreate")) {
        return;
      }
      LinearLayout all = new LinearLayout(this);
      text = new EditText(this);
      text.setId(101);
      text.addTextChangedListener(new Typing());
      box = new CheckBox(this);
      box.setId(102);
      box.setOnCheckedChangeListener(new Checks());
      Spinner spinner = new Spinner(this);
      spinner.setId(103);
      spinner.setOnItemSelectedListener(new Picks());
      spinner.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_spinner_item, new String[] {"a", "b"}));
      button = new TextView(this);
      button.setOnClickListener(new Clicks());
      all.addView(text);
      all.addView(box);
      all.addView(spinner);
      all.addView(button);
      all.addView(new Widget(this));
      setContentView(all);
      Log.note("call", "setText, setChecked");
      text.setText("first");
      box.setChecked(true);
    }
  }

  @Test public void form() {
    start("listeners of views, called by setText and setChecked in onCreate, and by restored state after a rotation");
    Server.Screen form = server.launch(Form.class);
    Log.server("click twice; type");
    ((Form) form.activity()).button.performClick();
    ((Form) form.activity()).button.performClick();
    ((Form) form.activity()).text.setText("typed");
    ((Form) form.activity()).box.setChecked(false);
    idle();
    server.relaunch(form, true);
    server.pause(form, true);
    server.destroy(form);
  }

  @Test public void lateClick() {
    start("a click that is queued when its activity is paused: performClick is posted");
    Server.Screen form = server.launch(Form.class);
    TextView button = ((Form) form.activity()).button;
    Log.server("touch the button; its click is posted");
    button.post(button::performClick);
    server.pause(form, true);
    server.destroy(form);
  }

  /** Told logs what a dialog tells. */
  static class Told implements DialogInterface.OnShowListener, DialogInterface.OnDismissListener, DialogInterface.OnCancelListener {
    @Override public void onShow(DialogInterface dialog) { try (Log run = Log.run(this, "onShow(DialogInterface)")) {} }
    @Override public void onDismiss(DialogInterface dialog) { try (Log run = Log.run(this, "onDismiss(DialogInterface)")) {} }
    @Override public void onCancel(DialogInterface dialog) { try (Log run = Log.run(this, "onCancel(DialogInterface)")) {} }
  }

  /** Asking shows a dialog in onCreate. */
  public static class Asking extends LoggedActivity {
    LoggedDialog dialog;

    @Override void during(String callback) {
      if (callback.equals("onCreate")) {
        Told told = new Told();
        dialog = new LoggedDialog(this);
        dialog.setOnShowListener(told);
        dialog.setOnDismissListener(told);
        dialog.setOnCancelListener(told);
        dialog.setContentView(new TextView(this));
        dialog.show();
      }
    }
  }

  @Test public void dialog() {
    start("a dialog shown in onCreate, hidden, shown, dismissed, shown again, cancelled");
    Server.Screen asking = server.launch(Asking.class);
    LoggedDialog dialog = ((Asking) asking.activity()).dialog;
    Log.server("run hide, show, dismiss, show, cancel");
    dialog.hide();
    dialog.show();
    dialog.dismiss();
    idle();
    dialog.show();
    idle();
    dialog.cancel();
    idle();
    server.pause(asking, true);
    server.destroy(asking);
  }

  /** Managing has dialogs of its activity's own keeping. */
  public static class Managing extends LoggedActivity {
    @Override protected android.app.Dialog onCreateDialog(int id, Bundle args) {
      super.onCreateDialog(id, args);
      return new LoggedDialog(this);
    }
  }

  @Test @SuppressWarnings("deprecation") public void managedDialog() {
    start("a dialog of showDialog(int), restored after a rotation");
    Server.Screen managing = server.launch(Managing.class);
    Log.server("click show");
    // The framework's own method, which a shadow stands before.
    Shadow.directlyOn(managing.activity(), android.app.Activity.class, "showDialog",
        ClassParameter.from(int.class, 1), ClassParameter.from(Bundle.class, null));
    idle();
    server.relaunch(managing, true);
    server.pause(managing, true);
    server.destroy(managing);
  }

  /** Moves logs the callbacks of an animator. */
  static class Moves implements Animator.AnimatorListener, ValueAnimator.AnimatorUpdateListener {
    @Override public void onAnimationStart(Animator a) { try (Log run = Log.run(this, "onAnimationStart(Animator)")) {} }
    @Override public void onAnimationEnd(Animator a) { try (Log run = Log.run(this, "onAnimationEnd(Animator)")) {} }
    @Override public void onAnimationCancel(Animator a) { try (Log run = Log.run(this, "onAnimationCancel(Animator)")) {} }
    @Override public void onAnimationRepeat(Animator a) { try (Log run = Log.run(this, "onAnimationRepeat(Animator)")) {} }
    @Override public void onAnimationUpdate(ValueAnimator a) { updates++; }
    int updates;
  }

  private ValueAnimator animator(long delay) {
    ValueAnimator animator = ValueAnimator.ofInt(0, 10);
    Moves moves = new Moves();
    animator.addListener(moves);
    animator.setDuration(100);
    animator.setStartDelay(delay);
    return animator;
  }

  @Test public void animators() {
    start("animators that end, that are cancelled, cancelled in their delay, and ended without start");
    ValueAnimator.setDurationScale(1);
    server.launch(Form.class);
    Log.server("run an animator to its end");
    ValueAnimator whole = animator(0);
    whole.start();
    idleFor(500);
    Log.server("run an animator, cancel it");
    ValueAnimator half = animator(0);
    half.start();
    idleFor(50);
    half.cancel();
    Log.server("run an animator with a delay, cancel it in the delay");
    ValueAnimator early = animator(100);
    early.start();
    idleFor(20);
    early.cancel();
    Log.server("end an animator that was never started");
    animator(0).end();
    Log.server("cancel an animator that was never started");
    animator(0).cancel();
    Log.server("run an animator twice");
    ValueAnimator twice = animator(0);
    twice.setRepeatCount(1);
    twice.start();
    idleFor(500);
  }

  /** Fades logs the callbacks of an animation of a view. */
  static class Fades implements Animation.AnimationListener {
    @Override public void onAnimationStart(Animation a) { try (Log run = Log.run(this, "onAnimationStart(Animation)")) {} }
    @Override public void onAnimationEnd(Animation a) { try (Log run = Log.run(this, "onAnimationEnd(Animation)")) {} }
    @Override public void onAnimationRepeat(Animation a) { try (Log run = Log.run(this, "onAnimationRepeat(Animation)")) {} }
  }

  @Test public void viewAnimations() {
    start("an animation of a view, cleared before it is drawn; a property animator, cancelled");
    ValueAnimator.setDurationScale(1);
    Server.Screen form = server.launch(Form.class);
    Log.server("start an animation, clear it");
    Animation fade = new AlphaAnimation(0, 1);
    fade.setDuration(100);
    fade.setAnimationListener(new Fades());
    TextView button = ((Form) form.activity()).button;
    button.startAnimation(fade);
    button.clearAnimation();
    idleFor(500);
    Log.server("animate a view by its property animator, cancel it");
    button.animate().alpha(0.5f).setDuration(100).setListener(new Moves());
    idleFor(50);
    button.animate().cancel();
    idleFor(500);
  }
}
