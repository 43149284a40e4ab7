package com.example.worse;

import android.util.Log;

/** Something that must be there when it is used. */
class Part {
    void use() {
        Log.i("Part", "used");
    }
}
