import android.app.Activity;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.Bundle;
import android.os.IBinder;

public class Fixed extends Activity {
    private StringBuilder log;

    private final ServiceConnection connection = new ServiceConnection() {
        @Override
        public void onServiceConnected(ComponentName name, IBinder service) {
            log.append(name);
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
        unbindService(connection); // on the main looper: onServiceConnected cannot run after this
        log = null;
        super.onDestroy();
    }
}
