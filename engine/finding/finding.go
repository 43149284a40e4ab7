// Package finding holds what one run of the engine found, as plain structs with
// a schema version. The analysis writes them once; text, JSON, SARIF, the
// baseline, the GitHub Action and the Gradle plugin only read them.
//
// A Race is one pair of accesses, made by two runs, whose order nothing fixes.
// Ids, baseline state and suppression belong to it. A Finding is what a person
// is shown: the races of one rule on one field, the strongest first. Arrange
// turns the races of a run into its findings; Run.Check verifies what every
// reader relies on.
//
// Everything here is a value: no pointers into the analysis, no clock, no
// absolute path, so that equal inputs give equal bytes.
package finding

import (
	"cmp"
	"slices"
	"strings"
)

// SchemaVersion is the version of the JSON form of Run. It grows when a field
// changes its meaning or goes away; new optional fields do not change it. Since
// version 2 what races share stands in tables.
const SchemaVersion = 2

// ToolName is how the tool names itself in every output.
const ToolName = "eventraces"

// Run is everything one run of the engine has to say.
type Run struct {
	Schema   int            `json:"schemaVersion"`
	Tool     Tool           `json:"tool"`
	App      App            `json:"app"`
	Inputs   []Input        `json:"inputs"` // in the order given
	Counts   Counts         `json:"counts"`
	Findings []Finding      `json:"findings"`      // sorted; see Arrange
	Notes    []Notification `json:"notifications"` // sorted; see Arrange
	Baseline *Comparison    `json:"baseline,omitempty"`

	Category string `json:"category,omitempty"` // tells this app from the repository's others; ends the category of SARIF
	Revision string `json:"revision,omitempty"` // the commit that was built, where the caller knows it: 40 hex digits
}

// Tool names the program that made the run.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// App says which app was analysed.
type App struct {
	Package   string `json:"package,omitempty"` // from the manifest
	MinSDK    int    `json:"minSdk,omitempty"`
	TargetSDK int    `json:"targetSdk,omitempty"`
	Renamed   bool   `json:"renamed,omitempty"`         // a shrinker has renamed the classes: no other build has these ids
	Manifest  string `json:"manifest,omitempty"`        // repository path of the manifest's source, if found
	Sources   bool   `json:"sourcesSearched,omitempty"` // source roots were searched; see Position.Found
}

// Input is one analysed file or folder, by its base name only: two checkouts of
// one commit must give equal bytes.
type Input struct {
	Name string `json:"name"`
}

// Counts are the sizes of the stages.
type Counts struct {
	Classes    int `json:"classes"`    // classes read
	AppClasses int `json:"appClasses"` // of these, the app's own
	Methods    int `json:"methods"`    // methods with code
	Reached    int `json:"reached"`    // methods some action reaches
	Actions    int `json:"actions"`
	OrderEdges int `json:"orderEdges"`
	Candidates int `json:"candidates"`
	Filtered   int `json:"filtered"` // candidates that a sound filter removed
	Races      int `json:"races"`    // set by Arrange
	Findings   int `json:"findings"` // set by Arrange
	High       int `json:"high"`     // findings by priority; set by Arrange
	Medium     int `json:"medium"`
	Low        int `json:"low"`
	New        int `json:"new"`        // findings that nobody has accepted; set by Arrange
	Unchanged  int `json:"unchanged"`  // findings that the baseline has accepted
	Suppressed int `json:"suppressed"` // findings that the source suppresses
}

// Finding is the races of one rule, one field and one standing, the strongest
// first. The first race gives the finding its locations, priority and
// explanation. A new race is never in a finding with accepted ones.
type Finding struct {
	Rule     RuleID   `json:"rule"`
	Field    Field    `json:"field"`
	Priority Priority `json:"priority"`
	Races    []Race   `json:"races"` // never empty; sorted
}

// First is the strongest race of the finding.
func (f *Finding) First() *Race { return &f.Races[0] }

