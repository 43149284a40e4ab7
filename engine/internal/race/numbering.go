package race

import (
	"cmp"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// numbered is what has no name, with what gives its place among its equals.
type numbered struct {
	homeOf
	site madeAt
	path []ir.Value
}

// number counts what has no name among its equals: those of the same home that
// implement the same type, in source order.
func (n *naming) number(h homeOf) int {
	family := outermost(n.p.Classes[h.home.class].Name)
	if n.numbers[family] == nil {
		n.scan(family)
		n.numbers[family] = n.numberAll(family)
	}
	return max(1, n.numbers[family][h]) // 0: made by code of another file
}

func (n *naming) numberAll(family string) map[homeOf]int {
	first := map[homeOf]numbered{}
	for _, x := range n.made[family] {
		at := n.home(x.in)
		y := numbered{homeOf{x.what, at.home}, x.madeAt, append(slices.Clip(at.path), x.at)}
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
		home       home
		implements ir.ClassID
	}
	count, out := map[equals]int{}, map[homeOf]int{}
	for _, x := range all {
		e := equals{x.home, n.implements(x.what)}
		count[e]++
		out[x.homeOf] = count[e]
	}
	return out
}

func (n *naming) compare(a, b numbered) int {
	x, y := n.p.Classes[a.what.class].Name, n.p.Classes[b.what.class].Name
	return cmp.Or(cmp.Compare(a.site.line, b.site.line), slices.Compare(a.path, b.path), n.compareSites(a.site, b.site),
		cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(a.what.impl, b.what.impl), cmp.Compare(a.what.iface, b.what.iface))
}

// implements is the type by which an object without a named class is known:
// its first interface, or else its superclass.
func (n *naming) implements(w unnamed) ir.ClassID {
	if w.class == 0 {
		return w.iface
	}
	k := &n.p.Classes[w.class]
	if len(k.Interfaces) > 0 {
		return k.Interfaces[0]
	}
	return k.Super
}
