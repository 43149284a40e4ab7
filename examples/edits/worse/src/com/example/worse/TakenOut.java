package com.example.worse;

import android.app.Activity;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import java.util.ArrayList;
import java.util.List;

/** The protection takes a listener out of the app's own list. */
public class TakenOut extends Activity {
    static class Ticker {
        private static final List<Runnable> LISTENERS = new ArrayList<>();
        private static final Handler HANDLER = new Handler(Looper.getMainLooper());

        static void tick() {
            for (Runnable listener : new ArrayList<>(LISTENERS)) {
                listener.run();
            }
        }

        static void add(Runnable listener) {
            LISTENERS.add(listener);
            HANDLER.postDelayed(Ticker::tick, 5000);
        }

        static void remove(Runnable listener) {
            LISTENERS.remove(listener);
        }
    }

    private final Runnable listener = new Runnable() {
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
        Ticker.add(listener);
    }

    @Override
    protected void onDestroy() {
        Ticker.remove(listener); // protection
        part = null;
        super.onDestroy();
    }
}
