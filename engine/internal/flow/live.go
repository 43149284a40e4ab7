package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Live says whether a location has been found not null, or been written, on every path
// to an instruction of a function, and not been freed since.
type Live struct {
	s        *actions.Set
	r        *pointsto.Result
	codes    Codes
	accesses *Accesses
	locks    *Locks
	together *Together
	frees    map[pointsto.FieldKey]actions.Bits
	sets     map[pointsto.FieldKey]actions.Bits
	known    map[location]*liveness
	vouched  *table[asked, bool]
	left     *table[asked, bool]
}

// location is a field of an object as a function names it. What is known
// of it is known only inside of one critical section of the lock, if there is one, and in
// runs where tests of fields written together with it are trusted so far.
type location struct {
	f      pointsto.FuncID
	key    pointsto.FieldKey
	static bool
	base   Base
	lock   Lock
	trust  trust
}

// asked is a function that is asked about a field of its receiver, or a static one.
type asked struct {
	f      pointsto.FuncID
	key    pointsto.FieldKey
	static bool
}

func newLive(s *actions.Set, codes Codes, accesses *Accesses, locks *Locks, together *Together) *Live {
	l := &Live{
		s: s, r: s.PT, codes: codes, accesses: accesses, locks: locks, together: together,
		frees: map[pointsto.FieldKey]actions.Bits{}, sets: map[pointsto.FieldKey]actions.Bits{}, known: map[location]*liveness{},
	}
	l.vouched = newTable[asked](func(old, now bool) (bool, bool) { return old || now, now && !old })
	l.vouched.compute = l.vouches
	l.left = newTable[asked](func(old, now bool) (bool, bool) { return old || now, now && !old })
	l.left.compute = l.leaves
	return l
}

// mayFree reports whether f, or what it calls, frees a location of this field.
func (l *Live) mayFree(f pointsto.FuncID, key pointsto.FieldKey) bool {
	return l.freeing(key).Has(int(f))
}

// freeing is the functions that free a location of this field, or call one that does.
func (l *Live) freeing(key pointsto.FieldKey) actions.Bits {
	free, ok := l.frees[key]
	if !ok {
		for _, a := range l.accesses.of(key).frees {
			free = joinBits(free, l.s.Upward(a.Func))
		}
		l.frees[key] = free
	}
	return free
}

// setting is the functions that store something else than null into a location of this field,
// or call one that does.
func (l *Live) setting(key pointsto.FieldKey) actions.Bits {
	set, ok := l.sets[key]
	if !ok {
		for _, a := range l.accesses.of(key).writes {
			if a.Live {
				set = joinBits(set, l.s.Upward(a.Func))
			}
		}
		l.sets[key] = set
	}
	return set
}

// locate names a location in a function: the field of the access, of the object that
// base is there.
func (l *Live) locate(use *Access, f pointsto.FuncID, base ir.Value, lock Lock, by trust) location {
	loc := location{f: f, key: use.Key, static: use.Static, lock: lock, trust: by}
	if !use.Static && base != 0 {
		loc.base = l.codes.Of(l.r.Body(f)).BaseOf(l.r.Prog, base)
	}
	return loc
}

// before reports whether the location is live when v is about to be executed; entry says
// whether it is when the function begins.
func (l *Live) before(loc location, v ir.Value, entry bool) bool {
	s := l.known[loc]
	if s == nil {
		s = l.solve(loc)
		l.known[loc] = s
	}
	return s.states(entry).Before(v)
}

// liveness is what one function does to one location: a test makes it live on
// one edge, a write where it stands; a free, or a call that may free, ends it, and so
// does the border of a critical section.
type liveness struct {
	l      *Live
	b      *ir.Body
	code   *Code
	loc    location
	events map[ir.Value]bool // what an instruction leaves: live or not
	border [2]ir.Value       // the first and the last of events
	ends   bool              // some instruction leaves it not live
	loads  map[ir.Value]bool // values loaded from the location
	since  map[ir.Value]*Solution[bool]
	solved [2]*Solution[bool]
	plain  *Solution[bool] // by tests of the location itself only
}

func (l *Live) solve(loc location) *liveness {
	b := l.r.Body(loc.f)
	s := &liveness{l: l, b: b, code: l.codes.Of(b), loc: loc, events: map[ir.Value]bool{}, loads: map[ir.Value]bool{}, since: map[ir.Value]*Solution[bool]{}}
	s.collect()
	return s
}

// states solves the analysis, from a location that is live on entry or not.
func (s *liveness) states(entry bool) *Solution[bool] {
	i := 0
	if entry {
		i = 1
	}
	if s.solved[i] == nil {
		s.solved[i] = Solve(s.b, &living{s, entry, false})
	}
	return s.solved[i]
}

