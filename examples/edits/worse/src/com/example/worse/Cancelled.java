package com.example.worse;

import android.app.Activity;
import android.os.AsyncTask;
import android.os.Bundle;

/** The protection cancels the task, whose result then does not come. */
public class Cancelled extends Activity {
    private Part part;
    private Load load;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        part = new Part();
        load = new Load();
        load.execute();
    }

    @Override
    protected void onDestroy() {
        load.cancel(true); // protection
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
            part.use();
        }
    }
}
