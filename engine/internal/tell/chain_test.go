package tell

import "testing"

func TestWithoutPackage(t *testing.T) {
	for name, want := range map[string]string{
		"com.example.Main.start(int)":          "Main.start",
		"com.example.Main$Pool.<init>()":       "Main$Pool",
		"android.os.AsyncTask#SERIAL_EXECUTOR": "AsyncTask.SERIAL_EXECUTOR",
		"looper":                               "looper",
		"a.b.c.run()":                          "a.b.c.run()", // shrunk: no telling where the package ends
		"com.example.Main$Worker.queue":        "Main$Worker.queue",
		"":                                     "",
	} {
		if got := withoutPackage(name); got != want {
			t.Errorf("withoutPackage(%s) = %s, want %s", name, got, want)
		}
	}
}
