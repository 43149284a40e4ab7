package ir

import (
	"fmt"
	"sync"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// Lift turns the code of a method into a body. It is pure and safe for
// concurrent use. A method without code, or with code that cannot be valid,
// gives an error that names file, method and code unit.
func (p *Program) Lift(m MethodID) (*Body, error) {
	if m <= 0 || int(m) >= len(p.Methods) || !p.Methods[m].HasCode {
		return nil, fmt.Errorf("method %s has no code", p.MethodString(m))
	}
	l := lifters.Get().(*lifter)
	b, err := l.lift(p, m)
	if cap(l.insts) < largeMethod && cap(l.out) < largeTable {
		l.p, l.u, l.code = nil, nil, nil
		lifters.Put(l)
	}
	return b, err
}

// Scratch memory of methods beyond these sizes is given back.
const (
	largeMethod = 1 << 15
	largeTable  = 1 << 20
)

var lifters = sync.Pool{New: func() any { return new(lifter) }}

// lifter holds the work on one method. The steps, in order, are those of lift.
type lifter struct {
	p    *Program
	u    *unit
	m    MethodID
	sel  *Selector
	code *dex.Code

	// Reached code, by code unit.
	at    []int32 // 1 + index in insts; 0 not reached
	flags []uint8
	insts []inst
	work  []int32
	keys  []int32 // of all switches, and
	goals []int32 // their targets, as code units

	// Stretches of code, in the order of code units, then in reverse postorder.
	stretches []stretch
	blockAt   []int32 // by code unit: 1 + index in stretches
	landings  map[uint64]int32
	targets   []int32 // successors of stretches
	order     []int32 // stretches in reverse postorder
	rank      []int32
	blocks    []Block
	edges     []int32

	// Registers that live across blocks have a column.
	column  []int32 // by register: 1 + column, 0 none
	columns []int32 // registers
	seen    []int32 // by register: 1 + last block that defined it
	used    []int32 // by register: 1 + last block found to read it first
	live    []uint64
	kill    []uint64
	words   int
	regs    []int32

	// Values.
	raw    []rawInst
	args   []Value
	class  []class // by argument: what its use wants it to be, 0 undecided
	starts []Value // by block, in raw
	now    []Value // by register
	within []Value // by register of an accessor
	inside bool    // an accessor is translated
	out    []Value // blocks x columns
	last   []lastDef
	phis   []Value
	rep    []Value // by raw value: what stands for it, 0 itself
	head   []int32 // by raw value: 1 + first of the phi arguments that are it
	chain  []int32 // by argument: 1 + next of them
	owner  []Value // by argument of a phi: the phi
	lits   []int64
	open   []Value // array reads whose type must be found
	loose  []looseUse
	pend   []demand
	newID  []Value
	consts []int64
	lines  []LineAt
}

// inst is a decoded instruction, with a move-result that follows it.
type inst struct {
	dex.Inst
	pc    int32
	next  int32 // code unit after it
	try   int32 // index in Tries if it may throw there, or -1
	res   int32 // register that takes the pending result, or -1
	cases int32 // first of its cases in keys
	ncase int32
}

// rawInst is an instruction before values that turn out useless are dropped.
type rawInst struct {
	op   Op
	sub  Sub
	mask class // of an untyped value: what its uses want it to be
	live bool  // of a phi
	typ  TypeID
	aux  int32
	pc   int32
	arg  uint32
}

func (l *lifter) lift(p *Program, m MethodID) (*Body, error) {
	ref := p.code[m]
	l.p, l.u, l.m, l.sel = p, p.units[ref.unit], m, &p.Selectors[p.Methods[m].Sel]
	var err error
	if l.code, err = l.u.file.Code(ref.off); err != nil {
		return nil, fmt.Errorf("%w in %s", err, p.MethodString(m))
	}
	if err := l.reach(); err != nil {
		return nil, err
	}
	if err := l.split(); err != nil {
		return nil, err
	}
	l.arrange()
	if err := l.liveness(); err != nil {
		return nil, err
	}
	if err := l.rename(); err != nil {
		return nil, err
	}
	if err := l.prune(); err != nil {
		return nil, err
	}
	if err := l.infer(); err != nil {
		return nil, err
	}
	return l.emit(), nil
}

func (l *lifter) errorf(pc int32, format string, args ...any) error {
	return fmt.Errorf("%s: code unit 0x%x of %s: "+format,
		append([]any{l.u.file.Name, pc, l.p.MethodString(l.m)}, args...)...)
}

// sized gives a zeroed slice of n elements, in the memory of s if it fits.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	s = s[:n]
	clear(s)
	return s
}
