package expect

import (
	"fmt"
	"slices"
	"strings"
)

// pairKey names a pair of lines under a rule; a is not after b.
type pairKey struct {
	rule string
	a, b Pos
}

func keyOf(rule string, a, b Pos) pairKey {
	if b.before(a) {
		a, b = b, a
	}
	return pairKey{rule, a, b}
}

func (f Finding) key() pairKey {
	return keyOf(f.Rule, Pos{f.FileA, f.LineA}, Pos{f.FileB, f.LineB})
}

// Compare returns one line for each difference between the set and the findings, sorted; nothing means that they
// agree. Several findings between the same lines under one rule count as the strongest of them.
func (s *Set) Compare(found []Finding) []string {
	best := map[pairKey]string{}
	for _, f := range found {
		if k := f.key(); rank[f.Priority] >= rank[best[k]] {
			best[k] = f.Priority
		}
	}
	var diffs []string
	listed := map[pairKey]bool{}
	for _, r := range s.Races {
		k := keyOf(r.Rule, r.A, r.B)
		listed[k] = true
		if d := r.differs(best[k], best); d != "" {
			diffs = append(diffs, fmt.Sprintf("%s: race %s with %s: %s", r.A, r.Label, r.B, d))
		}
	}
	for k, priority := range best {
		if listed[k] {
			continue
		}
		if d := s.unexpected(k, priority); d != "" {
			diffs = append(diffs, d)
		}
	}
	slices.Sort(diffs)
	return diffs
}

// differs tells what is wrong with the answer found for r; found is "" if there is none.
func (r Race) differs(found string, best map[pairKey]string) string {
	right := slices.Contains(r.Priorities, found)
	switch {
	case r.Known == FalseNegative && right:
		return "is found now: take FN_ out of its label"
	case r.Known == FalseNegative, right:
		return ""
	case r.Known == FalsePositive && found == "":
		return "is gone, as it should be: mark its lines silent or safe instead"
	case found != "":
		return fmt.Sprintf("%s is %s, want %s", r.Rule, found, strings.Join(r.Priorities, " or "))
	}
	d := fmt.Sprintf("%s %s is missing", r.Rule, strings.Join(r.Priorities, " or "))
	var others []string
	for k, priority := range best {
		if k.a == r.A && k.b == r.B {
			others = append(others, k.rule+" "+priority)
		}
	}
	if len(others) > 0 {
		slices.Sort(others)
		d += "; found there instead: " + strings.Join(others, ", ")
	}
	return d
}

// unexpected tells why a finding that no race mark lists is a difference, or returns "".
func (s *Set) unexpected(k pairKey, priority string) string {
	what := fmt.Sprintf("%s: unexpected %s %s with %s", k.a, k.rule, priority, k.b)
	free := s.needsNoMark(k, priority)
	for _, q := range s.Silent {
		if q.Pos != k.a && q.Pos != k.b {
			continue
		}
		if q.LowAllowed && free && !nullRules[k.rule] {
			continue
		}
		word := "silent"
		if q.LowAllowed {
			word = "safe"
		}
		if q.Reason != "" {
			word += " because " + q.Reason
		}
		return fmt.Sprintf("%s; %s is %s", what, q.Pos, word)
	}
	if free {
		return ""
	}
	return what
}

// needsNoMark tells whether a finding of this priority may come between these lines without a mark.
func (s *Set) needsNoMark(k pairKey, priority string) bool {
	return priority == "low" ||
		rank[priority] <= rank[s.Unlisted[k.a.File]] && rank[priority] <= rank[s.Unlisted[k.b.File]]
}

// Tally counts marks, for the bound on known wrong answers.
type Tally struct{ Races, Silent, KnownWrong int }

// Tally counts the marks of the set.
func (s *Set) Tally() Tally {
	t := Tally{Races: len(s.Races), Silent: len(s.Silent)}
	for _, r := range s.Races {
		if r.Known != Right {
			t.KnownWrong++
		}
	}
	return t
}
