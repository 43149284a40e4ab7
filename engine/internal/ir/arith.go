package ir

import "github.com/eventraces/eventraces/engine/internal/dex"

// unaries are the operations from neg-int on.
var unaries = [...]struct {
	sub Sub
	arg class
	typ TypeID
}{
	{Neg, isInt, TypeInt}, {Not, isInt, TypeInt}, {Neg, isLong, TypeLong}, {Not, isLong, TypeLong},
	{Neg, isFloat, TypeFloat}, {Neg, isDouble, TypeDouble},
	{Convert, isInt, TypeLong}, {Convert, isInt, TypeFloat}, {Convert, isInt, TypeDouble},
	{Convert, isLong, TypeInt}, {Convert, isLong, TypeFloat}, {Convert, isLong, TypeDouble},
	{Convert, isFloat, TypeInt}, {Convert, isFloat, TypeLong}, {Convert, isFloat, TypeDouble},
	{Convert, isDouble, TypeInt}, {Convert, isDouble, TypeLong}, {Convert, isDouble, TypeFloat},
	{Convert, isInt, TypeByte}, {Convert, isInt, TypeChar}, {Convert, isInt, TypeShort},
}

// binaries are the operations from add-int on, one row for each type.
var binaries = [...]struct {
	count int
	arg   class
	typ   TypeID
}{{11, isInt, TypeInt}, {11, isLong, TypeLong}, {5, isFloat, TypeFloat}, {5, isDouble, TypeDouble}}

var (
	lit16Subs = [...]Sub{Add, Subtract, Mul, Div, Rem, And, Or, Xor}
	lit8Subs  = [...]Sub{Add, Subtract, Mul, Div, Rem, And, Or, Xor, Shl, Shr, UShr}
)

// arithmetic translates the operations on numbers.
func (l *lifter) arithmetic(in *inst, reads []int32) {
	a := int32(in.A)
	switch op := in.Op; {
	case op < dex.OpAddInt:
		u := unaries[op-dex.OpNegInt]
		l.put(in, rawInst{op: OpUnary, sub: u.sub, typ: u.typ}, a, reads, u.arg)
	case op < dex.OpAddInt2addr:
		l.binary(in, int(op-dex.OpAddInt), reads)
	case op < dex.OpAddIntLit16:
		l.binary(in, int(op-dex.OpAddInt2addr), reads)
	case op < dex.OpAddIntLit8:
		l.literal(in, lit16Subs[op-dex.OpAddIntLit16], op == dex.OpRsubInt)
	default:
		l.literal(in, lit8Subs[op-dex.OpAddIntLit8], op == dex.OpRsubIntLit8)
	}
}

func (l *lifter) binary(in *inst, at int, reads []int32) {
	for _, row := range binaries {
		if at >= row.count {
			at -= row.count
			continue
		}
		second := row.arg
		if at >= int(Shl-Add) { // shift distances are ints
			second = isInt
		}
		l.put(in, rawInst{op: OpBinary, sub: Add + Sub(at), typ: row.typ}, int32(in.A), reads, row.arg, second)
		return
	}
}

// literal makes a binary operation with a constant; a reverse subtraction has
// the constant first.
func (l *lifter) literal(in *inst, sub Sub, reverse bool) {
	k := l.add(rawInst{op: OpConst, aux: int32(in.Lit), pc: in.pc})
	v := l.add(rawInst{op: OpBinary, sub: sub, typ: TypeInt, pc: in.pc})
	x, y := l.now[in.B], k
	if reverse {
		x, y = y, x
	}
	l.arg(x, isInt)
	l.arg(y, isInt)
	l.now[in.A] = v
}