// living is the problem; plain: by tests of the location itself only.
type living struct {
	*liveness
	entry, plain bool
}

func (p *living) Entry() bool          { return p.entry }
func (p *living) Top() bool            { return true }
func (p *living) Join(a, b bool) bool  { return a && b }
func (p *living) Equal(a, b bool) bool { return a == b }
func (p *living) Step(v ir.Value, live bool) bool {
	if now, ok := p.event(v); ok {
		return now
	}
	return live
}
func (p *living) Edge(from, to int32, live bool) bool { return live || p.tested(from, to, p.plain) }

// collect notes the loads, writes and frees of the location, the calls that may free
// it, what fails on a null, and the borders of critical sections.
func (s *liveness) collect() {
	var writes []ir.Value
	for _, a := range s.l.accesses.of(s.loc.key).byFunc[s.loc.f] {
		switch {
		case a.Null && !a.Live:
			s.events[a.At] = false
		case a.Model || !a.Static && (s.loc.static || s.code.BaseOf(s.l.r.Prog, a.Base) != s.loc.base):
		case a.Write:
			s.events[a.At] = true
			writes = append(writes, a.At)
		default:
			s.loads[a.At] = true
		}
	}
	free := s.l.freeing(s.loc.key)
	for _, c := range s.l.r.Calls[s.loc.f] {
		yields := s.loc.lock != 0 && s.l.locks.waits[s.loc.lock].Has(int(c.Callee))
		if yields || free.Has(int(c.Callee)) && !slices.Contains(writes, c.Site) {
			s.events[c.Site] = false
		}
	}
	s.calls()
	if s.loc.lock != 0 {
		for v := ir.Value(1); int(v) < s.b.Len(); v++ {
			if s.l.locks.cuts(s.loc.lock, s.loc.f, s.b, v) {
				s.events[v] = false
			}
		}
	}
	for v, live := range s.events {
		s.ends = s.ends || !live
		s.enclose(v)
	}
	s.used()
}

// calls notes the calls on the same instance whose every callee leaves the location live, such
// as init().
func (s *liveness) calls() {
	if s.loc.lock != 0 {
		return
	}
	setting := s.l.setting(s.loc.key)
	all := map[ir.Value]bool{}
	for _, c := range s.l.r.Calls[s.loc.f] {
		if c.Site > 0 && c.Callee != s.loc.f && setting.Has(int(c.Callee)) && s.onInstance(c.Site) {
			all[c.Site] = true
		}
	}
	if len(all) == 0 {
		return
	}
	for _, c := range s.l.r.Calls[s.loc.f] {
		if all[c.Site] && c.Callee != s.loc.f {
			all[c.Site] = !c.Maybe && !c.Inline && s.l.left.of(asked{c.Callee, s.loc.key, s.loc.static})
		}
	}
	for v, live := range all {
		if live && !s.l.r.Open(s.loc.f, v) {
			s.events[v] = true
		}
	}
}

// onInstance reports whether v is a call of a method of the location's instance, or any call
// if it is static.
func (s *liveness) onInstance(v ir.Value) bool {
	return s.b.Op[v] == ir.OpInvoke && (s.loc.static || s.b.Sub[v] != ir.Static && s.code.BaseOf(s.l.r.Prog, s.b.Arg(v, 0)) == s.loc.base)
}

// leaves reports whether the location of a function's receiver is live whenever it returns.
func (l *Live) leaves(q asked) bool {
	b := l.r.Body(q.f)
	if b == nil || !q.static && b.Op[1] != ir.OpParam {
		return false
	}
	if !l.setting(q.key).Has(int(q.f)) {
		return false
	}
	loc := location{f: q.f, key: q.key, static: q.static}
	if !q.static {
		loc.base = l.codes.Of(b).BaseOf(l.r.Prog, 1)
	}
	s := l.solve(loc)
	some := false
	for k := range b.Blocks {
		if last := b.Blocks[k].End - 1; b.Op[last] == ir.OpReturn {
			if !s.states(false).Before(last) {
				return false
			}
			some = true
		}
	}
	return some
}

// enclose widens the border to an instruction.
func (s *liveness) enclose(v ir.Value) {
	if s.border[0] == 0 || v < s.border[0] {
		s.border[0] = v
	}
	s.border[1] = max(s.border[1], v)
}

// event is what an instruction leaves, if it is an event: of a long function, few are.
func (s *liveness) event(v ir.Value) (live, ok bool) {
	if v < s.border[0] || v > s.border[1] {
		return false, false
	}
	live, ok = s.events[v]
	return live, ok
}