// Race is one pair of accesses of one location whose order nothing fixes.
type Race struct {
	ID       string    `json:"id"` // 16 hex digits; the n-th equal id ends in "#n"
	Rule     RuleID    `json:"rule"`
	Field    Field     `json:"field"`
	Sides    [2]Side   `json:"sides"`    // the anchor first; see Orient
	Order    string    `json:"order"`    // why nothing orders the two runs
	Wrong    string    `json:"wrong"`    // what goes wrong
	Fix      string    `json:"fix"`      // how to fix it
	Priority Priority  `json:"priority"` // the least limit of the facts
	Facts    []Fact    `json:"facts"`    // everything the priority rests on
	Schedule *Schedule `json:"schedule,omitempty"`
	Pairs    int       `json:"pairs,omitempty"` // pairs of callbacks that the race stands for; 0 or 1: one
	Brief    bool      `json:"brief,omitempty"` // one of many on its field: told without chains and schedule

	State      State        `json:"state,omitempty"`      // against the baseline; "" if there was none
	Accepted   *Accepted    `json:"accepted,omitempty"`   // the baseline's line for it
	Suppressed *Suppression `json:"suppressed,omitempty"` // what the source says
	Limited    []string     `json:"limited,omitempty"`    // budgets or unreadable inputs that cost this race precision
}

// Field names the location that both sides touch. For array and container
// content it is the field that holds the array or container.
type Field struct {
	Class    string  `json:"class"` // declaring class, dotted: com.example.Main$Loader; of a lambda or anonymous class from Nested
	Name     string  `json:"name"`
	Static   bool    `json:"static,omitempty"`
	Content  Content `json:"content,omitempty"`
	Declared string  `json:"binary,omitempty"` // binary name of the declaring class, where it differs: com.example.Main$1; no part of ids
}

// Binary is the binary name of the declaring class.
func (f *Field) Binary() string { return cmp.Or(f.Declared, f.Class) }

// String is the field as every output names it: pkg.Class.field.
func (f Field) String() string { return f.Class + "." + f.Name }

// Content tells a location inside what a field holds from the field itself.
type Content string

const (
	Itself    Content = ""          // the field
	Array     Content = "array"     // elements of the array it holds
	Container Content = "container" // content of the collection it holds
	Resource  Content = "resource"  // open or closed state of the resource it holds
	Kept      Content = "kept"      // no field: what the platform keeps of the object, such as an activity's window token
)

// Side is one of the two accesses with how its action came to run and how the
// action came to it.
type Side struct {
	Access  Access     `json:"access"`
	Events  []Event    `json:"events"`            // from the user or the system to the action; never empty
	Calls   []Frame    `json:"calls"`             // from the action's entry to the access; the entry first
	Further []Position `json:"further,omitempty"` // other places of it: a dereference in a caller or callee
}

// Access is the load or store of the location, in the method the developer
// wrote.
type Access struct {
	Position
	Kind   Kind     `json:"kind"`
	Action string   `json:"action"` // stable name of the action that makes it
	Entry  Callback `json:"entry"`  // the action's callback; part of the id
	Thread string   `json:"thread"` // "main looper", "looper X", "background thread", "unknown thread", ...
}

// Kind is what an access does to its location.
type Kind string

const (
	Read  Kind = "read"
	Write Kind = "write"
	Free  Kind = "free" // null-write, removal, close
	Use   Kind = "use"  // read whose value is dereferenced
)

// Changes says whether the access changes the location.
func (k Kind) Changes() bool { return k == Write || k == Free }

// Position is a place in the source, as far as the bytecode tells it.
type Position struct {
	Method Method `json:"method"`
	File   string `json:"file"`               // package path + SourceFile, or repository path once resolved; "" if the class names none
	Line   int    `json:"line"`               // 0 if unknown
	Found  bool   `json:"resolved,omitempty"` // File is a real file below a source root
}

// Method names a method by its source-level types.
type Method struct {
	Class  string   `json:"class"` // dotted binary name: com.example.Main$1
	Name   string   `json:"name"`
	Params []string `json:"parameters"` // java.lang.String, int[], ...
}

// Callback is the entry of an action, named so that the name survives edits
// elsewhere: Class of a lambda or anonymous class comes from Nested.
type Callback struct {
	Class  string   `json:"class"`
	Name   string   `json:"name"`
	Params []string `json:"parameters"`
}

