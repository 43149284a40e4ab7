package ir

import "testing"

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
		if got := Outermost(name); got != want {
			t.Errorf("Outermost(%s) = %s, want %s", name, got, want)
		}
	}
}
