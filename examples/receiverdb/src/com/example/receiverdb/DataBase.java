package com.example.receiverdb;

import android.content.ContentValues;
import android.content.Context;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteOpenHelper;
import android.os.Bundle;

/** A table of messages. */
class DataBase {
    private final Helper helper;
    private SQLiteDatabase sqlite;

    DataBase(Context context) {
        helper = new Helper(context);
    }

    void open() {
        sqlite = helper.getWritableDatabase(); // race: stale-read medium|low reopened
    }

    void close() {
        sqlite.close(); // race: use-after-free high closed
    }

    void update(Bundle data) {
        ContentValues row = new ContentValues();
        row.put("text", data.getString("text"));
        sqlite.insert("messages", null, row); // race: use-after-free high closed; stale-read medium|low reopened
    }

    private static class Helper extends SQLiteOpenHelper {
        Helper(Context context) {
            super(context, "messages.db", null, 1);
        }

        @Override
        public void onCreate(SQLiteDatabase db) {
            db.execSQL("CREATE TABLE messages (_id INTEGER PRIMARY KEY, text TEXT)");
        }

        @Override
        public void onUpgrade(SQLiteDatabase db, int from, int to) {
            db.execSQL("DROP TABLE messages");
            onCreate(db);
        }
    }
}
