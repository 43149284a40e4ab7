package com.example.worse;

import android.app.Activity;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;

/** The protection is a flag that is set with the null. */
public class FlagGuard extends Activity {
    private final Handler handler = new Handler(Looper.getMainLooper());
    private boolean destroyed;
    private Part part;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        part = new Part();
        handler.postDelayed(new Runnable() {
            @Override
            public void run() {
                if (!destroyed) // protection
                    part.use();
            }
        }, 5000);
    }

    @Override
    protected void onDestroy() {
        destroyed = true;
        part = null;
        super.onDestroy();
    }
}
