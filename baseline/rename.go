package baseline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// byName matches what is left after the ids: a line and a race that differ by
// names only, where the app has lost the old name and has the new one.
//
// What one rename explains must hold for all: each old name gets one new name,
// the one that explains most; if two explain as much, none, unless as many lines
// as races are left that could be each other. What has no name of its own, the number of a lambda among its equals and a captured local variable, may
// differ besides.
//
// It is false if there were too many to compare.
func (m *match) byName(races []*finding.Race, names Names) bool {
	s := &renaming{names: names, old: map[nameOf]bool{}}
	var lines, free []*story
	for i := range m.lines {
		if m.race[i] < 0 {
			lines = append(lines, newStory(i, &m.lines[i].Accepted))
		}
	}
	for i := range m.lines {
		s.remember(newStory(i, &m.lines[i].Accepted))
	}
	for i, r := range races {
		if m.line[i] < 0 {
			a := finding.AcceptedOf(r)
			s := newStory(i, &a)
			s.kinds = [2]finding.Kind{r.Sides[0].Access.Kind, r.Sides[1].Access.Kind}
			if a.Callbacks[0] != r.Sides[0].Access.Entry.String() {
				s.kinds[0], s.kinds[1] = s.kinds[1], s.kinds[0]
			}
			free = append(free, s)
		}
	}
	if len(lines) == 0 || len(free) == 0 {
		return true
	}
	all := s.candidates(lines, free)
	chosen := s.choose()
	for _, c := range s.pairs {
		if m.race[c.line] < 0 && m.line[c.race] < 0 && c.holds(chosen) {
			m.set(c.race, c.line)
		}
	}
	s.ties(m, lines)
	return all
}

// ties matches what can only be said of several at once: n lines of one priority
// could be any of n races of one priority, as of two fields alike that were both
// renamed. Whichever is which, all are accepted.
func (s *renaming) ties(m *match, lines []*story) {
	could := map[int][]int{} // races by line
	for _, c := range s.pairs {
		if m.race[c.line] < 0 && m.line[c.race] < 0 && c.slack == 0 {
			could[c.line] = append(could[c.line], c.race)
		}
	}
	alike := map[string][]int{} // lines by the races that they could be
	var keys []string
	for _, l := range lines {
		if len(could[l.at]) == 0 {
			continue
		}
		slices.Sort(could[l.at])
		key := fmt.Sprint(could[l.at])
		if alike[key] == nil {
			keys = append(keys, key)
		}
		alike[key] = append(alike[key], l.at)
	}
	claimed := map[int]int{} // groups by race
	for _, key := range keys {
		for _, race := range could[alike[key][0]] {
			claimed[race]++
		}
	}
	for _, key := range keys {
		group := alike[key]
		races := could[group[0]]
		if len(group) != len(races) || slices.ContainsFunc(races, func(r int) bool { return claimed[r] != 1 }) {
			continue
		}
		for i, race := range races {
			m.set(race, group[i])
		}
	}
}

// story is a line or race as it is compared: its names in a fixed order.
type story struct {
	finding.Accepted
	at    int             // index among lines or races
	kinds [2]finding.Kind // of a race: of its accesses, in the order of Callbacks
	field []nameOf
	calls [2][]nameOf
}

// nameOf is one name: of a class (member is ""), of a member of it, or the number
// of a lambda or anonymous class among its equals.
type nameOf struct {
	class, member, number string
}

func newStory(at int, a *finding.Accepted) *story {
	s := &story{Accepted: *a, at: at}
	if dot := strings.LastIndexByte(a.Field, '.'); dot >= 0 {
		names, owner := namesOfClass(a.Field[:dot])
		s.field = append(names, nameOf{class: owner, member: a.Field[dot+1:]})
	} else {
		s.field = []nameOf{{class: a.Field}}
	}
	for i, c := range a.Callbacks {
		s.calls[i] = namesIn(c)
	}
	return s
}

// namesIn takes a callback apart (see finding.Callback and finding.Nested):
// com.example.Main.onCreate(android.os.Bundle)$java.lang.Runnable#1.run() is a
// member of Main, the class Runnable, its number, and a member of Runnable.
func namesIn(callback string) []nameOf {
	open := strings.LastIndexByte(callback, '(')
	if open < 0 {
		return []nameOf{{class: callback}}
	}
	dot := strings.LastIndexByte(callback[:open], '.')
	if dot < 0 {
		return []nameOf{{class: callback}}
	}
	names, owner := namesOfClass(callback[:dot])
	return append(names, nameOf{class: owner, member: callback[dot+1:]})
}

