package race

import (
	"encoding/binary"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// groups gives the actions that no question tells apart a number: those that the
// graph finds alike, whose objects are nobody else's, that wait for nothing and
// take nothing out of a collection, and that store the same constants. 0 is an
// action for itself.
func (f *finder) groups() []int32 {
	alike := f.g.Alike()
	objects := map[pointsto.Obj]int{} // actions of each object that has no lifecycle
	for i := range f.s.Actions {
		if arm := f.s.Actions[i].Arm; arm != nil && arm.Life == nil {
			objects[arm.Receiver]++
		}
	}
	type key struct {
		alike     int32
		effect    *platform.Effect
		life      *platform.Lifecycle
		call      int
		receiver  pointsto.Obj // of a lifecycle
		general   bool
		rare      bool
		ownLoss   bool
		once      any
		constants int32
	}
	f.constants = f.constantsStored()
	out := make([]int32, len(f.s.Actions))
	index := map[key]int32{}
	for i := range f.s.Actions {
		a := &f.s.Actions[i]
		if alike[i] == 0 || a.Arm == nil || a.Code.Known || f.facts.Partings.Any(hb.ActionID(i)) {
			continue
		}
		k := key{
			alike: alike[i], effect: a.Arm.Effect, life: a.Arm.Life, call: a.Arm.LifeCall, general: a.Arm.General, rare: a.Rare, ownLoss: a.OwnLoss, once: a.Once,
			constants: f.constants[i],
		}
		if a.Arm.Life != nil {
			k.receiver = a.Arm.Receiver
		} else if a.Arm.Receiver == 0 || objects[a.Arm.Receiver] > 1 {
			continue
		}
		if index[k] == 0 {
			index[k] = int32(len(index) + 1)
		}
		out[i] = index[k]
	}
	return out
}

// constantsStored numbers for each action the constants that it stores into
// fields: flags that other actions may test.
func (f *finder) constantsStored() []int32 {
	all := make([][]byte, len(f.s.Actions))
	for _, a := range f.all {
		c := f.constantOf(a)
		if !a.write || !c.known {
			continue
		}
		b := binary.AppendVarint([]byte{'c'}, int64(a.key))
		b = binary.AppendVarint(b, c.value)
		b = binary.AppendVarint(b, int64(f.setID(a.objs)))
		b = binary.AppendVarint(b, int64(f.setOfLocks(f.facts.Locks.Held(a.fact))))
		f.s.ByFunc[a.in].All(func(id int) bool {
			all[id] = binary.AppendVarint(all[id], int64(f.interned.of(b)))
			return true
		})
	}
	out := make([]int32, len(all))
	for i, b := range all {
		if len(b) > 0 {
			out[i] = f.interned.of(append([]byte{'C'}, b...))
		}
	}
	return out
}

// grouped is what stands for the action of a visit: the action, or a group of them whose
// registrations lie alike among the accesses of the location.
type grouped struct {
	x            hb.ActionID // 0 for an action of a group
	group, asked int32
}

func (f *finder) groupedAs(s visit) grouped {
	if g := f.groupOf(s); g != 0 {
		return grouped{group: g, asked: f.asked[s.x]}
	}
	return grouped{x: s.x}
}

// twinsOf numbers the actions of a location's visits, twins alike; nil if they are
// too many to be compared.
func (f *finder) twinsOf(visits []visit) map[hb.ActionID]int32 {
	sites := f.sitesByAction(visits)
	f.asked = map[hb.ActionID]int32{}
	var units []unit
	at := map[hb.ActionID]int{}
	index := map[grouped]int{}
	for _, s := range visits {
		if _, known := at[s.x]; known {
			continue
		}
		k := grouped{x: s.x}
		if g := f.group[s.x]; g != 0 {
			f.asked[s.x] = f.askedFor(s.x, sites)
			k = grouped{group: g, asked: f.asked[s.x]}
		}
		i, known := index[k]
		if !known {
			i = len(units)
			index[k] = i
			units = append(units, unit{first: s.x})
		} else if units[i].second == 0 {
			units[i].second = s.x
		}
		at[s.x] = i
	}
	numbers := f.twins(units)
	if numbers == nil {
		return nil
	}
	out := make(map[hb.ActionID]int32, len(at))
	for x, i := range at {
		out[x] = numbers[i]
	}
	return out
}

// groupOf is the group of the action of a visit, 0 if it is for itself: an object
// that lives in one run is the run's own.
func (f *finder) groupOf(s visit) int32 {
	g := f.group[s.x]
	if g == 0 || s.static {
		return g
	}
	shared := true
	s.objs.All(func(o pointsto.Obj) bool {
		shared = f.share.of(o, f.share.together(s.x, s.x)) != hb.ScopeRun
		return shared
	})
	if !shared {
		return 0
	}
	return g
}

// askedFor numbers where the registrations of an action lie among the accesses of
// a location by the actions that make them: at gives these by action.
func (f *finder) askedFor(x hb.ActionID, at map[hb.ActionID][]hb.Site) int32 {
	b := []byte{'a'}
	f.g.EveryCause(x, func(by hb.At) bool {
		for _, site := range at[by.Action] {
			var bits byte
			if f.s.MayPrecede(by.Action, by.Site, site) {
				bits |= 1
			}
			if f.s.MayPrecede(by.Action, site, by.Site) {
				bits |= 2
			}
			if site == by.Site {
				bits |= 4
			}
			b = append(b, bits)
		}
		return true
	})
	return f.interned.of(b)
}

// sitesByAction lists the sites of a location's accesses by the actions that make
// them and, by registering, others.
func (f *finder) sitesByAction(visits []visit) map[hb.ActionID][]hb.Site {
	grouped := map[hb.ActionID]bool{}
	for _, s := range visits {
		if f.group[s.x] != 0 {
			f.g.EveryCause(s.x, func(by hb.At) bool { grouped[by.Action] = true; return true })
		}
	}
	out := map[hb.ActionID][]hb.Site{}
	for _, s := range visits {
		if grouped[s.x] && !slices.Contains(out[s.x], s.site()) {
			out[s.x] = append(out[s.x], s.site())
		}
	}
	return out
}
