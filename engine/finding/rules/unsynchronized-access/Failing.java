import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import java.util.ArrayList;
import java.util.List;

public class Failing extends Activity implements View.OnClickListener {
    private final List<String> items = new ArrayList<>();

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        View view = new View(this);
        view.setOnClickListener(this);
        setContentView(view);
        new Thread() {
            @Override
            public void run() {
                items.add("loaded"); // on its own thread
            }
        }.start();
    }

    @Override
    public void onClick(View view) {
        items.add("clicked"); // on the main looper: one of the two may get lost, or the list throws
    }
}
