package platform

import (
	"maps"
	"slices"
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
	var effects func(es []Effect)
	effects = func(es []Effect) {
		for i := range es {
			for _, p := range es[i].places() {
				add(p.Class)
			}
			add(es[i].Callback.Type)
			effects(es[i].Do)
			effects(es[i].Then)
		}
	}
	for name, c := range m.Classes {
		if c.modelled() {
			add(name)
		}
		for _, s := range append(slices.Clone(c.Slots), c.Statics...) {
			add(s.Class)
		}
		for _, x := range c.Methods {
			effects(x.Effects)
		}
	}
	for _, l := range m.Lifecycles {
		add(l.Base)
		for _, c := range l.Callbacks {
			effects(c.Then)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
