package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// meeting is two classes whose sides meet: of one action (two runs of it), or of
// two actions. s and t are the sides that stand for them, see pick.
type meeting struct {
	a, b *class
	same bool
	s, t *visit
}

// meetingOf is the meeting of two classes, if any of their sides meet.
func meetingOf(a, b *class, same bool) (m meeting, ok bool) {
	i, j, ok := pick(a.sides, b.sides, same)
	if ok {
		m = meeting{a, b, same, &a.sides[i], &b.sides[j]}
	}
	return m, ok
}

// each splits both classes of a meeting, which meet, and visits the parts that still do.
func (f *finder) each(m meeting, ofA, ofB []attribute, visit func(meeting)) {
	as, bs := f.parts(m.a, ofA), f.parts(m.b, ofB)
	if len(as) == 1 && len(bs) == 1 && as[0] == m.a && bs[0] == m.b {
		visit(m)
		return
	}
	for i, a := range as {
		rest := bs
		if m.a == m.b {
			rest = bs[i:]
		}
		for _, b := range rest {
			if part, ok := meetingOf(a, b, m.same); ok {
				visit(part)
			}
		}
	}
}

// eachWithin visits the parts of a meeting of two sites of one action that are
// alike in how the action orders them. Actions with several of these sites
// are taken pair by pair.
func (f *finder) eachWithin(m meeting, meet func(meeting)) {
	type sites struct{ a, b []visit }
	by := map[hb.ActionID]*sites{}
	var order []hb.ActionID
	of := func(x hb.ActionID) *sites {
		s := by[x]
		if s == nil {
			s = &sites{}
			by[x] = s
			order = append(order, x)
		}
		return s
	}
	for _, s := range m.a.sides {
		of(s.x).a = append(of(s.x).a, s)
	}
	for _, s := range m.b.sides {
		of(s.x).b = append(of(s.x).b, s)
	}
	type mutual struct{ first, second, always bool }
	var alike [][2]*class
	index := map[mutual]int{}
	for _, x := range order {
		at := by[x]
		for _, s := range at.a {
			for _, t := range at.b {
				k := mutual{f.s.MayPrecede(x, s.site(), t.site()), f.s.MayPrecede(x, t.site(), s.site()), f.s.Dominates(x, t.site(), s.site())}
				if len(at.a) > 1 || len(at.b) > 1 {
					alike = append(alike, [2]*class{{sides: []visit{s}, alone: true}, {sides: []visit{t}, alone: true}})
					continue
				}
				i, known := index[k]
				if !known {
					i = len(alike)
					index[k] = i
					alike = append(alike, [2]*class{{}, {}})
				}
				for n, side := range []visit{s, t} {
					part := alike[i][n]
					part.sides = append(part.sides, side)
					part.alone = len(part.sides) == 1
				}
			}
		}
	}
	for _, part := range alike {
		if m, ok := meetingOf(part[0], part[1], true); ok {
			meet(m)
		}
	}
}

func (f *finder) parts(c *class, by []attribute) []*class {
	cs := c.itself()
	if len(c.sides) == 1 {
		return cs
	}
	for _, at := range by {
		if len(cs) == 1 {
			cs = f.by(cs[0], at)
			continue
		}
		var next []*class
		for _, c := range cs {
			next = append(next, f.by(c, at)...)
		}
		cs = next
	}
	return cs
}

// turned is the meeting seen from the other side.
func (m meeting) turned() meeting {
	m, _ = meetingOf(m.b, m.a, m.same)
	return m
}

// first is the pair of sides that stands for the meeting.
func (m meeting) first() (a, b visit) { return *m.s, *m.t }

// pairs counts the pairs of sides that meet.
func (m meeting) pairs() int {
	return pairsOf(face{m.a.sides, m.a.alone}, face{m.b.sides, m.b.alone}, m.a == m.b, m.same)
}

// pairsOf counts the pairs of sides of one action, or of two; of a face with itself,
// each pair once, and each side with itself.
func pairsOf(a, b face, itself, same bool) int {
	as, bs := a.sides, b.sides
	switch {
	case a.alone && b.alone && (as[0].x == bs[0].x) != same:
		return 0
	case a.alone && b.alone && itself:
		return len(as) * (len(as) + 1) / 2
	case a.alone && b.alone:
		return len(as) * len(bs)
	case len(as)*len(bs) <= fewPairs && !itself:
		n := 0
		for i := range as {
			for j := range bs {
				if (as[i].x == bs[j].x) == same {
					n++
				}
			}
		}
		return n
	}
	count := map[hb.ActionID]int{}
	for _, s := range bs {
		count[s.x]++
	}
	one := 0
	for _, s := range as {
		one += count[s.x]
	}
	all := len(as) * len(bs)
	if itself {
		n := len(as)
		all, one = n*(n+1)/2, (one+n)/2
	}
	if same {
		return one
	}
	return all - one
}