// namesOfClass also gives the class whose members a callback of it can be.
func namesOfClass(class string) (names []nameOf, owner string) {
	enclosing, implements, n, nested := finding.Unnest(class)
	if !nested {
		return []nameOf{{class: class}}, class
	}
	return append(namesIn(enclosing), nameOf{class: implements}, nameOf{number: strconv.Itoa(n)}), implements
}

// rename is one old name with its new one; class is the old class of a member.
type rename struct {
	class, from, to string
}

// subject is what is renamed.
func (r rename) subject() rename { return rename{class: r.class, from: r.from} }

// target is what it is renamed to.
func (r rename) target() rename { return rename{class: r.class, to: r.to} }

// pairing is a line and a race that could be the same, if renames hold.
type pairing struct {
	line, race int
	renames    []rename
	renumbered int
	slack      finding.Priority // how far above the race the line accepts; below 0 if the race is worse
}

func (p *pairing) cost() int { return len(p.renames) + p.renumbered }

type renaming struct {
	names Names
	old   map[nameOf]bool // names of classes and members in the baseline: nothing was renamed to them
	pairs []pairing
}

func (s *renaming) remember(l *story) {
	for _, list := range [][]nameOf{l.field, l.calls[0], l.calls[1]} {
		for _, n := range list {
			s.old[n] = true
		}
	}
}

// mostTried bounds the pairs that are compared by name: beyond it a race stays
// new. It is far above what one change renames.
const mostTried = 1 << 20

// candidates finds the pairs that could be the same. They agree in the rule, and
// in the field's name or in the names of both callbacks. It is false if there are
// more than it looks at.
func (s *renaming) candidates(lines, races []*story) bool {
	index := map[string][]*story{}
	for _, r := range races {
		for _, k := range r.keys() {
			index[k] = append(index[k], r)
		}
	}
	tried, all := 0, true
	for _, l := range lines {
		seen, before := map[int]bool{}, len(s.pairs)
		for _, k := range l.keys() {
			if len(s.pairs) > before {
				break
			}
			for _, r := range index[k] {
				if seen[r.at] {
					continue
				}
				if tried++; tried > mostTried {
					all = false
					break
				}
				seen[r.at] = true
				if p, ok := s.compare(l, r); ok {
					s.pairs = append(s.pairs, p)
				}
			}
		}
	}
	slices.SortStableFunc(s.pairs, func(a, b pairing) int {
		return cmp.Or(
			cmp.Compare(a.renumbered, b.renumbered), cmp.Compare(len(a.renames), len(b.renames)),
			cmp.Compare(min(b.slack, 0), min(a.slack, 0)), cmp.Compare(a.slack, b.slack))
	})
	return all
}

// keys are what lines and races are brought together by, the closest first: what
// is alike by an earlier key is not looked for by a later one.
func (s *story) keys() []string {
	a, b := last(s.calls[0]), last(s.calls[1])
	calls := min(a, b) + " " + max(a, b)
	class := s.field[0].class
	simple := class[strings.LastIndexByte(class, '.')+1:]
	return []string{
		strings.Join([]string{"1", string(s.Rule), simple, last(s.field), calls}, " "),
		strings.Join([]string{"2", string(s.Rule), last(s.field), calls}, " "),
		strings.Join([]string{"3", string(s.Rule), simple, last(s.field)}, " "),
		strings.Join([]string{"4", string(s.Rule), class, calls}, " "),
		strings.Join([]string{"5", string(s.Rule), calls}, " "),
	}
}

func last(names []nameOf) string {
	name, _, _ := strings.Cut(names[len(names)-1].member, "(")
	return name
}

// compare says which renames make the line tell of the race.
func (s *renaming) compare(l, r *story) (pairing, bool) {
	best, found := pairing{}, false
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		p := pairing{line: l.at, race: r.at, slack: l.Priority - r.Priority}
		ok := s.alike(&p, l.field, r.field) && s.alike(&p, l.calls[0], r.calls[order[0]]) && s.alike(&p, l.calls[1], r.calls[order[1]]) &&
			l.Is([2]finding.Kind{r.kinds[order[0]], r.kinds[order[1]]})
		if ok && (!found || p.cost() < best.cost()) {
			best, found = p, true
		}
	}
	return best, found
}

// alike notes in p what renames make one list of names the other.
func (s *renaming) alike(p *pairing, from, to []nameOf) bool {
	if len(from) != len(to) {
		return false
	}
	for i, f := range from {
		t := to[i]
		switch {
		case f == t:
		case (f.number == "") != (t.number == ""), (f.member == "") != (t.member == ""):
			return false
		case f.number != "":
			p.renumbered++
		case f.member != "":
			if !s.member(p, f, t) {
				return false
			}
		default:
			if !s.class(p, f.class, t.class) {
				return false
			}
		}
	}
	return true
}

