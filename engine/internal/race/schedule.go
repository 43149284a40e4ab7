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
	q := hb.Question{Free: x, Use: y, FreeAtEnd: true, InitLive: f.initLive(r), FreeAt: w.site(), UseAt: r.site(), Sited: true, NullOnly: true}
	q.FreeMust = !f.stores(x, w).other && f.s.Always(x, w.site()) && f.guards.oneObject(w, r)
	if x == y {
		q.UseFirst = !f.s.Dominates(x, w.site(), r.site())
	}
	q.Writers = f.writers(r, w, x)
	return f.searcher.Search(q)
}

// searchInit asks the machine for a schedule in which the use comes before every
// write.
func (f *finder) searchInit(r *access, y hb.ActionID) hb.Verdict {
	return f.searcher.Search(hb.Question{Use: y, UseAt: r.site(), Sited: true, Writers: f.writers(r, nil, 0)})
}

// writers lists the actions that write the location of r non-null, other than
// by w in x: those that always do, and the others if the location is not live
// from the start.
func (f *finder) writers(r, w *access, x hb.ActionID) []hb.Writer {
	must := map[hb.ActionID]bool{}
	var order []hb.ActionID
	for _, a := range f.byKey[r.key] {
		if !a.write || !a.live || !f.overlap(a, r) {
			continue
		}
		one := f.guards.oneObject(a, r)
		f.s.ByFunc[a.in].All(func(id int) bool {
			act := hb.ActionID(id)
			n := f.stores(act, a)
			if id == 1 || !n.other || a == w && act == x {
				return true
			}
			if _, known := must[act]; !known {
				order = append(order, act)
			}
			must[act] = must[act] || one && !n.null && f.s.Always(act, a.site())
			return true
		})
	}
	var out []hb.Writer
	for _, act := range order {
		if !must[act] && w != nil && f.initLive(r) {
			continue
		}
		out = append(out, hb.Writer{Action: act, Must: must[act]})
	}
	return out
}
