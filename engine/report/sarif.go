package report

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/eventraces/eventraces/engine/finding"
)

// This file is the only one that knows go-sarif. What version 2 of it leaves to
// its user is done here: rules are registered before results, no null is
// written, every list that must exist does.

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	projectURI  = "https://github.com/eventraces/eventraces"
	ruleURI     = projectURI + "/blob/main/docs/rules/"
	// srcRoot is what all paths are relative to; readers that ignore it take
	// the repository, which is the same.
	srcRoot = "%SRCROOT%"
)

// RuleURL is the page of a rule.
func RuleURL(id finding.RuleID) string { return ruleURI + string(id) + ".md" }

// profile says for whom SARIF is written.
type profile int

const (
	full   profile = iota // archives and tools: everything
	github                // code scanning: what it shows, and nothing it would misread
)

// SARIF writes the run as SARIF 2.1.0, the full profile: every finding of every
// priority, how it compares with the baseline, what is suppressed, and the
// accepted races that are gone.
func SARIF(w io.Writer, run *finding.Run) error {
	return writeSARIF(w, run, full)
}

func writeSARIF(w io.Writer, run *finding.Run, p profile) error {
	log := sarif.Report{Version: string(sarif.Version210), Schema: sarifSchema, Runs: []*sarif.Run{sarifRun(run, p)}}
	return encode(w, &log, style{row: 4, lists: true})
}

func sarifRun(run *finding.Run, p profile) *sarif.Run {
	once := &tables{inline: p == github}
	driver := sarif.NewVersionedDriver(name(run.Tool.Name), name(run.Tool.Version)).
		WithInformationURI(projectURI).
		WithSemanticVersion(name(run.Tool.Version))
	for _, rule := range finding.Rules() {
		driver.AddRule(sarifRule(rule))
	}
	out := sarif.NewRun(sarif.Tool{Driver: driver})
	out.ColumnKind = "utf16CodeUnits"
	out.WithAutomationDetails(sarif.NewRunAutomationDetails().WithID(Category(run)))
	out.WithOriginalUriBaseIds(map[string]*sarif.ArtifactLocation{
		srcRoot: sarif.NewArtifactLocation().WithDescriptionText("The root of the repository that holds the app's sources."),
	})
	out.AddInvocations(invocation(run))
	out.Results = make([]*sarif.Result, 0, len(run.Findings))
	for i := range run.Findings {
		result := sarifResult(run, &run.Findings[i], once)
		if p == full {
			compared(run, result, run.Findings[i].First())
		}
		out.AddResult(result)
	}
	if p == full && run.Baseline != nil {
		taken := map[string]int{} // the numbers that races of the run have
		run.EachRace(func(r *finding.Race) {
			base, n := finding.SplitID(r.ID)
			taken[base] = max(taken[base], n)
		})
		for _, a := range run.Baseline.Gone {
			base, _ := finding.SplitID(a.ID)
			taken[base]++
			out.AddResult(goneResult(run, a, taken[base]))
		}
	}
	once.addTo(out)
	return out
}

// compared adds what only the full profile tells: code scanning ignores it or
// takes it wrongly.
func compared(run *finding.Run, result *sarif.Result, r *finding.Race) {
	if run.Baseline != nil {
		result.BaselineState = new(baselineState(r.State))
	}
	if a := r.Accepted; a != nil {
		result.Properties["accepted"] = map[string]any{"id": a.ID, "priority": a.Priority.String(), "reason": Clean(a.Reason)}
	}
	if s := r.Suppressed; s != nil {
		result.WithSuppression([]*sarif.Suppression{
			sarif.NewSuppression("inSource").WithStatus("accepted").WithJustifcation(Clean(s.Because + " (" + s.By + " at " + s.Where + ")")),
		})
	}
}

// baselineState is SARIF's word for a state.
func baselineState(s finding.State) string {
	switch s {
	case finding.Worse:
		return "updated"
	case finding.Unchanged:
		return "unchanged"
	default:
		return "new"
	}
}

