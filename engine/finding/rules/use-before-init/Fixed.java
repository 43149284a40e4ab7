import android.app.Activity;
import android.os.Bundle;
import android.view.View;

public class Fixed extends Activity implements View.OnClickListener {
    private StringBuilder words;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        words = new StringBuilder(); // before the view can be clicked
        View view = new View(this);
        view.setOnClickListener(this);
        setContentView(view);
    }

    @Override
    public void onClick(View view) {
        words.append("click");
    }
}
