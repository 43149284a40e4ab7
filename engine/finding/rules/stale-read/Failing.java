import android.app.Activity;
import android.os.AsyncTask;
import android.os.Bundle;

public class Failing extends Activity {
    private int unread;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        new Count().execute();
    }

    @Override
    protected void onResume() {
        super.onResume();
        setTitle(unread + " unread"); // shows 0 if the task has not ended yet, and nobody shows it again
    }

    private class Count extends AsyncTask<Void, Void, Integer> {
        @Override
        protected Integer doInBackground(Void... nothing) {
            return 3;
        }

        @Override
        protected void onPostExecute(Integer count) {
            unread = count;
        }
    }
}