// goneResult is an accepted race that is not there any more, the n-th of its
// hash. Its place is not known; it stands at the manifest.
func goneResult(run *finding.Run, a finding.Accepted, n int) *sarif.Result {
	base, _ := finding.SplitID(a.ID)
	what := "is gone."
	if run.Partial() {
		what = "was not seen, but part of the app was not analysed."
	}
	return sarif.NewRuleResult(string(a.Rule)).
		WithRuleIndex(ruleIndex(a.Rule)).
		WithLevel(level(a.Priority)).
		WithMessage(sarif.NewTextMessage(sarifText("The accepted race on " + name(a.Field) + " " + what))).
		WithLocations([]*sarif.Location{location(run, finding.Position{})}).
		WithPartialFingerPrints(fingerprints(base, n)).
		WithBaselineState("absent")
}

// fingerprints of the n-th race of a base id. Code scanning knows the first only.
func fingerprints(base string, n int) map[string]any {
	return map[string]any{
		"primaryLocationLineHash": base + ":" + strconv.Itoa(n),
		finding.IDVersion:         base,
	}
}

// Category is the automation id of the run; code scanning takes what stands before
// the last slash, so it ends in one.
func Category(run *finding.Run) string {
	id := finding.ToolName + "/"
	if run.App.Package != "" {
		id += name(strings.ReplaceAll(run.App.Package, "/", ".")) + "/"
	}
	if run.Category != "" {
		id += run.Category + "/"
	}
	return id
}

func sarifRule(r finding.Rule) *sarif.ReportingDescriptor {
	help := r.Full + "\n\nHow to fix it: " + r.Fix
	markdown := fmt.Sprintf("%s\n\n**How to fix it.** %s\n\n### Failing\n\n```java\n%s```\n\n### Fixed\n\n```java\n%s```\n",
		r.Full, r.Fix, r.Failing, r.Fixed)
	rule := sarif.NewRule(string(r.ID)).
		WithName(r.Name).
		WithShortDescription(sarif.NewMultiformatMessageString(r.Short)).
		WithFullDescription(sarif.NewMultiformatMessageString(r.Full)).
		WithHelpURI(RuleURL(r.ID)).
		WithHelp(sarif.NewMultiformatMessageString(help).WithMarkdown(markdown)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel("warning"))
	rule.Properties = sarif.Properties{
		"tags":             []string{"android", "concurrency", "correctness", "external/cwe/cwe-362"},
		"precision":        "high",
		"problem.severity": "warning",
	}
	return rule
}

func sarifResult(run *finding.Run, f *finding.Finding, once *tables) *sarif.Result {
	r := f.First()
	anchor, other := &r.Sides[0], &r.Sides[1]
	base, n := finding.SplitID(r.ID)
	result := sarif.NewRuleResult(string(f.Rule)).
		WithRuleIndex(ruleIndex(f.Rule)).
		WithLevel(level(f.Priority)).
		WithMessage(sarif.NewTextMessage(message(r))).
		WithLocations([]*sarif.Location{location(run, anchorOf(run, anchor))}).
		WithPartialFingerPrints(fingerprints(base, n))
	// The ids are what the message links to.
	related := []*sarif.Location{
		once.place(location(run, anchorOf(run, other))).WithId(1).WithDescriptionText(sarifText(accessText(&other.Access))),
		once.place(location(run, anchorOf(run, anchor))).WithId(2).WithDescriptionText(sarifText(accessText(&anchor.Access))),
	}
	for _, s := range []*finding.Side{anchor, other} {
		for _, p := range s.Further {
			related = append(related, once.place(location(run, p)).WithId(len(related)+1).
				WithDescriptionText(sarifText("also part of the "+string(s.Access.Kind)+" in "+name(s.Access.Method.Short()))))
		}
	}
	result.WithRelatedLocations(related)
	if !r.Brief {
		result.AddCodeFlow(sarif.NewCodeFlow().
			WithTextMessage("How each side comes to run. Nothing orders the two flows.").
			WithThreadFlows([]*sarif.ThreadFlow{threadFlow(run, 1, anchor, once), threadFlow(run, 2, other, once)}))
	}
	result.Properties = properties(f, once)
	return result
}

func ruleIndex(id finding.RuleID) int {
	for i, r := range finding.Rules() {
		if r.ID == id {
			return i
		}
	}
	panic("report: run with unknown rule " + string(id)) // Run.Check refuses it
}

