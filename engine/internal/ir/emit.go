package ir

import (
	"math/bits"
	"slices"
	"sort"
)

// emit copies what is left of the raw instructions into a body whose arrays have
// exactly the size needed.
func (l *lifter) emit() *Body {
	n, nargs := l.number()
	b := &Body{
		Method: l.m,
		Op:     make([]Op, n), Sub: make([]Sub, n), Type: make([]TypeID, n), Aux: make([]int32, n),
		ArgAt: make([]uint32, n+1), Args: make([]Value, 0, nargs),
		Blocks: exact(l.blocks), Edges: exact(l.edges),
	}
	l.consts, l.lines = l.consts[:0], l.lines[:0]
	w := writer{l: l, b: b, next: 1, line: -1}
	for k := range b.Blocks {
		b.Blocks[k].Start = w.next
		for v := l.starts[k]; v < l.starts[k+1]; v++ {
			w.instruction(v, k)
		}
		b.Blocks[k].End = w.next
	}
	b.ArgAt[n] = uint32(len(b.Args))
	b.Consts, b.Lines = exact(l.consts), exact(l.lines)
	return b
}

// exact copies s without room to grow. An empty table is nil whatever memory s
// has, so that bodies lifted twice are alike in every respect.
func exact[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return slices.Clip(slices.Clone(s))
}

// number gives the instructions their places and counts them, from 1, and their
// arguments.
func (l *lifter) number() (n, args int) {
	l.newID = sized(l.newID, len(l.raw))
	n = 1
	for v := Value(1); int(v) < len(l.raw); v++ {
		l.newID[v] = Value(n)
		copies := l.copies(v)
		n += copies
		args += copies * len(l.argsOf(v))
	}
	return n, args
}

// copies is how many instructions v becomes: an untyped value one for each class
// it is wanted as, a useless phi none.
func (l *lifter) copies(v Value) int {
	switch r := &l.raw[v]; {
	case r.op == OpPhi && (!r.live || l.rep[v] != 0):
		return 0
	case r.typ == 0 && (r.op == OpConst || r.op == OpPhi):
		return bits.OnesCount8(uint8(r.mask))
	}
	return 1
}

// as is the instruction that v is when wanted as c.
func (l *lifter) as(v Value, c class) Value {
	r := &l.raw[v]
	if r.typ == 0 && (r.op == OpConst || r.op == OpPhi) {
		return l.newID[v] + Value(bits.OnesCount8(uint8(r.mask&(c-1))))
	}
	return l.newID[v]
}

// writer fills the arrays of a body in order.
type writer struct {
	l     *lifter
	b     *Body
	next  Value
	line  int32   // of the last entry of lines
	frame FrameID // the same
	from  int     // entry of code.Lines at which to look first
	pc    int32   // of the last instruction
}

func (w *writer) instruction(v Value, block int) {
	l, r := w.l, &w.l.raw[v]
	copies := l.copies(v)
	untyped := r.typ == 0 && (r.op == OpConst || r.op == OpPhi)
	mask := r.mask
	for range copies {
		w.at(r.pc)
		c := mask & -mask
		mask &^= c
		typ, op, aux := r.typ, r.op, r.aux
		if untyped {
			typ = classTypes[bits.TrailingZeros8(uint8(c))]
			if op == OpConst && c == isRef {
				op = OpConstNull
			}
		}
		w.write(op, r.sub, typ, w.literals(r, aux, block))
		for i, a := range l.argsOf(v) {
			want := c
			if !untyped {
				want = l.class[int(r.arg)+i]
			}
			w.b.Args = append(w.b.Args, l.as(a, want))
		}
		w.next++
	}
}

func (w *writer) write(op Op, sub Sub, typ TypeID, aux int32) {
	b, v := w.b, w.next
	if op == OpConst {
		sub = 0
	}
	b.Op[v], b.Sub[v], b.Type[v], b.Aux[v] = op, sub, typ, aux
	b.ArgAt[v] = uint32(len(b.Args))
}

// literals moves what an instruction has in lits to consts, and gives its aux.
func (w *writer) literals(r *rawInst, aux int32, block int) int32 {
	n := 0
	switch {
	case r.op == OpConst && r.sub == wideConst:
		n = 1
	case r.op == OpSwitch:
		n = int(w.l.blocks[block].Normal) - 1
	case r.op == OpFillData:
		n = 1 + int(w.l.lits[aux]>>8+7)/8
	default:
		return aux
	}
	at := int32(len(w.l.consts))
	w.l.consts = append(w.l.consts, w.l.lits[aux:int(aux)+n]...)
	return at
}

// at notes the line of the next instruction.
func (w *writer) at(pc int32) {
	code, source := w.l.code.Lines, w.l.p.source(w.l.m)
	if len(code) == 0 {
		if pc != w.pc || w.line < 0 {
			w.line, w.pc = 0, pc
			line, frame := int32(0), FrameID(0)
			if source != nil {
				line, frame = source.position(uint32(pc))
			}
			w.l.lines = append(w.l.lines, LineAt{w.next, line, pc, frame})
		}
		return
	}
	if pc < w.pc {
		w.from = max(0, sort.Search(len(code), func(i int) bool { return code[i].Addr > uint32(pc) })-1)
	}
	w.pc = pc
	for w.from+1 < len(code) && code[w.from+1].Addr <= uint32(pc) {
		w.from++
	}
	line, frame := int32(0), FrameID(0)
	if code[w.from].Addr <= uint32(pc) {
		line, frame = source.position(code[w.from].Line)
	}
	if line != w.line || frame != w.frame {
		w.line, w.frame = line, frame
		w.l.lines = append(w.l.lines, LineAt{w.next, line, pc, frame})
	}
}
