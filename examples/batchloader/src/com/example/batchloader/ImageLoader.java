package com.example.batchloader;

import android.os.Handler;
import android.os.Looper;
import android.widget.TextView;
import java.util.ArrayList;
import java.util.List;

/**
 * Delivers the responses that came in since the last delivery, all at once. However many responses
 * come before the runnable gets its turn, the test below keeps it to one runnable.
 */
class ImageLoader {
    // unlisted: medium because only "nothing high" is promised: all of it runs on the main looper

    private final Handler handler = new Handler(Looper.getMainLooper());
    private final List<Response> batch = new ArrayList<>();
    private Runnable runnable;

    void batchResponse(Response response) {
        batch.add(response);
        if (runnable == null) {
            runnable = new Runnable() {
                @Override
                public void run() {
                    for (Response r : batch) {
                        r.deliver();
                    }
                    batch.clear();
                    runnable = null;
                }
            };
            handler.postDelayed(runnable, 100); // silent because the write just above precedes it
        }
    }

    /** A picture and who waits for it. */
    static class Response {
        private final TextView target;
        private final String picture;

        Response(TextView target, String picture) {
            this.target = target;
            this.picture = picture;
        }

        void deliver() {
            target.setText(picture); // silent
        }
    }
}
