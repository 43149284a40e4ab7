package com.example.worse;

import android.app.Activity;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.Bundle;

/** The protection is the end of a registration. */
public class Unregistered extends Activity {
    private final BroadcastReceiver receiver = new BroadcastReceiver() {
        @Override
        public void onReceive(Context context, Intent intent) {
            part.use();
        }
    };
    private Part part;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        part = new Part();
        registerReceiver(receiver, new IntentFilter("com.example.worse.NEWS"));
    }

    @Override
    protected void onDestroy() {
        unregisterReceiver(receiver); // protection
        part = null;
        super.onDestroy();
    }
}
