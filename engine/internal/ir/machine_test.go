package ir_test

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// machine runs bodies one instruction after the other, as plainly as can be: it
// is the oracle that the form means what the bytecode meant. A value is an
// int32, int64, float32, float64, string, nil, or one of the types below.
type machine struct {
	p       *ir.Program
	bodies  map[ir.MethodID]*ir.Body
	statics map[ir.FieldID]any
	ready   map[ir.ClassID]bool // initialised, or being so
	locks   map[any]int
	steps   int
	depth   int
}

type object struct {
	class  ir.ClassID
	fields map[ir.FieldID]any
	lambda *ir.Lambda
	extra  any // captured values; text of a builder; message of a throwable; boxed number
}

type array struct {
	typ   ir.TypeID
	elems []any
}

type classValue ir.TypeID

// exception carries a throwable through Go's returns.
type exception struct{ obj *object }

func (e *exception) Error() string { return fmt.Sprintf("exception %v", e.obj.extra) }

func newMachine(p *ir.Program) *machine {
	return &machine{
		p: p, bodies: map[ir.MethodID]*ir.Body{}, statics: map[ir.FieldID]any{},
		ready: map[ir.ClassID]bool{}, locks: map[any]int{},
	}
}

// throw makes an exception of a library class.
func (m *machine) throw(name, message string) error {
	c := m.p.Lookup(name)
	if c == 0 {
		return fmt.Errorf("no class %s", name)
	}
	return &exception{&object{class: c, extra: message}}
}

func (m *machine) instance(v any, c ir.ClassID) bool {
	return v != nil && m.p.Assignable(m.typeOf(v), m.p.Classes[c].Type)
}

// typeOf is the dynamic type of a reference.
func (m *machine) typeOf(v any) ir.TypeID {
	switch v := v.(type) {
	case *object:
		return m.p.Classes[v.class].Type
	case *array:
		return v.typ
	case string:
		return ir.TypeString
	case classValue:
		return ir.TypeClass
	}
	return 0
}

func zero(p *ir.Program, t ir.TypeID) any {
	switch k := p.Types[t].Kind; {
	case k.IntLike():
		return int32(0)
	case k == ir.Long:
		return int64(0)
	case k == ir.Float:
		return float32(0)
	case k == ir.Double:
		return float64(0)
	}
	return nil
}

// fit narrows an int to a small integer type, as a store does.
func fit(t ir.TypeID, v any) any {
	n, ok := v.(int32)
	if !ok {
		return v
	}
	switch t {
	case ir.TypeBoolean:
		return n & 1
	case ir.TypeByte:
		return int32(int8(n))
	case ir.TypeShort:
		return int32(int16(n))
	case ir.TypeChar:
		return int32(uint16(n))
	}
	return v
}

// initialise runs the static initialisers of a class and its superclasses.
func (m *machine) initialise(c ir.ClassID) error {
	k := &m.p.Classes[c]
	if m.ready[c] || k.Origin != ir.App {
		return nil
	}
	m.ready[c] = true
	if err := m.initialise(k.Super); err != nil {
		return err
	}
	for _, f := range k.Fields {
		field := &m.p.Fields[f]
		if field.Flags&ir.AccStatic == 0 {
			continue
		}
		m.statics[f] = zero(m.p, field.Type)
		switch field.Const.Kind {
		case ir.ConstNumber:
			m.statics[f] = number(m.p, field.Type, field.Const.Bits)
		case ir.ConstText:
			m.statics[f] = m.p.Strings[field.Const.Bits]
		}
	}
	if init := m.p.DeclaredMethod(c, m.p.Selector("<clinit>", nil, "void")); init != 0 {
		_, err := m.call(init, nil)
		return err
	}
	return nil
}

func number(p *ir.Program, t ir.TypeID, bits int64) any {
	switch p.Types[t].Kind {
	case ir.Long:
		return bits
	case ir.Float:
		return math.Float32frombits(uint32(bits))
	case ir.Double:
		return math.Float64frombits(uint64(bits))
	}
	return int32(bits)
}

// call runs a declared method, from the program or the library.
func (m *machine) call(id ir.MethodID, args []any) (any, error) {
	method := &m.p.Methods[id]
	if !method.HasCode {
		return m.library(id, args)
	}
	if m.depth++; m.depth > 1000 {
		return nil, errors.New("too many calls")
	}
	defer func() { m.depth-- }()
	if m.bodies[id] == nil {
		b, err := m.p.Lift(id)
		if err != nil {
			return nil, err
		}
		m.bodies[id] = b
	}
	if err := m.initialise(method.Class); err != nil {
		return nil, err
	}
	f := &frame{m: m, b: m.bodies[id], args: args, vals: make([]any, m.bodies[id].Len())}
	return f.run()
}

