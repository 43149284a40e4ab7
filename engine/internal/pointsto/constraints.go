package pointsto

import "github.com/eventraces/eventraces/engine/internal/ir"

// constraints generates the constraints of one function, instruction by
// instruction; of one that tests numbers of its receiver, as its receivers become
// known.
func (g *solver) constraints(f FuncID) {
	s := g.funcs[f].shape
	g.nameClasses(s.body)
	if s.testsOwn && !g.named[g.prog.Methods[s.body.Method].Class] {
		g.ran[f] = make([]bool, len(s.body.Blocks))
		g.partial = append(g.partial, f)
		g.attach(g.param(f, 0), receivers{f})
		return
	}
	for v := ir.Value(1); int(v) < s.body.Len(); v++ {
		g.instruction(f, v)
	}
}

func (g *solver) instruction(f FuncID, v ir.Value) {
	b := g.funcs[f].shape.body
	if !g.funcs[f].shape.wants(v) {
		return
	}
	switch b.Op[v] {
	case ir.OpPhi:
		for _, a := range b.ArgsOf(v) {
			g.copy(g.value(f, v), g.value(f, a), 0)
		}
	case ir.OpCheckCast:
		g.copy(g.value(f, v), g.value(f, b.Arg(v, 0)), ir.TypeID(b.Aux[v]))
	case ir.OpNew:
		g.allocation(f, v, ir.TypeID(b.Aux[v]))
	case ir.OpNewArray, ir.OpFilledArray:
		g.newArray(f, v)
	case ir.OpNewLambda:
		g.newLambda(f, v)
	case ir.OpGetField:
		if dst := g.value(f, v); dst != 0 {
			g.attach(g.value(f, b.Arg(v, 0)), load{g.fieldOf(ir.FieldID(b.Aux[v])), dst})
		}
	case ir.OpPutField:
		g.put(f, v)
	case ir.OpGetStatic:
		g.initClass(g.prog.Fields[b.Aux[v]].Class)
		g.copy(g.value(f, v), g.staticOf(f, v, ir.FieldID(b.Aux[v])), 0)
	case ir.OpPutStatic:
		g.initClass(g.prog.Fields[b.Aux[v]].Class)
		g.copy(g.static(g.fieldOf(ir.FieldID(b.Aux[v]))), g.value(f, b.Arg(v, 0)), 0)
	case ir.OpArrayGet:
		if dst := g.value(f, v); dst != 0 {
			g.attach(g.value(f, b.Arg(v, 0)), load{Content, dst})
		}
	case ir.OpArrayPut:
		if src := g.value(f, b.Arg(v, 2)); src != 0 {
			g.attach(g.value(f, b.Arg(v, 0)), store{Content, src})
		}
	case ir.OpReturn:
		if b.NArgs(v) == 1 {
			g.copy(g.returned(f), g.value(f, b.Arg(v, 0)), 0)
		}
	case ir.OpInvoke:
		g.invoke(f, v)
	}
}

func (g *solver) allocation(f FuncID, v ir.Value, t ir.TypeID) {
	o := g.objects.of(Object{Kind: Allocated, Type: t, Func: f, Site: v})
	g.add(g.value(f, v), setOf(o))
	c := g.prog.Types[t].Class
	g.initClass(c)
	g.allocated(o, c)
}

func (g *solver) newArray(f FuncID, v ir.Value) {
	b := g.funcs[f].shape.body
	g.add(g.value(f, v), setOf(g.objects.of(Object{Kind: Allocated, Type: ir.TypeID(b.Aux[v]), Func: f, Site: v})))
	if b.Op[v] == ir.OpFilledArray {
		for _, a := range b.ArgsOf(v) {
			if src := g.value(f, a); src != 0 {
				g.attach(g.value(f, v), store{Content, src})
			}
		}
	}
}

func (g *solver) newLambda(f FuncID, v ir.Value) {
	l := &g.prog.Lambdas[g.funcs[f].shape.body.Aux[v]]
	o := g.objects.of(Object{Kind: LambdaObj, Type: g.prog.Classes[l.Interface].Type, Func: f, Site: v})
	g.add(g.value(f, v), setOf(o))
}

// put is an instance field store. A store of a number into a platform slot is
// recorded as well: message codes are made this way.
func (g *solver) put(f FuncID, v ir.Value) {
	b := g.funcs[f].shape.body
	key := g.fieldOf(ir.FieldID(b.Aux[v]))
	if src := g.value(f, b.Arg(v, 1)); src != 0 {
		g.attach(g.value(f, b.Arg(v, 0)), store{key, src})
	} else if key < 0 {
		n, known := Constant(b, b.Arg(v, 1))
		g.values = append(g.values, ValueStore{base: g.value(f, b.Arg(v, 0)), Key: key, Number: n, Known: known})
	}
}

// staticOf is the variable of the static field that v reads. A static field of
// a platform class that no model fills holds some object of its type.
func (g *solver) staticOf(f FuncID, v ir.Value, ref ir.FieldID) node {
	key := g.fieldOf(ref)
	_, known := g.statics[key]
	n := g.static(key)
	if !known && key < 0 {
		g.staticSlot(n, key, g.prog.Fields[ref].Type)
	}
	return n
}

// ValueStore is a store of a number into a slot.
type ValueStore struct {
	base   node
	Key    FieldKey
	Number int64
	Known  bool // Number holds; otherwise any value may be stored
}

// Constant gives the number that v always is, if one can be told locally.
func Constant(b *ir.Body, v ir.Value) (int64, bool) {
	switch b.Op[v] {
	case ir.OpConst:
		return b.Int(v), true
	case ir.OpConstNull:
		return 0, true
	case ir.OpCheckCast:
		return Constant(b, b.Arg(v, 0))
	case ir.OpUnary:
		if b.Sub[v] == ir.Convert {
			return converted(b, v)
		}
	}
	return 0, false
}

// converted is the number that a conversion makes of a whole number.
func converted(b *ir.Body, v ir.Value) (int64, bool) {
	x := b.Arg(v, 0)
	n, ok := Constant(b, x)
	if t := b.Type[x]; t == ir.TypeFloat || t == ir.TypeDouble {
		return 0, false
	}
	switch b.Type[v] {
	case ir.TypeByte:
		return int64(int8(n)), ok
	case ir.TypeShort:
		return int64(int16(n)), ok
	case ir.TypeChar:
		return int64(uint16(n)), ok
	case ir.TypeInt:
		return int64(int32(n)), ok
	case ir.TypeLong:
		return n, ok
	}
	return 0, false
}
