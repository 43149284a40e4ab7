package race

import (
	"encoding/binary"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// visit is one access as one action makes it.
type visit struct {
	*access
	x    hb.ActionID
	objs pointsto.Set // what the instance may be in runs of x; empty for static fields
}

// less orders sides by their place in the program, then by action.
func (s visit) less(t visit) bool {
	if s.n != t.n {
		return s.n < t.n
	}
	return s.x < t.x
}

// sides lists the sides of a location: each access with each action that makes
// it. Class initialisation is no action that races.
func (f *finder) sides(list []*access) []visit {
	var out []visit
	for _, a := range list {
		f.s.ByFunc[a.in].All(func(id int) bool {
			x := hb.ActionID(id)
			if id == 1 || !f.s.Executes(x, a.in, a.v) || a.in == a.f && !f.facts.Feasible.At(x, a.f, a.v) {
				return true
			}
			s := visit{access: a, x: x}
			if !a.static {
				s.objs = f.facts.Values.Objects(x, a.fact)
				if s.objs.Empty() {
					return true
				}
			}
			out = append(out, s)
			return true
		})
	}
	return out
}

// class is sides that no question asked so far tells apart. A question that may
// tell them apart splits the class by the attribute that it reads.
type class struct {
	sides []visit // in order; see side.less
	alone bool    // all sides are of one action
	ours  bool    // see ours
	objs  int32   // the number of its set of objects
	self  [1]*class
	whole attributes  // that do not split it
	split []splitting // by those that do
	faces []faceting
	init  *hb.Verdict // of the search for a use before any write
}

func (c *class) first() visit { return c.sides[0] }

// itself is the class as its only part.
func (c *class) itself() []*class {
	c.self[0] = c
	return c.self[:]
}

// splitting is the parts of a class by an attribute.
type splitting struct {
	at    attribute
	parts []*class
}

// attribute is what a question reads of a side. Its value decides whether two
// sides are alike to the question.
type attribute uint8

const (
	byAction    attribute = iota // the action that makes it
	bySelf                       // nothing is alike
	byAccess                     // the access
	byGroup                      // the action that makes it, or those that are like it to all questions
	byConstants                  // the constants that its action stores
	byMaking                     // whether the run works on an object that it has made itself
	byPlace                      // the position among the posts, joins and waits of its action
	byLocks                      // the locks held
	byOwnLocks                   // the locks held that are the location's own
	byStores                     // what a change leaves: null, something else, or either
	byConstant                   // the constant stored
	byTest                       // a use: tested or allocated before in the run
	bySection                    // a use: the same in the critical section of each lock held
	byQuery                      // a use: the queries of the framework that guard it
	byHolder                     // content: the access that loads what holds it
	byReplacing                  // a change: replaced before the run ends
	byOverwrite                  // a read: the run has written the location before
	byKey                        // content: found by its key
	byOwner                      // the one object, if it is one
	byMust                       // a free: in every run of the action
	byFlags                      // a use: flags are tested on the way
	byTogether                   // a use: a field is tested that is written together with the location
	byOnce                       // a flag of its own lets the access run only once
	byCaught                     // a use: who catches its exception
	byReading                    // a read: its value goes into tests only
	byNaming                     // content: what the location is named by
	byEarlier                    // a use: some earlier run may have written the location
	byBirth                      // a change in the birth of the object that it changes
	byOnSelf                     // a use: of the very object that its run is on
	byOwn                        // the way from the object that the run is on to what it touches
	byEnding                     // a free: its run asks for the end of the component that it changes
	byParted                     // a free: its run has waited for something or taken something out of a collection
)

// attributes is a set of them.
type attributes uint32

func (a attributes) has(at attribute) bool { return a>>at&1 != 0 }

// by splits a class by an attribute, once. The parts are in the order of their first
// sides.
func (f *finder) by(c *class, at attribute) []*class {
	if len(c.sides) == 1 || c.whole.has(at) || at == byAction && c.alone {
		return c.itself()
	}
	for i := range c.split {
		if c.split[i].at == at {
			return c.split[i].parts
		}
	}
	parts := f.partsOf(c, at)
	if len(parts) == 1 {
		c.whole |= 1 << at
	} else {
		c.split = append(c.split, splitting{at, parts})
	}
	return parts
}

func (f *finder) partsOf(c *class, at attribute) []*class {
	values, first := f.values[:0], f.value(c.sides[0], at)
	same := true
	for _, s := range c.sides {
		v := f.value(s, at)
		same = same && v == first
		values = append(values, v)
	}
	f.values = values
	if same {
		return c.itself()
	}
	var parts []*class
	index := map[any]*class{}
	for i, s := range c.sides {
		p := index[values[i]]
		if p == nil {
			p = &class{}
			index[values[i]] = p
			parts = append(parts, p)
		}
		p.sides = append(p.sides, s)
	}
	for _, p := range parts {
		p.alone = c.alone || p.sides[0].x == p.sides[len(p.sides)-1].x && oneAction(p.sides)
	}
	return parts
}

func oneAction(sides []visit) bool {
	for _, s := range sides[1:] {
		if s.x != sides[0].x {
			return false
		}
	}
	return true
}

// interner numbers byte strings.
type interner map[string]int32

func (n interner) of(b []byte) int32 {
	id, ok := n[string(b)]
	if !ok {
		id = int32(len(n) + 1)
		n[string(b)] = id
	}
	return id
}

// setID numbers a set of objects.
func (f *finder) setID(s pointsto.Set) int32 {
	if s.Empty() {
		return 0
	}
	b := f.bytes[:0]
	s.All(func(o pointsto.Obj) bool { b = binary.LittleEndian.AppendUint32(b, uint32(o)); return true })
	f.bytes = b
	return f.interned.of(b)
}

// placeOf numbers the position of a side among the points of its action: which
// may come before it, which after, and which waits it has always passed.
func (f *finder) placeOf(s visit) int32 {
	sites := f.points[s.x]
	if len(sites) == 0 {
		return 0
	}
	at := s.site()
	b := append(f.bytes[:0], 'p')
	for _, p := range sites {
		var bits byte
		if f.s.MayPrecede(s.x, p, at) {
			bits |= 1
			if f.s.Dominates(s.x, p, at) {
				bits |= 2
			}
		}
		if f.s.MayPrecede(s.x, at, p) {
			bits |= 4
		}
		if p == at {
			bits |= 8
		}
		b = append(b, bits)
	}
	f.bytes = b
	return f.interned.of(b)
}