// frame is a call being run.
type frame struct {
	m    *machine
	b    *ir.Body
	args []any
	vals []any
}

func (f *frame) run() (any, error) {
	var caught *object
	block, prev := int32(0), int32(-1)
	for {
		f.enter(block, prev)
		k := &f.b.Blocks[block]
		next, err := int32(-1), error(nil)
		for v := k.Start; v < k.End && err == nil; v++ {
			switch f.b.Op[v] {
			case ir.OpPhi:
			case ir.OpCatch:
				f.vals[v] = caught
			case ir.OpReturn:
				if f.b.NArgs(v) == 0 {
					return nil, nil
				}
				return fit(f.m.p.Selectors[f.m.p.Methods[f.b.Method].Sel].Return, f.arg(v, 0)), nil
			default:
				if f.m.steps++; f.m.steps > 1e7 {
					return nil, errors.New("too many steps")
				}
				err = f.step(v)
			}
		}
		if err == nil {
			next = f.b.Succs(block)[f.choose(k)]
		} else {
			var thrown *exception
			if !errors.As(err, &thrown) {
				return nil, err
			}
			if next = f.handler(block, thrown.obj); next < 0 {
				return nil, err
			}
			caught = thrown.obj
		}
		block, prev = next, block
	}
}

// enter evaluates the phis of a block together.
func (f *frame) enter(block, prev int32) {
	if prev < 0 {
		return
	}
	at := slices.Index(f.b.Preds(block), prev)
	var fresh []any
	k := &f.b.Blocks[block]
	for v := k.Start; v < k.End && f.b.Op[v] == ir.OpPhi; v++ {
		fresh = append(fresh, f.arg(v, at))
	}
	copy(f.vals[k.Start:], fresh)
}

// handler is the handler of a block for a throwable, or -1. Only the last
// instruction of a block has handlers.
func (f *frame) handler(block int32, thrown *object) int32 {
	for _, h := range f.b.Handlers(block) {
		v := f.b.Blocks[h].Start
		for f.b.Op[v] != ir.OpCatch {
			v++
		}
		if t := ir.TypeID(f.b.Aux[v]); t == 0 || f.m.p.Assignable(f.m.typeOf(thrown), t) {
			return h
		}
	}
	return -1
}

// choose is the number of the successor that the end of a block goes to.
func (f *frame) choose(k *ir.Block) int {
	v := k.End - 1
	switch f.b.Op[v] {
	case ir.OpIf:
		if !f.test(v) {
			return 1
		}
	case ir.OpSwitch:
		keys := f.b.Cases(v)
		if at := slices.Index(keys, int64(f.arg(v, 0).(int32))); at >= 0 {
			return at
		}
		return len(keys)
	}
	return 0
}

func (f *frame) test(v ir.Value) bool {
	a := f.arg(v, 0)
	x, isInt := a.(int32)
	y := int32(0)
	if f.b.NArgs(v) == 2 {
		if !isInt {
			return (a == f.arg(v, 1)) == (f.b.Sub[v] == ir.EQ)
		}
		y = f.arg(v, 1).(int32)
	} else if !isInt {
		return (a == nil) == (f.b.Sub[v] == ir.EQ)
	}
	switch f.b.Sub[v] {
	case ir.EQ:
		return x == y
	case ir.NE:
		return x != y
	case ir.LT:
		return x < y
	case ir.GE:
		return x >= y
	case ir.GT:
		return x > y
	}
	return x <= y
}

func (f *frame) arg(v ir.Value, i int) any { return f.vals[f.b.Arg(v, i)] }

func (f *frame) argList(v ir.Value) []any {
	var out []any
	for _, a := range f.b.ArgsOf(v) {
		out = append(out, f.vals[a])
	}
	return out
}

func (f *frame) null() error { return f.m.throw("java.lang.NullPointerException", "") }

