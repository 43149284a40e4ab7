package com.example.guardedtimer;

import android.app.Activity;
import android.os.Bundle;
import android.widget.TextView;

/** A game whose clock runs while it is on the screen. */
public class GameActivity extends Activity {
    private TextView clock;
    private GameTimer timer;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        clock = new TextView(this); // silent
        setContentView(clock);
        timer = new GameTimer(clock, state == null ? 0 : state.getLong("time")); // silent
    }

    @Override
    protected void onResume() {
        super.onResume();
        timer.start(); // silent
    }

    @Override
    protected void onPause() {
        timer.stop(); // silent
        super.onPause();
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        state.putLong("time", timer.time()); // silent
    }
}
