package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// idsPerField bounds, by priority, the races of one field that are kept callback by
// callback. Where there are more, those are one race whose callbacks have the same name in
// the same component, with the number of pairs that it stands for, and what is still too
// much is told by component, or at last as one: a field that hundreds of callbacks touch is
// one story, and what a baseline says of it does not change with each callback that joins
// them. The number is that of one field and one priority, so that nothing elsewhere in the
// app matters.
var idsPerField = [...]int{finding.Low: lowEach, finding.Medium: mediumEach, finding.High: highEach}

const (
	lowEach    = 200
	mediumEach = 200
	highEach   = 500
)

// level is how far the callbacks of races are told together.
type level uint8

const (
	eachCallback level = iota
	byName             // callbacks of one name in one component
	byComponent        // all callbacks of a component
	allCallbacks       // all
	levels       = int(allCallbacks) + 1
)

// shown is a race of two classes, the same for all their sides but for these.
type shown struct {
	a, b *class
	same bool
	pair *pair
}

// keepAll keeps the races of one location, at the first level at which those of a field
// and priority are not too many.
func (f *finder) keepAll() {
	if f.done {
		return
	}
	heapOf := func(p *pair) int { return int(p.fieldID)*len(idsPerField) + int(p.priority) }
	sizes := make([]int, (len(f.numbers)+1)*len(idsPerField))
	for _, r := range f.shown {
		sizes[heapOf(r.pair)]++
	}
	heaps := make([][]shown, len(sizes))
	for _, r := range f.shown {
		k := heapOf(r.pair)
		if heaps[k] == nil {
			heaps[k] = make([]shown, 0, sizes[k])
		}
		heaps[k] = append(heaps[k], r)
	}
	clear(f.shown)
	f.shown = f.shown[:0]
	for k, races := range heaps {
		for at := eachCallback; len(races) > 0; at++ {
			if kept, ok := f.together(races, at, idsPerField[k%len(idsPerField)]); ok {
				f.keep(kept)
				break
			}
		}
	}
}

// sidesKey is a pairKey among those of one field, with numbers for its rule and kinds, and
// for its callbacks.
type sidesKey struct {
	sort  int32
	entry [2]int32
	in    [2]ir.MethodID
	line  [2]int
}

// sort is what tells races of one field apart, but for their places.
type sort struct {
	rule finding.RuleID
	kind [2]finding.Kind
}

// sortsOf numbers the sort of a race, and the same with its sides exchanged.
func (f *finder) sortsOf(p *pair) [2]int32 {
	number := func(s sort) int32 {
		i := slices.Index(f.sorts, s)
		if i < 0 {
			i = len(f.sorts)
			f.sorts = append(f.sorts, s)
		}
		return int32(i)
	}
	return [2]int32{number(sort{p.rule, p.kind}), number(sort{p.rule, [2]finding.Kind{p.kind[1], p.kind[0]}})}
}

// keptPair is a pair that is kept, and how it is told apart.
type keptPair struct {
	told
	key pairKey
}

// together is the races of one location, field and priority, told at a level. ok is
// false if they are more than the limit, and there is a further level.
func (f *finder) together(races []shown, at level, limit int) (kept map[sidesKey]*keptPair, ok bool) {
	kept = map[sidesKey]*keptPair{}
	for _, r := range races {
		itself := r.a == r.b
		as, bs := f.faces(r.a, r.pair.priority, at), f.faces(r.b, r.pair.priority, at)
		if at < allCallbacks && !r.same && len(as)*len(bs)/2 > limit && least(as, bs) > limit {
			return nil, false
		}
		for i, a := range as {
			for j, b := range bs {
				n, m, meet := pick(a.sides, b.sides, r.same)
				if !meet {
					continue
				}
				s, t := r.pair.inOrder(a.sides[n], b.sides[m])
				stands := 0
				if at > eachCallback && (!itself || i <= j) {
					stands = pairsOf(a, b, itself && i == j, r.same)
				}
				key, turned := f.keyOf(r.pair, s, t, at)
				old := kept[key]
				switch {
				case old == nil:
					if at < allCallbacks && len(kept) == limit {
						return nil, false
					}
					kept[key] = &keptPair{f.toldAt(r.pair, s, t, at, stands), f.wholeKey(r.pair, key, s, t, turned, at)}
				case r.pair.strongerAs(s, t, &old.told):
					old.told = f.toldAt(r.pair, s, t, at, old.stands+stands)
				default:
					old.stands += stands
				}
			}
		}
	}
	return kept, true
}

// least is a number of races of different keys that faces of two actions make at least:
// those of a class with itself are met twice.
func least(as, bs []face) int {
	only := map[hb.ActionID]int{} // faces of one action
	for _, b := range bs {
		if b.alone {
			only[b.sides[0].x]++
		}
	}
	n := len(as) * len(bs)
	for _, a := range as {
		if a.alone {
			n -= only[a.sides[0].x]
		}
	}
	return n / 2
}

// keep adds the races of one location to those of all.
func (f *finder) keep(kept map[sidesKey]*keptPair) {
	for _, p := range kept {
		q := p.told
		add(f.best, p.key, &q)
	}
}

// add keeps the stronger of the races that are shown as one, and the pairs that they stand
// for together.
func add(kept map[pairKey]*told, key pairKey, p *told) {
	old := kept[key]
	if old == nil {
		kept[key] = p
		return
	}
	sum := old.stands + p.stands
	if p.stronger(old) {
		*old = *p
	}
	old.stands = sum
}

