package report

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// message is the text of a result, with both accesses linked to the related
// locations 1 (the other) and 2 (the anchor).
func message(r *finding.Race) string {
	anchor, other := &r.Sides[0].Access, &r.Sides[1].Access
	worse := ""
	if r.State == finding.Worse {
		worse = fmt.Sprintf("Worse than accepted (%s): ", r.Accepted.Priority)
	}
	return fmt.Sprintf("%s%s %s (%s in [%s](2), %s in [%s](1)%s)",
		worse, sarifText(Clean(r.Wrong)), sarifText(Clean(r.Order)),
		anchor.Kind, sarifText(spot(anchor)), other.Kind, sarifText(spot(other)), standsFor("; ", r))
}

// standsFor says of how many pairs of accesses a race speaks, after sep; "" of one.
func standsFor(sep string, r *finding.Race) string {
	if r.Pairs <= 1 {
		return ""
	}
	return fmt.Sprintf("%sone of %d such pairs", sep, r.Pairs)
}

// spot names an access in a few words: Main.onClick, Main.java:10.
func spot(a *finding.Access) string {
	if a.File == "" {
		return name(a.Method.Short())
	}
	return name(a.Method.Short()) + ", " + spotOf(a.Position)
}

// accessText says what an access does, where, in which action and thread.
func accessText(a *finding.Access) string {
	return fmt.Sprintf("%s in %s, run by %s on %s", a.Kind, name(a.Method.Short()), name(a.Action), ThreadText(a.Thread))
}

// sarifText escapes what SARIF messages give a meaning: links and their escape.
func sarifText(s string) string {
	return sarifEscapes.Replace(s)
}

var sarifEscapes = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`)

// eventPlace is where the i-th event of a side is shown, and its text. An event
// without a site of its own (the user clicks) is shown where its callback goes
// on: at the next event's site, or at the action's entry.
func eventPlace(s *finding.Side, i int) (finding.Position, string) {
	e := &s.Events[i]
	text := name(e.What)
	if e.Callback != nil {
		text += ", which runs " + name(e.Callback.Short())
		if e.Thread != "" {
			text += " on " + ThreadText(e.Thread)
		}
	}
	if e.Site != nil {
		return *e.Site, text
	}
	for _, later := range s.Events[i+1:] {
		if later.Site != nil {
			return *later.Site, text
		}
	}
	return s.Calls[0].Position, text
}

// anchorOf is the place an access is reported at: its own, else the nearest
// site that posted or registered its action, else none, which means the
// manifest.
func anchorOf(run *finding.Run, s *finding.Side) finding.Position {
	if usable(run, s.Access.Position) {
		return s.Access.Position
	}
	for i := len(s.Events) - 1; i >= 0; i-- {
		if site := s.Events[i].Site; site != nil && usable(run, *site) {
			return *site
		}
	}
	return finding.Position{Method: s.Access.Method}
}

// usable says whether a position names a source file: a real one if the
// sources were searched, else the guess.
func usable(run *finding.Run, p finding.Position) bool {
	return inRoot(p.File) != "" && (p.Found || !run.App.Sources)
}

// placed is the file and line of a position, or the manifest.
func placed(run *finding.Run, p finding.Position) (string, int) {
	if usable(run, p) {
		return p.File, max(p.Line, 1)
	}
	if inRoot(run.App.Manifest) != "" {
		return run.App.Manifest, 1
	}
	return "AndroidManifest.xml", 1
}
