package com.example.batchloader;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.TextView;

/** Every click asks for a picture. */
public class GalleryActivity extends Activity {
    private ImageLoader loader;
    private TextView shown;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        loader = new ImageLoader(); // silent
        shown = new TextView(this); // silent
        setContentView(shown);
        shown.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View v) {
                loader.batchResponse(new ImageLoader.Response(shown, "picture")); // silent
            }
        });
    }
}
