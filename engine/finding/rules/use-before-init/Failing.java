import android.app.Activity;
import android.os.Bundle;
import android.os.Handler;
import android.view.View;

public class Failing extends Activity implements View.OnClickListener {
    private StringBuilder words;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        View view = new View(this);
        view.setOnClickListener(this);
        setContentView(view);
        new Handler().postDelayed(new Runnable() {
            @Override
            public void run() {
                words = new StringBuilder();
            }
        }, 500);
    }

    @Override
    public void onClick(View view) {
        words.append("click"); // crashes if the user clicks within the first half second
    }
}
