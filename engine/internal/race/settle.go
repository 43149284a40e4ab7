package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// settle weighs a race of two classes, a being its first side, and keeps it for
// each pair of faces.
func (f *finder) settle(m meeting, p pair) {
	uses := p.kind[0] == finding.Use
	ofA, ofB := []attribute{byOwner, byStores}, []attribute{byOwner, byStores}
	if m.a.first().key <= 0 {
		ofA, ofB = append(ofA, byNaming), append(ofB, byNaming)
	}
	switch {
	case uses:
		ofA = append(ofA, byFlags, byTogether, byCaught)
		if f.s.Actions[m.a.first().x].Arm != nil && f.facts.Partings.Any(m.b.first().x) {
			ofB = append(ofB, byParted)
		}
	case p.kind[1] == finding.Read:
		ofB = append(ofB, byReading)
	}
	if p.rounds {
		ofA, ofB = append(ofA, byOnce), append(ofB, byOnce)
	}
	f.each(m, ofA, ofB, func(m meeting) {
		if uses && f.parted(m.b.first()) { // the use may be of what the free has parted with
			action := []attribute{byAction}
			f.each(m, action, nil, func(m meeting) { f.guarded(m, p) })
			return
		}
		f.guarded(m, p)
	})
}

// guarded shows a race, of a use that a flag may guard for each group of frees.
func (f *finder) guarded(m meeting, p pair) {
	if p.kind[0] == finding.Use && f.tests(m.a.first()) { // the free may take the value from the flag
		f.each(m, nil, []attribute{byConstants}, func(m meeting) { f.show(m, p) })
		return
	}
	f.show(m, p)
}

// show keeps a race that is the same for all sides of a meeting.
func (f *finder) show(m meeting, p pair) {
	if f.interrupted() {
		return
	}
	f.met++
	s, t := m.first()
	q := f.weighed(p, s, t)
	if s.write && t.write && m.a != m.b && !f.symmetric(s, t) { // the sides of two changes are told in the order of the program
		if r := f.weighed(p, t, s); !q.like(r) {
			f.inOrder(m, p)
			return
		}
	}
	if q.field.Class == "" {
		f.removed(dropNoField, m)
		return
	}
	if q.priority > finding.Low && len(m.a.sides)*len(m.b.sides) <= pairsApart {
		f.each(m, []attribute{bySelf}, []attribute{bySelf}, func(m meeting) {
			if s, t := m.first(); f.ownFirst(s, t) || f.ownFirst(t, s) {
				f.removed(dropOwn, m)
				return
			}
			if q := f.guardedBy(p, q, m); q != nil {
				f.keeps(m, q)
			}
		})
		return
	}
	f.keeps(m, q)
}

// keeps notes such a race.
func (f *finder) keeps(m meeting, p *pair) { f.shown = append(f.shown, shown{m.a, m.b, m.same, p}) }

// pairsApart bounds the pairs of sides that are asked one by one for what needs both of
// them. Meetings of more are kept.
const pairsApart = 256

// symmetric reports whether a race of two changes is told alike with its sides
// exchanged: their models and what names the location are the same.
func (f *finder) symmetric(s, t visit) bool {
	return s.effect == t.effect && (s.key > 0 || f.placeNamed(s.access) == f.placeNamed(t.access))
}

// placed is what of an access names the location.
type placed struct {
	loaded pointsto.FieldKey
	objs   int32
}

func (f *finder) placeNamed(a *access) placed {
	at, ok := f.placed[a.n]
	if !ok {
		at = placed{f.names.LoadedFrom(a.location()), f.setID(a.objs)}
		f.placed[a.n] = at
	}
	return at
}

// fieldOf names the location of two accesses.
func (f *finder) fieldOf(a, b *access) namedField {
	key := fieldKey{key: a.key}
	if a.key <= 0 {
		key.by = [2]placed{f.placeNamed(a), f.placeNamed(b)}
	}
	field, ok := f.fields[key]
	if !ok {
		field.Field = f.names.Field(a.location(), b.location())
		if field.number = f.numbers[field.Field]; field.number == 0 {
			field.number = int32(len(f.numbers) + 1)
			f.numbers[field.Field] = field.number
		}
		f.fields[key] = field
	}
	return field
}

// namedField is a field with its number at this location.
type namedField struct {
	finding.Field
	number int32
}

