package tell

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"onClick": {"click"}, "onItemLongClick": {"item", "long", "click"}, "run": nil, "on": nil, "once": nil, "onURL": {"u", "r", "l"},
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("words(%s) = %q, want %q", name, got, want)
		}
	}
	for verb, want := range map[string]string{"create": "creates", "attach": "attaches", "pass": "passes", "stop": "stops"} {
		if got := does(verb); got != want {
			t.Errorf("does(%s) = %s, want %s", verb, got, want)
		}
	}
}

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
