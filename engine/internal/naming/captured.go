package naming

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// A lambda or a class in a method keeps the local variables that it uses: in
// fields val$x or $x for the variable x, in fields f$0, f$1 of a class that D8
// makes of a lambda, or out of sight behind an invoke-custom. They are named
// alike, by their types: val$Box, and val$Box#2 for the second Box among those
// of one lambda or class. What a lambda keeps as this is this$0, as in a class.
const (
	capturedPrefix = "val$"
	outerThis      = "this$0"
)

// capture is what a lambda or class keeps: in a field, or as the value with this
// index of a lambda without a class.
type capture struct {
	field  pointsto.FieldKey
	lambda pointsto.Obj
	index  int
}

// isCapture reports whether the compiler made a field for what its class captures.
func (n *nesting) isCapture(f ir.FieldID) bool {
	d := &n.prog.Fields[f]
	if d.Flags&ir.AccStatic != 0 || !n.isUnnamed(d.Class) {
		return false
	}
	switch {
	case strings.HasPrefix(d.Name, "f$"):
		return lambdaClass(n.prog.Classes[d.Class].Name)
	case strings.HasPrefix(d.Name, "$"):
		return d.Flags&ir.AccSynthetic != 0 && d.Name != mergedField
	}
	return strings.HasPrefix(d.Name, capturedPrefix)
}

// fieldName is the stable name of a field.
func (n *nesting) fieldName(f ir.FieldID) string {
	if !n.isCapture(f) {
		return n.prog.Fields[f].Name
	}
	name, ok := n.captured[f]
	if !ok {
		n.nameCaptures(n.prog.Fields[f].Class)
		name = n.captured[f]
	}
	return name
}

// nameCaptures names what class c captures, in the order of its constructor's
// parameters.
func (n *nesting) nameCaptures(c ir.ClassID) {
	param := n.passed(c)
	var fields []ir.FieldID
	for _, f := range n.prog.Classes[c].Fields {
		if n.isCapture(f) {
			fields = append(fields, f)
		}
	}
	slices.SortFunc(fields, func(a, b ir.FieldID) int {
		return cmp.Or(cmp.Compare(param[a], param[b]), strings.Compare(n.prog.Fields[a].Name, n.prog.Fields[b].Name))
	})
	count := map[string]int{}
	for _, f := range fields {
		if strings.HasPrefix(n.prog.Fields[f].Name, "f$") && n.passesThis(c, param[f]) {
			n.captured[f] = outerThis
			continue
		}
		n.captured[f] = n.captureName(n.prog.Fields[f].Type, count)
	}
}

// captureName is the name of the next variable of a type.
func (n *nesting) captureName(t ir.TypeID, count map[string]int) string {
	name := n.prog.TypeString(t)
	name = strings.TrimLeft(name[strings.LastIndexAny(name, ".$")+1:], "0123456789")
	if count[name]++; count[name] > 1 {
		return capturedPrefix + name + "#" + strconv.Itoa(count[name])
	}
	return capturedPrefix + name
}

// passed gives the fields of class c that a constructor fills with its
// parameters; of several constructors the one that fills most.
func (n *nesting) passed(c ir.ClassID) map[ir.FieldID]int {
	most := map[ir.FieldID]int{}
	for _, m := range n.prog.Classes[c].Methods {
		if n.name(m) != "<init>" || !n.prog.Methods[m].HasCode {
			continue
		}
		b, err := n.prog.Lift(m)
		if err != nil {
			continue
		}
		param := map[ir.FieldID]int{}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] == ir.OpPutField && b.Op[b.Arg(v, 1)] == ir.OpParam {
				param[n.prog.ResolveField(ir.FieldID(b.Aux[v]))] = int(b.Aux[b.Arg(v, 1)])
			}
		}
		if len(param) > len(most) {
			most = param
		}
	}
	return most
}

// passesThis reports whether, where an object of class c is made first, an argument
// of its constructor is this.
func (n *nesting) passesThis(c ir.ClassID, arg int) bool {
	n.scanOf(c)
	s, ok := n.first[unnamed{class: c}]
	if !ok || s.at == 0 {
		return false
	}
	b, err := n.prog.Lift(s.in)
	if err != nil {
		return false
	}
	for v := s.at + 1; int(v) < b.Len(); v++ {
		if b.Op[v] == ir.OpInvoke && b.Sub[v] == ir.Direct && arg < b.NArgs(v) && b.Arg(v, 0) == s.at {
			return n.isThis(s.in, b, b.Arg(v, arg))
		}
	}
	return false
}

