package naming

import (
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// A shrinker inlines methods, also the bodies of lambdas, and merges classes. Where
// its mapping tells, code is named by the method in which the source has it.

// foreign finds the classes into which code of other source files was inlined, by
// the outermost class of these.
func foreign(p *ir.Program) map[string][]ir.ClassID {
	out := map[string][]ir.ClassID{}
	for c := range p.Classes {
		for _, m := range p.Classes[c].Methods {
			for _, f := range p.Frames(m) {
				family := ir.Outermost(f.Class)
				list, own := out[family], family == ir.Outermost(p.Classes[c].Name)
				if !own && (len(list) == 0 || list[len(list)-1] != ir.ClassID(c)) {
					out[family] = append(list, ir.ClassID(c))
				}
			}
		}
	}
	return out
}

// standsIn is the home of the code at a place.
func (n *nesting) standsIn(s madeAt, depth int) standing {
	if s.frame == nil {
		return n.homeAt(s.in, depth)
	}
	if m := n.surviving(s.frame); m != 0 {
		return n.homeAt(m, depth)
	}
	if in, ok := ir.LambdaHome(s.frame.Name); ok {
		return n.lambdaIn(s.in, s.frame, in, depth)
	}
	h := home{class: n.prog.Lookup(s.frame.Class), name: s.frame.Name}
	if h.class == 0 {
		h.gone = s.frame.Class
	}
	if !strings.HasPrefix(h.name, "<") {
		h.params = strings.Join(s.frame.Params, ",")
	}
	return standing{home: h}
}

// surviving is the method that was inlined, if the program has it still; 0 if not.
func (n *nesting) surviving(f *ir.Frame) ir.MethodID {
	m, ok := n.survivors[f]
	if !ok {
		list := n.prog.Classes[n.prog.Lookup(f.Class)].Methods
		if i := slices.IndexFunc(list, func(m ir.MethodID) bool {
			w := n.written(m)
			return w.Name == f.Name && slices.Equal(w.Params, f.Params)
		}); i >= 0 {
			m = list[i]
		}
		n.survivors[f] = m
	}
	return m
}

// lambdaIn is where the body of a lambda stands that was inlined into method m of
// the lambda's class: where objects of this class are made, or, if it is the class of
// several such, the method of which only the name is known.
func (n *nesting) lambdaIn(m ir.MethodID, f *ir.Frame, in string, depth int) standing {
	key := inlinedIn{m, f}
	if at, ok := n.lambdas[key]; ok {
		return at
	}
	at := standing{home: home{class: n.prog.Lookup(f.Class), name: in}}
	if at.home.class == 0 {
		at.home.gone = f.Class
	}
	n.lambdas[key] = at // for those that make each other
	if depth < deepest {
		var all []standing
		family := ir.Outermost(f.Class)
		n.scan(family)
		for _, x := range n.made[family] {
			if x.in == m || x.what.class != n.prog.Methods[m].Class || !n.makes(x.madeAt, f.Class, in) {
				continue
			}
			from := n.placeHome(x.madeAt, depth+1)
			if !slices.ContainsFunc(all, func(o standing) bool { return o.home == from.home }) {
				all = append(all, from)
			}
		}
		if len(all) == 1 {
			at = all[0]
		}
	}
	n.lambdas[key] = at
	return at
}

// inlinedIn is a method that was inlined into another.
type inlinedIn struct {
	in    ir.MethodID
	frame *ir.Frame
}

// makes reports whether the code at a place is that of a method of a class, or of a
// lambda in it.
func (n *nesting) makes(s madeAt, class, method string) bool {
	of, name := n.binaryOf(s.in), n.name(s.in)
	if s.frame != nil {
		of, name = s.frame.Class, s.frame.Name
	}
	if body, ok := ir.LambdaHome(name); ok {
		name = body
	}
	return of == class && name == method
}

// familyOf is the outermost class of the code at a place.
func (n *nesting) familyOf(s madeAt) string {
	if s.frame != nil {
		return ir.Outermost(s.frame.Class)
	}
	return n.family(s.in)
}

// classOf is the stable name of the class of a method: before the shrinker merged
// it into another one.
func (n *nesting) classOf(m ir.MethodID) string {
	if w := n.prog.Written(m); w != nil && w.Class != "" {
		return w.Class
	}
	return n.class(n.prog.Methods[m].Class)
}

// className is the name of the class of a home in the bytecode.
func (n *nesting) className(h home) string {
	if h.gone != "" {
		return h.gone
	}
	return n.prog.Classes[h.class].Name
}
