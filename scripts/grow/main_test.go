//go:build unix

package main

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eventraces/eventraces/engine/growtest"
	"github.com/eventraces/eventraces/internal/cost"
)

func TestAppIsWritten(t *testing.T) {
	dir := t.TempDir()
	write := func(args ...string) ([]byte, error) {
		out := filepath.Join(dir, "app.apk")
		if err := run(append(args, "-out", out), io.Discard); err != nil {
			return nil, err
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := zip.NewReader(bytes.NewReader(b), int64(len(b))); err != nil {
			t.Error(err)
		}
		return b, nil
	}
	chain, _ := growtest.ByName("chain")
	for _, c := range []struct {
		args string
		want []byte
	}{
		{"-shape chain -size 9", chain.APK(9, true)},
		{"-shape chain -size 9 -silent", chain.APK(9, false)},
		{"-shape general -components 2 -fields 6 -accesses 4 -actions 10 -depth 2",
			growtest.General(growtest.Params{Components: 2, Fields: 6, Accesses: 4, Actions: 10, Depth: 2}, true)},
	} {
		if got, err := write(strings.Fields(c.args)...); err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: another app, or error %v", c.args, err)
		}
	}
	for _, args := range []string{"-shape chian", "-shape chain -size 1", "-shape general -actions 1", "-shape chain rest", "-measure -only chian", "-measure -runs 0"} {
		if _, err := write(strings.Fields(args)...); err == nil {
			t.Errorf("%s is accepted", args)
		}
	}
}

// powers is what a shape took that grows with a power of its size.
func powers(name string, racing bool, power float64, base time.Duration, ends int) series {
	s := series{shape: growtest.Shape{Name: name, Text: "things"}, racing: racing}
	for i := range 5 {
		size := 10 << i
		cpu := base + time.Duration(math.Pow(float64(size), power)*float64(10*time.Millisecond))
		s.points = append(s.points, point{size, cost.Run{Ended: i < ends, CPU: cpu, Memory: 64 << 20, Stages: []cost.Stage{{Name: "reading", CPU: 0.1}, {Name: "races", CPU: 0.3}}}})
		if i >= ends {
			break
		}
	}
	return s
}

func made() growth {
	base := 100 * time.Millisecond
	return growth{[]series{
		powers("straight", true, 1, base, 5), powers("straight", false, 0, base, 5), powers("square", true, 2, base, 3), powers("never", false, 1, base, 0),
	}, base, measuring{timeout: 20 * time.Second, scale: 1}}
}

func TestPage(t *testing.T) {
	g := made()
	var b strings.Builder
	if err := g.page(&b, "growth.svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| straight | things | racing | 10: 0.20, 64 | 20: 0.30, 64 | 40: 0.50, 64 | 80: 0.90, 64 | 160: 1.70, 64 | 1.0 | races, 75 % |",
		"| straight | things | silent | 10: 0.11, 64 | 20: 0.11, 64 | 40: 0.11, 64 | 80: 0.11, 64 | 160: 0.11, 64 | - | races, 75 % |",
		"| square | things | racing | 10: 1.10, 64 | 20: 4.10, 64 | 40: 16.10, 64 | 80: does not end (> 64 MiB) |  | 2.0 | races, 75 % |",
		"| never | things | silent | 10: does not end (> 64 MiB) |  |  |  |  | - |  |",
		"These do not end in 20s: square, racing (80); never, silent (10).",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "All sizes") {
		t.Error("full sizes are said to be others")
	}
	g.series[2] = powers("square", true, 2, g.base, 5)
	if v := g.verdict(); !strings.Contains(v, "Steeper than 1.3: square, racing (2.0).") || strings.Contains(v, "straight") {
		t.Error(v)
	}
}

func TestPlot(t *testing.T) {
	var b bytes.Buffer
	if err := made().plot(&b); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	d := xml.NewDecoder(&b)
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			counts[e.Name.Local]++
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
	if counts["polyline"] != 4 || counts["circle"] != 13 {
		t.Errorf("elements are %v, want 4 lines with 13 points", counts)
	}
}

// Sizes that would be the same are measured once.
func TestSizes(t *testing.T) {
	if got := (measuring{scale: 1}).sizes(1600); len(got) != 5 || got[0] != 100 || got[4] != 1600 {
		t.Errorf("sizes are %v", got)
	}
	if got := (measuring{scale: 0.001}).sizes(1600); len(got) != 1 || got[0] != growtest.Smallest {
		t.Errorf("sizes are %v", got)
	}
}
