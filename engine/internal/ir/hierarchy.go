package ir

import (
	"fmt"
	"slices"
)

// hierarchy answers subclass questions without walking: classes are numbered in
// preorder of the tree of superclasses, and each has the sorted list of all its
// superinterfaces, shared with its superclass where that is the same.
type hierarchy struct {
	number      []int32   // by class: its place in order
	last        []int32   // by class: one past the last place of its subtree
	order       []ClassID // preorder
	above       [][]ClassID
	isInterface []bool // used as an interface, whatever its flags say
	below       [][]ClassID
}

// deepest is the longest chain of superclasses and superinterfaces that is
// believed; real ones stay below 30.
const deepest = 500

// Interfaces are all superinterfaces of c, transitive, ascending; not c itself.
// The caller must not change them.
func (p *Program) Interfaces(c ClassID) []ClassID { return p.hierarchy.above[c] }

// SubclassOf reports whether an object of class a is an instance of b: equal,
// subclass, or implementer. Element types of arrays are not compared; see
// Assignable.
func (p *Program) SubclassOf(a, b ClassID) bool {
	h := &p.hierarchy
	if n := h.number[a]; h.number[b] <= n && n < h.last[b] {
		return true
	}
	if !h.isInterface[b] {
		return false
	}
	_, found := slices.BinarySearch(h.above[a], b)
	return found
}

// Assignable reports whether a value of type sub can be held in a variable of
// type super without a cast that can fail.
func (p *Program) Assignable(sub, super TypeID) bool {
	if sub == super {
		return true
	}
	a, b := &p.Types[sub], &p.Types[super]
	switch {
	case a.Kind == Null:
		return b.Kind.Reference()
	case !a.Kind.Reference() || !b.Kind.Reference() || b.Kind == Null:
		return false
	case b.Kind == Array:
		return a.Kind == Array && p.Types[a.Elem].Kind.Reference() && p.Assignable(a.Elem, b.Elem)
	}
	return p.SubclassOf(a.Class, b.Class)
}

// Subclasses are c and all its subclasses or implementers, transitive. For a
// class they are in preorder, for an interface ascending. The caller must not
// change them.
func (p *Program) Subclasses(c ClassID) []ClassID {
	h := &p.hierarchy
	if h.isInterface[c] {
		return h.below[c]
	}
	return h.order[h.number[c]:h.last[c]]
}

// Join is the most specific class type that holds values of both types: one of
// the two, or their nearest common superclass. It is TypeUnknown if they have
// nothing in common.
func (p *Program) Join(a, b TypeID) TypeID {
	switch ka, kb := p.Types[a].Kind, p.Types[b].Kind; {
	case a == b || kb == Null && ka.Reference():
		return a
	case ka == Null && kb.Reference():
		return b
	case ka.IntLike() && kb.IntLike():
		return TypeInt
	case !ka.Reference() || !kb.Reference():
		return TypeUnknown
	case p.Assignable(a, b):
		return b
	case p.Assignable(b, a):
		return a
	case ka == Array && kb == Array:
		return p.joinArrays(a, b)
	}
	c := p.Types[a].Class
	for c != 0 && !p.SubclassOf(p.Types[b].Class, c) {
		c = p.Classes[c].Super
	}
	if c == 0 || p.hierarchy.isInterface[c] {
		return TypeObject
	}
	return p.Classes[c].Type
}

func (p *Program) joinArrays(a, b TypeID) TypeID {
	ea, eb := p.Types[a].Elem, p.Types[b].Elem
	if !p.Types[ea].Kind.Reference() || !p.Types[eb].Kind.Reference() {
		return TypeObject
	}
	elem := p.Join(ea, eb)
	if t, ok := p.tables.types["["+p.Types[elem].Desc]; ok {
		return t
	}
	return TypeObjectArray
}

// close computes the hierarchy. It cuts cycles and chains that are too deep.
func (p *Program) close() []error {
	n := len(p.Classes)
	h := &p.hierarchy
	*h = hierarchy{
		number: make([]int32, n), last: make([]int32, n), order: make([]ClassID, 0, n),
		above: make([][]ClassID, n), below: make([][]ClassID, n), isInterface: make([]bool, n),
	}
	w := &closer{p: p, depth: make([]int32, n), budget: 64*n + 1<<20}
	for c := range p.Classes {
		h.isInterface[c] = p.Classes[c].Flags&AccInterface != 0
	}
	for c := 1; c < n; c++ {
		w.visit(ClassID(c))
	}
	p.number()
	p.invert()
	return w.errs
}

