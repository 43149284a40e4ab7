package recorded;

import android.os.AsyncTask;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import android.os.MessageQueue;
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.shadows.ShadowPausedAsyncTask;

@RunWith(RobolectricTestRunner.class)
public class QueueScenarios extends Scenario {
  private final Handler main = new Handler(Looper.getMainLooper());

  @Test public void delays() {
    start("messages of one queue with delays");
    post(main, "b5", 5);
    post(main, "a0", 0);
    post(main, "c5", 5);
    post(main, "d3", 3);
    post(main, "e0", 0);
    idleFor(10);
  }

  @Test public void chain() {
    start("messages that post messages");
    Log.post("a", "main", 0, "");
    main.post(named("a", () -> {
      post(main, "a then b", 0);
      post(main, "a then c", 2);
    }));
    Log.post("d", "main", 0, "");
    main.post(named("d", () -> {
      post(main, "d then e", 0);
      post(main, "d then f", 2);
    }));
    idleFor(5);
  }

  @Test public void front() {
    start("posts at the front of the queue");
    post(main, "a", 0);
    post(main, "b", 0);
    postAtFront(main, "c");
    postAtFront(main, "d");
    idle();
  }

  @Test public void frontInside() {
    start("a post at the front by what runs");
    Log.post("a", "main", 0, "");
    main.post(named("a", () -> {
      post(main, "c", 0);
      postAtFront(main, "d");
    }));
    post(main, "b", 0);
    idle();
  }

  @Test public void cancelled() {
    start("removed messages");
    Runnable gone = named("gone");
    Log.post("gone", "main", 0, "");
    main.post(gone);
    post(main, "a", 0);
    Log.note("cancel", "gone");
    main.removeCallbacks(gone);
    idle();
  }

  @Test public void barrier() {
    start("a sync barrier lets only asynchronous messages pass");
    MessageQueue queue = Looper.getMainLooper().getQueue();
    post(main, "a", 0);
    int token = queue.postSyncBarrier();
    Log.note("barrier", "main");
    post(main, "b", 0);
    postAsync(main, "c async", 0);
    idle();
    Log.note("unbarrier", "main");
    queue.removeSyncBarrier(token);
    idle();
  }

  @Test public void idler() {
    start("an idle handler runs when nothing is due");
    Log.post("idle", "main", 0, " idle");
    Looper.getMainLooper().getQueue().addIdleHandler(() -> {
      named("idle").run();
      return false;
    });
    post(main, "a", 0);
    post(main, "b5", 5);
    idle();
    idleFor(10);
  }

  @Test public void handlerThread() throws Exception {
    start("a looper of its own, to and fro");
    HandlerThread thread = new HandlerThread("worker");
    thread.start();
    Handler worker = new Handler(thread.getLooper());
    CountDownLatch posted = new CountDownLatch(1), done = new CountDownLatch(1);
    worker.post(() -> await(posted));
    Log.post("a", "worker", 0, "");
    worker.post(named("a", () -> post(main, "a's answer", 0)));
    Log.post("b", "worker", 0, "");
    worker.post(() -> {
      named("b", () -> post(main, "b's answer", 0)).run();
      done.countDown();
    });
    posted.countDown();
    await(done);
    idle();
    thread.quit();
    thread.join();
  }

  /** Task logs its callbacks. */
  static class Task extends AsyncTask<Void, Integer, Void> {
    @Override protected void onPreExecute() { try (Log run = Log.run(this, "onPreExecute()")) {} }
    @Override protected Void doInBackground(Void... none) { try (Log run = Log.run(this, "doInBackground(Object[])")) { publishProgress(1); return null; } }
    @Override protected void onProgressUpdate(Integer... now) { try (Log run = Log.run(this, "onProgressUpdate(Object[])")) {} }
    @Override protected void onPostExecute(Void result) { try (Log run = Log.run(this, "onPostExecute(Object)")) {} }
    @Override protected void onCancelled(Void result) { try (Log run = Log.run(this, "onCancelled(Object)")) {} }
  }

  /** The tasks' pool, held until the scenario lets it run. */
  private final ArrayDeque<Runnable> pool = new ArrayDeque<>();

  private void background() throws InterruptedException {
    while (!pool.isEmpty()) {
      Thread thread = new Thread(pool.poll(), "pool");
      thread.start();
      thread.join();
    }
  }

  @Test public void asyncTask() throws Exception {
    start("two AsyncTasks");
    ShadowPausedAsyncTask.overrideExecutor(pool::add);
    new Task().execute();
    new Task().execute();
    background();
    idle();
  }

  @Test public void asyncTaskCancelled() throws Exception {
    start("AsyncTasks cancelled before and while they run");
    ShadowPausedAsyncTask.overrideExecutor(pool::add);
    Task before = new Task();
    before.execute();
    Log.note("cancel", Log.name(before));
    before.cancel(true);
    background();
    idle();
    Task late = new Task();
    late.execute();
    background();
    Log.note("cancel", Log.name(late));
    late.cancel(true);
    idle();
  }
}
