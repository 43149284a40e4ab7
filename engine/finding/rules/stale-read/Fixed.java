import android.app.Activity;
import android.os.AsyncTask;
import android.os.Bundle;

public class Fixed extends Activity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        new Count().execute();
    }

    private class Count extends AsyncTask<Void, Void, Integer> {
        @Override
        protected Integer doInBackground(Void... nothing) {
            return 3;
        }

        @Override
        protected void onPostExecute(Integer count) {
            setTitle(count + " unread"); // the value is shown where it arrives
        }
    }
}
