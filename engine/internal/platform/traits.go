package platform

import (
	"sort"
	"strings"
)

// Traits is what the files say of the objects of a class as such, whatever is
// called on them.
type Traits struct {
	// Stateless objects hold nothing that two actions could race on, such as
	// numbers and strings: none is made up for what an unknown call returns.
	Stateless bool
	// Logs: its methods write down what they are passed, for people, and do nothing else.
	Logs bool
	// Complete: the models say all that the methods of the class itself do, so
	// that what is passed to them is not handed to code out of sight.
	Complete bool
	// Blocked says with which arguments of its constructor an object is made so
	// that the first await of it needs a signal.
	Blocked *Bound
	// Units are the static constants that stand for lengths of time, in
	// nanoseconds.
	Units map[string]int64
	// Sends are names of methods that hand a message to a handler; one that ends
	// in * stands for all that begin so.
	Sends []string
}

// Bound is a comparison of a constructor's argument with a number.
type Bound struct {
	Arg    int
	Op     string // one of boundOps
	Number int64
	Pos    Pos
}

// boundOps says when a value is on the right side of a bound.
var boundOps = map[string]func(value, number int64) bool{
	"<":  func(v, n int64) bool { return v < n },
	"<=": func(v, n int64) bool { return v <= n },
	">":  func(v, n int64) bool { return v > n },
	">=": func(v, n int64) bool { return v >= n },
	"==": func(v, n int64) bool { return v == n },
}

// Holds reports whether the comparison is true of a value of the argument.
func (b *Bound) Holds(value int64) bool { return boundOps[b.Op](value, b.Number) }

// Package is what the files say of all classes of a package and of those below
// it, whether they have models or not.
type Package struct {
	Name string
	// CallsAtOnce: a method of the package that no model names calls what it is
	// passed back before it returns.
	CallsAtOnce bool
	// CalledAtOnce: so does any such method with a parameter of a type of the
	// package.
	CalledAtOnce bool
	// PlainConstructors hand their object on to nobody, and call nothing that a
	// subclass overrides.
	PlainConstructors bool
	Pos               Pos
}

func (m *Models) traits(class string) Traits {
	if c := m.Classes[class]; c != nil {
		return c.Traits
	}
	return Traits{}
}

// Stateless reports whether nobody can race on an object of the class.
func (m *Models) Stateless(class string) bool { return m.traits(class).Stateless }

// Logs reports whether the methods of the class only write down what they are passed.
func (m *Models) Logs(class string) bool { return m.traits(class).Logs }

// Complete reports whether the models say all that the methods of a class do.
func (m *Models) Complete(class string) bool { return m.traits(class).Complete }

// Blocked gives the bound that a new object of exactly this class must keep for
// its first await to need a signal, nil if nothing is known.
func (m *Models) Blocked(class string) *Bound { return m.traits(class).Blocked }

// Unit gives the length in nanoseconds that a static constant of a class stands
// for, 0 if it stands for none.
func (m *Models) Unit(class, constant string) int64 { return m.traits(class).Units[constant] }

// Sends reports whether a method of this name, called on an object of a class
// from Senders, sends a message.
func (m *Models) Sends(class, method string) bool {
	for _, name := range m.traits(class).Sends {
		if namedBy(name, method) {
			return true
		}
	}
	return false
}

// namedBy reports whether a name, or its part before a *, names the method.
func namedBy(pattern, method string) bool {
	if prefix, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(method, prefix)
	}
	return pattern == method
}

// CallsAtOnce reports whether the methods of a class that have no model call what
// they are passed back before they return.
func (m *Models) CallsAtOnce(class string) bool {
	return m.inPackage(class, func(p *Package) bool { return p.CallsAtOnce })
}

// CalledAtOnce reports whether what is passed as an object of a class to a method
// without a model is called back before that returns.
func (m *Models) CalledAtOnce(class string) bool {
	return m.inPackage(class, func(p *Package) bool { return p.CalledAtOnce })
}

// PlainConstructors reports whether the constructors of a class neither hand
// their object on nor call what a subclass overrides.
func (m *Models) PlainConstructors(class string) bool {
	return m.inPackage(class, func(p *Package) bool { return p.PlainConstructors })
}

// inPackage reports whether a package that the class is in, at any depth, is as
// asked.
func (m *Models) inPackage(class string, is func(*Package) bool) bool {
	for i := range m.Packages {
		if p := &m.Packages[i]; strings.HasPrefix(class, p.Name+".") && is(p) {
			return true
		}
	}
	return false
}

// MessageSlots gives the slots in which the models keep the codes of messages,
// and those that lead to what a message is sent through: the ends of the places
// that posts with a code name so. Both are in order.
func (m *Models) MessageSlots() (codes, targets []string) {
	code, target := map[string]bool{}, map[string]bool{}
	for _, c := range m.Classes {
		for _, x := range c.Methods {
			for i := range x.Effects {
				e := &x.Effects[i]
				if e.Kind != Post || len(e.Code.Slots) == 0 {
					continue
				}
				code[last(e.Code.Slots)] = true
				if len(e.Via.Slots) > 0 {
					target[last(e.Via.Slots)] = true
				}
			}
		}
	}
	return sorted(code), sorted(target)
}

func last(slots []string) string { return slots[len(slots)-1] }

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	sort.Strings(out)
	return out
}

// modelled reports whether the files say more of a class than its traits: then an
// object of it matters to the analysis.
func (c *ClassModel) modelled() bool {
	return len(c.Slots)+len(c.Statics)+len(c.Methods)+len(c.Order) > 0 || c.Queue != NoQueue || c.Fluent
}
