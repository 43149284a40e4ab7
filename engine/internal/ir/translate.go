package ir

import "github.com/eventraces/eventraces/engine/internal/dex"

// class is what a register can hold; a set of them says what the uses of an
// untyped value want it to be.
type class uint8

const (
	isInt class = 1 << iota
	isFloat
	isRef
	isLong
	isDouble
)

var kindClass = [...]class{
	Boolean: isInt, Byte: isInt, Short: isInt, Char: isInt, Int: isInt, Long: isLong, Float: isFloat,
	Double: isDouble, Null: isRef, Ref: isRef, Array: isRef,
}

func (l *lifter) classOf(t TypeID) class { return kindClass[l.p.Types[t].Kind] }

// looseUse is a use whose class depends on what is used: the element written by
// aput, or an argument of a test for equality and the argument it is compared
// with.
type looseUse struct {
	arg, peer uint32 // in args; equal if there is no other
	may       class
	array     bool // the array is the argument two places before
	pc        int32
}

// translate makes the instructions for in.
func (l *lifter) translate(in *inst) error {
	reads, err := l.reads(in)
	if err != nil {
		return err
	}
	for _, r := range reads {
		if l.now[r] == 0 {
			return l.errorf(in.pc, "%s reads register %d before it is written", in.Op, r)
		}
	}
	switch op := in.Op; {
	case op <= dex.OpMoveException || op >= dex.OpGoto && op <= dex.OpGoto32:
		return l.simple(in, reads)
	case op <= dex.OpThrow || op >= dex.OpConstMethodHandle:
		return l.plain(in, reads)
	case op <= dex.OpIfLez:
		l.branch(in, reads)
	case op <= dex.OpAputShort:
		l.array(in, reads)
	case op <= dex.OpSputShort:
		return l.field(in, reads)
	case op <= dex.OpInvokeInterfaceRange || op >= dex.OpInvokePolymorphic:
		return l.call(in, reads)
	default:
		l.arithmetic(in, reads)
	}
	return nil
}

// simple translates what makes no instruction, or only an end of a block.
func (l *lifter) simple(in *inst, reads []int32) error {
	switch op := in.Op; {
	case op == dex.OpNop:
	case op >= dex.OpGoto:
		l.add(rawInst{op: OpGoto, pc: in.pc})
	default: // moves
		l.now[in.A] = l.now[reads[0]]
	}
	return nil
}

// put makes an instruction with arguments of given classes; its result, if it
// has one, goes to register to.
func (l *lifter) put(in *inst, r rawInst, to int32, reads []int32, want ...class) Value {
	r.pc = in.pc
	v := l.add(r)
	for i, reg := range reads {
		l.arg(l.now[reg], want[min(i, len(want)-1)])
	}
	if to >= 0 {
		l.now[to] = v
	}
	return v
}

// plain translates constants, objects, monitors and exits.
func (l *lifter) plain(in *inst, reads []int32) error {
	a := int32(in.A)
	switch op := in.Op; {
	case op <= dex.OpReturnObject:
		r := rawInst{op: OpReturn}
		if want := l.classOf(l.sel.Return); op == dex.OpReturnVoid {
			if l.sel.Return != TypeVoid {
				return l.errorf(in.pc, "%s in a method with a result", op)
			}
			l.put(in, r, -1, nil)
		} else {
			if want == 0 {
				return l.errorf(in.pc, "%s in a method without result", op)
			}
			l.put(in, r, -1, reads, want)
		}
	case op <= dex.OpConstWideHigh16:
		l.constant(in)
	case op == dex.OpMonitorEnter:
		l.put(in, rawInst{op: OpMonitorEnter}, -1, reads, isRef)
	case op == dex.OpMonitorExit:
		l.put(in, rawInst{op: OpMonitorExit}, -1, reads, isRef)
	case op == dex.OpArrayLength:
		l.put(in, rawInst{op: OpArrayLength, typ: TypeInt}, a, reads, isRef)
	case op == dex.OpThrow:
		l.put(in, rawInst{op: OpThrow}, -1, reads, isRef)
	case op == dex.OpFillArrayData:
		return l.fillData(in, reads)
	default:
		return l.indexed(in, reads)
	}
	return nil
}

// constant makes an untyped constant: 64 bits are kept in lits.
func (l *lifter) constant(in *inst) {
	r := rawInst{op: OpConst, aux: int32(in.Lit)}
	if in.Op >= dex.OpConstWide16 {
		r.sub, r.aux = wideConst, int32(len(l.lits))
		l.lits = append(l.lits, in.Lit)
	}
	l.put(in, r, int32(in.A), nil)
}

