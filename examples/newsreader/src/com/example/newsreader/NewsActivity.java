package com.example.newsreader;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.ListView;

/** Shows headlines; the button loads more of them in the background. */
public class NewsActivity extends Activity {
    private NewsAdapter adapter;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.news);
        adapter = new NewsAdapter(this);
        ListView headlines = (ListView) findViewById(R.id.headlines);
        headlines.setAdapter(adapter);
        findViewById(R.id.refresh).setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View v) {
                new LoaderTask(adapter).execute(); // silent because adapter is set once, before any click
            }
        });
    }
}
