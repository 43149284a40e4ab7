package com.example.worse;

import android.app.Activity;
import android.os.Bundle;

/** The protection waits for the thread that was started last. */
public class Joined extends Activity {
    private volatile boolean running;
    private Thread worker;
    private Part part;

    @Override
    protected void onResume() {
        super.onResume();
        part = new Part();
        running = true;
        worker = new Thread(() -> {
            while (running) {
                part.use();
            }
        });
        worker.start();
    }

    @Override
    protected void onPause() {
        running = false;
        try {
            worker.join(); // protection
            part = null;
            Thread.sleep(1); // so that the catch stays when join() goes
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        super.onPause();
    }
}
