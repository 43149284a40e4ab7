package race

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// value is an attribute of a side.
func (f *finder) value(s visit, at attribute) any {
	switch at {
	case byAction:
		return s.x
	case byAccess:
		return s.n
	case byGroup:
		return f.groupedAs(s)
	case byConstants:
		return f.constants[s.x]
	case byMaking:
		return f.making(s)
	case byPlace:
		return f.placeOf(s)
	case byLocks:
		return f.setOfLocks(f.facts.Locks.Held(s.fact))
	case byOwnLocks:
		return f.ownLocks(s)
	case byStores:
		return f.stores(s.x, s.access)
	case byConstant:
		return f.constantOf(s.access)
	case byTest:
		return f.tested(s, 0)
	case bySection:
		return f.sections(s)
	case byQuery:
		return f.queries(s.access)
	case byHolder:
		return f.holder(s)
	case byReplacing:
		return f.replacing(s)
	case byOverwrite:
		return f.facts.Guards.Overwritten(s.x, s.fact)
	case byKey:
		return f.keyed(s.access)
	case byOwner:
		return f.ownerOf(s.access)
	case byMust:
		return f.s.Always(s.x, s.site())
	case byFlags:
		if f.tests(s) {
			return f.flagsAt(s)
		}
		return nil
	case byTogether:
		return f.companions(s)
	case byOnce:
		key, _ := f.onlyOnce(s.access, s.x)
		return key
	case byReading:
		return [2]bool{f.testsOnly(s.access), f.counts(s.access)}
	case byNaming:
		return f.placeNamed(s.access)
	case byEarlier:
		return f.writtenEarlier(s)
	case byBirth:
		return f.inBirth(s)
	case byCaught:
		return f.caughtBy(s)
	case byOnSelf:
		return f.onSelf(s.x, s.access)
	case byOwn:
		return f.onOwn(s.x, s.access)
	case byEnding:
		return f.endsOwner(s)
	case byParted:
		if f.parted(s) {
			return visitKey{s.n, s.x}
		}
		return nil
	}
	return [2]int{s.n, int(s.x)} // bySelf
}

// making says whether the function makes the instance itself, and whether the
// run has made it and shown it to nobody yet.
func (f *finder) making(s visit) [2]bool {
	return [2]bool{f.facts.Fresh.Local(s.fact), f.facts.Fresh.Private(s.x, s.fact)}
}

func (f *finder) setOfLocks(held []flow.Lock) int32 {
	if len(held) == 0 {
		return 0
	}
	b := append(f.bytes[:0], 'l')
	for _, o := range held {
		b = append(b, byte(o), byte(o>>8), byte(o>>16), byte(o>>24))
	}
	f.bytes = b
	return f.interned.of(b)
}

// ownLocks numbers the ways on which the locks held are found from the object of an access.
func (f *finder) ownLocks(s visit) int32 {
	held := f.facts.OwnLocks.Of(s.x, s.fact)
	if len(held) == 0 {
		return 0
	}
	b := append(f.bytes[:0], 'o')
	for _, w := range held {
		for _, hop := range append(w.Back[:], w.On[:]...) {
			b = binary.AppendVarint(b, int64(hop))
		}
	}
	f.bytes = b
	return f.interned.of(b)
}

// constant is what a store is known to leave.
type constant struct {
	null  bool // null and nothing else
	known bool
	value int64
	store bool // an instruction that stores a value
}

func (f *finder) constantOf(a *access) constant {
	if a.stored == 0 {
		return constant{}
	}
	n, known := pointsto.Constant(f.r.Body(a.f), a.stored)
	return constant{null: a.null && !a.live, known: known, value: n, store: true}
}

// foundOut is what the run of a use has found out about the location before.
type foundOut struct{ guarded, allocated bool }

// holds reports whether it keeps the use from what others left.
func (t foundOut) holds() bool { return t.guarded || t.allocated }

// tested is what the run of a use has found out; with a lock, in the critical section that the
// use is in.
func (f *finder) tested(s visit, lock flow.Lock) foundOut {
	t := foundOut{guarded: f.facts.Guards.Tested(s.x, s.fact, lock)}
	if !t.guarded {
		t.allocated = f.facts.Guards.Allocated(s.x, s.fact, lock)
	}
	return t
}

