import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import java.util.ArrayList;
import java.util.List;

public class Fixed extends Activity implements View.OnClickListener {
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
                synchronized (items) { // both threads take this lock
                    items.add("loaded");
                }
            }
        }.start();
    }

    @Override
    public void onClick(View view) {
        synchronized (items) {
            items.add("clicked");
        }
    }
}
