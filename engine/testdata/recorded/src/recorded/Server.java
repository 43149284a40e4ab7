package recorded;

import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.ActivityThread;
import android.app.Application;
import android.app.IApplicationThread;
import android.app.IServiceConnection;
import android.app.LoadedApk;
import android.app.ResultInfo;
import android.app.Service;
import android.app.ServiceStartArgs;
import android.app.servertransaction.ActivityRelaunchItem;
import android.app.servertransaction.ActivityResultItem;
import android.app.servertransaction.ActivityLifecycleItem;
import android.app.servertransaction.ClientTransaction;
import android.app.servertransaction.ClientTransactionItem;
import android.app.servertransaction.DestroyActivityItem;
import android.app.servertransaction.LaunchActivityItem;
import android.app.servertransaction.NewIntentItem;
import android.app.servertransaction.PauseActivityItem;
import android.app.servertransaction.ResumeActivityItem;
import android.app.servertransaction.StopActivityItem;
import android.app.servertransaction.StartActivityItem;
import android.app.servertransaction.TopResumedActivityChangeItem;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Context;
import android.content.IIntentReceiver;
import android.content.Intent;
import android.content.ServiceConnection;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ParceledListSlice;
import android.content.pm.ServiceInfo;
import android.content.res.Configuration;
import android.os.Binder;
import android.os.Bundle;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.os.Parcel;
import android.os.RemoteException;
import android.util.MergedConfiguration;
import com.android.internal.content.ReferrerIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.util.ReflectionHelpers;

/**
 * Server plays the system server: it sends the transactions of which a screen's life consists to the
 * process's ActivityThread, which is the framework's own, and lets the main looper run. What comes in which
 * transaction is what ActivityTaskManagerService sends (class and method named with each).
 */
final class Server {
  private final ActivityThread thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
  private final Handler main = new Handler(Looper.getMainLooper());

  /** bindApplication makes these; Robolectric has its own way to make an application. */
  Server(int target) {
    RuntimeEnvironment.getApplication().getApplicationInfo().targetSdkVersion = target;
    Class<?> profiler = ReflectionHelpers.loadClass(getClass().getClassLoader(), "android.app.ActivityThread$Profiler");
    ReflectionHelpers.setField(thread, "mProfiler", ReflectionHelpers.callConstructor(profiler));
  }

  /** Screen is the server's record of an activity; it stays when the instance changes. */
  final class Screen {
    final Class<? extends Activity> type;
    IBinder token = new Binder();
    Bundle state;
    final List<ResultInfo> results = new ArrayList<>();
    final List<ReferrerIntent> intents = new ArrayList<>();

    Screen(Class<? extends Activity> type) {
      this.type = type;
    }

    Activity activity() {
      return thread.getActivity(token);
    }

    String name() {
      return type.getSimpleName();
    }
  }

  /** ActivityTaskSupervisor.realStartActivityLocked: launch, then resume. */
  Screen launch(Class<? extends Activity> type) {
    Screen screen = new Screen(type);
    launch(screen);
    return screen;
  }

  void launch(Screen screen) {
    Log.server("launch " + screen.name() + (screen.state == null ? "" : " with state")
        + (screen.results.isEmpty() ? "" : " and a result") + (screen.intents.isEmpty() ? "" : " and an intent"));
    send(screen, ResumeActivityItem.obtain(true, false), launchItem(screen));
  }

  private ClientTransactionItem launchItem(Screen screen) {
    Application app = RuntimeEnvironment.getApplication();
    Intent intent = new Intent(app, screen.type);
    ActivityInfo info = new ActivityInfo();
    info.applicationInfo = app.getApplicationInfo();
    info.packageName = app.getPackageName();
    info.name = screen.type.getName();
    info.theme = android.R.style.Theme_Material;
    shadowOf(app.getPackageManager()).addOrUpdateActivity(info);
    Configuration now = app.getResources().getConfiguration();
    return LaunchActivityItem.obtain(intent, 1, info, now, now, 0, null, null, 0, screen.state, null,
        taken(screen.results), taken(screen.intents), null, true, null, null, null, new Binder(), false, new Binder());
  }

  private static <T> List<T> taken(List<T> from) {
    List<T> out = from.isEmpty() ? null : new ArrayList<>(from);
    from.clear();
    return out;
  }

  /** TaskFragment.schedulePauseActivity. */
  void pause(Screen screen) {
    pause(screen, false);
  }

  void pause(Screen screen, boolean finishing) {
    Log.server("pause " + screen.name());
    send(screen, PauseActivityItem.obtain(finishing, !finishing, 0, true, false));
  }

