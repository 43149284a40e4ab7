package com.example.worse;

import android.app.Activity;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;

/** The protection takes the runnable out of the queue. */
public class Removed extends Activity {
    private final Handler handler = new Handler(Looper.getMainLooper());
    private final Runnable late = new Runnable() {
        @Override
        public void run() {
            part.use();
        }
    };
    private Part part;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        part = new Part();
        handler.postDelayed(late, 5000);
    }

    @Override
    protected void onDestroy() {
        handler.removeCallbacks(late); // protection
        part = null;
        super.onDestroy();
    }
}
