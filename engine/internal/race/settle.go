package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
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
		ofA = append(ofA, byFlags, byCaught)
		if f.s.Actions[m.a.first().x].Arm != nil && f.facts.Partings.Any(m.b.first().x) {
			ofA, ofB = append(ofA, byAction), append(ofB, bySelf)
		}
	case p.kind[1] == finding.Read:
		ofB = append(ofB, byReading)
	}
	if p.rounds {
		ofA, ofB = append(ofA, byOnce), append(ofB, byOnce)
	}
	f.each(m, ofA, ofB, func(m meeting) { f.show(m, p) })
}

// show keeps a race that is the same for all sides of a meeting.
func (f *finder) show(m meeting, p pair) {
	f.met++
	s, t := m.first()
	q := f.weighed(p, s, t)
	if s.write && t.write && m.a != m.b && !f.symmetric(s, t) { // the sides of two changes are told in the order of the program
		if r := f.weighed(p, t, s); !q.like(r) {
			f.oneByOne(m, p)
			return
		}
	}
	if q.field.Class == "" {
		f.removed(dropNoField, m)
		return
	}
	if m.a.alone && m.b.alone {
		f.callbacks += f.faced(m, q, f.faces(m.a, q.priority), f.faces(m.b, q.priority))
		return
	}
	f.shown = append(f.shown, shown{m, q})
}

// faced keeps a race for each pair of faces, and returns how many there were.
func (f *finder) faced(m meeting, q *pair, as, bs []*face) int {
	for _, a := range as {
		for _, b := range bs {
			if s, t, ok := pick(a.sides, b.sides, m.same); ok {
				p := q.of(s, t)
				f.keep(&p)
			}
		}
	}
	return len(as) * len(bs)
}

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
func (f *finder) fieldOf(a, b *access) finding.Field {
	if a.key > 0 {
		return f.names.Field(a.location(), b.location())
	}
	key := fieldKey{a.key, [2]placed{f.placeNamed(a), f.placeNamed(b)}}
	field, ok := f.fields[key]
	if !ok {
		field = f.names.Field(a.location(), b.location())
		f.fields[key] = field
	}
	return field
}

type fieldKey struct {
	key pointsto.FieldKey
	by  [2]placed
}

// shown is a race of two classes.
type shown struct {
	meeting
	pair *pair
}

// idsPerField bounds the races of one location that are kept callback by callback.
// Where there are more, those of a class of callbacks that nothing tells apart are
// one, with the number of pairs that it stands for: thousands of equal listeners
// of one field are one story, and one line of a baseline, whoever joins them.
const idsPerField = 5000

// expand keeps the races of one location that are of classes of several callbacks.
func (f *finder) expand() {
	n := f.callbacks
	for _, r := range f.shown {
		n += len(f.faces(r.a, r.pair.priority)) * len(f.faces(r.b, r.pair.priority))
	}
	for _, r := range f.shown {
		as, bs := f.faces(r.a, r.pair.priority), f.faces(r.b, r.pair.priority)
		if n <= idsPerField || f.plainly {
			f.faced(r.meeting, r.pair, as, bs)
			continue
		}
		for _, a := range together(r.a, as) {
			for _, b := range together(r.b, bs) {
				s, t, ok := pick(a.sides, b.sides, r.same)
				if !ok {
					continue
				}
				p := r.pair.of(s, t)
				p.stands = r.pairs()
				p.entry = [2]*finding.Callback{f.commonEntry(r.a), f.commonEntry(r.b)}
				if p.access[0] != s.access || p.action[0] != s.x {
					p.entry[0], p.entry[1] = p.entry[1], p.entry[0]
				}
				f.keep(&p)
			}
		}
	}
}

// together makes one face of those of several actions.
func together(c *class, faces []*face) []*face {
	if c.alone {
		return faces
	}
	return []*face{{c.sides}}
}

// commonEntry is the name that stands for the callbacks of a class, nil for one action:
// the component that they belong to, and their own name where they share one.
func (f *finder) commonEntry(c *class) *finding.Callback {
	if c.alone {
		return nil
	}
	first := f.names.Callback(c.first().x)
	out := finding.Callback{Class: "*", Name: first.Name, Params: first.Params}
	if id := f.s.Actions[c.first().x].Component; id != 0 {
		out.Class = f.p.Classes[f.s.Components[id].Class].Name + "$*"
	}
	for _, s := range c.sides {
		if cb := f.names.Callback(s.x); cb.Name != first.Name || !slices.Equal(cb.Params, first.Params) {
			out.Name, out.Params = "*", []string{}
			break
		}
	}
	return &out
}

