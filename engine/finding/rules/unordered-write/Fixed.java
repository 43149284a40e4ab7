import android.app.Activity;
import android.os.AsyncTask;
import android.os.Bundle;
import android.view.View;

public class Fixed extends Activity {
    private String query = "";

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        new Restore().execute();
    }

    private void ready(String saved) {
        query = saved;
        View view = new View(this);
        // The user can choose only once the saved value is in place.
        view.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View clicked) {
                query = "chosen by the user";
            }
        });
        setContentView(view);
    }

    private class Restore extends AsyncTask<Void, Void, String> {
        @Override
        protected String doInBackground(Void... nothing) {
            return "saved last time";
        }

        @Override
        protected void onPostExecute(String saved) {
            ready(saved);
        }
    }
}
