package recorded;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.After;
import org.junit.Rule;
import org.junit.rules.TestName;
import org.robolectric.shadows.ShadowLooper;

/** Scenario is what the scenarios share. */
abstract class Scenario {
  @Rule public final TestName test = new TestName();
  Server server;

  /** Begins the recording of a scenario of an app for Android 14. */
  void start(String title) {
    start(title, 34);
  }

  void start(String title, int target) {
    Log.start(title + "; target SDK " + target);
    server = new Server(target);
  }

  @After
  public void write() throws Exception {
    Log.write(Path.of(System.getProperty("recordings")), getClass().getSimpleName().replace("Scenarios", "")
        .toLowerCase() + "_" + test.getMethodName());
  }

  static void idle() {
    ShadowLooper.shadowMainLooper().idle();
  }

  static void idleFor(long ms) {
    ShadowLooper.shadowMainLooper().idleFor(Duration.ofMillis(ms));
  }

  /** Holds a thread until the scenario lets it go on, so that it logs at one place in each run. */
  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static Runnable named(String name) {
    return named(name, () -> {});
  }

  static Runnable named(String name, Runnable body) {
    return () -> {
      try (Log run = Log.run(name)) {
        body.run();
      }
    };
  }

  static void post(Handler handler, String name, long delay) {
    Log.post(name, looper(handler), delay, "");
    handler.postDelayed(named(name), delay);
  }

  static void post(Handler handler, String name, Runnable body) {
    Log.post(name, looper(handler), 0, "");
    handler.post(named(name, body));
  }

  static void postAtFront(Handler handler, String name) {
    Log.post(name, looper(handler), 0, " front");
    handler.postAtFrontOfQueue(named(name));
  }

  static void postAsync(Handler handler, String name, long delay) {
    Log.post(name, looper(handler), delay, " async");
    Message message = Message.obtain(handler, named(name));
    message.setAsynchronous(true);
    handler.sendMessageAtTime(message, SystemClock.uptimeMillis() + delay);
  }

  static String looper(Handler handler) {
    return handler.getLooper() == Looper.getMainLooper() ? "main" : handler.getLooper().getThread().getName();
  }
}
