package race

import (
	"slices"
	"testing"
)

func TestOutermost(t *testing.T) {
	for name, want := range map[string]string{
		"com.example.Main":                           "com.example.Main",
		"com.example.Main$Inner$1":                   "com.example.Main",
		"com.example.Main$$ExternalSyntheticLambda0": "com.example.Main",
		"com.example.Main$$Lambda$3":                 "com.example.Main",
		"com.example.-$$Lambda$Main$kVv3pZ":          "com.example.Main",
		"com.example.-$$Lambda$Main$Inner$kVv3pZ":    "com.example.Main",
		"Main$1":            "Main",
		"com.example.$Main": "com.example.$Main",
		"com.example.MainKt$main$$inlined$sortedBy$1$": "com.example.MainKt",
	} {
		if got := outermost(name); got != want {
			t.Errorf("outermost(%s) = %s, want %s", name, got, want)
		}
	}
}

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
