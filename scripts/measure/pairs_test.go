//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

func TestFunnels(t *testing.T) {
	a := funnel{name: "a", actions: 5, edges: 4, races: map[finding.Priority]int{finding.High: 1, finding.Low: 2}}
	if err := a.parse([]byte("90 pairs, 40 candidates, 30 filtered\n  10 by common lock\n  20 by no failing schedule\nhigh x\n")); err != nil {
		t.Fatal(err)
	}
	b := funnel{name: "b", actions: 1}
	if err := b.parse([]byte("10 pairs, 0 candidates, 0 filtered\n")); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := writeFunnels(&out, []funnel{a, b, {name: "c", problem: "no verdict"}}); err != nil {
		t.Fatal(err)
	}
	want := `| app | actions | HB edges | ordered % | pairs | unordered | after filters | races | high | medium | low |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| a | 5 | 4 | 40.0 | 90 | 40 | 10 | 3 | 1 | 0 | 2 |
| b | 1 | 0 | 0.0 | 10 | 0 | 0 | 0 | 0 | 0 | 0 |
| c | no verdict | | | | | | | | | |
| *median* | 3 | 2 | 20.0 | 50 | 20 | 5 | 2 | 0 | 0 | 1 |

| filter | candidates that it removes, of 40 |
| --- | ---: |
| no failing schedule | 20 |
| common lock | 10 |
`
	if out.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", out.String(), want)
	}
	for _, dump := range []string{"", "40 candidates", "1 pairs, 1 candidates, 1 filtered\n  x by y"} {
		if err := new(funnel).parse([]byte(dump)); err == nil {
			t.Errorf("%q is parsed", dump)
		}
	}
}
