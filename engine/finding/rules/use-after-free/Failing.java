import android.app.Activity;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.Bundle;
import android.os.IBinder;

public class Failing extends Activity {
    private StringBuilder log;

    private final ServiceConnection connection = new ServiceConnection() {
        @Override
        public void onServiceConnected(ComponentName name, IBinder service) {
            log.append(name); // crashes if the activity was destroyed before the service connected
        }

        @Override
        public void onServiceDisconnected(ComponentName name) {
        }
    };

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        log = new StringBuilder();
        bindService(new Intent("com.example.SERVICE"), connection, Context.BIND_AUTO_CREATE);
    }

    @Override
    protected void onDestroy() {
        log = null;
        super.onDestroy();
    }
}
