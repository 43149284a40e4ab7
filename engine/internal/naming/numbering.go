package naming

import (
	"cmp"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// numbered is what has no name, with what gives its place among its equals.
type numbered struct {
	homeOf
	path []madeAt
}

// number counts what has no name among its equals: those of the same home that
// implement the same type, or have the same name, in source order.
func (n *nesting) number(h homeOf) int {
	family := ir.Outermost(n.className(h.home))
	if n.numbers[family] == nil {
		n.scan(family)
		n.numbers[family] = n.numberAll(family)
	}
	h.what = n.identity(h.what)
	return max(1, n.numbers[family][h]) // 0: made by code of another file
}

// numberAll gives the numbers of all that the code of a family makes.
func (n *nesting) numberAll(family string) map[homeOf]int {
	first := map[homeOf]numbered{}
	for _, x := range n.made[family] {
		at := n.standsAt(x.what, x.madeAt)
		y := numbered{homeOf{n.identity(x.what), at.home}, at.path}
		if old, ok := first[y.homeOf]; !ok || n.compare(y, old) < 0 {
			first[y.homeOf] = y
		}
	}
	all := make([]numbered, 0, len(first))
	for _, x := range first {
		all = append(all, x)
	}
	slices.SortFunc(all, n.compare)
	type equals struct {
		class, member, label string
	}
	count, out := map[equals]int{}, map[homeOf]int{}
	for _, x := range all {
		group := equals{n.className(x.home), n.member(x.home), n.label(x.what)}
		count[group]++
		out[x.homeOf] = count[group]
	}
	return out
}

// member is a home without its class, as Nested writes it: a field and a method
// of its name without parameters are one.
func (n *nesting) member(h home) string {
	switch {
	case h.method != 0:
		m := n.written(h.method)
		return m.Name + "(" + strings.Join(m.Params, ",") + ")"
	case h.field != 0:
		return n.prog.Fields[h.field].Name + "()"
	}
	return h.name + "(" + h.params + ")"
}

// compare orders by place. What two fields or a field and a method of one name
// make stays apart; names of the compiler decide only where no place does.
func (n *nesting) compare(a, b numbered) int {
	return cmp.Or(
		cmp.Compare(min(b.home.field, 1), min(a.home.field, 1)), // fields first
		slices.CompareFunc(a.path, b.path, n.compareSites),
		strings.Compare(n.prog.Classes[a.what.class].Name, n.prog.Classes[b.what.class].Name),
		strings.Compare(n.prog.MethodString(a.what.impl), n.prog.MethodString(b.what.impl)),
		strings.Compare(n.prog.Classes[a.what.iface].Name, n.prog.Classes[b.what.iface].Name))
}

// implements is the type by which an object without a named class is known:
// its first interface, or else its superclass.
func (n *nesting) implements(w unnamed) ir.ClassID {
	if w.class == 0 {
		return w.iface
	}
	k := &n.prog.Classes[w.class]
	if len(k.Interfaces) > 0 {
		return k.Interfaces[0]
	}
	return k.Super
}