// step executes one instruction that is no end, phi or catch.
func (f *frame) step(v ir.Value) (err error) {
	b, m := f.b, f.m
	aux := b.Aux[v]
	set := func(x any) error {
		f.vals[v] = x
		return nil
	}
	switch b.Op[v] {
	case ir.OpParam:
		return set(f.args[aux])
	case ir.OpConst:
		return set(number(m.p, b.Type[v], b.Int(v)))
	case ir.OpConstNull:
		return set(nil)
	case ir.OpConstString:
		return set(m.p.Strings[aux])
	case ir.OpConstClass:
		return set(classValue(aux))
	case ir.OpUnary, ir.OpBinary, ir.OpCompare:
		f.vals[v], err = f.arithmetic(v)
		return err
	case ir.OpInstanceOf:
		if m.isType(f.arg(v, 0), ir.TypeID(aux)) {
			return set(int32(1))
		}
		return set(int32(0))
	case ir.OpCheckCast:
		if x := f.arg(v, 0); x != nil && !m.isType(x, ir.TypeID(aux)) {
			return m.throw("java.lang.ClassCastException", "")
		}
		return set(f.arg(v, 0))
	case ir.OpNew:
		c := m.p.Types[aux].Class
		f.vals[v] = &object{class: c, fields: map[ir.FieldID]any{}}
		return m.initialise(c)
	case ir.OpMonitorEnter, ir.OpMonitorExit:
		return f.lock(v)
	case ir.OpThrow:
		if f.arg(v, 0) == nil {
			return f.null()
		}
		return &exception{f.arg(v, 0).(*object)}
	case ir.OpGetField, ir.OpPutField, ir.OpGetStatic, ir.OpPutStatic:
		return f.field(v)
	case ir.OpArrayLength, ir.OpNewArray, ir.OpFilledArray, ir.OpFillData, ir.OpArrayGet, ir.OpArrayPut:
		return f.array(v)
	case ir.OpNewLambda:
		l := &m.p.Lambdas[aux]
		return set(&object{class: l.Interface, lambda: l, extra: f.argList(v)})
	case ir.OpInvoke:
		f.vals[v], err = f.invoke(v)
		return err
	case ir.OpGoto, ir.OpIf, ir.OpSwitch:
		return nil
	}
	return fmt.Errorf("cannot run %s", b.Op[v])
}

func (m *machine) isType(v any, t ir.TypeID) bool { return v != nil && m.p.Assignable(m.typeOf(v), t) }

// invoke finds the method that a call means and runs it.
func (f *frame) invoke(v ir.Value) (any, error) {
	m, b := f.m, f.b
	ref := ir.MethodID(b.Aux[v])
	args := f.argList(v)
	if b.Sub[v] != ir.Static && args[0] == nil {
		return nil, f.null()
	}
	target := m.p.ResolveMethod(ref)
	switch b.Sub[v] {
	case ir.Static:
		if err := m.initialise(m.p.Methods[ref].Class); err != nil {
			return nil, err
		}
	case ir.Super:
		if c := m.p.Methods[ref].Class; m.p.Classes[c].Flags&ir.AccInterface == 0 {
			target = m.p.Dispatch(m.p.Classes[m.p.Methods[b.Method].Class].Super, m.p.Methods[ref].Sel)
		}
	case ir.Virtual, ir.Interface:
		return m.virtual(m.p.Methods[ref].Sel, args, target)
	}
	if target == 0 {
		target = ref
	}
	return m.call(target, args)
}

// virtual runs the override of a selector in the receiver's class.
func (m *machine) virtual(sel ir.SelectorID, args []any, declared ir.MethodID) (any, error) {
	if obj, ok := args[0].(*object); ok && obj.lambda != nil && obj.lambda.Sel == sel {
		return m.callLambda(obj, args[1:])
	}
	target := m.p.Dispatch(m.p.Types[m.typeOf(args[0])].Class, sel)
	if target == 0 {
		target = declared
	}
	return m.call(target, args)
}

func (m *machine) callLambda(obj *object, args []any) (any, error) {
	l := obj.lambda
	all := slices.Concat(obj.extra.([]any), args)
	target := m.p.ResolveMethod(l.Impl)
	switch l.ImplKind {
	case ir.Construct:
		made := &object{class: m.p.Methods[target].Class, fields: map[ir.FieldID]any{}}
		if err := m.initialise(made.class); err != nil {
			return nil, err
		}
		_, err := m.call(target, slices.Concat([]any{made}, all))
		return made, err
	case ir.Virtual, ir.Interface:
		return m.virtual(m.p.Methods[l.Impl].Sel, all, target)
	}
	return m.call(target, all)
}
