package com.example.worse;

import android.app.Activity;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;

/** The protection is a test of the field itself. */
public class NullTest extends Activity {
    private final Handler handler = new Handler(Looper.getMainLooper());
    private Part part;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        part = new Part();
        handler.postDelayed(() -> {
            if (part != null) // protection
                part.use();
        }, 5000);
    }

    @Override
    protected void onDestroy() {
        part = null;
        super.onDestroy();
    }
}