// captured begins the names of the fields in which compilers keep the local
// variables that an anonymous class uses.
const captured = "val$"

// add notes a rename; false if it contradicts another one of the pair.
func (p *pairing) add(r rename) bool {
	for _, other := range p.renames {
		if other == r {
			return true
		}
		if other.subject() == r.subject() || other.target() == r.target() {
			return false
		}
	}
	p.renames = append(p.renames, r)
	return true
}

// class notes that a class was renamed, if that can be.
func (s *renaming) class(p *pairing, from, to string) bool {
	if from == to {
		return true
	}
	return !s.names.HasClass(from) && s.names.HasClass(to) && !s.old[nameOf{class: to}] && p.add(rename{from: from, to: to})
}

// member notes the rename of a method or field; the classes before it are
// compared already. Parameters may have changed by the rename of their classes.
func (s *renaming) member(p *pairing, f, t nameOf) bool {
	switch {
	case f.member == t.member: // of a class that was renamed
		return true
	case strings.HasPrefix(f.member, captured) && strings.HasPrefix(t.member, captured):
		p.renumbered++ // a local variable was renamed; it has no other name
		return true
	}
	fn, fp, _ := strings.Cut(strings.TrimSuffix(f.member, ")"), "(")
	tn, tp, _ := strings.Cut(strings.TrimSuffix(t.member, ")"), "(")
	if fn == tn && s.params(p, fp, tp) {
		return true
	}
	has := func(member string) bool {
		name, _, _ := strings.Cut(member, "(")
		return s.names.HasMethod(t.class, member) || s.names.HasField(t.class, name)
	}
	if has(f.member) || !has(t.member) || s.old[nameOf{class: f.class, member: t.member}] || s.old[t] {
		return false
	}
	// The platform calls a method by its name: another name is another event.
	if s.names.Inherits(t.class, f.member) || s.names.Inherits(t.class, t.member) {
		return false
	}
	return p.add(rename{class: f.class, from: f.member, to: t.member})
}

func (s *renaming) params(p *pairing, from, to string) bool {
	fs, ts := strings.Split(from, ","), strings.Split(to, ",")
	if len(fs) != len(ts) {
		return false
	}
	for i := range fs {
		f, t := strings.TrimRight(fs[i], "[]"), strings.TrimRight(ts[i], "[]")
		if len(fs[i])-len(f) != len(ts[i])-len(t) || !s.class(p, f, t) {
			return false
		}
	}
	return true
}

// choose keeps for each old name the new one that explains most pairs, of those
// the one that looks most like it, and for each new name one old; what then ties
// is nobody's. A pair has a say only if its line and its race have none that
// needs fewer renames.
func (s *renaming) choose() map[rename]bool {
	line, race := map[int]int{}, map[int]int{} // fewest renames
	for _, p := range s.pairs {
		if n, ok := line[p.line]; !ok || p.cost() < n {
			line[p.line] = p.cost()
		}
		if n, ok := race[p.race]; !ok || p.cost() < n {
			race[p.race] = p.cost()
		}
	}
	score := map[rename]int{}
	for _, p := range s.pairs {
		if p.cost() > line[p.line] || p.cost() > race[p.race] {
			continue
		}
		for _, r := range p.renames {
			score[r] += 1 << 16
		}
	}
	forward, back := map[rename]int{}, map[rename]int{} // best scores
	for r := range score {
		score[r] += affinity(r.from, r.to)
		forward[r.subject()] = max(forward[r.subject()], score[r])
		back[r.target()] = max(back[r.target()], score[r])
	}
	first, firstBack := map[rename]int{}, map[rename]int{} // how many have these
	for r, n := range score {
		if n == forward[r.subject()] {
			first[r.subject()]++
		}
		if n == back[r.target()] {
			firstBack[r.target()]++
		}
	}
	chosen := map[rename]bool{}
	for r, n := range score {
		from, to := r.subject(), r.target()
		if n == forward[from] && first[from] == 1 && n == back[to] && firstBack[to] == 1 {
			chosen[r] = true
		}
	}
	return chosen
}

// affinity counts what two names begin and end with in common.
func affinity(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
		n++
	}
	return min(n, 1<<16-1)
}

func (p *pairing) holds(chosen map[rename]bool) bool {
	return !slices.ContainsFunc(p.renames, func(r rename) bool { return !chosen[r] })
}
