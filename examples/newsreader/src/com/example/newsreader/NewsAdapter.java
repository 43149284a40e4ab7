package com.example.newsreader;

import android.content.Context;
import android.view.View;
import android.view.ViewGroup;
import android.widget.BaseAdapter;
import android.widget.TextView;
import java.util.ArrayList;
import java.util.List;

/** The headlines behind the list. */
class NewsAdapter extends BaseAdapter {
    private final Context context;
    private final List<String> headlines = new ArrayList<>();

    NewsAdapter(Context context) {
        this.context = context;
    }

    void add(List<String> news) {
        headlines.addAll(news); // race: unsynchronized-access high count; unsynchronized-access high row
    }

    @Override
    public int getCount() {
        return headlines.size(); // race: unsynchronized-access high count
    }

    @Override
    public Object getItem(int position) {
        return headlines.get(position); // race: unsynchronized-access high row
    }

    @Override
    public long getItemId(int position) {
        return position;
    }

    @Override
    public View getView(int position, View old, ViewGroup parent) {
        TextView row = old != null ? (TextView) old : new TextView(context);
        row.setText((String) getItem(position));
        return row;
    }
}
