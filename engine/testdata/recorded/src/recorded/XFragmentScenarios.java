package recorded;

import androidx.fragment.app.Fragment;
import androidx.fragment.app.FragmentManager;
import androidx.lifecycle.MutableLiveData;
import androidx.lifecycle.Observer;
import androidx.lifecycle.ViewModel;
import androidx.lifecycle.ViewModelProvider;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;

@RunWith(RobolectricTestRunner.class)
public class XFragmentScenarios extends Scenario {
  private static final int ROOM = android.R.id.content;

  public static class First extends LoggedXFragment {}

  public static class Other extends LoggedXFragment {}

  public static class Question extends LoggedXDialogFragment {}

  /** Main adds a fragment when it is first made, in the way asked for. */
  public static class Main extends LoggedXActivity {
    static String how;

    @Override void during(String callback) {
      FragmentManager fragments = getSupportFragmentManager();
      if (!callback.equals("onCreate") || !fragments.getFragments().isEmpty()) {
        return;
      }
      if (how.equals("dialog")) {
        new Question().show(fragments, "question");
        return;
      }
      if (how.equals("now")) {
        Log.note("call", "commitNow");
        fragments.beginTransaction().add(ROOM, new First()).commitNow();
        return;
      }
      fragments.beginTransaction().add(ROOM, new First()).commit();
    }
  }

  private Server.Screen launch(String how, String title) {
    start(title);
    Main.how = how;
    return server.launch(Main.class);
  }

  private void finish(Server.Screen screen) {
    server.pause(screen, true);
    server.destroy(screen);
  }

  private static FragmentManager fragments(Server.Screen screen) {
    LoggedXActivity main = (LoggedXActivity) screen.activity();
    return main.getSupportFragmentManager();
  }

  @Test public void committed() {
    Server.Screen main = launch("commit", "a fragment committed in onCreate; paused, resumed, stopped, left");
    server.pause(main);
    server.resume(main);
    server.pause(main);
    server.stop(main);
    server.resume(main);
    finish(main);
  }

  @Test public void committedNow() {
    finish(launch("now", "a fragment committed in onCreate, and made at once"));
  }

  @Test public void rotated() {
    Server.Screen main = launch("commit", "a fragment restored after a rotation");
    server.relaunch(main, true);
    finish(main);
  }

  @Test public void death() {
    Server.Screen main = launch("commit", "a fragment restored after the death of the process");
    server.pause(main);
    server.stop(main);
    server.kill(main);
    server.launch(main);
    finish(main);
  }

  @Test public void backStack() {
    Server.Screen main = launch("commit", "a fragment replaced, and brought back from the back stack");
    Log.server("click replace");
    fragments(main).beginTransaction().replace(ROOM, new Other()).addToBackStack(null).commit();
    idle();
    Log.server("click pop");
    fragments(main).popBackStack();
    idle();
    finish(main);
  }

  @Test public void toAndFro() {
    Server.Screen main = launch("commit", "a fragment hidden, shown, detached, attached, removed");
    Fragment first = fragments(main).findFragmentById(ROOM);
    Log.server("click hide, show, detach, attach, remove");
    fragments(main).beginTransaction().hide(first).commit();
    idle();
    fragments(main).beginTransaction().show(first).commit();
    idle();
    fragments(main).beginTransaction().detach(first).commit();
    idle();
    fragments(main).beginTransaction().attach(first).commit();
    idle();
    fragments(main).beginTransaction().remove(first).commit();
    idle();
    finish(main);
  }

  @Test public void removedWhileStopped() {
    Server.Screen main = launch("commit", "a fragment removed while its activity is stopped");
    server.pause(main);
    server.stop(main);
    Log.server("run removal");
    Fragment first = fragments(main).findFragmentById(ROOM);
    fragments(main).beginTransaction().remove(first).commitAllowingStateLoss();
    idle();
    server.destroy(main);
  }

  @Test public void dialog() {
    Server.Screen main = launch("dialog", "a dialog fragment shown in onCreate, rotated, dismissed");
    server.relaunch(main, true);
    Log.server("click dismiss");
    ((Question) fragments(main).findFragmentByTag("question")).dismiss();
    idle();
    finish(main);
  }

  @Test public void dialogCancelled() {
    Server.Screen main = launch("dialog", "a dialog fragment shown in onCreate, cancelled by the user");
    Log.server("click beside it");
    ((Question) fragments(main).findFragmentByTag("question")).getDialog().cancel();
    idle();
    finish(main);
  }

  /** Model logs the end of a view model. */
  public static class Model extends ViewModel {
    @Override protected void onCleared() { try (Log run = Log.run(this, "onCleared()")) {} }
  }

  /** Watcher logs what a LiveData tells. */
  static class Watcher implements Observer<String> {
    @Override public void onChanged(String value) { try (Log run = Log.run(this, "onChanged(Object)")) {} }
  }

  /** Keeping has a view model, and observes a LiveData that lives as long as the process. */
  public static class Keeping extends LoggedXActivity {
    static MutableLiveData<String> news;

    @Override void during(String callback) {
      if (callback.equals("onCreate")) {
        Log.name(new ViewModelProvider(this).get(Model.class));
        news.observe(this, new Watcher());
      }
      if (callback.equals("onStart")) {
        Log.note("call", "setValue in onStart");
        news.setValue("of " + callback);
      }
    }
  }

  @Test public void liveData() {
    start("a LiveData with a value, observed by an activity that is rotated; its view model");
    Keeping.news = new MutableLiveData<>("old");
    Server.Screen main = server.launch(Keeping.class);
    server.pause(main);
    Log.server("run setValue");
    Keeping.news.setValue("paused");
    server.stop(main);
    Log.server("run setValue");
    Keeping.news.setValue("stopped");
    server.resume(main);
    server.relaunch(main, true);
    Log.server("run postValue");
    Keeping.news.postValue("posted");
    idle();
    finish(main);
  }
}