// closer lists superinterfaces, supers first.
type closer struct {
	p      *Program
	depth  []int32 // 0 not seen, -1 being visited, else the length of the longest chain above
	budget int     // list entries that may still be made: a few bytes can ask for billions
	errs   []error
}

func (w *closer) visit(c ClassID) int32 {
	if w.depth[c] != 0 {
		return w.depth[c]
	}
	w.depth[c] = -1
	k := &w.p.Classes[c]
	depth := int32(1)
	if k.Super != 0 {
		if depth = w.follow(c, k.Super, depth); depth < 0 {
			k.Super, depth = ClassObject, 2
		}
	}
	kept := k.Interfaces[:0:0]
	for _, i := range k.Interfaces {
		if d := w.follow(c, i, depth); d > 0 {
			kept, depth = append(kept, i), d
			w.p.hierarchy.isInterface[i] = true
		}
	}
	if len(kept) < len(k.Interfaces) {
		k.Interfaces = kept
	}
	w.collect(c)
	w.depth[c] = depth
	return depth
}

// follow visits a super of c and gives the depth of c below it, or -1 if the
// edge must be cut.
func (w *closer) follow(c, super ClassID, depth int32) int32 {
	d := w.visit(super)
	if d > 0 && d < deepest {
		return max(depth, d+1)
	}
	why := "is its own supertype through"
	if d > 0 {
		why = "has too deep a chain of supertypes above"
	}
	w.errs = append(w.errs, fmt.Errorf("class %s %s %s; the edge is dropped",
		w.p.Classes[c].Name, why, w.p.Classes[super].Name))
	return -1
}

// collect makes the list of all superinterfaces of c from those of its supers.
func (w *closer) collect(c ClassID) {
	h, k := &w.p.hierarchy, &w.p.Classes[c]
	inherited := h.above[k.Super]
	if len(k.Interfaces) == 0 {
		h.above[c] = inherited
		return
	}
	all := slices.Clone(inherited)
	for _, i := range k.Interfaces {
		all = append(append(all, i), h.above[i]...)
		if len(all) > w.budget {
			w.errs = append(w.errs, fmt.Errorf("class %s has too many superinterfaces; they are dropped", k.Name))
			h.above[c] = inherited
			return
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == len(inherited) {
		all = inherited
	} else {
		all = slices.Clip(all)
		w.budget -= len(all)
	}
	h.above[c] = all
}

// number gives the preorder of the tree of superclasses.
func (p *Program) number() {
	n := len(p.Classes)
	first, next := make([]ClassID, n), make([]ClassID, n)
	for c := n - 1; c > 0; c-- {
		super := p.Classes[c].Super
		next[c], first[super] = first[super], ClassID(c)
	}
	h := &p.hierarchy
	h.order = append(h.order, 0) // no class, which is below and above nothing
	type frame struct{ class, child ClassID }
	enter := func(c ClassID) frame {
		h.number[c] = int32(len(h.order))
		h.order = append(h.order, c)
		return frame{c, first[c]}
	}
	for root := first[0]; root != 0; root = next[root] {
		stack := []frame{enter(root)}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			child := top.child
			if child == 0 {
				h.last[top.class] = int32(len(h.order))
				stack = stack[:len(stack)-1]
				continue
			}
			top.child = next[child]
			stack = append(stack, enter(child))
		}
	}
}

// invert lists the implementers of each interface.
func (p *Program) invert() {
	h := &p.hierarchy
	count := make([]int, len(p.Classes))
	total := 0
	for c := 1; c < len(p.Classes); c++ {
		for _, i := range h.above[c] {
			count[i]++
			total++
		}
		if h.isInterface[c] {
			count[c]++
			total++
		}
	}
	flat := make([]ClassID, total)
	for c, n := range count {
		h.below[c], flat = flat[:0:n], flat[n:]
	}
	for c := ClassID(1); int(c) < len(p.Classes); c++ {
		for _, i := range h.above[c] {
			h.below[i] = append(h.below[i], c)
		}
		if h.isInterface[c] {
			h.below[c] = append(h.below[c], c)
		}
	}
}
