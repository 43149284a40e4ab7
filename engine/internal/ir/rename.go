package ir

// lastDef is what the last instruction of a block overwrote: the handlers of
// the block still see it.
type lastDef struct {
	column int32 // -1 if it wrote no column
	old    Value
}

// rename turns registers into values, block by block in reverse postorder. A
// join gets a phi for each live register whose value may differ between its
// predecessors; prune drops those that turn out equal.
func (l *lifter) rename() error {
	n, cols := len(l.blocks), len(l.columns)
	l.raw, l.args, l.class = append(l.raw[:0], rawInst{}), l.args[:0], l.class[:0]
	l.lits, l.phis, l.open, l.loose = l.lits[:0], l.phis[:0], l.open[:0], l.loose[:0]
	l.now, l.starts, l.last = sized(l.now, int(l.code.Registers)+1), sized(l.starts, n+1), sized(l.last, n)
	l.out = sized(l.out, n*cols)
	for k := range n {
		l.starts[k] = Value(len(l.raw))
		if k == 0 {
			if err := l.params(); err != nil {
				return err
			}
		} else if cols > 0 {
			l.eachColumn(k, func(c int) { l.now[l.columns[c]] = l.incoming(k, c) })
		}
		if len(l.args) > 2*largestTable {
			return l.errorf(l.startPC(k), "more than %d values meet in joins", 2*largestTable)
		}
		if err := l.fill(k); err != nil {
			return err
		}
		for c, r := range l.columns {
			l.out[k*cols+c] = l.now[r]
		}
	}
	l.starts[n] = Value(len(l.raw))
	l.closePhis()
	return nil
}

// params makes the parameters; they are the last registers.
func (l *lifter) params() error {
	reg := int32(l.code.Registers) - int32(l.code.Ins)
	index := int32(0)
	valid := true
	add := func(t TypeID) {
		valid = valid && l.classOf(t) != 0
		if reg < int32(l.code.Registers) {
			l.now[reg] = l.add(rawInst{op: OpParam, typ: t, aux: index, pc: 0})
		}
		reg++
		if l.p.Types[t].Kind.Wide() {
			reg++
		}
		index++
	}
	m := &l.p.Methods[l.m]
	if m.Flags&AccStatic == 0 {
		add(l.p.Classes[m.Class].Type)
	}
	for _, t := range l.sel.Params {
		add(t)
	}
	if reg != int32(l.code.Registers) || !valid {
		return l.errorf(0, "the code has %d parameter registers, other than its signature", l.code.Ins)
	}
	return nil
}

// add appends an instruction; its arguments follow by arg.
func (l *lifter) add(r rawInst) Value {
	r.arg = uint32(len(l.args))
	l.raw = append(l.raw, r)
	return Value(len(l.raw) - 1)
}

func (l *lifter) arg(v Value, want class) {
	l.args = append(l.args, v)
	l.class = append(l.class, want)
}

// argsOf are the arguments of a raw instruction.
func (l *lifter) argsOf(v Value) []Value {
	end := uint32(len(l.args))
	if int(v)+1 < len(l.raw) {
		end = l.raw[v+1].arg
	}
	return l.args[l.raw[v].arg:end]
}

// incoming is the value of a column at the start of block k, if need be by a
// phi whose arguments follow.
func (l *lifter) incoming(k, c int) Value {
	b := &l.blocks[k]
	preds := l.edges[b.Pred : b.Pred+b.NPred]
	same := Value(0)
	for i, p := range preds {
		if int(p) >= k {
			return l.phi(c, len(preds))
		}
		v := l.outgoing(p, c, b.Handler)
		if i > 0 && v != same {
			return l.phi(c, len(preds))
		}
		same = v
	}
	return same
}

// outgoing is the value of a column on the edges from block p to its handlers,
// or to its normal successors.
func (l *lifter) outgoing(p int32, c int, handler bool) Value {
	if handler && l.last[p].column == int32(c) {
		return l.last[p].old
	}
	return l.out[int(p)*len(l.columns)+c]
}

// phi makes one for a column, kept in aux until its arguments are known.
func (l *lifter) phi(c, preds int) Value {
	v := l.add(rawInst{op: OpPhi, aux: int32(c)})
	for range preds {
		l.arg(0, 0)
	}
	l.phis = append(l.phis, v)
	return v
}

// closePhis fills in the arguments of all phis.
func (l *lifter) closePhis() {
	next := 0
	for k := range l.blocks {
		b := &l.blocks[k]
		for next < len(l.phis) && l.phis[next] < l.starts[k+1] {
			v := l.phis[next]
			next++
			r := &l.raw[v]
			for i, p := range l.edges[b.Pred : b.Pred+b.NPred] {
				l.args[int(r.arg)+i] = l.outgoing(p, int(r.aux), b.Handler)
			}
			r.aux = 0
			r.pc = l.startPC(k)
		}
	}
}

// startPC is the first code unit of block k.
func (l *lifter) startPC(k int) int32 {
	s := &l.stretches[l.order[k]]
	for s.pc < 0 {
		s = &l.stretches[s.to]
	}
	return s.pc
}

// fill translates the instructions of block k.
func (l *lifter) fill(k int) error {
	s := &l.stretches[l.order[k]]
	l.last[k].column = -1
	if s.catch >= 0 {
		typ := TypeID(s.catch)
		if typ == 0 {
			typ = TypeThrowable
		}
		l.now[l.code.Registers] = l.add(rawInst{op: OpCatch, typ: typ, aux: s.catch, pc: l.startPC(k)})
	}
	if s.pc < 0 {
		l.add(rawInst{op: OpGoto, pc: l.startPC(k)})
		return nil
	}
	b := &l.blocks[k]
	err := l.eachInst(k, func(in *inst, last bool) error {
		if last && b.NSucc > b.Normal {
			if w := writes(in); w >= 0 && l.column[w] > 0 {
				l.last[k] = lastDef{l.column[w] - 1, l.now[w]}
			}
		}
		return l.translate(in)
	})
	if err != nil {
		return err
	}
	if in := &l.insts[s.last]; b.NSucc == b.Normal && in.Op.Flow() == 0 {
		l.add(rawInst{op: OpGoto, pc: in.pc})
	}
	return nil
}
