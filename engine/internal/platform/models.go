package platform

import (
	"slices"
	"sort"
	"strings"
)

// SlotKind is the sort of a slot.
type SlotKind uint8

const (
	RefSlot      SlotKind = iota // a reference
	ValueSlot                    // a number, string, boolean or class constant
	ContentSlot                  // what a container holds
	ResourceSlot                 // live from creation (or the first write) until a free
	OwnSlot                      // an object that is made and lives with its holder: (holder, slot) is its identity
	HolderSlot                   // of an object in an OwnSlot: its holder; else a reference
)

// Slot is a named place inside a framework object. A slot with the name of a
// Java field of the class is that field.
type Slot struct {
	Name  string
	Kind  SlotKind
	Class string    // RefSlot, HolderSlot: declared class or ""; OwnSlot: its class
	Queue QueueKind // OwnSlot: the object is such a queue; else its class tells
	Pos   Pos
}

// Method is the model of a method: what a call of it does.
type Method struct {
	Class   string
	Name    string
	Params  []string // dotted type names, arrays with []
	Open    bool     // more parameters may follow Params: "(*)"
	Effects []Effect
	Pos     Pos
}

// Signature gives the method as it is written in the file, with full names.
func (m *Method) Signature() string {
	params := m.Params
	if m.Open {
		params = append(append([]string{}, params...), "*")
	}
	return m.Class + "." + m.Name + "(" + strings.Join(params, ", ") + ")"
}

// Accepts reports whether the model is one for a method with these parameters.
func (m *Method) Accepts(params []string) bool {
	if len(params) < len(m.Params) || !m.Open && len(params) != len(m.Params) {
		return false
	}
	for i, p := range m.Params {
		if params[i] != p {
			return false
		}
	}
	return true
}

// ClassModel is what the files say of one class.
type ClassModel struct {
	Name    string
	Slots   []Slot    // sorted by name
	Statics []Slot    // static slots, sorted by name
	Queue   QueueKind // its objects are queues of this kind
	NoFIFO  bool      // a queue that does not keep the order of what falls due at one time
	Fluent  bool      // a method that returns a type the class is an instance of returns this
	Methods []*Method // in file order
	Order   []Order   // which callbacks of one object come first
	Renew   []Renewal // which callbacks end a round of one object, and which begin the next
	// Separate are callbacks that the platform delivers as runs of their own: never
	// from within a call of the app, as a text watcher is called by setText.
	Separate []string
	// Settled are callbacks that may run in the middle of another one, but not before their
	// object's host has started: an activity's menu, made while its state is restored.
	Settled []string
	Traits
	Pos Pos
}

// Order says that of the callbacks of one object, handed over by one call, each
// of After has run before the first run of Method.
type Order struct {
	Method string
	After  []string
	Pos    Pos
}

// Renewal says that of the callbacks of one object, handed over by one call, none runs behind End before
// Begin has run again.
type Renewal struct{ End, Begin string }

// Renewed gives the callback that begins the next round of an object of a class once another one has ended
// the last, "" if there is none.
func (m *Models) Renewed(h Hierarchy, class, end string) string {
	begin := ""
	m.says(h, class, func(c *ClassModel) bool {
		for _, r := range c.Renew {
			if r.End == end {
				begin = r.Begin
			}
		}
		return begin != ""
	})
	return begin
}

// After lists the callbacks that have run before the first run of one, on the
// same object and handed over by the same call: what the class and all its
// supertypes say, and what follows from it.
func (m *Models) After(h Hierarchy, class, method string) []string {
	var orders []Order
	seen := map[string]bool{class: true}
	for queue := []string{class}; len(queue) > 0; queue = queue[1:] {
		if c := m.Classes[queue[0]]; c != nil {
			orders = append(orders, c.Order...)
		}
		for _, s := range h(queue[0]) {
			if !seen[s] {
				seen[s] = true
				queue = append(queue, s)
			}
		}
	}
	return earlier(orders, method)
}

// Separate reports whether a callback of objects of a class is always a run of its
// own, as the class or a supertype says.
func (m *Models) Separate(h Hierarchy, class, method string) bool {
	return m.says(h, class, func(c *ClassModel) bool { return slices.Contains(c.Separate, method) })
}

// Settled reports whether a callback of objects of a class comes only once the object has started,
// as the class or a supertype says.
func (m *Models) Settled(h Hierarchy, class, method string) bool {
	return m.says(h, class, func(c *ClassModel) bool { return slices.Contains(c.Settled, method) })
}

// says: something holds of the model of a class or of a supertype.
func (m *Models) says(h Hierarchy, class string, holds func(*ClassModel) bool) bool {
	seen := map[string]bool{class: true}
	for queue := []string{class}; len(queue) > 0; queue = queue[1:] {
		if c := m.Classes[queue[0]]; c != nil && holds(c) {
			return true
		}
		for _, s := range h(queue[0]) {
			if !seen[s] {
				seen[s] = true
				queue = append(queue, s)
			}
		}
	}
	return false
}

// earlier is the transitive closure of one method, sorted.
func earlier(orders []Order, method string) []string {
	found := map[string]bool{}
	for work := []string{method}; len(work) > 0; work = work[1:] {
		for _, o := range orders {
			if o.Method != work[0] {
				continue
			}
			for _, a := range o.After {
				if !found[a] {
					found[a] = true
					work = append(work, a)
				}
			}
		}
	}
	out := make([]string, 0, len(found))
	for a := range found {
		out = append(out, a)
	}
	sort.Strings(out)
	return out
}