// pick is where the first pair of sides of one action, or of two, is: the one with the
// least sides.
func pick(as, bs []visit, same bool) (a, b int, ok bool) {
	if !same {
		if as[0].x != bs[0].x {
			return 0, 0, true
		}
		i := slices.IndexFunc(as, func(s visit) bool { return s.x != bs[0].x })
		j := slices.IndexFunc(bs, func(s visit) bool { return s.x != as[0].x })
		switch {
		case i < 0 && j < 0:
			return 0, 0, false
		case i < 0 || j >= 0 && !as[i].less(as[0]) && as[i].n != as[0].n:
			return 0, j, true
		case j < 0:
			return i, 0, true
		case bs[j].n > bs[0].n:
			return i, 0, true
		}
		return 0, j, true
	}
	if as[0].x == bs[0].x {
		return 0, 0, true
	}
	before := func(i, j int) bool { return !ok || as[i].n == as[a].n && bs[j].less(bs[b]) }
	if len(as)*len(bs) <= fewPairs {
		for i := range as {
			j := slices.IndexFunc(bs, func(t visit) bool { return t.x == as[i].x })
			if j >= 0 && before(i, j) {
				a, b, ok = i, j, true
			}
		}
		return a, b, ok
	}
	of := map[hb.ActionID]int{}
	for i := len(bs) - 1; i >= 0; i-- {
		of[bs[i].x] = i
	}
	for i := range as {
		if j, found := of[as[i].x]; found && before(i, j) {
			a, b, ok = i, j, true
		}
	}
	return a, b, ok
}

// fewPairs is how many pairs of sides are looked at one by one: an index of their actions
// would cost more.
const fewPairs = 64

// meet decides about two classes of one location.
func (f *finder) meet(m meeting) {
	if !f.g.OneProcess(m.s.x, m.t.x) {
		return
	}
	w := f.width(m)
	if w.wide == hb.ScopeUnknown {
		return
	}
	f.out.Pairs += m.pairs()
	if !w.young {
		f.shared(m, w.wide)
		return
	}
	making := []attribute{byMaking}
	f.each(m, making, making, func(m meeting) {
		wide := w.wide
		if f.stillOwn(m) {
			wide = w.old
		}
		if wide != hb.ScopeUnknown {
			f.shared(m, wide)
		}
	})
}

// stillOwn: one side still has the objects for itself that a run may make.
func (f *finder) stillOwn(m meeting) bool {
	p, q := f.making(*m.s), f.making(*m.t)
	return p[0] && q[0] || p[1] || q[1]
}

// shared decides about classes whose sides touch one location.
func (f *finder) shared(m meeting, wide hb.Scope) {
	if s, t := m.first(); s.static || s.x == t.x || !f.inBirthRun(s) && !f.inBirthRun(t) {
		f.sited(m, wide)
		return
	}
	birth := []attribute{byGroup, byBirth}
	f.each(m, birth, birth, func(m meeting) {
		if !f.bornFirst(m) { // else they are in order
			f.sited(m, wide)
		}
	})
}

// sited splits the classes by place, if the order of their actions depends on it.
func (f *finder) sited(m meeting, wide hb.Scope) {
	s, t := m.first()
	if s.x != t.x && f.g.Sited(s.x, t.x) {
		place := []attribute{byGroup, byPlace}
		f.each(m, place, place, func(m meeting) { f.changes(m, wide) })
		return
	}
	f.changes(m, wide)
}

// changes tells two changes from a change and a read.
func (f *finder) changes(m meeting, wide hb.Scope) {
	switch {
	case m.s.write && m.t.write:
		f.plain(m, wide)
	case m.s.write:
		f.changeAndRead(m.turned(), wide)
	default:
		f.changeAndRead(m, wide)
	}
}

// changeAndRead: a use and a free, a use and a first write, or a read and a
// change; the reading side is a.
func (f *finder) changeAndRead(m meeting, wide hb.Scope) {
	if !m.a.first().use() {
		f.plain(m.turned(), wide)
		return
	}
	f.each(m, nil, []attribute{byStores}, func(m meeting) {
		n := f.stores(m.b.first().x, m.b.first().access)
		switch {
		case n.Null && m.same:
			f.eachWithin(m, func(m meeting) { f.useFree(m, wide) })
		case n.Null:
			f.useFree(m, wide)
		case n.Other:
			f.useBeforeInit(m, wide)
		default:
			f.plain(m.turned(), wide)
		}
	})
}

// useFree decides about a use and a free.
func (f *finder) useFree(m meeting, wide hb.Scope) {
	use, free := m.first()
	if f.g.AlwaysBefore(use.at(), free.at(), wide.Widest()) { // no run of the use comes after one of the free
		f.plain(m.turned(), wide)
		return
	}
	f.out.Candidates += m.pairs()
	looper := f.g.OneLooper(free.x, use.x, wide.Widest())
	if use.key != pointsto.Content {
		f.freedOrNot(m, wide, looper)
		return
	}
	between := looper || !f.g.Unordered(free.at(), use.at(), wide.Widest())
	f.each(m, []attribute{byKey}, nil, func(m meeting) {
		if between && !f.keyed(m.a.first().access) {
			f.plain(m.turned(), wide) // an element by its place: a run that nothing overlaps sees the container as it is
			return
		}
		f.freedOrNot(m, wide, looper)
	})
}