// oneByOne keeps each pair of sides by itself.
func (f *finder) oneByOne(m meeting, p pair) {
	for i, s := range m.a.sides {
		rest := m.b.sides
		if m.a == m.b {
			rest = rest[i:]
		}
		for _, t := range rest {
			if (s.x == t.x) != m.same {
				continue
			}
			if t.less(s) {
				s, t = t, s
			}
			if q := f.weighed(p, s, t); q.field.Class != "" {
				f.keep(q)
			} else {
				f.out.Filtered++
				f.out.Removed[dropNoField]++
			}
		}
	}
}

// of is the race with other sides of the same classes.
func (p *pair) of(s, t visit) pair {
	q := *p
	if s.write && t.write && t.less(s) {
		s, t = t, s
	}
	q.access, q.action = [2]*access{s.access, t.access}, [2]hb.ActionID{s.x, t.x}
	return q
}

// like: two races differ in their sides only.
func (p *pair) like(q *pair) bool {
	return p.field == q.field && p.priority == q.priority && p.crash == q.crash && slices.Equal(p.facts, q.facts)
}

// weighed is the race with these sides, its rule, field and priority.
func (f *finder) weighed(p pair, s, t visit) *pair {
	p.access, p.action = [2]*access{s.access, t.access}, [2]hb.ActionID{s.x, t.x}
	if p.kind[0] == finding.Use || p.rounds {
		return f.weighedAlone(p, s, t)
	}
	key := plainKey{
		location: s.key, of: [2]weight{f.weightOf(s), f.weightOf(t)}, kind: p.kind, looper: p.looper, one: f.oneLocation(s.access, t.access),
		field: f.fieldOf(s.access, t.access),
	}
	known := f.plains[key]
	if known == nil {
		known = f.weighedAlone(p, s, t)
		f.plains[key] = known
	}
	q := *known
	q.access, q.action = p.access, p.action
	return &q
}

// plainKey is what the facts and the priority of two changes, or of a change and a
// read, depend on, if no flag or earlier run is in question.
type plainKey struct {
	location    pointsto.FieldKey
	field       finding.Field
	of          [2]weight
	kind        [2]finding.Kind
	looper, one bool
}

// weight is what such facts read of a side.
type weight struct {
	effect                        *platform.Effect
	app, platform, updates, write bool
	use, tests, rare, unknown     bool
	external                      bool
	stores                        flow.Nullness
}

func (f *finder) weightOf(s visit) weight {
	return weight{
		effect: s.effect, app: f.appCode(s.f), platform: f.r.Funcs[s.f].Method == 0, updates: s.updates, write: s.write, use: s.use(),
		tests: !s.write && f.testsOnly(s.access), rare: f.s.Actions[s.x].Rare, external: f.external(s.x),
		unknown: f.s.Queues[f.s.Actions[s.x].Queue].Kind == hb.QueueUnknown, stores: f.stores(s.x, s.access),
	}
}

// weighedAlone is weighed for these sides only.
func (f *finder) weighedAlone(p pair, s, t visit) *pair {
	p.facts = slices.Clone(p.facts)
	if p.kind[0] == finding.Use {
		f.flagFact(&p, t.access, s.access, t.x, s.x)
	} else {
		p.crash = crashOf(s.access, t.access, false, p.looper)
		if p.rounds {
			f.onceFact(&p)
		}
	}
	if p.rule == "" {
		p.rule = finding.Classify(p.kind[0], p.kind[1], false, p.looper)
	}
	if p.field = f.fieldOf(s.access, t.access); p.field.Class != "" {
		f.weigh(&p)
	}
	return &p
}

// keep keeps the strongest of the races that are shown as one.
func (f *finder) keep(p *pair) {
	key := pairKey{rule: p.rule, field: p.field}
	i, j := 0, 1
	if f.sideLess(p, 1, 0) {
		i, j = 1, 0
	}
	for n, side := range []int{i, j} {
		key.kind[n] = p.kind[side]
		key.entry[n] = f.entryName(p, side)
	}
	if p.priority > finding.Low {
		for n, side := range []int{i, j} {
			key.in[n] = f.r.Funcs[p.access[side].f].Method
			if p.priority == finding.High {
				key.line[n] = f.line(p.access[side])
			}
		}
	}
	old := f.best[key]
	if old == nil || p.stronger(old) {
		kept := *p
		f.best[key] = &kept
	}
}