// Slot finds a slot declared by the class itself.
func (c *ClassModel) Slot(name string) *Slot { return findSlot(c.Slots, name) }

// Static finds a static slot of the class.
func (c *ClassModel) Static(name string) *Slot { return findSlot(c.Statics, name) }

func findSlot(slots []Slot, name string) *Slot {
	i := sort.Search(len(slots), func(i int) bool { return slots[i].Name >= name })
	if i < len(slots) && slots[i].Name == name {
		return &slots[i]
	}
	return nil
}

// Models is all platform knowledge of one run. It is read-only.
type Models struct {
	Classes    map[string]*ClassModel
	Lifecycles []*Lifecycle // sorted by base class
	Packages   []Package    // sorted by name

	MainLooper string   // the class of the places main and current
	Serialized []string // classes whose objects, and those of subclasses, may be read back; sorted
	Senders    []string // classes with methods that send messages; sorted
}

// Class gives the model of a class, nil if no file names it.
func (m *Models) Class(name string) *ClassModel { return m.Classes[name] }

// Names gives the modelled classes in order.
func (m *Models) Names() []string {
	names := make([]string, 0, len(m.Classes))
	for n := range m.Classes {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Hierarchy gives the direct supertypes of a class, its superclass first.
// Names it does not know have none.
type Hierarchy func(class string) []string

// For finds the models of a method as an invoke names it: those of the class
// itself, or else of the nearest supertypes that have one. Constructors and
// static methods of a superclass are not inherited by name alone: pass the
// class that declares them. Of several models of one class all that accept
// the parameters apply, except that exact ones hide open ones.
func (m *Models) For(h Hierarchy, class, name string, params []string) []*Method {
	seen := map[string]bool{class: true}
	level := []string{class}
	for len(level) > 0 {
		var found []*Method
		var next []string
		for _, c := range level {
			if got := m.declared(c, name, params); len(got) > 0 {
				found = append(found, got...)
				continue
			}
			for _, s := range h(c) {
				if !seen[s] {
					seen[s] = true
					next = append(next, s)
				}
			}
		}
		if len(found) > 0 {
			return found
		}
		if name == "<init>" {
			return nil
		}
		level = next
	}
	return nil
}

// declared gives the models of one class that accept the parameters.
func (m *Models) declared(class, name string, params []string) []*Method {
	c := m.Classes[class]
	if c == nil {
		return nil
	}
	var exact, open []*Method
	for _, x := range c.Methods {
		if x.Name != name || !x.Accepts(params) {
			continue
		}
		if x.Open {
			open = append(open, x)
		} else {
			exact = append(exact, x)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return open
}

// FindSlot finds a slot of a class or of its nearest supertype that has it.
// The holder returned is the class whose model declares it.
func (m *Models) FindSlot(h Hierarchy, class, name string) (*Slot, string) {
	seen := map[string]bool{class: true}
	for level := []string{class}; len(level) > 0; {
		var next []string
		for _, c := range level {
			if cm := m.Classes[c]; cm != nil {
				if s := cm.Slot(name); s != nil {
					return s, c
				}
			}
			for _, s := range h(c) {
				if !seen[s] {
					seen[s] = true
					next = append(next, s)
				}
			}
		}
		level = next
	}
	return nil, ""
}

// QueueOf tells which kind of queue the objects of a class are, by its own
// model or the nearest supertype's.
func (m *Models) QueueOf(h Hierarchy, class string) QueueKind {
	if c := m.queueModel(h, class); c != nil {
		return c.Queue
	}
	return NoQueue
}

// NoFIFO reports whether the objects of a class are queues that do not keep the
// order of what falls due at one time.
func (m *Models) NoFIFO(h Hierarchy, class string) bool {
	c := m.queueModel(h, class)
	return c != nil && c.NoFIFO
}

// queueModel is the model, of the class or its nearest supertype, that makes its
// objects queues; nil if there is none.
func (m *Models) queueModel(h Hierarchy, class string) *ClassModel {
	seen := map[string]bool{class: true}
	for level := []string{class}; len(level) > 0; {
		var next []string
		for _, c := range level {
			if cm := m.Classes[c]; cm != nil && cm.Queue != NoQueue {
				return cm
			}
			for _, s := range h(c) {
				if !seen[s] {
					seen[s] = true
					next = append(next, s)
				}
			}
		}
		level = next
	}
	return nil
}

// ForSDK gives the models as they hold for an app with these levels (0:
// unknown, everything that may hold is kept).
func (m *Models) ForSDK(min, target int) *Models {
	out := *m
	out.Classes = make(map[string]*ClassModel, len(m.Classes))
	out.Lifecycles = nil
	for name, c := range m.Classes {
		d := *c
		d.Methods = make([]*Method, len(c.Methods))
		for i, x := range c.Methods {
			y := *x
			y.Effects = effectsFor(x.Effects, min, target)
			d.Methods[i] = &y
		}
		out.Classes[name] = &d
	}
	for _, l := range m.Lifecycles {
		out.Lifecycles = append(out.Lifecycles, l.forSDK(min, target))
	}
	return &out
}

func effectsFor(effects []Effect, min, target int) []Effect {
	var out []Effect
	for _, e := range effects {
		if !e.SDK.Applies(min, target) {
			continue
		}
		e.Do = effectsFor(e.Do, min, target)
		e.Then = effectsFor(e.Then, min, target)
		out = append(out, e)
	}
	return out
}
