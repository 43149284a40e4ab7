import android.app.Activity;
import android.os.AsyncTask;
import android.os.Bundle;
import android.view.View;

public class Failing extends Activity implements View.OnClickListener {
    private String query = "";

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        View view = new View(this);
        view.setOnClickListener(this);
        setContentView(view);
        new Restore().execute();
    }

    @Override
    public void onClick(View view) {
        query = "chosen by the user";
    }

    private class Restore extends AsyncTask<Void, Void, String> {
        @Override
        protected String doInBackground(Void... nothing) {
            return "saved last time";
        }

        @Override
        protected void onPostExecute(String saved) {
            query = saved; // overwrites the user's choice if the click came first
        }
    }
}
