package com.example.guardedtimer;

import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import android.widget.TextView;

/**
 * Counts the time of play. The runnable may still be queued when stop() has run, but then finds
 * the flag cleared: the order of the two does not matter.
 */
class GameTimer implements Runnable {
    // unlisted: medium because only "nothing high" is promised about the flag itself
    private static final long SECOND = 1000;
    private static final long LIMIT = 3600 * SECOND;

    private final Handler handler = new Handler(Looper.getMainLooper());
    private final TextView clock;
    private final long startTime;
    private boolean running;
    private long time;

    GameTimer(TextView clock, long before) {
        this.clock = clock;
        startTime = SystemClock.uptimeMillis() - before;
    }

    void start() {
        running = true;
        handler.postDelayed(this, SECOND);
    }

    @Override
    public void run() {
        if (running) {
            time = SystemClock.uptimeMillis() - startTime; // race: unordered-write medium|low FP_accumulated because only refutation sees that running is false after stop
            clock.setText(String.valueOf(time / SECOND));
            if (time < LIMIT) {
                handler.postDelayed(this, SECOND);
            } else {
                running = false;
            }
        }
    }

    void stop() {
        if (running) {
            running = false;
            time = SystemClock.uptimeMillis() - startTime; // race: unordered-write medium|low FP_accumulated because only refutation sees that running is false after stop
        }
    }

    long time() {
        return time;
    }
}
