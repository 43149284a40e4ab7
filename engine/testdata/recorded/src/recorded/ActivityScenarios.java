package recorded;

import android.app.Activity;
import android.app.Application;
import android.os.Bundle;
import android.os.Handler;
import android.view.KeyEvent;
import android.widget.TextView;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;

@RunWith(RobolectricTestRunner.class)
public class ActivityScenarios extends Scenario {
  public static class Main extends LoggedActivity {
    @Override void during(String callback) {
      if (callback.equals("onCreate")) {
        setContentView(new TextView(this));
      }
    }
  }

  public static class Second extends LoggedActivity {}

  @Test public void launchHomeBack() {
    start("launched, sent home, brought back, left");
    Server.Screen main = server.launch(Main.class);
    leave(main);
    server.resume(main);
    finish(main);
  }

  @Test public void launchHomeBackOld() {
    start("launched, sent home, brought back, left, by the rules of Android 8", 27);
    Server.Screen main = server.launch(Main.class);
    leave(main);
    server.resume(main);
    finish(main);
  }

  private void leave(Server.Screen screen) {
    server.pause(screen);
    server.stop(screen);
  }

  private void finish(Server.Screen screen) {
    server.pause(screen, true);
    server.destroy(screen);
  }

  @Test public void rotation() {
    start("rotated");
    Server.Screen main = server.launch(Main.class);
    server.relaunch(main, true);
    finish(main);
  }

  @Test public void rotationOld() {
    start("rotated, by the rules of Android 8", 27);
    Server.Screen main = server.launch(Main.class);
    server.relaunch(main, true);
    finish(main);
  }

  @Test public void rotationPaused() {
    start("rotated while another window is in front");
    Server.Screen main = server.launch(Main.class);
    server.pause(main);
    server.relaunch(main, false);
    server.resume(main);
    finish(main);
  }

  @Test public void rotationWithResult() {
    start("rotated while a result is pending: the new instance gets it");
    Server.Screen main = server.launch(Main.class);
    Server.Screen second = server.launch(Second.class);
    server.pause(main);
    server.pause(second, true);
    main.results.add(server.result(7));
    server.relaunch(main, true);
    server.destroy(second);
    finish(main);
  }

  @Test public void resultWhilePaused() {
    start("a result for a screen that is paused");
    Server.Screen main = server.launch(Main.class);
    server.pause(main);
    Server.Screen second = server.launch(Second.class);
    server.pause(second, true);
    main.results.add(server.result(7));
    server.resume(main);
    server.destroy(second);
    finish(main);
  }

  @Test public void resultWhileStopped() {
    start("a result for a screen that is stopped");
    Server.Screen main = server.launch(Main.class);
    server.pause(main);
    Server.Screen second = server.launch(Second.class);
    server.stop(main);
    server.pause(second, true);
    main.results.add(server.result(7));
    server.resume(main);
    server.destroy(second);
    finish(main);
  }

  @Test public void resultWhileStarted() {
    start("a result for a screen that is visible behind another one");
    Server.Screen main = server.launch(Main.class);
    leave(main);
    server.start(main);
    main.results.add(server.result(7));
    server.resume(main);
    finish(main);
  }

  @Test public void resultWhileResumed() {
    start("a result sent to a screen in front: of what was started without a screen");
    Server.Screen main = server.launch(Main.class);
    server.sendResult(main, 7);
    finish(main);
  }

  @Test public void permission() {
    start("an answer to a request for a permission, and one for the next instance");
    Server.Screen main = server.launch(Main.class);
    server.pause(main);
    main.results.add(server.permission());
    server.resume(main);
    server.pause(main);
    main.results.add(server.permission());
    server.relaunch(main, true);
    finish(main);
  }

  @Test public void topResumed() {
    start("two screens side by side: one is on top, then the other");
    Server.Screen main = server.launch(Main.class);
    server.topResumed(main, true);
    Server.Screen second = server.launch(Second.class);
    server.topResumed(main, false);
    server.topResumed(second, true);
    finish(second);
    server.topResumed(main, true);
    finish(main);
  }

  @Test public void intentWhileResumed() {
    start("started again while in front: single top");
    Server.Screen main = server.launch(Main.class);
    server.sendIntent(main);
    finish(main);
  }

  @Test public void intentWhilePaused() {
    start("started again while paused");
    Server.Screen main = server.launch(Main.class);
    server.pause(main);
    main.intents.add(server.intent());
    server.resume(main);
    finish(main);
  }

  @Test public void intentWhileStopped() {
    start("started again while stopped");
    Server.Screen main = server.launch(Main.class);
    leave(main);
    main.intents.add(server.intent());
    server.resume(main);
    finish(main);
  }