// keyOf is what a race is shown as at a level; turned: its sides change places.
func (f *finder) keyOf(p *pair, s, t visit, at level) (key sidesKey, turned bool) {
	sides := [2]visit{s, t}
	entries := [2]*entry{f.entryAt(s.x, at), f.entryAt(t.x, at)}
	order := [2]int{0, 1}
	if turned = sideLess(entries[1].name, p.kind[1], t.n, entries[0].name, p.kind[0], s.n); turned {
		order = [2]int{1, 0}
	}
	key.sort = p.sorts[order[0]]
	for n, side := range order {
		key.entry[n] = entries[side].number
		if p.priority > finding.Low && at == eachCallback {
			key.in[n] = f.r.Funcs[sides[side].f].Method
		}
		if p.priority == finding.High && at == eachCallback {
			key.line[n] = f.line(sides[side].access)
		}
	}
	return key, turned
}

// wholeKey is the key among all races.
func (f *finder) wholeKey(p *pair, key sidesKey, s, t visit, turned bool, at level) pairKey {
	if turned {
		s, t = t, s
	}
	sort := &f.sorts[key.sort]
	return pairKey{
		rule: sort.rule, field: p.field, kind: sort.kind, in: key.in, line: key.line,
		entry: [2]string{f.entryAt(s.x, at).name, f.entryAt(t.x, at).name},
	}
}

// inOrder is the sides of a race of the same classes: of two changes, in the order of the program.
func (p *pair) inOrder(s, t visit) (visit, visit) {
	if s.write && t.write && t.less(s) {
		return t, s
	}
	return s, t
}

// toldAt is the race with other sides of the same classes, told at a level for a number of
// pairs.
func (f *finder) toldAt(p *pair, s, t visit, at level, stands int) told {
	q := told{pair: p, access: [2]*access{s.access, t.access}, action: [2]hb.ActionID{s.x, t.x}, stands: stands}
	if at > eachCallback {
		q.entry = [2]*finding.Callback{&f.entryAt(s.x, at).Callback, &f.entryAt(t.x, at).Callback}
	}
	return q
}

// strongerAs reports whether the race with other sides is stronger than another one.
func (p *pair) strongerAs(s, t visit, than *told) bool {
	return strength{p.priority, [2]int{s.n, t.n}, [2]hb.ActionID{s.x, t.x}}.over(than.strength())
}

// A face is what of a class is shown as one: the sides of one callback, or of those that
// are told together. Of a single one, those of a race that is not low are in one method, of
// a high one on one line.
type face struct {
	sides []visit
	alone bool // they are of one action
}

// faceKey tells faces apart.
type faceKey struct {
	entry int32
	in    ir.MethodID
	line  int
}

// faceting is the faces of a class for races of one priority, told at a level.
type faceting struct {
	priority finding.Priority
	at       level
	faces    []face
}

func (f *finder) faces(c *class, p finding.Priority, at level) []face {
	if len(c.sides) == 1 { // how it is told does not matter
		p, at = 0, 0
	}
	for i := range c.faces {
		if how := &c.faces[i]; how.priority == p && how.at == at {
			return how.faces
		}
	}
	out := f.findFaces(c, p, at)
	c.faces = append(c.faces, faceting{p, at, out})
	return out
}

func (f *finder) findFaces(c *class, p finding.Priority, at level) []face {
	if len(c.sides) == 1 {
		return []face{{c.sides, true}}
	}
	var out []face
	index := map[faceKey]int{}
	for _, s := range c.sides {
		k := faceKey{entry: f.entryAt(s.x, at).number}
		if p > finding.Low && at == eachCallback {
			k.in = f.r.Funcs[s.f].Method
		}
		if p == finding.High && at == eachCallback {
			k.line = f.line(s.access)
		}
		i, known := index[k]
		if !known {
			i = len(out)
			index[k] = i
			out = append(out, face{})
		}
		out[i].sides = append(out[i].sides, s)
	}
	for i := range out {
		out[i].alone = c.alone || oneAction(out[i].sides)
	}
	return out
}

// entry is the name of a callback, or of those that are told together.
type entry struct {
	finding.Callback
	name   string
	number int32 // of the name
}

// entryAt is the entry of an action.
func (f *finder) entryAt(x hb.ActionID, at level) *entry {
	if f.entries[at] == nil {
		f.entries[at] = make([]*entry, len(f.s.Actions))
	}
	e := f.entries[at][x]
	if e == nil {
		e = &entry{Callback: f.callbackAt(x, at)}
		e.name = e.Callback.String()
		e.number = f.entryNumbers.of([]byte(e.name))
		f.entries[at][x] = e
	}
	return e
}

func (f *finder) callbackAt(x hb.ActionID, at level) finding.Callback {
	out := f.names.Callback(x)
	if at == eachCallback {
		return out
	}
	out = finding.Callback{Class: "*", Name: out.Name, Params: slices.Clone(out.Params)}
	if id := f.s.Actions[x].Component; id != 0 && at < allCallbacks {
		out.Class = f.p.Classes[f.s.Components[id].Class].Name + "$*"
	}
	if at > byName {
		out.Name, out.Params = "*", []string{}
	}
	return out
}
