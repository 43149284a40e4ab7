package ir

import (
	"math/bits"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

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

// liveness gives a column to each register that some block reads before writing
// it, and finds at which blocks those columns are live. Methods of one block
// have none.
func (l *lifter) liveness() error {
	regs, n := int(l.code.Registers)+1, len(l.blocks)
	l.column, l.columns, l.words = sized(l.column, regs), l.columns[:0], 0
	if n == 1 {
		return nil
	}
	if err := l.assignColumns(regs, n); err != nil {
		return err
	}
	l.words = (len(l.columns) + 63) / 64
	if n*len(l.columns) > largestTable {
		return l.errorf(0, "%d blocks with %d registers are too many", n, len(l.columns))
	}
	l.live, l.kill = sized(l.live, n*l.words), sized(l.kill, n*l.words)
	l.localSets()
	l.flowBack()
	return nil
}

// largestTable bounds blocks times live registers; real methods stay below a
// hundredth of it.
const largestTable = 1 << 24

// eachInst calls f with the instructions of block k in order.
func (l *lifter) eachInst(k int, f func(in *inst, last bool) error) error {
	s := &l.stretches[l.order[k]]
	if s.pc < 0 {
		return nil
	}
	for i := l.at[s.pc] - 1; ; {
		in := &l.insts[i]
		if err := f(in, i == s.last); err != nil {
			return err
		}
		if i == s.last {
			return nil
		}
		i = l.at[in.next] - 1
	}
}

// assignColumns also notes the reads that make the columns, as pairs of block
// and register in work.
func (l *lifter) assignColumns(regs, n int) error {
	l.seen, l.used = sized(l.seen, regs), sized(l.used, regs)
	l.work = l.work[:0]
	for k := range n {
		now := int32(k) + 1
		if l.stretches[l.order[k]].catch >= 0 {
			l.seen[regs-1] = now
		}
		err := l.eachInst(k, func(in *inst, _ bool) error {
			reads, err := l.reads(in)
			if err != nil {
				return err
			}
			for _, r := range reads {
				if l.seen[r] == now || l.used[r] == now {
					continue
				}
				l.used[r] = now
				if l.column[r] == 0 {
					l.columns = append(l.columns, r)
					l.column[r] = int32(len(l.columns))
				}
				l.work = append(l.work, int32(k), r)
			}
			if w := writes(in); w >= 0 {
				l.seen[w] = now
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// localSets fills live with what a block reads first, and kill with what it
// writes, but for the result of a last instruction that handlers do not see.
func (l *lifter) localSets() {
	for i := 0; i < len(l.work); i += 2 {
		l.mark(l.live, int(l.work[i]), l.work[i+1])
	}
	for k := range l.blocks {
		if l.stretches[l.order[k]].catch >= 0 {
			l.mark(l.kill, k, int32(l.code.Registers))
		}
		if k == 0 {
			for r := l.code.Registers - l.code.Ins; r < l.code.Registers; r++ {
				l.mark(l.kill, k, int32(r))
			}
		}
		b := &l.blocks[k]
		_ = l.eachInst(k, func(in *inst, last bool) error {
			if w := writes(in); w >= 0 && !(last && b.NSucc > b.Normal) {
				l.mark(l.kill, k, w)
			}
			return nil
		})
	}
}

func (l *lifter) mark(set []uint64, block int, reg int32) {
	if c := l.column[reg]; c != 0 {
		set[block*l.words+int(c-1)/64] |= 1 << (uint(c-1) % 64)
	}
}

// flowBack solves live(b) = reads(b) + (live of its successors - writes(b)).
func (l *lifter) flowBack() {
	n := len(l.blocks)
	queued := sized(l.seen, n)
	l.work = l.work[:0]
	for k := range n {
		l.work = append(l.work, int32(k))
		queued[k] = 1
	}
	for len(l.work) > 0 {
		k := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		queued[k] = 0
		if !l.absorb(k) {
			continue
		}
		b := &l.blocks[k]
		for _, p := range l.edges[b.Pred : b.Pred+b.NPred] {
			if queued[p] == 0 {
				queued[p] = 1
				l.work = append(l.work, p)
			}
		}
	}
	l.seen = queued
}

// absorb adds to live of block k what its successors have live. It reports
// whether that was more than before.
func (l *lifter) absorb(k int32) bool {
	b := &l.blocks[k]
	hidden := l.hidden(k)
	grew := false
	live := l.live[int(k)*l.words : (int(k)+1)*l.words]
	kill := l.kill[int(k)*l.words : (int(k)+1)*l.words]
	for j, s := range l.edges[b.Succ : b.Succ+b.NSucc] {
		for w := range live {
			in := l.live[int(s)*l.words+w] &^ kill[w]
			if int32(j) < b.Normal && hidden >= 0 && int(hidden)/64 == w {
				in &^= 1 << (uint(hidden) % 64)
			}
			if in&^live[w] != 0 {
				live[w] |= in
				grew = true
			}
		}
	}
	return grew
}

// hidden is the column that the last instruction of a block with handlers
// writes, which the handlers do not see, or -1.
func (l *lifter) hidden(k int32) int32 {
	b := &l.blocks[k]
	s := &l.stretches[l.order[k]]
	if b.NSucc == b.Normal || s.pc < 0 {
		return -1
	}
	if w := writes(&l.insts[s.last]); w >= 0 {
		return l.column[w] - 1
	}
	return -1
}

// eachColumn calls f with the columns that are live at the start of block k.
func (l *lifter) eachColumn(k int, f func(c int)) {
	for w, set := range l.live[k*l.words : (k+1)*l.words] {
		for ; set != 0; set &= set - 1 {
			f(w*64 + bits.TrailingZeros64(set))
		}
	}
}