// companions is what the run of a use has found out by fields that are written together with the
// location.
type companions struct{ tested, sure bool }

func (f *finder) companions(s visit) (c companions) {
	c.tested, c.sure = f.facts.Guards.TestedTogether(s.x, s.fact)
	return c
}

// sections says for each lock that is held at a use, in order, what the run has found out in
// its critical section.
func (f *finder) sections(s visit) int32 {
	b := append(f.bytes[:0], 's')
	for _, lock := range f.facts.Locks.Held(s.fact) {
		found := byte(0)
		if f.tested(s, lock.Alone()).holds() {
			found = 1
		}
		b = append(b, found)
	}
	f.bytes = b
	return f.interned.of(b)
}

// holding is what is known of the access that loads what holds the content.
type holding struct {
	key       pointsto.FieldKey
	allocated bool // the run has just put it there
	replaced  bool // the run puts something else there after the access
}

func (f *finder) holder(s visit) holding {
	load := f.loadOf(s.access)
	if load == nil {
		return holding{}
	}
	h := holding{key: load.key}
	if s.write {
		h.replaced = f.facts.Guards.ReplacedAfter(s.x, s.fact, load.fact)
	} else {
		h.allocated = f.facts.Guards.Allocated(s.x, load.fact, 0)
	}
	return h
}

func (f *finder) replacing(s visit) bool { return f.facts.Guards.Reallocated(s.x, s.fact) }

// owned is the one object that an access is of; base, where runs of one owner may
// make several, tells whether two values of one function are the same one.
type owned struct {
	o    pointsto.Obj
	f    pointsto.FuncID
	base flow.Base
}

func (f *finder) ownerOf(a *access) owned {
	if a.static {
		return owned{}
	}
	w := owned{o: a.objs.One()}
	if w.o != 0 && !f.s.OwnerOf(w.o).Unique {
		w.f = a.f
		if b := f.r.Body(a.f); b != nil && a.base != 0 {
			w.base = f.facts.Codes.Of(b).BaseOf(f.p, a.base)
		}
	}
	return w
}

// tests reports whether some flag is tested on every way to a use.
func (f *finder) tests(s visit) bool {
	key := visitKey{s.n, s.x}
	ok, known := f.testing[key]
	if !known {
		ok = f.testedOnAllWays(s)
		f.testing[key] = ok
	}
	return ok
}

func (f *finder) testedOnAllWays(s visit) bool {
	q := flagTest{s.access, s.x, func(*access, bool) bool { return true }}
	at := flow.Place{Func: s.access.f, At: s.access.v}
	if f.r.Body(at.Func) == nil {
		return false
	}
	if _, ok := f.flagIn(&q, at); ok {
		return true
	}
	ways := f.waysTo(s.x, at.Func)
	if _, own := slices.BinarySearch(ways.flags, s.key); own && ways.number != 0 { // tests of the location itself do not count
		_, ok := f.flagOf(&q)
		return ok
	}
	return ways.number != 0
}

// flags is what a question for the flag of a use reads of it: the tests at its own place, the
// locks held, and the ways to its function on which there are more.
type flags struct {
	tests, locks, ways int32
}

func (f *finder) flagsAt(s visit) flags {
	b := append(f.bytes[:0], 'f')
	for _, c := range f.facts.Required(f.r.Body(s.access.f), s.access.v) {
		if c.Number != 0 {
			continue
		}
		if flag := f.loadAt(s.access.f, c.Value); flag != nil {
			b = binary.AppendVarint(b, int64(flag.n))
			if c.NonZero() {
				b = append(b, 1)
			}
			b = append(b, 0)
		}
	}
	f.bytes = b
	return flags{f.interned.of(b), f.setOfLocks(f.facts.Locks.Held(s.fact)), f.waysTo(s.x, s.access.f).number}
}

// way is the ways to a function in runs of an action, up to functions to which some way has no
// test.
type way struct {
	number int32               // the same for the same ways; 0 if the function is itself one of these
	flags  []pointsto.FieldKey // that are tested on them, in order
}