// fieldKey is what the name of a location depends on.
type fieldKey struct {
	key pointsto.FieldKey
	by  [2]placed // of a slot
}

// inOrder keeps a race of two changes that is told by the order of its accesses in the
// program: for each pair of accesses, the first one first.
func (f *finder) inOrder(m meeting, p pair) {
	place := []attribute{byAccess}
	f.each(m, place, place, func(m meeting) {
		if s, t := m.first(); t.n < s.n {
			m = m.turned()
		}
		s, t := m.first()
		if q := f.weighed(p, s, t); q.field.Class != "" {
			f.keeps(m, q)
		} else {
			f.removed(dropNoField, m)
		}
	})
}

// like: two races differ in their sides only.
func (p *pair) like(q *pair) bool {
	return p.fieldID == q.fieldID && p.priority == q.priority && p.crash == q.crash && slices.Equal(p.facts, q.facts)
}

// weighed is the race with these sides, its rule, field and priority; where it is told alike
// for others, it may be theirs.
func (f *finder) weighed(p pair, s, t visit) *pair {
	p.access, p.action = [2]*access{s.access, t.access}, [2]hb.ActionID{s.x, t.x}
	if p.kind[0] == finding.Use || p.rounds {
		return f.weighedAlone(p, s, t)
	}
	key := plainKey{
		location: s.key, of: [2]int32{f.weightOf(s), f.weightOf(t)}, looper: p.looper, one: f.oneLocation(s.access, t.access),
		field: f.fieldOf(s.access, t.access).number,
	}
	known := f.plains[key]
	if known == nil {
		known = f.weighedAlone(p, s, t)
		f.plains[key] = known
	}
	return known
}

// plainKey is what the facts and the priority of two changes, or of a change and a
// read, depend on, if no flag or earlier run is in question.
type plainKey struct {
	location    pointsto.FieldKey
	field       int32
	of          [2]int32 // see weightOf
	looper, one bool
}

// weight is what such facts read of a side.
type weight struct {
	effect                        *platform.Effect
	app, platform, updates, write bool
	use, tests, rare, ownLoss     bool
	unknown, counts               bool
	external                      bool
	stores                        flow.Nullness
}

// weightOf numbers the weight of a side.
func (f *finder) weightOf(s visit) int32 {
	key := visitKey{s.n, s.x}
	id := f.weights[key]
	if id != 0 {
		return id
	}
	w := weight{
		effect: s.effect, app: f.appCode(s.f), platform: f.r.Funcs[s.f].Method == 0, updates: s.updates, write: s.write, use: s.use(),
		tests: !s.write && f.testsOnly(s.access), counts: f.counts(s.access), rare: f.s.Actions[s.x].Rare, ownLoss: f.s.Actions[s.x].OwnLoss, external: f.external(s.x),
		unknown: f.s.Queues[f.s.Actions[s.x].Queue].Kind == hb.QueueUnknown, stores: f.stores(s.x, s.access),
	}
	if id = f.weighing[w]; id == 0 {
		id = int32(len(f.weighing) + 1)
		f.weighing[w] = id
	}
	f.weights[key] = id
	return id
}

// weighedAlone is weighed for these sides only.
func (f *finder) weighedAlone(p pair, s, t visit) *pair {
	p.facts = slices.Clone(p.facts)
	if p.kind[0] == finding.Use {
		f.flagFact(&p, t.access, s.access, t.x, s.x)
	} else {
		p.crash = crashOf(s.access, t.access, false, p.looper)
		if f.counts(s.access) || f.counts(t.access) {
			p.crash = ""
			p.fact(finding.FactCounted)
		}
		if p.rounds {
			f.onceFact(&p)
		}
	}
	if p.rule == "" {
		p.rule = finding.Classify(p.kind[0], p.kind[1], false, p.looper)
	}
	named := f.fieldOf(s.access, t.access)
	p.field, p.fieldID, p.sorts = named.Field, named.number, f.sortsOf(&p)
	if p.field.Class != "" {
		f.weigh(&p)
	}
	return &p
}

