package ir

import "github.com/eventraces/eventraces/engine/internal/dex"

// shape is where the registers that an instruction reads stand, in the order of
// the arguments of what it becomes.
type shape uint8

const (
	readsNone shape = iota
	readsA
	readsB
	readsAB
	readsBC
	readsBA
	readsBCA
	readsList   // all registers passed
	readsCall   // registers passed, by the signature of the method
	readsCatch  // the exception
	readsResult // a result without its call: not valid
)

var shapes = shapeTable()

func shapeTable() (t [256]shape) {
	set := func(first, last dex.Opcode, s shape) {
		for op := first; op <= last; op++ {
			t[op] = s
		}
	}
	set(dex.OpMove, dex.OpMoveObject16, readsB)
	set(dex.OpMoveResult, dex.OpMoveResultObject, readsResult)
	set(dex.OpMoveException, dex.OpMoveException, readsCatch)
	set(dex.OpReturn, dex.OpReturnObject, readsA)
	set(dex.OpMonitorEnter, dex.OpCheckCast, readsA)
	set(dex.OpInstanceOf, dex.OpArrayLength, readsB)
	set(dex.OpNewArray, dex.OpNewArray, readsB)
	set(dex.OpFilledNewArray, dex.OpFilledNewArrayRange, readsList)
	set(dex.OpFillArrayData, dex.OpThrow, readsA)
	set(dex.OpPackedSwitch, dex.OpSparseSwitch, readsA)
	set(dex.OpCmplFloat, dex.OpCmpLong, readsBC)
	set(dex.OpIfEq, dex.OpIfLe, readsAB)
	set(dex.OpIfEqz, dex.OpIfLez, readsA)
	set(dex.OpAget, dex.OpAgetShort, readsBC)
	set(dex.OpAput, dex.OpAputShort, readsBCA)
	set(dex.OpIget, dex.OpIgetShort, readsB)
	set(dex.OpIput, dex.OpIputShort, readsBA)
	set(dex.OpSput, dex.OpSputShort, readsA)
	set(dex.OpInvokeVirtual, dex.OpInvokeInterface, readsCall)
	set(dex.OpInvokeVirtualRange, dex.OpInvokeInterfaceRange, readsCall)
	set(dex.OpNegInt, dex.OpIntToShort, readsB)
	set(dex.OpAddInt, dex.OpRemDouble, readsBC)
	set(dex.OpAddInt2addr, dex.OpRemDouble2addr, readsAB)
	set(dex.OpAddIntLit16, dex.OpUshrIntLit8, readsB)
	set(dex.OpInvokePolymorphic, dex.OpInvokeCustomRange, readsCall)
	return t
}

// reads lists the registers that in reads, in argument order.
func (l *lifter) reads(in *inst) ([]int32, error) {
	r := l.regs[:0]
	switch a, b, c := int32(in.A), int32(in.B), int32(in.C); shapes[in.Op&0xff] {
	case readsA:
		r = append(r, a)
	case readsB:
		r = append(r, b)
	case readsAB:
		r = append(r, a, b)
	case readsBC:
		r = append(r, b, c)
	case readsBA:
		r = append(r, b, a)
	case readsBCA:
		r = append(r, b, c, a)
	case readsList:
		for i := range int(in.NRegs) {
			r = append(r, int32(in.Reg(i)))
		}
	case readsCall:
		var err error
		if r, err = l.callReads(r, in); err != nil {
			return nil, err
		}
	case readsCatch:
		r = append(r, int32(l.code.Registers))
	case readsResult:
		return nil, l.errorf(in.pc, "%s does not follow a call", in.Op)
	}
	l.regs = r
	if shapes[in.Op&0xff] == readsCatch {
		return r, nil
	}
	for _, reg := range r {
		if reg >= int32(l.code.Registers) {
			return nil, l.errorf(in.pc, "%s reads register %d of %d", in.Op, reg, l.code.Registers)
		}
	}
	return r, nil
}

// callReads lists the first register of each argument of a call.
func (l *lifter) callReads(r []int32, in *inst) ([]int32, error) {
	c, err := l.callee(in)
	if err != nil {
		return nil, err
	}
	at := 0
	if c.receiver {
		if in.NRegs == 0 {
			return nil, l.errorf(in.pc, "%s passes no receiver", in.Op)
		}
		r, at = append(r, int32(in.Reg(0))), 1
	}
	for _, t := range c.params {
		width := 1
		switch k := l.classOf(t); {
		case k == 0:
			return nil, l.errorf(in.pc, "%s has a parameter of type %s", c, l.p.TypeString(t))
		case k&(isLong|isDouble) != 0:
			width = 2
		}
		if at+width > int(in.NRegs) {
			return nil, l.errorf(in.pc, "%s passes %d registers, too few for %s", in.Op, in.NRegs, c)
		}
		r = append(r, int32(in.Reg(at)))
		at += width
	}
	if at != int(in.NRegs) {
		return nil, l.errorf(in.pc, "%s passes %d registers where %s takes %d", in.Op, in.NRegs, c, at)
	}
	return r, nil
}

// callee is what a call instruction says of its target.
type callee struct {
	sub      Sub
	receiver bool
	method   MethodID
	site     int32 // of an invoke-custom
	params   []TypeID
	ret      TypeID
	p        *Program
}

func (c callee) String() string {
	if c.method != 0 {
		return c.p.MethodString(c.method)
	}
	return "its call site"
}

var invokeSubs = [...]Sub{Virtual, Super, Direct, Static, Interface}

func (l *lifter) callee(in *inst) (callee, error) {
	if in.Op == dex.OpInvokeCustom || in.Op == dex.OpInvokeCustomRange {
		return l.custom(in)
	}
	if int(in.Index) >= len(l.u.methods) {
		return callee{}, l.errorf(in.pc, "method index %d is outside the table of %d", in.Index, len(l.u.methods))
	}
	c := callee{p: l.p, method: l.u.methods[in.Index], receiver: true}
	sel := &l.p.Selectors[l.p.Methods[c.method].Sel]
	c.params, c.ret = sel.Params, sel.Return
	switch {
	case in.Op <= dex.OpInvokeInterface:
		c.sub = invokeSubs[in.Op-dex.OpInvokeVirtual]
	case in.Op <= dex.OpInvokeInterfaceRange:
		c.sub = invokeSubs[in.Op-dex.OpInvokeVirtualRange]
	default:
		c.sub = Polymorphic
		if int(in.Index2) >= len(l.u.protos) {
			return callee{}, l.errorf(in.pc, "prototype index %d is outside the table of %d", in.Index2, len(l.u.protos))
		}
		shape := &l.p.protos[l.u.protos[in.Index2]]
		c.params, c.ret = shape.params, shape.ret
	}
	c.receiver = c.sub != Static
	return c, nil
}

func (l *lifter) custom(in *inst) (callee, error) {
	if int(in.Index) >= len(l.u.sites) {
		return callee{}, l.errorf(in.pc, "call site index %d is outside the table of %d", in.Index, len(l.u.sites))
	}
	site := l.u.sites[in.Index]
	if site == 0 {
		return callee{}, l.errorf(in.pc, "call site %d could not be read", in.Index)
	}
	shape := &l.p.protos[l.u.protos[l.u.file.CallSites[in.Index].Proto]]
	return callee{p: l.p, site: site, params: shape.params, ret: shape.ret}, nil
}

// writes is the register that in writes, or -1.
func writes(in *inst) int32 {
	switch in.Op.Result() {
	case dex.ResultNone:
		return -1
	case dex.ResultPending:
		return in.res
	}
	return int32(in.A)
}