// waysTo finds the ways to a function.
func (f *finder) waysTo(x hb.ActionID, fn pointsto.FuncID) *way {
	key := funcKey{x, fn}
	out := f.ways[key]
	if out != nil {
		return out
	}
	out = &way{}
	f.ways[key] = out
	if !f.outside.Of(x, fn) {
		return out
	}
	b := []byte{'w'}
	f.facts.Ways.EveryCall(x, fn, func(p flow.Place) flow.Answer {
		b = binary.AppendVarint(binary.AppendVarint(b, int64(p.Func)), int64(p.At))
		if !f.outside.Of(x, p.Func) {
			b = append(b, 0)
			return flow.Yes // no caller can decide
		}
		b = append(b, 1)
		return flow.Callers
	})
	known := len(f.wayNumbers)
	if out.number = f.wayNumbers.of(b); int(out.number) > known {
		f.wayFlags = append(f.wayFlags, f.flagsOn(b[1:]))
	}
	out.flags = f.wayFlags[out.number-1]
	return out
}

// flagsOn is the flags that are tested at the places of ways.
func (f *finder) flagsOn(b []byte) []pointsto.FieldKey {
	var out []pointsto.FieldKey
	for len(b) > 0 {
		fn, n := binary.Varint(b)
		at, m := binary.Varint(b[n:])
		b = b[n+m+1:]
		for _, c := range f.facts.Required(f.r.Body(pointsto.FuncID(fn)), ir.Value(at)) {
			if flag := f.loadAt(pointsto.FuncID(fn), c.Value); c.Number == 0 && flag != nil {
				out = append(out, flag.key)
			}
		}
	}
	slices.Sort(out)
	return slices.Clip(slices.Compact(out))
}

// funcKey is a function in runs of an action.
type funcKey struct {
	x hb.ActionID
	f pointsto.FuncID
}

// flagAt reports whether an instruction is executed only under a test of some field.
func (f *finder) flagAt(p flow.Place) bool {
	b := f.r.Body(p.Func)
	return b != nil && slices.ContainsFunc(f.facts.Required(b, p.At), func(c flow.Condition) bool {
		return c.Number == 0 && f.loadAt(p.Func, c.Value) != nil
	})
}

// visitKey names a visit.
type visitKey struct {
	n int // of the access
	x hb.ActionID
}

// testsOnly: the value that is read goes into tests only.
func (f *finder) testsOnly(a *access) bool {
	b := f.r.Body(a.f)
	if b == nil || a.effect != nil {
		return false
	}
	for _, u := range f.facts.Codes.Of(b).Uses(a.v) {
		if b.Op[u] != ir.OpIf && b.Op[u] != ir.OpSwitch {
			return false
		}
	}
	return true
}

// counts: the access reads one number, which is only logged or a bound.
func (f *finder) counts(a *access) bool {
	return !a.write && a.effect != nil && a.effect.Word && a.in == a.f && f.facts.OnlyTold(a.f, a.v)
}

// queries lists the queries of the framework whose answers decide whether an
// access is executed.
func (f *finder) queries(a *access) string {
	b := f.r.Body(a.f)
	if b == nil {
		return ""
	}
	var out strings.Builder
	for _, c := range f.facts.Required(b, a.v) {
		if q := c.Value; c.Number == 0 && b.Op[q] == ir.OpInvoke && b.Sub[q] != ir.Static {
			fmt.Fprintln(&out, f.r.PointsTo(a.f, b.Arg(q, 0)).One(), f.p.Methods[b.Aux[q]].Sel, c.NonZero())
		}
	}
	return out.String()
}

// caughtBy names who catches the exception of a use, for each exception that it
// may end in.
func (f *finder) caughtBy(s visit) string {
	var out strings.Builder
	crashes := f.crashes
	if s.key > 0 {
		crashes = crashes[:1] // no model speaks of a field: a null fails
	}
	for _, c := range crashes {
		p := pair{access: [2]*access{s.access, s.access}, action: [2]hb.ActionID{s.x, s.x}, rule: finding.UseAfterFree, crash: c}
		fmt.Fprintln(&out, f.caught(&p))
	}
	return out.String()
}
