package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// schedule is the runs that show a failure of two actions.
type schedule struct {
	runs []hb.ActionID
	of   [2]hb.ActionID // the use and the free, or 0
}

// with is the schedule of two other actions, alike to those that it was found for: alike
// actions can change places in every schedule.
func (s schedule) with(of [2]hb.ActionID) []hb.ActionID {
	runs := slices.Clone(s.runs)
	for i, to := range of {
		from := s.of[i]
		if from == 0 || from == to {
			continue
		}
		swap := func(x *hb.ActionID) {
			switch *x {
			case from:
				*x = to
			case to:
				*x = from
			}
		}
		for k := range runs {
			swap(&runs[k])
		}
		swap(&s.of[1])
	}
	return runs
}

// searchKey is what a search for a use and a free depends on.
type searchKey struct {
	location     pointsto.FieldKey
	x, y         hb.ActionID
	objs         int32
	write        [2]owned
	place        [2]int32
	must, looper bool
	useFirst     bool
	only         int // the free, if it may store a value as well
}

// schedule asks the lifecycle machine for the schedules of a free and a use. Off
// one looper the sites of the accesses do not matter, since the other side may
// come at any point.
func (f *finder) schedule(r, w visit, looper bool) hb.Verdict {
	q := f.question(r, w, looper)
	key := searchKey{location: r.key, x: w.x, y: r.x, objs: f.setID(r.access.objs), write: [2]owned{f.ownerOf(r.access), f.ownerOf(w.access)}, must: q.FreeMust, useFirst: q.UseFirst, looper: looper}
	if looper {
		key.place = [2]int32{f.placeOf(r), f.placeOf(w)}
	}
	if w.live {
		key.only = w.n + 1
	}
	if v, ok := f.searched[key]; ok {
		return v
	}
	q.Writers = f.writers(r.access, w.access, w.x)
	v := f.searcher.Search(q)
	f.searched[key] = v
	return v
}

// endMends reports whether a free and a use on one looper have no failing schedule any more if the run
// that frees first ends all that the app has asked for of the use.
func (f *finder) endMends(p *told) bool {
	r, w := f.visitOf(p, 0), f.visitOf(p, 1)
	if !p.looper || r.x == w.x || !f.oneLocation(w.access, r.access) {
		return false
	}
	if arm := f.s.Actions[r.x].Arm; arm != nil && arm.Life == nil && arm.In != arm.Func {
		return true // the result of a task, which never comes once that is cancelled
	}
	q := f.question(r, w, true)
	q.Writers = f.writers(r.access, w.access, w.x)
	return !f.searcher.Ending(w.x, r.x).Search(q).NullAtUse
}

// question asks for the schedules of a free and a use, without the writers.
func (f *finder) question(r, w visit, looper bool) hb.Question {
	q := hb.Question{Free: w.x, Use: r.x, FreeAtEnd: true, InitLive: f.initLive(r.access), FreeAt: w.site(), UseAt: r.site(), Sited: true, NoLive: !looper, NullOnly: true, Owner: f.ownerComponent(r.access)}
	q.FreeMust = !f.stores(w.x, w.access).Other && f.s.Always(w.x, w.site()) && f.facts.Guards.OneInAllRuns(w.fact, r.fact)
	if w.x == r.x {
		q.UseFirst = !f.s.Dominates(w.x, w.site(), r.site())
	}
	return q
}

// ownerComponent is the component that an access is of, 0 if it is of none.
func (f *finder) ownerComponent(a *access) hb.ComponentID {
	if a.static || a.objs.One() == 0 {
		return 0
	}
	return f.s.ComponentOf(a.objs.One())
}

// searchInit asks the machine for a schedule in which the use comes before every
// write.
func (f *finder) searchInit(r *access, y hb.ActionID) hb.Verdict {
	return f.searcher.Search(hb.Question{Use: y, UseAt: r.site(), Sited: true, Writers: f.writers(r, nil, 0), Owner: f.ownerComponent(r)})
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
		one := f.facts.Guards.OneInAllRuns(a.fact, r.fact)
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
	for _, act := range order {
		if !must[act] && w != nil && f.initLive(r) {
			continue
		}
		out = append(out, hb.Writer{Action: act, Must: must[act]})
	}
	return out
}