// classes groups the visits of a location by what is read of them at once.
func (f *finder) classes(visits []visit) []*class {
	type key struct {
		as                             grouped
		twin, descent, objs            int32
		static, write, null, live, use bool
		updates, content               bool
		app, platform                  bool
		effect                         *platform.Effect
	}
	var out []*class
	if f.plainly {
		for _, s := range visits {
			out = append(out, &class{sides: []visit{s}, alone: true, ours: f.ours(s.access), objs: f.setID(s.objs)})
		}
		return out
	}
	index := map[key]*class{}
	twin := f.twinsOf(visits)
	for _, s := range visits {
		k := key{
			objs: f.setID(s.objs), static: s.static, write: s.write, null: s.null, live: s.live, use: s.use(),
			updates: s.updates, content: s.content, app: f.appCode(s.f), platform: f.r.Funcs[s.f].Method == 0, effect: s.effect,
		}
		if twin != nil {
			k.twin, k.descent = twin[s.x], f.descent(s.objs, k.objs, s.x)
		} else {
			k.as = f.groupedAs(s)
		}
		c := index[k]
		if c == nil {
			c = &class{}
			index[k] = c
			out = append(out, c)
		}
		c.sides = append(c.sides, s)
	}
	for k, c := range index {
		c.alone, c.ours, c.objs = oneAction(c.sides), f.ours(c.first().access), k.objs
	}
	return out
}

// location looks at the pairs of classes of one field or slot, at least one a change and
// at least one of the app's.
func (f *finder) location(list []*access) {
	defer f.keepAll()
	defer f.noteLimit(list[0].key)
	cs := f.classes(f.sides(list))
	if len(cs) == 0 {
		return
	}
	sets, of := f.setsOf(cs)
	var with []int
	for i, a := range cs {
		with = with[:0]
		for _, k := range sets[of[i]].meet {
			list := sets[k].partners(a)
			at, _ := slices.BinarySearch(list, i)
			with = append(with, list[at:]...)
		}
		slices.Sort(with)
		for _, j := range with {
			f.encounter(a, cs[j])
		}
	}
}

// objectsOf is a set of objects that classes are of.
type objectsOf struct {
	objs    pointsto.Set
	classes [2][2][]int // in order: all, or those that write; all, or those of the app
	meet    []int       // the sets that share an object with it, itself included
}

// partners are the classes of the set that a class may race with: of two that race one
// writes, and one is the app's.
func (o *objectsOf) partners(c *class) []int {
	return o.classes[number(!c.first().write)][number(!c.ours)]
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// setsOf groups the classes of a location by their objects, and says of which set each is.
func (f *finder) setsOf(cs []*class) (sets []objectsOf, of []int) {
	index := map[int32]int{}
	of = make([]int, len(cs))
	for i, c := range cs {
		k, known := index[c.objs]
		if !known {
			k = len(sets)
			index[c.objs] = k
			sets = append(sets, objectsOf{objs: c.first().objs})
		}
		of[i] = k
		for writes := range 1 + number(c.first().write) {
			for ours := range 1 + number(c.ours) {
				sets[k].classes[writes][ours] = append(sets[k].classes[writes][ours], i)
			}
		}
	}
	holding := map[pointsto.Obj][]int{}
	for k := range sets {
		sets[k].objs.All(func(o pointsto.Obj) bool { holding[o] = append(holding[o], k); return true })
	}
	met := make([]int, len(sets)) // one more than the last set that it was found to meet
	for k := range sets {
		set := &sets[k]
		if set.objs.Empty() { // static: there is no other
			set.meet = []int{k}
		}
		set.objs.All(func(o pointsto.Obj) bool {
			for _, j := range holding[o] {
				if met[j] <= k {
					met[j] = k + 1
					set.meet = append(set.meet, j)
				}
			}
			return true
		})
	}
	return sets, of
}

// meetingsPerLocation bounds the races of two classes that are looked at for one
// location. It is far above what apps need whose containers have names of their own;
// reaching it is said.
const meetingsPerLocation = 400_000

// noteLimit says that the limit of a location was reached.
func (f *finder) noteLimit(k pointsto.FieldKey) {
	if f.met >= meetingsPerLocation {
		f.out.Notes = append(f.out.Notes, finding.Notification{
			Kind: finding.NoteBudget, Text: "pairs of accesses of one field beyond the limit were not looked at", Where: f.r.KeyName(k),
		})
	}
}

// encounter pairs two classes in the ways in which their sides can meet.
func (f *finder) encounter(a, b *class) {
	if f.interrupted() {
		return
	}
	for _, same := range []bool{false, true} {
		if m, ok := meetingOf(a, b, same); ok && f.met < meetingsPerLocation {
			f.meet(m)
		}
	}
}
