package finding

import (
	"cmp"
	"slices"
	"strings"
)

// Arrange makes the findings of the run out of its races: it puts the sides of
// each race in order, gives each race its id, groups races of one rule and
// field, sorts everything and counts. The races must be distinct pairs of
// instructions; Arrange drops none, so that joining or splitting source lines
// changes no id. The slice is the run's from then on: there may be a hundred thousand
// races of a kilobyte.
func (r *Run) Arrange(races []Race) {
	for i := range races {
		races[i].repair()
		races[i].Orient()
	}
	numberIDs(races)
	r.Findings = group(races)
	r.count(len(races))
	r.SortNotes()
	if r.Inputs == nil {
		r.Inputs = []Input{}
	}
}

// Orient puts the anchor first: the use, else the read, else the method that
// sorts first. It depends on nothing but the race, so the anchor stays where it
// is whatever a change touches.
func (r *Race) Orient() {
	if compareSides(&r.Sides[0], &r.Sides[1]) > 0 {
		r.Sides[0], r.Sides[1] = r.Sides[1], r.Sides[0]
	}
}

func anchorRank(k Kind) int {
	switch k {
	case Use:
		return 0
	case Read:
		return 1
	default:
		return 2
	}
}

func compareSides(a, b *Side) int {
	if n := cmp.Or(
		cmp.Compare(anchorRank(a.Access.Kind), anchorRank(b.Access.Kind)),
		compareMethods(a.Access.Method, b.Access.Method),
		cmp.Compare(a.Access.Kind, b.Access.Kind),
	); n != 0 { // seldom equal: the rest is not looked at
		return n
	}
	return cmp.Or(
		compareMethods(Method(a.Access.Entry), Method(b.Access.Entry)),
		cmp.Compare(a.Access.Line, b.Access.Line),
		cmp.Compare(a.Access.Action, b.Access.Action),
		cmp.Compare(a.Access.Thread, b.Access.Thread),
		cmp.Compare(len(a.Events), len(b.Events)),
		cmp.Compare(len(a.Calls), len(b.Calls)),
		slices.CompareFunc(a.Calls, b.Calls, compareFrames),
	)
}

func compareFrames(a, b Frame) int {
	return cmp.Or(compareMethods(a.Method, b.Method), cmp.Compare(a.Line, b.Line))
}

// compareMethods compares what String makes of two methods, which it seldom has to make.
func compareMethods(a, b Method) int {
	switch {
	case a.Class != b.Class:
		if !strings.HasPrefix(a.Class, b.Class) && !strings.HasPrefix(b.Class, a.Class) {
			return cmp.Compare(a.Class, b.Class)
		}
	case a.Name != b.Name:
		if !strings.HasPrefix(a.Name, b.Name) && !strings.HasPrefix(b.Name, a.Name) {
			return cmp.Compare(a.Name, b.Name)
		}
	case slices.Equal(a.Params, b.Params):
		return 0
	}
	return cmp.Compare(a.String(), b.String())
}

// numberIDs gives each race its id. Races with equal hashes are numbered in the
// order of their methods, then lines: the set of ids does not depend on it.
func numberIDs(races []Race) {
	equal := make(map[string][]*Race, len(races))
	for i := range races {
		base := baseID(&races[i])
		equal[base] = append(equal[base], &races[i])
	}
	for base, rs := range equal {
		slices.SortStableFunc(rs, func(a, b *Race) int {
			return cmp.Or(compareSides(&a.Sides[0], &b.Sides[0]), compareSides(&a.Sides[1], &b.Sides[1]),
				cmp.Compare(b.Priority, a.Priority))
		})
		for n, r := range rs {
			r.ID = JoinID(base, n+1)
		}
	}
}