// wideConst marks raw constants of 64 bits; any Sub would do.
const wideConst = Convert

func (l *lifter) fillData(in *inst, reads []int32) error {
	width, data, err := dex.ArrayData(l.code.Insns, int(in.pc), in.Inst)
	if err != nil {
		return l.errorf(in.pc, "%w", err)
	}
	r := rawInst{op: OpFillData, aux: int32(len(l.lits))}
	l.lits = append(l.lits, int64(len(data))<<8|int64(width))
	for len(data) > 0 {
		word := int64(0)
		for i, c := range data[:min(8, len(data))] {
			word |= int64(c) << (8 * i)
		}
		l.lits = append(l.lits, word)
		data = data[min(8, len(data)):]
	}
	l.put(in, r, -1, reads, isRef)
	return nil
}

// indexed translates instructions that name a string, a type, a method handle
// or a prototype.
func (l *lifter) indexed(in *inst, reads []int32) error {
	limit := 0
	switch in.Op.Index() {
	case dex.IndexString:
		limit = len(l.u.strings)
	case dex.IndexType:
		limit = len(l.u.types)
	case dex.IndexMethodHandle:
		limit = len(l.u.handles)
	case dex.IndexProto:
		limit = len(l.u.protos)
	}
	if int(in.Index) >= limit {
		return l.errorf(in.pc, "%s: index %d is outside the table of %d", in.Op, in.Index, limit)
	}
	a := int32(in.A)
	switch in.Op {
	case dex.OpConstString, dex.OpConstStringJumbo:
		l.put(in, rawInst{op: OpConstString, typ: TypeString, aux: int32(l.u.strings[in.Index])}, a, nil)
	case dex.OpConstMethodHandle:
		l.put(in, rawInst{op: OpConstHandle, sub: HandleOf, typ: TypeMethodHandle, aux: l.u.handles[in.Index]}, a, nil)
	case dex.OpConstMethodType:
		l.put(in, rawInst{op: OpConstHandle, sub: TypeOf, typ: TypeMethodType, aux: l.u.protos[in.Index]}, a, nil)
	default:
		return l.typed(in, reads, l.u.types[in.Index])
	}
	return nil
}

// typed translates instructions that name a type.
func (l *lifter) typed(in *inst, reads []int32, t TypeID) error {
	a, aux := int32(in.A), int32(t)
	kind := l.p.Types[t].Kind
	if in.Op != dex.OpConstClass && (!kind.Reference() || in.Op >= dex.OpNewArray && kind != Array) {
		return l.errorf(in.pc, "%s of type %s", in.Op, l.p.TypeString(t))
	}
	switch in.Op {
	case dex.OpConstClass:
		l.put(in, rawInst{op: OpConstClass, typ: TypeClass, aux: aux}, a, nil)
	case dex.OpCheckCast:
		l.put(in, rawInst{op: OpCheckCast, typ: t, aux: aux}, a, reads, isRef)
	case dex.OpInstanceOf:
		l.put(in, rawInst{op: OpInstanceOf, typ: TypeBoolean, aux: aux}, a, reads, isRef)
	case dex.OpNewInstance:
		l.put(in, rawInst{op: OpNew, typ: t, aux: aux}, a, nil)
	case dex.OpNewArray:
		l.put(in, rawInst{op: OpNewArray, typ: t, aux: aux}, a, reads, isInt)
	default: // filled-new-array
		elem := l.classOf(l.p.Types[t].Elem)
		if elem&(isInt|isFloat|isRef) == 0 {
			return l.errorf(in.pc, "%s of type %s", in.Op, l.p.TypeString(t))
		}
		l.put(in, rawInst{op: OpFilledArray, typ: t, aux: aux}, in.res, reads, elem)
	}
	return nil
}

var ifSubs = [...]Sub{EQ, NE, LT, GE, GT, LE}

// branch translates switches, comparisons and branches.
func (l *lifter) branch(in *inst, reads []int32) {
	switch op := in.Op; {
	case op <= dex.OpSparseSwitch:
		r := rawInst{op: OpSwitch, aux: int32(len(l.lits))}
		for _, key := range l.keys[in.cases : in.cases+in.ncase] {
			l.lits = append(l.lits, int64(key))
		}
		l.put(in, r, -1, reads, isInt)
	case op <= dex.OpCmpLong:
		of := [...]struct {
			sub  Sub
			want class
		}{{CmpL, isFloat}, {CmpG, isFloat}, {CmpL, isDouble}, {CmpG, isDouble}, {Cmp, isLong}}[op-dex.OpCmplFloat]
		l.put(in, rawInst{op: OpCompare, sub: of.sub, typ: TypeInt}, int32(in.A), reads, of.want)
	default:
		sub := ifSubs[(op-dex.OpIfEq)%6]
		first := uint32(len(l.args))
		if sub != EQ && sub != NE {
			l.put(in, rawInst{op: OpIf, sub: sub}, -1, reads, isInt)
			return
		}
		l.put(in, rawInst{op: OpIf, sub: sub}, -1, reads, 0)
		last := uint32(len(l.args)) - 1
		l.loose = append(l.loose, looseUse{arg: first, peer: last, may: isInt | isRef, pc: in.pc})
	}
}

