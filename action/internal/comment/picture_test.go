package comment

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
	"github.com/eventraces/eventraces/internal/fetch"
)

// mermaid is the library that GitHub draws with, in a version of theirs.
var mermaid = fetch.Package{Name: "mermaid", Version: "11.12.0"}

const (
	mermaidFile = "package/dist/mermaid.min.js"
	mermaidSum  = "07e37dfa97b337ccc85365d57eddf99b9706f09db3b59b260d0333b23b343c4b"
)

var pictureForm = regexp.MustCompile("(?s)```mermaid\n(.*?)```")

func picturesOf(page string) []string {
	var all []string
	for _, m := range pictureForm.FindAllStringSubmatch(page, -1) {
		all = append(all, m[1])
	}
	return all
}

// parse gives what Mermaid says against each picture.
func parse(t *testing.T, pictures []string) []string {
	t.Helper()
	file, err := mermaid.File(t.Context(), mermaidFile, mermaidSum)
	file = fetch.Required(t, file, err)
	in, err := json.Marshal(pictures)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "testdata/parse.cjs", file)
	cmd.Stdin = bytes.NewReader(in)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("node: %v %.2000s", err, stderr.Bytes())
	}
	var answers []string
	if err := json.Unmarshal(out.Bytes(), &answers); err != nil || len(answers) != len(pictures) {
		t.Fatalf("%d pictures, %d answers: %v", len(pictures), len(answers), err)
	}
	return answers
}

// Every picture of every page is one for the real library, whatever the names.
func TestMermaidTakesThePictures(t *testing.T) {
	bad := []string{"flowchart LR\n  a[\"x\" --> b\n", "sequenceDiagram\n  a->>b\n"}
	pictures := slices.Clone(bad)
	for _, shape := range findingtest.All {
		pictures = append(pictures, picturesOf(page(shape.Run()).Sticky())...)
	}
	pictures = append(pictures, picturesOf(chains(longRace())+failing(longRace()))...)
	hostilePages(func(_, text string) { pictures = append(pictures, picturesOf(text)...) })
	slices.Sort(pictures[len(bad):])
	pictures = slices.Compact(pictures)
	if len(pictures) < 100 {
		t.Errorf("only %d pictures", len(pictures))
	}
	for i, answer := range parse(t, pictures) {
		if wrong := answer != ""; wrong != (i < len(bad)) {
			t.Errorf("Mermaid says %q to\n%s", answer, pictures[i])
		}
	}
}

// longRace has chains and a schedule that are cut, on two threads.
func longRace() *finding.Race {
	r := findingtest.UseAfterFree()
	for range 10 {
		r.Sides[0].Events = append(r.Sides[0].Events, findingtest.Executed)
	}
	first := r.Schedule.Steps[0]
	for i := range 12 {
		step := first
		step.Thread, step.Cause = []string{"main looper", "background thread"}[i%2], i
		r.Schedule.Steps = append(r.Schedule.Steps, step)
	}
	return &r
}

func TestLongPicturesAreCut(t *testing.T) {
	r := longRace()
	drawn := chains(r)
	if nodes := strings.Count(drawn, "-->"); !strings.Contains(drawn, `("8 more events")`) || nodes != nodesShown+1+1 {
		t.Errorf("%d nodes before the accesses in\n%s", nodes, drawn)
	}
	drawn = failing(r)
	for _, want := range []string{"participant t1 as background thread\n", "6 more steps\n  autonumber 11\n", "t0->>t1: ", "t0-xt1: ", "asked for in step 11"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("no %q in\n%s", want, drawn)
		}
	}
	if n := strings.Count(drawn, ": the user presses Back"); n != stepsShown-1 {
		t.Errorf("%d steps in\n%s", n, drawn)
	}
}
