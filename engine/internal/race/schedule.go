package race

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// schedule is search; off one looper the sites of the accesses do not matter,
// since the other side may come at any point, so one search serves all accesses
// of a field by two actions.
func (f *finder) schedule(w, r *access, x, y hb.ActionID, looper bool) hb.Verdict {
	if looper {
		return f.search(w, r, x, y)
	}
	key := searchKey{w.key, x, y}
	v, ok := f.searched[key]
	if !ok {
		v = f.search(w, r, x, y)
		f.searched[key] = v
	}
	return v
}

type searchKey struct {
	key  pointsto.FieldKey
	x, y hb.ActionID
}

// search asks the lifecycle machine for the schedules of a free and a use.
func (f *finder) search(w, r *access, x, y hb.ActionID) hb.Verdict {
	q := hb.Question{Free: x, Use: y, FreeAtEnd: true, InitLive: f.initLive(r), FreeAt: w.site(), UseAt: r.site(), Sited: true}
	q.FreeMust = !f.stores(x, w).Other && f.s.Always(x, w.site()) && f.facts.Guards.OneObject(w.fact, r.fact)
	if x == y {
		q.UseFirst = f.s.MayPrecede(x, r.site(), w.site())
	}
	q.Writers = f.writers(r, w, x)
	return f.ask(r.key, q)
}

// searchInit asks the machine for a schedule in which the use comes before every
// write.
func (f *finder) searchInit(r *access, y hb.ActionID) hb.Verdict {
	return f.ask(r.key, hb.Question{Use: y, UseAt: r.site(), Sited: true, Writers: f.writers(r, nil, 0)})
}

// The searches for one location have a common budget of states. When it is spent,
// each may still look at a few.
const (
	statesPerLocation = 20000
	statesWhenPoor    = 100
)

func (f *finder) ask(k pointsto.FieldKey, q hb.Question) hb.Verdict {
	if f.states[k] >= statesPerLocation {
		q.States = statesWhenPoor
	}
	v := f.g.Search(q)
	f.states[k] += v.States
	return v
}

// liveWriters bounds the actions that only may write the location and are given
// to the machine: they are asked for no more than that it can be live at all.
const liveWriters = 3

// writers lists the actions that write the location of r non-null, other than
// by w in x: those that always do, and a few of the others if the location is
// not live from the start.
func (f *finder) writers(r, w *access, x hb.ActionID) []hb.Writer {
	must := map[hb.ActionID]bool{}
	var order []hb.ActionID
	for _, a := range f.byKey[r.key] {
		if !a.write || !a.live || !f.overlap(a, r) {
			continue
		}
		one := f.facts.Guards.OneObject(a.fact, r.fact)
		f.s.ByFunc[a.in].All(func(id int) bool {
			act := hb.ActionID(id)
			n := f.stores(act, a)
			if id == 1 || !n.Other || a == w && act == x {
				return true
			}
			if _, known := must[act]; !known {
				order = append(order, act)
			}
			must[act] = must[act] || one && !n.Null && f.s.Always(act, a.site())
			return true
		})
	}
	var out []hb.Writer
	may := 0
	for _, act := range order {
		if !must[act] {
			if may++; may > liveWriters || w != nil && f.initLive(r) {
				continue
			}
		}
		out = append(out, hb.Writer{Action: act, Must: must[act]})
	}
	return out
}
