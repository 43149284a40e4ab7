package main

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	in := `{"Action":"run","Package":"github.com/eventraces/eventraces/engine","Test":"TestA"}
{"Action":"output","Package":"github.com/eventraces/eventraces/engine","Test":"TestA","Output":"    a_test.go:3: chatter\n"}
{"Action":"pass","Package":"github.com/eventraces/eventraces/engine","Test":"TestA"}
{"Action":"output","Package":"github.com/eventraces/eventraces/engine","Test":"TestB","Output":"=== RUN   TestB\n"}
{"Action":"output","Package":"github.com/eventraces/eventraces/engine","Test":"TestB","Output":"    b_test.go:9: cannot fetch x: no network\n"}
{"Action":"skip","Package":"github.com/eventraces/eventraces/engine","Test":"TestB"}
{"Action":"output","Package":"github.com/eventraces/eventraces/engine","Test":"TestC","Output":"    c_test.go:9: got 1, want 2\n"}
{"Action":"fail","Package":"github.com/eventraces/eventraces/engine","Test":"TestC"}
{"Action":"output","Package":"github.com/eventraces/eventraces/engine","Output":"FAIL\n"}
{"Action":"fail","Package":"github.com/eventraces/eventraces/engine"}
{"Action":"output","Package":"github.com/eventraces/eventraces/cmd","Output":"?   \tcmd\t[no test files]\n"}
{"Action":"skip","Package":"github.com/eventraces/eventraces/cmd"}
{"Action":"pass","Package":"github.com/eventraces/eventraces/engine/report","Elapsed":1.5}
`
	var out strings.Builder
	s := summary{w: &out, output: map[string][]string{}}
	if err := s.read(strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	s.total(0, true)
	want := `SKIP engine.TestB: cannot fetch x: no network
    c_test.go:9: got 1, want 2
FAIL
ok   engine/report                              1.5s
FAILED: 3 tests in 1 packages, 2 failed, 1 skipped (0s)
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

// A skip alone fails the run only where everything is required.
func TestVerdict(t *testing.T) {
	for all, want := range map[bool]string{false: "passed", true: "FAILED"} {
		var out strings.Builder
		s := summary{w: &out, passed: 1, skipped: 1}
		s.total(0, all)
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("require all %v: %s", all, out.String())
		}
	}
}
