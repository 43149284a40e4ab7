package com.example.trackrecorder;

import android.app.Service;
import android.content.Intent;
import android.os.Binder;
import android.os.IBinder;

/** Records a track. */
public class RecordingService extends Service {
    private Track track;

    @Override
    public void onCreate() {
        super.onCreate();
        track = new Track(); // silent
    }

    @Override
    public IBinder onBind(Intent intent) {
        return track; // silent because onCreate always comes first
    }

    /** What clients see of the recording. */
    static class Track extends Binder {
        private final int points = (int) (System.nanoTime() & 0xff);

        int points() {
            return points;
        }
    }
}
