package com.example.trackrecorder;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.Bundle;
import android.os.IBinder;

/**
 * Shows the track that the service records. Its mistake: the connection is never unbound, so the
 * answer of the service can arrive after onDestroy.
 */
public class TrackActivity extends Activity {
    private ProviderUtils providerUtils;

    private final ServiceConnection connection = new ServiceConnection() {
        @Override
        public void onServiceConnected(ComponentName name, IBinder service) {
            providerUtils.showTrack(((RecordingService.Track) service).points()); // race: use-after-free high freed
        }

        @Override
        public void onServiceDisconnected(ComponentName name) {
            setTitle("Not recording");
        }
    };

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        providerUtils = new ProviderUtils(this); // silent because it precedes every callback of the instance
    }

    @Override
    protected void onResume() {
        super.onResume();
        bindService(new Intent(this, RecordingService.class), connection, Context.BIND_AUTO_CREATE);
    }

    @Override
    protected void onDestroy() {
        providerUtils = null; // race: use-after-free high freed
        super.onDestroy();
    }
}
