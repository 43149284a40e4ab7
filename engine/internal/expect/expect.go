// Package expect reads what the sources of a fixture app say about its races and compares that, both ways, with
// what the engine found: an expected race that is missing is a difference, and so is a finding that nobody expected.
// It also tells whether a built APK still belongs to its sources.
//
// The grammar of the comments is in engine/testdata/fixtures/README.md. The package knows rules and priorities by
// name only and imports nothing of the engine, so that no change there can bend an expectation. Known
// wrong answers carry a name and a reason, and are counted. The cost is one pass over the sources.
package expect

import "fmt"

// Finding is one pair of accesses as the engine reported it. A file is named by package and file name, as in
// com/example/app/Main.java; which of the two accesses comes first does not matter.
type Finding struct {
	Rule, Priority string
	FileA          string
	LineA          int
	FileB          string
	LineB          int
}

// Pos is a line of a source file, named as in Finding.
type Pos struct {
	File string
	Line int
}

func (p Pos) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

func (p Pos) before(q Pos) bool {
	if p.File != q.File {
		return p.File < q.File
	}
	return p.Line < q.Line
}

// Known tells an expectation of a right answer from one of a wrong answer that is known and waits to be mended.
type Known uint8

const (
	Right         Known = iota
	FalsePositive       // label FP_: reported today, and should not be
	FalseNegative       // label FN_: not reported today, and should be
)

// Race is an expected pair. A is not after B; they are equal if the line races with itself.
type Race struct {
	Label      string
	Rule       string
	Priorities []string // any of these is right; never empty
	Known      Known
	Reason     string // never empty unless Known is Right
	A, B       Pos
}

// Silence is a line on which the engine must not find an access of a race.
type Silence struct {
	Pos
	Reason string
	// LowAllowed is set by "safe": the line may take part in findings that need no mark, if their rule is not one of
	// the null rules.
	LowAllowed bool
}

// Set is everything that the sources of one app expect. Races are in label order, Silent in order of position.
type Set struct {
	Races    []Race
	Silent   []Silence
	Unlisted map[string]string // by file: highest priority that needs no mark there
}

var rank = map[string]int{"low": 1, "medium": 2, "high": 3}

var rules = map[string]bool{
	"use-after-free":        true,
	"use-before-init":       true,
	"unordered-write":       true,
	"stale-read":            true,
	"unsynchronized-access": true,
}

// nullRules are the rules about a null that is used: a guard answers them, but not the others.
var nullRules = map[string]bool{"use-after-free": true, "use-before-init": true}
