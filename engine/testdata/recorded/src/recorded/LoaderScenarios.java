package recorded;

import android.app.LoaderManager;
import android.content.Loader;
import android.os.Bundle;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;

@RunWith(RobolectricTestRunner.class)
public class LoaderScenarios extends Scenario {
  /** Reads logs the callbacks of a loader that has its answer at once. */
  public static class Reads extends Loader<String> {
    Reads(android.content.Context context) { super(context); }
    @Override protected void onStartLoading() { try (Log run = Log.run(this, "onStartLoading()")) { deliverResult("answer"); } }
    @Override protected void onStopLoading() { try (Log run = Log.run(this, "onStopLoading()")) { super.onStopLoading(); } }
    @Override protected void onForceLoad() { try (Log run = Log.run(this, "onForceLoad()")) { super.onForceLoad(); } }
    @Override protected void onAbandon() { try (Log run = Log.run(this, "onAbandon()")) { super.onAbandon(); } }
    @Override protected void onReset() { try (Log run = Log.run(this, "onReset()")) { super.onReset(); } }
  }

  /** Answers logs what the manager tells. */
  static class Answers implements LoaderManager.LoaderCallbacks<String> {
    private final android.content.Context context;
    Answers(android.content.Context context) { this.context = context; }
    @Override public Loader<String> onCreateLoader(int id, Bundle args) { try (Log run = Log.run(this, "onCreateLoader(int,Bundle)")) { return new Reads(context); } }
    @Override public void onLoadFinished(Loader<String> loader, String data) { try (Log run = Log.run(this, "onLoadFinished(Loader,Object)")) {} }
    @Override public void onLoaderReset(Loader<String> loader) { try (Log run = Log.run(this, "onLoaderReset(Loader)")) {} }
  }

  /** Main asks for its loader in onCreate. */
  public static class Main extends LoggedActivity {
    @Override void during(String callback) {
      if (callback.equals("onCreate")) {
        getLoaderManager().initLoader(1, null, new Answers(this));
      }
    }
  }

  @Test public void rotated() {
    start("a loader asked for in onCreate; home and back, rotated, left");
    Server.Screen main = server.launch(Main.class);
    server.pause(main);
    server.stop(main);
    server.resume(main);
    server.relaunch(main, true);
    server.pause(main, true);
    server.destroy(main);
  }

  @Test public void restarted() {
    start("a loader replaced by restartLoader, then destroyed");
    Server.Screen main = server.launch(Main.class);
    Log.server("click restart");
    Main activity = (Main) main.activity();
    activity.getLoaderManager().restartLoader(1, null, new Answers(activity));
    idle();
    Log.server("click destroy");
    activity.getLoaderManager().destroyLoader(1);
    idle();
    server.pause(main, true);
    server.destroy(main);
  }
}
