package race

import (
	"encoding/binary"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Twins are actions of one location that no question about two accesses of it tells
// apart, but for what the search over schedules reads of them: what orders the first and
// any third action of the location orders the second and that one, and the facts and
// priorities read the same of both. Alike actions (see groups) are twins everywhere;
// most twins are so only among the actions of one location: hundreds of tasks that touch
// the same generated code and that nothing orders.
//
// Questions that read more of an action split a class by group first; so do all where the
// positions in two actions may matter to their order (hb.Sited).

// unit is the actions of a location that are one group there, or one action.
type unit struct {
	first, second hb.ActionID // second is 0 if there is none
	asked         int32
}

// unitsPerLocation bounds the units of a location that are compared, which costs its
// square. Beyond it, each unit is for itself.
const unitsPerLocation = 1024

// traits is what the facts and priorities of a race read of an action.
type traits struct {
	kind                 hb.ActionKind
	birth, rare, ownLoss bool
	unknown              bool
	separate             bool
	armed, parting       bool
	life                 *platform.Lifecycle
	call                 int
	receiver             pointsto.Obj // of a lifecycle
	itself               uint32       // how two of its runs are ordered
}

func (f *finder) traitsOf(x hb.ActionID) traits {
	a := &f.s.Actions[x]
	t := traits{
		kind: a.Kind, birth: f.g.IsBirth(x), separate: f.g.Separate(x), rare: a.Rare, ownLoss: a.OwnLoss, unknown: f.s.Queues[a.Queue].Kind == hb.QueueUnknown,
		armed: a.Arm != nil, parting: f.facts.Partings.Any(x), itself: f.between(x, x),
	}
	if a.Arm != nil && a.Arm.Life != nil {
		t.life, t.call, t.receiver = a.Arm.Life, a.Arm.LifeCall, a.Arm.Receiver
	}
	return t
}

// between encodes what the order says of two actions, unless it depends on the sites: each
// question that is asked of two classes, for each width of what they share.
func (f *finder) between(x, y hb.ActionID) uint32 {
	at := f.orders.at(x, y)
	if *at == 0 {
		*at = f.findBetween(x, y) | known
	}
	return *at
}

// known marks the orders of two actions that have been asked for.
const known = 1 << 30

// orders is what between has found: by the first action, pages of others. 0 is not known.
type orders [][]*[pageOfActions]uint32

const pageOfActions = 64

// at is the place of two actions.
func (o orders) at(x, y hb.ActionID) *uint32 {
	if o[x] == nil {
		o[x] = make([]*[pageOfActions]uint32, len(o)/pageOfActions+1)
	}
	page := &o[x][y/pageOfActions]
	if *page == nil {
		*page = new([pageOfActions]uint32)
	}
	return &(*page)[y%pageOfActions]
}

func (f *finder) findBetween(x, y hb.ActionID) (code uint32) {
	bit := uint32(1)
	add := func(is bool) {
		if is {
			code |= bit
		}
		bit <<= 1
	}
	a, b := hb.At{Action: x}, hb.At{Action: y}
	own := f.s.Actions[x].Component
	add(f.g.OneProcess(x, y))
	add(own != 0 && own == f.s.Actions[y].Component)
	if x != y && f.g.Sited(x, y) { // what is asked depends on more
		return code | 1<<31
	}
	add(x != y && f.g.Order(a, b, hb.SameCause).Way != hb.Unordered)
	for _, wide := range []hb.Scope{hb.ScopeRun, hb.ScopeInstance, hb.ScopeProcess} {
		add(f.g.Unordered(a, b, wide.Widest()))
		add(f.g.OneLooper(x, y, wide.Widest()))
		add(f.g.AlwaysBefore(a, b, wide.Widest()))
		add(x != y && f.someOrder(a, b, wide.Widest()))
	}
	return code
}

// twins numbers the units of a location, twins alike, from 1.
func (f *finder) twins(units []unit) []int32 {
	if len(units) > unitsPerLocation {
		return nil
	}
	b := append(f.bytes[:0], 't')
	for _, u := range units {
		b = binary.AppendVarint(binary.AppendVarint(b, int64(u.first)), int64(u.second))
	}
	f.bytes = b
	set := f.interned.of(b)
	if got, known := f.twinned[set]; known {
		return got
	}
	out := make([]int32, len(units))
	heads := map[traits][]int{} // the first of each kind of twins
	next, telling := int32(0), 0
	for i, u := range units {
		t := f.traitsOf(u.first)
		for _, head := range heads[t] {
			if f.exchangeable(units, head, i, &telling) {
				out[i] = out[head]
				break
			}
		}
		if out[i] == 0 {
			next++
			out[i] = next
			heads[t] = append(heads[t], i)
		}
	}
	f.twinned[set] = out
	return out
}

// exchangeable reports whether every unit of a location, the two included, is ordered with
// one of two units as with the other. telling is a unit that has lately told two apart; it is
// asked first.
func (f *finder) exchangeable(units []unit, i, j int, telling *int) bool {
	x, y := units[i].first, units[j].first
	apart := func(n int) bool {
		z := units[n].first
		return n != i && n != j && (f.between(x, z) != f.between(y, z) || f.between(z, x) != f.between(z, y))
	}
	if apart(*telling) {
		return false
	}
	both := f.between(x, y)
	if f.between(y, x) != both {
		return false
	}
	for _, u := range []unit{units[i], units[j]} {
		if u.second != 0 && (f.between(u.first, u.second) != both || f.between(u.second, u.first) != both) {
			return false
		}
	}
	for n := range units {
		if apart(n) {
			*telling = n
			return false
		}
	}
	return true
}

// descent numbers what is read of an action to tell whose runs can get at one concrete
// object of those of an instance: of an object that lives in one run, which of the actions
// that make it the action stems from; of a thread's, whether each run has one of its own.
func (f *finder) descent(objs pointsto.Set, set int32, x hb.ActionID) int32 {
	key := descentKey{set, x}
	id, known := f.descents[key]
	if known {
		return id
	}
	b := []byte{'d'}
	objs.All(func(o pointsto.Obj) bool {
		if f.share.oneThread(o, x) {
			b = binary.AppendVarint(append(b, 't'), int64(o))
		}
		if f.share.of(o, f.share.together(x, x)) != hb.ScopeRun {
			return true
		}
		if info := f.r.Object(o); info.Func != 0 && f.s.ByFunc[info.Func] != nil {
			b = binary.AppendVarint(append(b, 'o'), int64(o))
			f.s.ByFunc[info.Func].All(func(p int) bool {
				if f.g.Descends(hb.ActionID(p), x) {
					b = binary.AppendVarint(append(b, 'p'), int64(p))
				}
				return true
			})
		}
		return true
	})
	if len(b) > 1 {
		id = f.interned.of(b)
	}
	f.descents[key] = id
	return id
}

type descentKey struct {
	objs int32
	x    hb.ActionID
}