// isThis reports whether v is the object of method m. D8 passes it as an argument
// to what it has moved out of an interface.
func (n *nesting) isThis(m ir.MethodID, b *ir.Body, v ir.Value) bool {
	if b.Op[v] != ir.OpParam || b.Aux[v] != 0 {
		return false
	}
	if n.prog.Methods[m].Flags&ir.AccStatic == 0 {
		return true
	}
	prefixed := func(prefix string) bool { return strings.HasPrefix(n.name(m), prefix) }
	return strings.HasSuffix(n.binaryOf(m), companion) && slices.ContainsFunc(moved, prefixed)
}

// lambdaCapture is the name of a value that a lambda without a class captures.
func (n *nesting) lambdaCapture(r *pointsto.Result, o pointsto.Obj, index int) string {
	info := r.Object(o)
	b, m := r.Body(info.Func), r.Funcs[info.Func].Method
	l := &n.prog.Lambdas[b.Aux[info.Site]]
	types := n.prog.Selectors[n.prog.Methods[l.Impl].Sel].Params
	if l.ImplKind != ir.Static && l.ImplKind != ir.Construct {
		types = append([]ir.TypeID{n.prog.Classes[n.prog.Methods[l.Impl].Class].Type}, types...)
	}
	count, name := map[string]int{}, ""
	for i, a := range b.ArgsOf(info.Site) {
		if i > index || i >= len(types) {
			break
		}
		if name = outerThis; !n.isThis(m, b, a) {
			name = n.captureName(types[i], count)
		}
	}
	return name
}

// indexCaptures notes what lambdas without a class hold.
func (n *Names) indexCaptures() {
	n.captures = map[pointsto.Obj][]capture{}
	for fn := pointsto.FuncID(1); int(fn) < len(n.pts.Funcs); fn++ {
		b := n.pts.Body(fn)
		if b == nil || !n.appCode(fn) {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] == ir.OpNewLambda && b.NArgs(v) > 0 {
				n.noteCaptures(fn, b, v)
			}
		}
	}
}

// noteCaptures notes what the lambda that v of fn makes holds.
func (n *Names) noteCaptures(fn pointsto.FuncID, b *ir.Body, v ir.Value) {
	n.pts.PointsTo(fn, v).All(func(o pointsto.Obj) bool {
		if info := n.pts.Object(o); info.Kind != pointsto.LambdaObj || info.Func != fn || info.Site != v {
			return true
		}
		for i, arg := range b.ArgsOf(v) {
			n.pts.PointsTo(fn, arg).All(func(held pointsto.Obj) bool {
				n.captures[held] = append(n.captures[held], capture{lambda: o, index: i})
				return true
			})
		}
		return true
	})
}

// capturedBy is what keeps the object of both accesses, if no field that the
// developer wrote does: of all, the first by name, since compilers put classes in
// the order of their own numbers.
func (n *Names) capturedBy(a, b Location, fields []pointsto.FieldKey) finding.Field {
	var all []capture
	for _, k := range fields {
		all = append(all, capture{field: k})
	}
	a.Objs.All(func(o pointsto.Obj) bool {
		if b.Objs.Has(o) {
			all = append(all, n.captures[o]...)
		}
		return true
	})
	best := finding.Field{}
	for _, c := range all {
		named := n.captor(c)
		if named.Class != "" && (best.Class == "" || natural(named.String(), best.String()) < 0) {
			best = named
		}
	}
	return best
}

// captor names what keeps a capture.
func (n *Names) captor(c capture) finding.Field {
	named, ok := n.captors[c]
	if !ok {
		if c.field != 0 {
			named = n.declared(c.field)
		} else {
			named.Class = n.nest.object(n.pts, c.lambda)
			named.Name = n.nest.lambdaCapture(n.pts, c.lambda, c.index)
		}
		n.captors[c] = named
	}
	return named
}

// natural compares names with their numbers as numbers: #2 before #10.
func natural(a, b string) int {
	if len(a) != len(b) {
		i := 0
		for i < min(len(a), len(b)) && a[i] == b[i] {
			i++
		}
		for i > 0 && digit(a[i-1]) {
			i--
		}
		x, y := digits(a[i:]), digits(b[i:])
		if x > 0 && y > 0 && x != y {
			return cmp.Compare(x, y)
		}
	}
	return strings.Compare(a, b)
}

// digit reports whether c is one.
func digit(c byte) bool { return c >= '0' && c <= '9' }

// digits counts those that s begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