// Array element types by opcode, from aget and aput on; 0 depends on the array.
var elemTypes = [...]TypeID{0, 0, 0, TypeBoolean, TypeByte, TypeChar, TypeShort}

// elemMay is what aget, aget-wide and aget-object and their likes can move.
var elemMay = [...]class{isInt | isFloat, isLong | isDouble, isRef}

// array translates reads and writes of array elements.
func (l *lifter) array(in *inst, reads []int32) {
	read := in.Op < dex.OpAput
	sort := int(in.Op - dex.OpAget)
	if !read {
		sort = int(in.Op - dex.OpAput)
	}
	may := isInt
	if sort < len(elemMay) {
		may = elemMay[sort]
	}
	if read {
		v := l.put(in, rawInst{op: OpArrayGet, typ: elemTypes[sort]}, int32(in.A), reads, isRef, isInt)
		if elemTypes[sort] == 0 {
			l.raw[v].aux = int32(may) // until infer
			l.open = append(l.open, v)
		}
		return
	}
	at := uint32(len(l.args)) + 2
	l.loose = append(l.loose, looseUse{arg: at, peer: at, may: may, array: true, pc: in.pc})
	l.put(in, rawInst{op: OpArrayPut}, -1, reads, isRef, isInt, 0)
}

// field translates reads and writes of fields.
func (l *lifter) field(in *inst, reads []int32) error {
	if int(in.Index) >= len(l.u.fields) {
		return l.errorf(in.pc, "field index %d is outside the table of %d", in.Index, len(l.u.fields))
	}
	f := l.u.fields[in.Index]
	typ := l.p.Fields[f].Type
	want := l.classOf(typ)
	if may := accessMay[(in.Op-dex.OpIget)%7]; want&may == 0 {
		return l.errorf(in.pc, "%s of field %s of type %s", in.Op, l.p.FieldString(f), l.p.TypeString(typ))
	}
	switch aux := int32(f); {
	case in.Op < dex.OpIput:
		l.put(in, rawInst{op: OpGetField, typ: typ, aux: aux}, int32(in.A), reads, isRef)
	case in.Op < dex.OpSget:
		l.put(in, rawInst{op: OpPutField, aux: aux}, -1, reads, isRef, want)
	case in.Op < dex.OpSput:
		l.put(in, rawInst{op: OpGetStatic, typ: typ, aux: aux}, int32(in.A), nil)
	default:
		l.put(in, rawInst{op: OpPutStatic, aux: aux}, -1, reads, want)
	}
	return nil
}

// accessMay is what iget, iget-wide, iget-object, iget-boolean ... can move.
var accessMay = [...]class{isInt | isFloat, isLong | isDouble, isRef, isInt, isInt, isInt, isInt}

// call translates invocations.
func (l *lifter) call(in *inst, reads []int32) error {
	c, err := l.callee(in)
	if err != nil {
		return err
	}
	if l.through(in, c, reads) {
		return nil
	}
	if reads, err = l.reads(in); err != nil { // may be those of the accessor
		return err
	}
	r := rawInst{op: OpInvoke, sub: c.sub, aux: int32(c.method), typ: c.ret}
	switch {
	case c.site > 0:
		r = rawInst{op: OpNewLambda, aux: c.site, typ: c.ret}
	case c.site < 0:
		r = rawInst{op: OpInvokeCustom, aux: -c.site, typ: c.ret}
	}
	if c.ret == TypeVoid {
		r.typ = 0
		if in.res >= 0 {
			return l.errorf(in.next-1, "result of %s, which has none", c)
		}
	}
	r.pc = in.pc
	v := l.add(r)
	for i, reg := range reads {
		want := isRef
		if !c.receiver {
			want = l.classOf(c.params[i])
		} else if i > 0 {
			want = l.classOf(c.params[i-1])
		}
		l.arg(l.now[reg], want)
	}
	if in.res >= 0 {
		l.now[in.res] = v
	}
	return nil
}
