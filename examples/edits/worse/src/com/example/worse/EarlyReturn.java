package com.example.worse;

import android.app.Activity;
import android.os.AsyncTask;
import android.os.Bundle;

/** The protection is a task's return if the activity is no longer active. */
public class EarlyReturn extends Activity {
    private boolean active;
    private Part part;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        part = new Part();
        active = true;
        new Load().execute();
    }

    @Override
    protected void onDestroy() {
        active = false;
        part = null;
        super.onDestroy();
    }

    private class Load extends AsyncTask<Void, Void, Void> {
        @Override
        protected Void doInBackground(Void... none) {
            return null;
        }

        @Override
        protected void onPostExecute(Void none) {
            if (!active) return; // protection
            part.use();
        }
    }
}