// used: a dereference of a value that has been loaded from the location would
// have failed: what comes after it finds the location not null.
func (s *liveness) used() {
	for v := range s.loads {
		for _, u := range s.code.Uses(v) {
			if _, known := s.events[u]; known || !s.current(v, u) {
				continue
			}
			if fails(s.b, u, v) || s.b.Op[u] == ir.OpInvoke && s.b.Sub[u] != ir.Static && s.b.Arg(u, 0) == v {
				s.events[u] = true
				s.enclose(u)
			}
		}
	}
}

// current reports whether the location has not ended to be live since value v was last
// computed, whenever instruction u, which v reaches, is about to be executed.
func (s *liveness) current(v, u ir.Value) bool {
	if !s.ends {
		return true
	}
	known := s.since[v]
	if known == nil {
		known = Solve(s.b, &unended{s, v})
		s.since[v] = known
	}
	return known.Before(u)
}

// unended is the problem whether the location has not ended to be live since v.
type unended struct {
	*liveness
	v ir.Value
}

func (p *unended) Entry() bool                      { return false }
func (p *unended) Top() bool                        { return true }
func (p *unended) Join(a, b bool) bool              { return a && b }
func (p *unended) Equal(a, b bool) bool             { return a == b }
func (p *unended) Edge(_, _ int32, since bool) bool { return since }
func (p *unended) Step(v ir.Value, since bool) bool {
	if live, ok := p.event(v); ok && !live {
		return false
	}
	return since || v == p.v
}

// tested reports whether the edge between two blocks is taken only if a value loaded from the
// location, or from a field that is written together with it, is not null, or a method of the
// same instance has said so, and the location has not been freed since.
func (s *liveness) tested(from, to int32, plain bool) bool {
	test := s.b.Blocks[from].End - 1
	for _, c := range Proves(s.b, from, to) {
		if !c.NonZero() {
			continue
		}
		if (s.loads[c.Value] || s.asked(c.Value) || s.companion(c.Value) || !plain && s.noted(c.Value)) && s.current(c.Value, test) {
			return true
		}
	}
	return false
}

// noted reports whether a value notes a test: it is merged from zeros and from what is computed
// where a test of the location itself has found it not null, as in ready = a != null && b.
func (s *liveness) noted(v ir.Value) bool {
	if s.b.Op[v] != ir.OpPhi {
		return false
	}
	if s.plain == nil {
		s.plain = Solve(s.b, &living{s, false, true})
	}
	return s.zeroOrLive(v, false, s.plain, map[ir.Value]bool{})
}

// companion reports whether a value is loaded from a field of the same object that is always
// written together with the location.
func (s *liveness) companion(v ir.Value) bool {
	return s.loc.trust.queue != 0 && s.l.together.proves(s.loc.f, v, s.loc)
}

// asked reports whether a value is the answer of a method of the same instance, such as
// isReady(), that is true only if it has found the location not null.
func (s *liveness) asked(v ir.Value) bool {
	if !s.onInstance(v) {
		return false
	}
	some := false
	for _, c := range s.l.r.Calls[s.loc.f] {
		if c.Site != v {
			continue
		}
		if !s.l.vouched.of(asked{c.Callee, s.loc.key, s.loc.static}) {
			return false
		}
		some = true
	}
	return some
}

// vouches reports whether a function returns a value other than 0 only if it has found the
// location of its receiver not null.
func (l *Live) vouches(q asked) bool {
	b := l.r.Body(q.f)
	if b == nil || l.mayFree(q.f, q.key) || !q.static && b.Op[1] != ir.OpParam {
		return false
	}
	loc := location{f: q.f, key: q.key, static: q.static}
	if !q.static {
		loc.base = l.codes.Of(b).BaseOf(l.r.Prog, 1)
	}
	s := l.solve(loc)
	some := false
	for k := range b.Blocks {
		last := b.Blocks[k].End - 1
		if b.Op[last] != ir.OpReturn || b.NArgs(last) != 1 {
			continue
		}
		if !s.zeroOrLive(b.Arg(last, 0), s.states(false).Before(last), s.states(false), map[ir.Value]bool{}) {
			return false
		}
		some = true
	}
	return some
}

// zeroOrLive reports whether a value is 0, null or false, or the location is live where the
// value is, which the caller says of v itself and the edges into a phi say of what it merges.
func (s *liveness) zeroOrLive(v ir.Value, live bool, by *Solution[bool], seen map[ir.Value]bool) bool {
	n, known := pointsto.Constant(s.b, v)
	switch {
	case live, known && n == 0, seen[v], s.loads[v]: // a getter gives the location itself
		return true
	case s.b.Op[v] != ir.OpPhi:
		return false
	}
	seen[v] = true
	block := s.b.BlockOf(v)
	for i, a := range s.b.ArgsOf(v) {
		if !s.zeroOrLive(a, by.After(s.b.Preds(block)[i], block), by, seen) {
			return false
		}
	}
	return true
}