// Frame is one method on the way from an action's entry to the access.
type Frame struct {
	Position        // where in Method the next call, or the access, is
	Note     string `json:"note,omitempty"` // "run at once by Iterable.forEach", ...
}

// Event is one link of the chain that makes an action run.
type Event struct {
	What     string    `json:"what"`               // "the user clicks R.id.load", "Handler.post", "the system destroys the activity"
	Cause    Cause     `json:"cause"`              // who delivers it
	Callback *Method   `json:"callback,omitempty"` // what runs then
	Thread   string    `json:"thread,omitempty"`   // where it runs
	Site     *Position `json:"site,omitempty"`     // the post, start or registration that asked for it
}

// Cause is the kind of source an event comes from.
type Cause string

const (
	ByUser      Cause = "user"
	BySystem    Cause = "system"
	ByLifecycle Cause = "lifecycle"
	ByMessage   Cause = "message" // a post to a looper
	ByTask      Cause = "task"    // an executor or task
	ByThread    Cause = "thread"  // a started thread
)

// Fact is one statement that the priority rests on. Limit is the highest
// priority that the fact allows; zero limits nothing.
type Fact struct {
	Name  FactID   `json:"name"`
	Text  string   `json:"text"`
	Limit Priority `json:"limit,omitzero"`
}

// Notification tells what a reader must know about the run itself: what could
// not be read, which limit was hit.
type Notification struct {
	Kind  NoteKind `json:"kind"`
	Text  string   `json:"text"`            // one line
	Count int      `json:"count,omitempty"` // how many times; 0 means once
	Where string   `json:"where,omitempty"` // file, class or method it is about
}

// NoteKind sorts notifications by what they mean for the verdict.
type NoteKind string

const (
	NoteBudget        NoteKind = "budget"         // a count was reached: precision lost
	NoteBrokenClass   NoteKind = "broken-class"   // a class or method could not be read
	NoteBrokenInput   NoteKind = "broken-input"   // a file of the bundle could not be read
	NoteUnknownThread NoteKind = "unknown-thread" // an action runs on a thread we do not know
	NoteNoMapping     NoteKind = "no-mapping"     // shrunk build without its mapping
	NoteNoSources     NoteKind = "no-sources"     // positions that no source root holds
	NoteBaseline      NoteKind = "baseline"       // a baseline is missing, or has lines that do not count
	NoteRenamed       NoteKind = "renamed"        // a race that the baseline has under other names
	NoteUnusedIgnore  NoteKind = "unused-suppression"
	NoteLeftOut       NoteKind = "left-out" // an output holds less than the run
	NoteInfo          NoteKind = "info"
)

// Limits says whether the note means that part of the app was not looked at, or
// not with full precision: then "no races" must not be said.
func (k NoteKind) Limits() bool {
	return k == NoteBudget || k == NoteBrokenClass || k == NoteBrokenInput
}

// Limited says whether a limit was hit or part of the input was unreadable.
func (r *Run) Limited() bool {
	limited := r.Partial()
	r.EachRace(func(x *Race) { limited = limited || len(x.Limited) > 0 })
	return limited
}

// Partial says whether part of the app was not looked at, or not with full
// precision: a race could be missing.
func (r *Run) Partial() bool {
	return slices.ContainsFunc(r.Notes, func(n Notification) bool { return n.Kind.Limits() })
}

// SourcePath guesses where the source of a class is: the path of its package,
// then the SourceFile that its bytecode names. It is "" if the class names none:
// D8 and R8 put words without an extension there. Only the base name of source
// counts, since bytecode may claim any path.
func SourcePath(class, source string) string {
	source = source[strings.LastIndexAny(source, `/\`)+1:]
	if dot := strings.LastIndexByte(source, '.'); dot <= 0 || dot == len(source)-1 {
		return ""
	}
	dot := strings.LastIndexByte(class, '.')
	if dot < 0 {
		return source
	}
	return strings.ReplaceAll(class[:dot], ".", "/") + "/" + source
}
