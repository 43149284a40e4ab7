package com.example.newsreader;

import android.os.AsyncTask;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;

/** Downloads headlines. Its mistake: the adapter gets them on the task's thread. */
class LoaderTask extends AsyncTask<Void, Void, Integer> {
    private final NewsAdapter adapter;

    LoaderTask(NewsAdapter adapter) {
        this.adapter = adapter;
    }

    @Override
    protected Integer doInBackground(Void... none) {
        List<String> news = download();
        adapter.add(news); // silent because the field is set before the task starts
        return news.size();
    }

    @Override
    protected void onPostExecute(Integer count) {
        adapter.notifyDataSetChanged(); // silent
    }

    private static List<String> download() {
        List<String> news = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new URL("https://news.example.com/headlines.txt").openStream()))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                news.add(line); // silent because nobody else has the list yet
            }
        } catch (IOException e) {
            news.add("No connection");
        }
        return news;
    }
}