// group groups the races and sorts them, in their place.
func group(races []Race) []Finding {
	groups := [][]int{}
	at := map[groupKey]int{}
	for n := range races {
		key := races[n].group()
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], n)
	}
	for _, g := range groups {
		slices.SortFunc(g, func(i, j int) int {
			return cmp.Or(compareStrength(&races[i], &races[j]), cmp.Compare(i, j))
		})
	}
	slices.SortFunc(groups, func(g, h []int) int {
		a, b := &races[g[0]], &races[h[0]]
		if n := cmp.Or(cmp.Compare(ruleRank(a.Rule), ruleRank(b.Rule)), compareFields(&a.Field, &b.Field)); n != 0 {
			return n
		}
		return cmp.Or(compareStrength(a, b), cmp.Compare(g[0], h[0]))
	})
	rearrange(races, slices.Concat(groups...))
	findings := make([]Finding, len(groups))
	for i, g := range groups {
		of := races[:len(g):len(g)]
		races = races[len(g):]
		findings[i] = Finding{Rule: of[0].Rule, Field: of[0].Field, Priority: of[0].Priority, Races: of}
	}
	// Within one priority the order of rules and fields made above stays.
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(b.Priority, a.Priority) })
	return findings
}

// rearrange puts the races in an order, which lists where they are; it is used up.
func rearrange(races []Race, order []int) {
	for i := range order {
		first := races[i]
		to := i
		for from := order[to]; from != i && from >= 0; from = order[to] {
			races[to] = races[from]
			order[to] = -1
			to = from
		}
		if order[to] >= 0 {
			races[to] = first
			order[to] = -1
		}
	}
}

func compareFields(a, b *Field) int {
	if *a == *b {
		return 0
	}
	return cmp.Compare(a.String(), b.String())
}

// compareStrength puts first what a reader should see first: the higher
// priority, then what is told in full, then the race fewest facts speak against,
// then the shortest story.
func compareStrength(a, b *Race) int {
	if n := cmp.Or(
		cmp.Compare(b.Priority, a.Priority),
		compareBool(a.Brief, b.Brief),
		cmp.Compare(limiting(a), limiting(b)),
		cmp.Compare(length(a), length(b)),
		compareSides(&a.Sides[0], &b.Sides[0]),
	); n != 0 {
		return n
	}
	return cmp.Or(compareSides(&a.Sides[1], &b.Sides[1]), compareIDs(a.ID, b.ID))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

func limiting(r *Race) int {
	n := len(r.Limited)
	for _, f := range r.Facts {
		if f.Limit != 0 {
			n++
		}
	}
	return n
}

func length(r *Race) int {
	n := 0
	for i := range r.Sides {
		n += len(r.Sides[i].Events) + len(r.Sides[i].Calls)
	}
	return n
}

func compareIDs(a, b string) int {
	baseA, na := SplitID(a)
	baseB, nb := SplitID(b)
	return cmp.Or(strings.Compare(baseA, baseB), cmp.Compare(na, nb))
}

func (r *Run) count(races int) {
	c := &r.Counts
	c.Races, c.Findings = races, len(r.Findings)
	c.High, c.Medium, c.Low = 0, 0, 0
	c.New, c.Unchanged, c.Suppressed = 0, 0, 0
	for i := range r.Findings {
		switch r.Findings[i].Standing() {
		case Open:
			c.New++
		case Known:
			c.Unchanged++
		case Suppressed:
			c.Suppressed++
		}
		switch r.Findings[i].Priority {
		case High:
			c.High++
		case Medium:
			c.Medium++
		case Low:
			c.Low++
		}
	}
}

// SortNotes puts the notifications in their order; whoever adds one after
// Arrange calls it.
func (r *Run) SortNotes() {
	slices.SortStableFunc(r.Notes, compareNotes)
	if r.Notes == nil {
		r.Notes = []Notification{}
	}
}

func compareNotes(a, b Notification) int {
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Where, b.Where),
		cmp.Compare(a.Text, b.Text),
		cmp.Compare(a.Count, b.Count),
	)
}
