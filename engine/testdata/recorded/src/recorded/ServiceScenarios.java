package recorded;

import android.app.IntentService;
import android.app.Service;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.Binder;
import android.os.Handler;
import android.os.IBinder;
import java.util.concurrent.CountDownLatch;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.Shadows;

@RunWith(RobolectricTestRunner.class)
public class ServiceScenarios extends Scenario {
  /** Work logs the callbacks of a service. */
  public static class Work extends Service {
    @Override public void onCreate() { try (Log run = Log.run(this, "onCreate()")) { super.onCreate(); } }
    @Override public int onStartCommand(Intent intent, int flags, int id) { try (Log run = Log.run(this, "onStartCommand(Intent,int,int)")) { return super.onStartCommand(intent, flags, id); } }
    @Override public void onStart(Intent intent, int id) { try (Log run = Log.run(this, "onStart(Intent,int)")) { super.onStart(intent, id); } }
    @Override public IBinder onBind(Intent intent) { try (Log run = Log.run(this, "onBind(Intent)")) { return new Binder(); } }
    @Override public boolean onUnbind(Intent intent) { try (Log run = Log.run(this, "onUnbind(Intent)")) { super.onUnbind(intent); return true; } }
    @Override public void onRebind(Intent intent) { try (Log run = Log.run(this, "onRebind(Intent)")) { super.onRebind(intent); } }
    @Override public void onTaskRemoved(Intent intent) { try (Log run = Log.run(this, "onTaskRemoved(Intent)")) { super.onTaskRemoved(intent); } }
    @Override public void onDestroy() { try (Log run = Log.run(this, "onDestroy()")) { super.onDestroy(); } }
  }

  @Test public void started() {
    start("a service started twice, and stopped");
    Server.Job work = server.create(Work.class);
    server.startCommand(work, 1);
    server.startCommand(work, 2);
    server.taskRemoved(work);
    server.stopService(work);
  }

  @Test public void bound() {
    start("a service bound, unbound, bound again");
    Server.Job work = server.create(Work.class);
    server.bind(work, false);
    server.unbind(work);
    server.bind(work, true);
    server.unbind(work);
    server.stopService(work);
  }

  @Test public void boundThenStarted() {
    start("a service bound, then started, made again after its end");
    Server.Job work = server.create(Work.class);
    server.bind(work, false);
    server.startCommand(work, 1);
    server.unbind(work);
    server.stopService(work);
    work = server.create(Work.class);
    server.startCommand(work, 1);
    server.stopService(work);
  }

  /** Queue logs the callbacks of an IntentService. */
  public static class Queue extends IntentService {
    public Queue() { super("queue"); }
    @Override public void onCreate() { try (Log run = Log.run(this, "onCreate()")) { super.onCreate(); } }
    @Override public int onStartCommand(Intent intent, int flags, int id) { try (Log run = Log.run(this, "onStartCommand(Intent,int,int)")) { return super.onStartCommand(intent, flags, id); } }
    @Override protected void onHandleIntent(Intent intent) { try (Log run = Log.run(this, "onHandleIntent(Intent)")) {} }
    @Override public void onDestroy() { try (Log run = Log.run(this, "onDestroy()")) { super.onDestroy(); } }
  }

  /** News logs what a receiver gets. */
  public static class News extends BroadcastReceiver {
    @Override public void onReceive(Context context, Intent intent) { try (Log run = Log.run(this, "onReceive(Context,Intent)")) {} }
  }

  @Test public void manifestReceiver() {
    start("two broadcasts to a receiver of the manifest");
    server.broadcast(News.class);
    server.broadcast(News.class);
  }

  @Test public void registeredReceiver() {
    start("broadcasts to a registered receiver; one is queued when it is unregistered");
    News news = new News();
    server.broadcast(news);
    server.broadcast(news);
    idle();
    server.broadcast(news);
    server.forget(news);
    idle();
  }

  /** Link logs what a connection tells. */
  static class Link implements ServiceConnection {
    @Override public void onServiceConnected(ComponentName name, IBinder binder) { try (Log run = Log.run(this, "onServiceConnected(ComponentName,IBinder)")) {} }
    @Override public void onServiceDisconnected(ComponentName name) { try (Log run = Log.run(this, "onServiceDisconnected(ComponentName)")) {} }
  }

  @Test public void connection() {
    start("a connection: the service dies, comes back, and is unbound while an answer is queued");
    Link link = new Link();
    server.connect(link, Work.class, new Binder());
    idle();
    server.connect(link, Work.class, null);
    idle();
    server.connect(link, Work.class, new Binder());
    server.forget(link);
    idle();
  }

  @Test public void intentService() {
    start("an IntentService started twice: its worker runs both starts, then asks for its end");
    Server.Job queue = server.create(Queue.class);
    CountDownLatch started = new CountDownLatch(1);
    new Handler(server.looper(queue)).post(() -> await(started));
    server.startCommand(queue, 1);
    server.startCommand(queue, 2);
    started.countDown();
    Shadows.shadowOf(server.looper(queue)).idle();
    idle();
    server.stopService(queue);
  }
}