  @Test public void rotationWithIntent() {
    start("rotated while a new intent is pending");
    Server.Screen main = server.launch(Main.class);
    server.pause(main);
    main.intents.add(server.intent());
    server.relaunch(main, true);
    finish(main);
  }

  @Test public void death() {
    start("the process is killed in the background, and started again with what was saved");
    Server.Screen main = server.launch(Main.class);
    leave(main);
    server.kill(main);
    server.launch(main);
    finish(main);
  }

  @Test public void deathWithResult() {
    start("the process is killed while a result is pending");
    Server.Screen main = server.launch(Main.class);
    leave(main);
    server.kill(main);
    main.results.add(server.result(7));
    server.launch(main);
    finish(main);
  }

  @Test public void deathWithIntent() {
    start("the process is killed, and the screen started again with a new intent");
    Server.Screen main = server.launch(Main.class);
    leave(main);
    server.kill(main);
    main.intents.add(server.intent());
    server.launch(main);
    finish(main);
  }

  /** Finishing ends itself in one of its callbacks. */
  public static class Finishing extends LoggedActivity {
    static String in;

    @Override void during(String callback) {
      if (callback.equals(in)) {
        Log.note("call", "finish");
        finish();
      }
    }
  }

  private void finishing(String in) {
    start("finish() in " + in);
    Finishing.in = in;
    Server.Screen screen = server.launch(Finishing.class);
    server.destroy(screen);
  }

  @Test public void finishInCreate() {
    finishing("onCreate");
  }

  @Test public void finishInStart() {
    finishing("onStart");
  }

  @Test public void finishInResume() {
    finishing("onResume");
  }

  @Test public void back() {
    start("the back key");
    Server.Screen main = server.launch(Main.class);
    Log.server("key back");
    main.activity().dispatchKeyEvent(new KeyEvent(KeyEvent.ACTION_DOWN, KeyEvent.KEYCODE_BACK));
    main.activity().dispatchKeyEvent(new KeyEvent(KeyEvent.ACTION_UP, KeyEvent.KEYCODE_BACK));
    finish(main);
  }

  @Test public void behind() {
    start("stopped, then visible behind another one, then in front");
    Server.Screen main = server.launch(Main.class);
    leave(main);
    server.start(main);
    server.resume(main);
    leave(main);
    server.start(main);
    server.stop(main);
    server.destroy(main);
  }

  @Test public void twoScreens() {
    start("one screen starts another");
    Server.Screen main = server.launch(Main.class);
    server.pause(main);
    Server.Screen second = server.launch(Second.class);
    server.stop(main);
    server.pause(second, true);
    server.resume(main);
    server.destroy(second);
    finish(main);
  }

  /** Posting posts in the callbacks of its launch. */
  public static class Posting extends LoggedActivity {
    private final Handler handler = new Handler();

    @Override void during(String callback) {
      post(handler, "from " + callback, () -> {});
      if (callback.equals("onCreate")) {
        Log.post("on UI thread", "main", 0, " inline");
        runOnUiThread(named("on UI thread"));
      }
    }
  }

  @Test public void posts() {
    start("posts and runOnUiThread in the callbacks of a launch");
    Server.Screen posting = server.launch(Posting.class);
    leave(posting);
    server.destroy(posting);
  }

  /** Watcher is told of the callbacks of all activities. */
  public static class Watcher implements Application.ActivityLifecycleCallbacks {
    @Override public void onActivityCreated(Activity a, Bundle state) { try (Log run = Log.run(this, "onActivityCreated(Activity,Bundle)")) {} }
    @Override public void onActivityStarted(Activity a) { try (Log run = Log.run(this, "onActivityStarted(Activity)")) {} }
    @Override public void onActivityResumed(Activity a) { try (Log run = Log.run(this, "onActivityResumed(Activity)")) {} }
    @Override public void onActivityPaused(Activity a) { try (Log run = Log.run(this, "onActivityPaused(Activity)")) {} }
    @Override public void onActivityStopped(Activity a) { try (Log run = Log.run(this, "onActivityStopped(Activity)")) {} }
    @Override public void onActivitySaveInstanceState(Activity a, Bundle state) { try (Log run = Log.run(this, "onActivitySaveInstanceState(Activity,Bundle)")) {} }
    @Override public void onActivityDestroyed(Activity a) { try (Log run = Log.run(this, "onActivityDestroyed(Activity)")) {} }
  }

  @Test public void watched() {
    start("callbacks of Application.ActivityLifecycleCallbacks");
    RuntimeEnvironment.getApplication().registerActivityLifecycleCallbacks(new Watcher());
    Server.Screen main = server.launch(Main.class);
    leave(main);
    server.destroy(main);
  }
}
