package platform

import (
	"maps"
	"slices"
	"strings"
)

// Mentioned lists every class whose objects the models make or handle, in order:
// modelled classes, those of objects that effects make and slots hold, the types
// of callbacks and the bases of lifecycles. A class of which they tell traits
// only, such as a number, is none.
func (m *Models) Mentioned() []string {
	seen := map[string]bool{}
	add := func(class string) {
		if class != "" {
			seen[class] = true
		}
	}
	for e := range m.effects() {
		for _, p := range e.places() {
			add(p.Class)
		}
		add(e.Callback.Type)
	}
	for name, c := range m.Classes {
		if c.modelled() {
			add(name)
		}
		for _, s := range append(slices.Clone(c.Slots), c.Statics...) {
			add(s.Class)
		}
	}
	for _, l := range m.Lifecycles {
		add(l.Base)
	}
	return slices.Sorted(maps.Keys(seen))
}

// effects yields every effect of the models, those inside of others included, in no
// fixed order.
func (m *Models) effects() func(yield func(*Effect) bool) {
	return func(yield func(*Effect) bool) {
		var all func(es []Effect) bool
		all = func(es []Effect) bool {
			for i := range es {
				if !yield(&es[i]) || !all(es[i].Do) || !all(es[i].Then) {
					return false
				}
			}
			return true
		}
		for _, c := range m.Classes {
			for _, x := range c.Methods {
				if !all(x.Effects) {
					return
				}
			}
		}
		for _, l := range m.Lifecycles {
			for _, c := range l.Callbacks {
				if !all(c.Then) {
					return
				}
			}
		}
	}
}

// NullFailure is what the use of a null throws.
const NullFailure = "java.lang.NullPointerException"

// Thrown is the class of the exception that a crash begins with, such as "java.io.IOException:
// Stream closed"; "" if it names none.
func Thrown(crash string) string {
	name, _, _ := strings.Cut(crash, " ")
	name = strings.TrimRight(name, ":,")
	if !strings.Contains(name, ".") {
		return ""
	}
	return name
}

// Failures lists the classes of the exceptions that end a race, in order: a program has them,
// with their supertypes, whether or not its code names them, so that it is known what
// catches them.
func (m *Models) Failures() []string {
	seen := map[string]bool{NullFailure: true}
	for e := range m.effects() {
		if class := Thrown(e.Crash); class != "" {
			seen[class] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