  /** ActivityRecord.stopIfPossible. */
  void stop(Screen screen) {
    Log.server("stop " + screen.name());
    send(screen, StopActivityItem.obtain(0));
    screen.state = ReflectionHelpers.getField(thread.getActivityClient(screen.token), "state");
  }

  /** ActivityRecord.destroyImmediately. */
  void destroy(Screen screen) {
    Log.server("destroy " + screen.name());
    send(screen, DestroyActivityItem.obtain(true, 0));
  }

  /** TaskFragment.resumeTopActivity: pending results and intents come in the same transaction, before resume. */
  void resume(Screen screen) {
    Log.server("resume " + screen.name() + (screen.results.isEmpty() ? "" : " with a result")
        + (screen.intents.isEmpty() ? "" : " with an intent"));
    List<ClientTransactionItem> items = new ArrayList<>();
    List<ResultInfo> results = taken(screen.results);
    if (results != null) {
      items.add(ActivityResultItem.obtain(results));
    }
    List<ReferrerIntent> intents = taken(screen.intents);
    if (intents != null) {
      items.add(NewIntentItem.obtain(intents, true));
    }
    send(screen, ResumeActivityItem.obtain(true, false), items.toArray(new ClientTransactionItem[0]));
  }

  /** ActivityRecord.makeActiveIfNeeded: visible, but behind another one. */
  void start(Screen screen) {
    Log.server("start " + screen.name());
    send(screen, StartActivityItem.obtain(null));
  }

  /** ActivityRecord.relaunchActivityLocked. */
  void relaunch(Screen screen, boolean resumed) {
    Log.server("relaunch " + screen.name() + (screen.results.isEmpty() ? "" : " with a result"));
    Configuration now = new Configuration(RuntimeEnvironment.getApplication().getResources().getConfiguration());
    ClientTransactionItem again = ActivityRelaunchItem.obtain(taken(screen.results), taken(screen.intents), 0,
        new MergedConfiguration(now, now), false);
    send(screen, resumed ? ResumeActivityItem.obtain(true, false) : PauseActivityItem.obtain(), again);
  }

  /** ActivityRecord.sendResult to a screen in front. */
  void sendResult(Screen screen, int request) {
    Log.server("result " + screen.name());
    send(screen, null, ActivityResultItem.obtain(List.of(result(request))));
  }

  ResultInfo result(int request) {
    return new ResultInfo(null, request, Activity.RESULT_OK, new Intent());
  }