// freedOrNot applies the filters of a use and a free, and searches for the
// schedule.
func (f *finder) freedOrNot(m meeting, wide hb.Scope, looper bool) {
	f.filtered(m, useFilters, looper, func(m meeting) {
		owner := []attribute{byOwner}
		f.each(m, owner, owner, func(m meeting) {
			use, free := m.first()
			if !f.oneLocation(free.access, use.access) { // no write is sure to be of this location, and any schedule will do
				f.freed(m, wide, looper, hb.Verdict{NullAtUse: true, LiveAtUse: true})
				return
			}
			ofA, ofB := []attribute{byGroup}, []attribute{byGroup, byMust}
			if looper {
				ofA, ofB = append(ofA, byPlace), append(ofB, byPlace)
			}
			f.each(m, ofA, ofB, func(m meeting) {
				use, free := m.first()
				f.freed(m, wide, looper, f.schedule(use, free, looper))
			})
		})
	})
}

// freed decides by the schedules in which the use reads what the free left.
func (f *finder) freed(m meeting, wide hb.Scope, looper bool, found hb.Verdict) {
	use, free := m.first()
	p := pair{kind: [2]finding.Kind{finding.Use, finding.Free}, looper: looper}
	p.crash = crashOf(free.access, use.access, true, looper)
	switch {
	case found.Coarse:
		p.cutShort()
	case found.Unusual:
		p.fact(finding.FactUnusual)
	case !found.NullAtUse && wide == hb.ScopeProcess && !f.g.Precedes(use.at(), free.at(), hb.OtherInstance):
		p.fact(finding.FactTwoInstances)
	case !found.NullAtUse:
		f.removed(dropNoSchedule, m)
		return
	case !found.LiveAtUse && looper:
		p.fact(finding.FactAlwaysNull)
	}
	p.schedule = schedule{found.NullSchedule, [2]hb.ActionID{use.x, free.x}}
	f.settle(m, p)
}

// useBeforeInit decides about a use of a default null and a first write.
func (f *finder) useBeforeInit(m meeting, wide hb.Scope) {
	use, write := m.first()
	if use.content || m.same || f.constructed(use.access) || f.g.IsBirth(write.x) {
		f.plain(m.turned(), wide)
		return
	}
	if f.someOrder(write.at(), use.at(), wide.Widest()) {
		f.plain(m.turned(), wide)
		return
	}
	f.each(m, []attribute{byEarlier}, nil, func(m meeting) {
		if f.writtenEarlier(*m.s) {
			f.plain(m.turned(), wide)
			return
		}
		f.out.Candidates += m.pairs()
		looper := f.g.OneLooper(write.x, use.x, wide.Widest())
		f.filtered(m, initFilters, looper, func(m meeting) {
			f.each(m, []attribute{byGroup, byOwner, byPlace}, nil, func(m meeting) { f.uninitialised(m, looper) })
		})
	})
}

// someOrder reports whether some runs of two sites, related by widest or less, are in order.
func (f *finder) someOrder(a, b hb.At, widest hb.Relation) bool {
	for rel := hb.SameCause; rel <= widest; rel++ {
		if f.g.Order(a, b, rel).Way != hb.Unordered {
			return true
		}
	}
	return false
}

// uninitialised searches for a schedule in which the use comes before every
// write.
func (f *finder) uninitialised(m meeting, looper bool) {
	if m.a.init == nil {
		use := m.a.first()
		verdict := f.searchInit(use.access, use.x)
		m.a.init = &verdict
	}
	found := m.a.init
	if !found.InitAtUse {
		f.removed(dropNoSchedule, m)
		return
	}
	p := pair{kind: [2]finding.Kind{finding.Use, finding.Write}, looper: looper, rule: finding.UseBeforeInit}
	p.schedule = schedule{found.InitSchedule, [2]hb.ActionID{m.a.first().x}}
	switch {
	case found.Coarse:
		p.cutShort()
	case found.Unusual:
		p.fact(finding.FactUnusual)
	}
	f.settle(m, p)
}

// plain decides about two changes, or about a change and a read, the change being a.
func (f *finder) plain(m meeting, wide hb.Scope) {
	s, t := m.first()
	if !f.g.Unordered(s.at(), t.at(), wide.Widest()) {
		return
	}
	f.out.Candidates += m.pairs()
	looper := f.g.OneLooper(s.x, t.x, wide.Widest())
	f.filtered(m, plainFilters, looper, func(m meeting) {
		s, t := m.first()
		p := pair{kind: [2]finding.Kind{plainKind(s.access), plainKind(t.access)}, looper: looper}
		p.rounds = s.x != t.x && f.g.Order(s.at(), t.at(), hb.SameCause).Way != hb.Unordered
		f.settle(m, p)
	})
}