// level follows the priority: code scanning fails a pull request on errors, so
// only what is worth that is one.
func level(p finding.Priority) string {
	switch p {
	case finding.High:
		return "error"
	case finding.Medium:
		return "warning"
	default:
		return "note"
	}
}

// threadFlow is the n-th side: its events, then its calls, then the access. Both
// sides may do the same in the same action, so the id begins with n.
func threadFlow(run *finding.Run, n int, s *finding.Side, once *tables) *sarif.ThreadFlow {
	flow := sarif.NewThreadFlow().WithID(fmt.Sprintf("%d: %s", n, s.Access.Kind))
	for i := range s.Events {
		at, text := eventPlace(s, i)
		flow.AddLocation(once.step(step(run, at, text, 0)))
	}
	for i, line := range calls(s) {
		flow.AddLocation(once.step(step(run, s.Calls[i].Position, line, i+1)))
	}
	flow.AddLocation(once.step(step(run, s.Access.Position, accessText(&s.Access), len(s.Calls)).WithImportance("essential")))
	return flow
}

func step(run *finding.Run, p finding.Position, text string, nesting int) *sarif.ThreadFlowLocation {
	return sarif.NewThreadFlowLocation().
		WithLocation(location(run, p).WithDescriptionText(sarifText(text))).
		WithNestingLevel(nesting)
}

// location is a place of the run; one without a source file falls back to the
// manifest, since code scanning refuses a file with a result it cannot place.
func location(run *finding.Run, p finding.Position) *sarif.Location {
	file, line := placed(run, p)
	loc := sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
		WithArtifactLocation(sarif.NewSimpleArtifactLocation(relativeURI(file)).WithUriBaseId(srcRoot)).
		WithRegion(sarif.NewRegion().WithStartLine(line)))
	if p.Method.Class != "" {
		loc.AddLogicalLocations(sarif.NewLogicalLocation().WithKind("function").
			WithFullyQualifiedName(name(p.Method.String())))
	}
	return loc
}

// relativeURI escapes a path; the result never has a scheme or a host and never
// leaves the root, whatever the run says.
func relativeURI(file string) string {
	if !utf8.ValidString(file) {
		file = string([]rune(file)) // as JSON would read it back
	}
	return (&url.URL{Path: inRoot(file)}).String()
}

// inRoot is a path below the root of the repository, "" for the root itself.
func inRoot(file string) string { return path.Clean("/" + file)[1:] }

func properties(f *finding.Finding, once *tables) sarif.Properties {
	r := f.First()
	ids, pairs := []string{}, 0
	for i := range f.Races {
		ids = append(ids, f.Races[i].ID)
		pairs += max(f.Races[i].Pairs, 1)
	}
	facts := []string{}
	for _, fact := range r.Facts {
		facts = append(facts, Clean(string(fact.Name)+": "+fact.Text))
	}
	p := sarif.Properties{
		"field":    Clean(f.Field.String()),
		"priority": f.Priority.String(),
		"ids":      ids,
		"accesses": once.accesses(f),
		"order":    Clean(r.Order),
		"facts":    facts,
	}
	if pairs > len(f.Races) {
		p["pairs"] = pairs
	}
	if len(r.Limited) > 0 {
		p["limited"] = cleanAll(r.Limited)
	}
	return p
}

// invocation tells how the run went. Having found races is a success; so is a
// run that met a limit, which its notifications tell.
func invocation(run *finding.Run) *sarif.Invocation {
	inv := sarif.NewInvocation().WithExecutionSuccess(true)
	for _, n := range run.Notes {
		// The descriptor is the kind by its name; rules for notifications would
		// have to carry help texts like rules for results.
		inv.AddTToolExecutionNotification(sarif.NewNotification().
			WithTextMessage(sarifText(noteText(n))).
			WithLevel(noteLevel(n.Kind)).
			WithDescriptor(sarif.NewReportingDescriptorReference().WithId(name(string(n.Kind)))))
	}
	return inv
}

func noteLevel(kind finding.NoteKind) string {
	if kind.Limits() || kind == finding.NoteNoMapping {
		return "warning"
	}
	return "note"
}
