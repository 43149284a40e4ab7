package report

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// Upload is what the github profile holds. It is one choice for a repository:
// code scanning closes an alert that an upload lacks and reopens it when it
// comes back, so a change of the choice closes or reopens alerts.
type Upload string

const (
	UploadAll Upload = "all"      // all findings that the source does not suppress
	UploadNew Upload = "new-only" // of these, what the baseline does not accept
)

// What an upload may hold, well inside what code scanning takes (25,000 results,
// of which it keeps 5,000; 10 MB compressed; 1,000 thread flow locations and 100
// locations of a result). Source: GitHub's documentation, "SARIF support for code
// scanning".
const (
	mostResults  = 2000
	mostEvents   = 9  // of a thread flow
	mostCalls    = 10 // of a thread flow
	mostFurther  = 20 // places of an access
	mostRaces    = 50 // of a finding, listed by id and accesses
	mostNotes    = 100
	mostCompress = 9 << 20 // bytes
)

// GitHubSARIF writes what an upload to code scanning may hold: no suppressed
// finding, since code scanning shows those as open, none without a place in the
// repository, and none beyond its limits. What is left out, the least important
// first, a notification of the run tells. The result has passed preflight.
//
// The notifications are returned, too: whoever looks at the upload only would
// take what is left out for fixed.
func GitHubSARIF(w io.Writer, run *finding.Run, upload Upload) (leftOut []finding.Notification, err error) {
	g := forGitHub(run, upload)
	b, err := g.fit()
	if err != nil {
		return nil, err
	}
	if err := preflight(b); err != nil {
		return nil, fmt.Errorf("GitHub would refuse the SARIF: %w", err)
	}
	_, err = w.Write(b)
	return g.leftOutNotes(), err
}

// uploadRun is a run cut down to what may be uploaded.
type uploadRun struct {
	finding.Run
	limit    int    // bytes when compressed
	overSize int    // findings left out for the size
	stripped []bool // by finding: it lost its code flow for the size
	notes    []finding.Notification
}

func forGitHub(run *finding.Run, upload Upload) *uploadRun {
	g := &uploadRun{Run: *run, limit: mostCompress}
	g.Findings = nil
	unplaced, beyond, races, places := 0, 0, 0, 0
	for i := range run.Findings {
		f := run.Findings[i]
		switch {
		case f.Standing() == finding.Suppressed, upload == UploadNew && f.Standing() != finding.Open:
		case !placeable(run, &f):
			unplaced++
		case len(g.Findings) == mostResults:
			beyond++
		default:
			races += max(len(f.Races)-mostRaces, 0)
			f.Races = slices.Clone(f.Races[:min(len(f.Races), mostRaces)])
			places += trim(f.First())
			g.Findings = append(g.Findings, f)
		}
	}
	g.stripped = make([]bool, len(g.Findings))
	if unplaced > 0 {
		g.leftOut("findings without a source file or manifest in the repository", unplaced)
	}
	if beyond > 0 {
		g.leftOut(fmt.Sprintf("findings beyond the first %d", mostResults), beyond)
	}
	if races > 0 {
		g.leftOut(fmt.Sprintf("accesses and ids of races beyond the first %d of a finding", mostRaces), races)
	}
	if places > 0 {
		g.leftOut(fmt.Sprintf("places of an access beyond the first %d", mostFurther), places)
	}
	return g
}

// placeable: an alert for the finding has a file to stand in.
func placeable(run *finding.Run, f *finding.Finding) bool {
	return anchorOf(run, &f.First().Sides[0]).File != "" || inRoot(run.App.Manifest) != "" || !run.App.Sources
}

// trim keeps the ends of long chains, and says in them where it cut; it returns
// how many places of the accesses are left out.
func trim(r *finding.Race) (places int) {
	for i := range r.Sides {
		s := &r.Sides[i]
		if n := len(s.Events) - mostEvents; n > 0 {
			s.Events = ends(s.Events, mostEvents)
			s.Events[mostEvents/2-1].What += fmt.Sprintf(", then %s not shown", Plural(n, "event"))
		}
		if n := len(s.Calls) - mostCalls; n > 0 {
			s.Calls = ends(s.Calls, mostCalls)
			last := &s.Calls[mostCalls/2-1]
			last.Note = strings.TrimPrefix(last.Note+"; "+Plural(n, "call")+" between not shown", "; ")
		}
		places += max(len(s.Further)-mostFurther, 0)
		s.Further = s.Further[:min(len(s.Further), mostFurther)]
	}
	return places
}

func ends[T any](list []T, n int) []T {
	return slices.Concat(list[:n/2], list[len(list)-(n-n/2):])
}

func (g *uploadRun) leftOut(what string, n int) {
	g.notes = append(g.notes, finding.Notification{Kind: finding.NoteLeftOut, Count: n, Text: "this upload leaves out " + what})
}

// fit renders the run, with as much left out as its size needs.
func (g *uploadRun) fit() ([]byte, error) {
	for {
		b, err := g.render()
		if err != nil || !g.tooLarge(b) {
			return b, err
		}
		if !g.reduce() {
			return nil, fmt.Errorf("the SARIF is larger than %d bytes when compressed, even without any finding", g.limit)
		}
	}
}

func (g *uploadRun) render() ([]byte, error) {
	run := g.Run
	run.Notes = slices.Concat(run.Notes[:min(len(run.Notes), mostNotes)], g.leftOutNotes())
	var b bytes.Buffer
	err := writeSARIF(&b, &run, github)
	return b.Bytes(), err
}

func (g *uploadRun) leftOutNotes() []finding.Notification {
	noFlows := 0
	for _, yes := range g.stripped {
		if yes {
			noFlows++
		}
	}
	notes := slices.Clone(g.notes)
	for _, n := range []finding.Notification{
		{Kind: finding.NoteLeftOut, Count: len(g.Notes) - mostNotes, Text: "this upload leaves out notifications"},
		{Kind: finding.NoteLeftOut, Count: noFlows, Text: "this upload leaves out code flows, for its size"},
		{Kind: finding.NoteLeftOut, Count: g.overSize, Text: "this upload leaves out findings, for its size"},
	} {
		if n.Count > 0 {
			notes = append(notes, n)
		}
	}
	return notes
}

func (g *uploadRun) tooLarge(b []byte) bool {
	var n counter
	z, _ := gzip.NewWriterLevel(&n, gzip.BestSpeed) // a level that exists; others give less
	z.Write(b)                                      // a counter does not fail
	z.Close()
	return int(n) > g.limit
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// reduce leaves out what matters least: of the lowest priority first the code
// flows, then half of the findings, the weakest.
func (g *uploadRun) reduce() bool {
	if len(g.Findings) == 0 {
		return false
	}
	lowest := g.Findings[len(g.Findings)-1].Priority
	first := slices.IndexFunc(g.Findings, func(f finding.Finding) bool { return f.Priority == lowest })
	flows := false
	for i := first; i < len(g.Findings); i++ {
		if r := g.Findings[i].First(); !r.Brief {
			r.Brief, g.stripped[i], flows = true, true, true
		}
	}
	if !flows {
		keep := first + (len(g.Findings)-first)/2
		g.overSize += len(g.Findings) - keep
		g.Findings, g.stripped = g.Findings[:keep], g.stripped[:keep]
	}
	return true
}