// A face is what of a class is shown as one: the sides of one callback; of a
// race that is not low, in one method; of a high one, on one line.
type face struct{ sides []visit }

// faceKey tells faces apart.
type faceKey struct {
	entry string
	in    ir.MethodID
	line  int
}

// faceLevels is one more than the highest priority.
const faceLevels = int(finding.High) + 1

func (f *finder) faces(c *class, p finding.Priority) []*face {
	if got := c.faces[p]; got != nil {
		return got
	}
	var out []*face
	index := map[faceKey]*face{}
	for _, s := range c.sides {
		k := faceKey{entry: f.entryOf(s.x)}
		if p > finding.Low {
			k.in = f.r.Funcs[s.f].Method
		}
		if p == finding.High {
			k.line = f.line(s.access)
		}
		fc := index[k]
		if fc == nil {
			fc = &face{}
			index[k] = fc
			out = append(out, fc)
		}
		fc.sides = append(fc.sides, s)
	}
	c.faces[p] = out
	return out
}

// entryName is the name of the callback of a side, or of its class of callbacks.
func (f *finder) entryName(p *pair, i int) string {
	if p.entry[i] != nil {
		return p.entry[i].String()
	}
	return f.entryOf(p.action[i])
}

// entryOf is the name of the callback of an action.
func (f *finder) entryOf(x hb.ActionID) string {
	name, ok := f.entries[x]
	if !ok {
		name = f.names.Callback(x).String()
		f.entries[x] = name
	}
	return name
}

// classes groups the visits of a location by what is read of them at once.
func (f *finder) classes(visits []visit) []*class {
	type key struct {
		x                              hb.ActionID // 0 for an action of a group
		group, asked, objs             int32
		static, write, null, live, use bool
		updates, content               bool
		app, platform                  bool
		effect                         *platform.Effect
	}
	var out []*class
	index := map[key]*class{}
	sites := f.sitesByAction(visits)
	asked := map[hb.ActionID]int32{}
	for _, s := range visits {
		k := key{
			x: s.x, group: f.groupOf(s), objs: f.setID(s.objs), static: s.static, write: s.write, null: s.null, live: s.live, use: s.use(),
			updates: s.updates, content: s.content, app: f.appCode(s.f), platform: f.r.Funcs[s.f].Method == 0, effect: s.effect,
		}
		if f.plainly {
			out = append(out, &class{sides: []visit{s}, alone: true})
			continue
		}
		if k.group != 0 {
			k.x = 0
			if _, known := asked[s.x]; !known {
				asked[s.x] = f.askedFor(s.x, sites)
			}
			k.asked = asked[s.x]
		}
		c := index[k]
		if c == nil {
			c = &class{alone: k.group == 0}
			index[k] = c
			out = append(out, c)
		}
		c.sides = append(c.sides, s)
	}
	return out
}

// location looks at the pairs of classes of one field or slot.
func (f *finder) location(list []*access) {
	defer f.expand()
	defer f.noteLimit(list[0].key)
	cs := f.classes(f.sides(list))
	if len(cs) == 0 {
		return
	}
	if cs[0].first().static {
		for i, a := range cs {
			for _, b := range cs[i:] {
				f.encounter(a, b)
			}
		}
		return
	}
	holding := map[pointsto.Obj][]int{}
	for i, c := range cs {
		c.first().objs.All(func(o pointsto.Obj) bool { holding[o] = append(holding[o], i); return true })
	}
	met := make([]int, len(cs)) // one more than the last class that it was paired with
	for i, a := range cs {
		var with []int
		a.first().objs.All(func(o pointsto.Obj) bool {
			for _, j := range holding[o] {
				if j >= i && met[j] <= i {
					met[j] = i + 1
					with = append(with, j)
				}
			}
			return true
		})
		slices.Sort(with)
		for _, j := range with {
			f.encounter(a, cs[j])
		}
	}
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
	if !a.first().write && !b.first().write {
		return
	}
	for _, same := range []bool{false, true} {
		if m := (meeting{a, b, same}); m.meets() && f.met < meetingsPerLocation {
			f.meet(m)
		}
	}
}
