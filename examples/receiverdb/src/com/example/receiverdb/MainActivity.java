package com.example.receiverdb;

import android.app.Activity;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.Bundle;

/**
 * Stores what a background service broadcasts. Its mistake: the receiver lives from onCreate to
 * onDestroy, the open database only from onStart to onStop.
 */
public class MainActivity extends Activity {
    private DataBase db;

    private final BroadcastReceiver receiver = new BroadcastReceiver() {
        @Override
        public void onReceive(Context context, Intent intent) {
            Bundle data = intent.getExtras();
            db.update(data); // silent because onDestroy unregisters before it sets the field to null
        }
    };

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        db = new DataBase(this); // silent
        registerReceiver(receiver, new IntentFilter("com.example.receiverdb.NEW_DATA"));
    }

    @Override
    protected void onStart() {
        super.onStart();
        db.open(); // silent
    }

    @Override
    protected void onStop() {
        db.close(); // silent
        super.onStop();
    }

    @Override
    protected void onDestroy() {
        unregisterReceiver(receiver);
        db = null; // silent
        super.onDestroy();
    }
}