  /** What the permission controller returns. */
  ResultInfo permission() {
    Intent data = new Intent(PackageManager.ACTION_REQUEST_PERMISSIONS);
    data.putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES, new String[] {"camera"});
    data.putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_RESULTS, new int[] {PackageManager.PERMISSION_GRANTED});
    return new ResultInfo("@android:requestPermissions:", 3, Activity.RESULT_OK, data);
  }

  /** ActivityRecord.scheduleTopResumedActivityChanged. */
  void topResumed(Screen screen, boolean top) {
    Log.server((top ? "top " : "no longer top ") + screen.name());
    send(screen, null, TopResumedActivityChangeItem.obtain(top));
  }

  /** ActivityRecord.deliverNewIntentLocked to a screen in front. */
  void sendIntent(Screen screen) {
    Log.server("intent " + screen.name());
    send(screen, null, NewIntentItem.obtain(List.of(intent()), true));
  }

  ReferrerIntent intent() {
    return new ReferrerIntent(new Intent("again"), "recorded");
  }

  /** The process is killed: nothing tells the app. What was saved stays with the server. */
  void kill(Screen screen) {
    Log.server("kill the process of " + screen.name());
    Parcel parcel = Parcel.obtain();
    parcel.writeBundle(screen.state);
    parcel.setDataPosition(0);
    screen.state = parcel.readBundle(Server.class.getClassLoader());
    screen.token = new Binder();
  }

  /** Job is the server's record of a service. */
  static final class Job {
    final Class<?> type;
    final IBinder token = new Binder();

    Job(Class<?> type) {
      this.type = type;
    }

    Intent intent() {
      return new Intent(RuntimeEnvironment.getApplication(), type);
    }
  }

  /** ActiveServices.realStartServiceLocked. */
  Job create(Class<?> type) {
    Log.server("create " + type.getSimpleName());
    Job job = new Job(type);
    ServiceInfo info = new ServiceInfo();
    info.applicationInfo = RuntimeEnvironment.getApplication().getApplicationInfo();
    info.packageName = info.applicationInfo.packageName;
    info.name = type.getName();
    ask(app -> app.scheduleCreateService(job.token, info, null, 0));
    return job;
  }

  /** The worker of an IntentService. */
  Looper looper(Job job) {
    Map<IBinder, Service> services = ReflectionHelpers.getField(thread, "mServices");
    return ReflectionHelpers.getField(services.get(job.token), "mServiceLooper");
  }

  /** ActiveServices.sendServiceArgsLocked. */
  void startCommand(Job job, int id) {
    Log.server("start " + job.type.getSimpleName());
    ask(app -> app.scheduleServiceArgs(job.token,
        new ParceledListSlice<>(List.of(new ServiceStartArgs(false, id, 0, job.intent())))));
  }

  /** ActiveServices.cleanUpServices. */
  void taskRemoved(Job job) {
    Log.server("task removed " + job.type.getSimpleName());
    ask(app -> app.scheduleServiceArgs(job.token,
        new ParceledListSlice<>(List.of(new ServiceStartArgs(true, 0, 0, job.intent())))));
  }

  /** ActiveServices.requestServiceBindingLocked. */
  void bind(Job job, boolean again) {
    Log.server((again ? "bind again " : "bind ") + job.type.getSimpleName());
    ask(app -> app.scheduleBindService(job.token, job.intent(), again, 0, 0));
  }

  /** ActiveServices.removeConnectionLocked. */
  void unbind(Job job) {
    Log.server("unbind " + job.type.getSimpleName());
    ask(app -> app.scheduleUnbindService(job.token, job.intent()));
  }

  /** ActiveServices.bringDownServiceLocked. */
  void stopService(Job job) {
    Log.server("stop " + job.type.getSimpleName());
    ask(app -> app.scheduleStopService(job.token));
  }

  /** BroadcastQueue: a receiver of the manifest. */
  void broadcast(Class<?> type) {
    Log.server("broadcast to " + type.getSimpleName());
    ActivityInfo info = new ActivityInfo();
    info.applicationInfo = RuntimeEnvironment.getApplication().getApplicationInfo();
    info.packageName = info.applicationInfo.packageName;
    info.name = type.getName();
    Intent intent = new Intent(RuntimeEnvironment.getApplication(), type);
    ask(app -> app.scheduleReceiver(intent, info, null, 0, null, null, false, true, 0, 0, 0, null));
  }

  /** What Context.bindService and registerReceiver hand to the server, made by the framework's own LoadedApk. */
  private LoadedApk loaded() {
    return thread.peekPackageInfo(RuntimeEnvironment.getApplication().getPackageName(), true);
  }

  void connect(ServiceConnection link, Class<?> type, IBinder binder) {
    Log.server((binder == null ? "disconnect " : "connect ") + type.getSimpleName());
    Context app = RuntimeEnvironment.getApplication();
    IServiceConnection to = loaded().getServiceDispatcher(link, app, main, 0L);
    try {
      to.connected(new ComponentName(app, type), binder, false);
    } catch (RemoteException e) {
      throw new AssertionError(e);
    }
  }

  void forget(ServiceConnection link) {
    Log.note("unbind", Log.name(link));
    loaded().forgetServiceDispatcher(RuntimeEnvironment.getApplication(), link);
  }

  void broadcast(BroadcastReceiver receiver) {
    Log.server("broadcast to " + Log.name(receiver));
    Context app = RuntimeEnvironment.getApplication();
    IIntentReceiver to = loaded().getReceiverDispatcher(receiver, app, main, thread.getInstrumentation(), true);
    try {
      to.performReceive(new Intent("news"), 0, null, null, false, false, 0);
    } catch (RemoteException e) {
      throw new AssertionError(e);
    }
  }

  void forget(BroadcastReceiver receiver) {
    Log.note("unregister", Log.name(receiver));
    loaded().forgetReceiverDispatcher(RuntimeEnvironment.getApplication(), receiver);
  }

  private interface Asking {
    void ask(IApplicationThread app) throws RemoteException;
  }

  private void ask(Asking asking) {
    try {
      asking.ask(thread.getApplicationThread());
    } catch (RemoteException e) {
      throw new AssertionError(e);
    }
    ShadowLooper.shadowMainLooper().idle();
  }

  private void send(Screen screen, ActivityLifecycleItem last, ClientTransactionItem... items) {
    ClientTransaction transaction = ClientTransaction.obtain(thread.getApplicationThread(), screen.token);
    for (ClientTransactionItem item : items) {
      transaction.addCallback(item);
    }
    if (last != null) {
      transaction.setLifecycleStateRequest(last);
    }
    ask(app -> app.scheduleTransaction(transaction));
  }
}
