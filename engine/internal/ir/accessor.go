package ir

import (
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// Compilers put private members of other classes of a nest within reach by
// static methods that nobody wrote: javac 8 makes access$008 for x++, D8 an
// -$$Nest$fgetx and an -$$Nest$fputx for what javac 11 and later leave to nest
// mates. A call of one becomes what it does, at the line of the call: bodies say
// what was written, whoever compiled it.

// accessorSize bounds the instructions of an accessor; x op= y takes about ten.
const accessorSize = 24

// accessorPrefixes begin the names of accessors: those of javac and kotlinc, and
// of D8.
var accessorPrefixes = [...]string{"access$", "-$$Nest$"}

// accessor is the method that a call of m reaches if it is an accessor by its
// name and flags, 0 otherwise.
func (p *Program) accessor(m MethodID) MethodID {
	if !AccessorName(p.Selectors[p.Methods[m].Sel].Name) {
		return 0
	}
	m = p.ResolveMethod(m)
	if d := &p.Methods[m]; m != 0 && d.HasCode && d.Flags&AccSynthetic != 0 && d.Flags&AccStatic != 0 {
		return m
	}
	return 0
}

// AccessorName: a compiler gives such a name to an accessor.
func AccessorName(name string) bool {
	return slices.ContainsFunc(accessorPrefixes[:], func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// through translates a call of an accessor as what the accessor does. It reports
// false, and has done nothing, if that is more than one expression.
func (l *lifter) through(in *inst, c callee, reads []int32) bool {
	if l.inside || c.sub != Static || c.ret == TypeVoid && in.res >= 0 {
		return false
	}
	m := l.p.accessor(c.method)
	if m == 0 {
		return false
	}
	u, code, now, sel := l.u, l.code, l.now, l.sel
	raw, args, lits, open, loose := len(l.raw), len(l.args), len(l.lits), len(l.open), len(l.loose)
	ref := l.p.code[m]
	inner, err := l.p.units[ref.unit].file.Code(ref.off)
	if err != nil || !l.passed(c, inner, reads) {
		return false
	}
	l.u, l.code, l.now, l.sel, l.inside = l.p.units[ref.unit], inner, l.within, &l.p.Selectors[l.p.Methods[m].Sel], true
	result, ok := l.expression(in.pc)
	l.u, l.code, l.now, l.sel, l.inside = u, code, now, sel, false
	if !ok || result == 0 && in.res >= 0 {
		l.raw, l.args, l.class, l.lits = l.raw[:raw], l.args[:args], l.class[:args], l.lits[:lits]
		l.open, l.loose = l.open[:open], l.loose[:loose]
		return false
	}
	if in.res >= 0 {
		l.now[in.res] = result
	}
	return true
}

// passed puts the arguments of a call into the registers of the accessor's
// parameters, the last ones.
func (l *lifter) passed(c callee, code *dex.Code, reads []int32) bool {
	l.within = sized(l.within, int(code.Registers)+1)
	reg := int32(code.Registers) - int32(code.Ins)
	for i, t := range c.params {
		if reg >= int32(code.Registers) {
			return false
		}
		l.within[reg] = l.now[reads[i]]
		reg++
		if l.p.Types[t].Kind.Wide() {
			reg++
		}
	}
	return reg == int32(code.Registers)
}

// expression translates the code of an accessor, with the place of its call, and
// gives the result. It must be instructions in a row that end with a return, the
// last of which may throw, as the end of a block in a try range has to.
func (l *lifter) expression(pc int32) (Value, bool) {
	throws := false
	for at, n := 0, 0; n < accessorSize && len(l.code.Tries) == 0; n++ {
		d, err := dex.Decode(l.code.Insns, at)
		if err != nil {
			return 0, false
		}
		in := inst{Inst: d, pc: pc, next: pc + 1, try: -1, res: -1}
		at += d.Width
		switch op := d.Op; {
		case op == dex.OpReturnVoid:
			return 0, throws
		case op >= dex.OpReturn && op <= dex.OpReturnObject:
			if d.A >= uint32(l.code.Registers) {
				return 0, false
			}
			return l.now[d.A], throws && l.now[d.A] != 0
		case op.Flow() != dex.FlowNext || elsewhere(op):
			return 0, false
		case op.Result() == dex.ResultPending && at < len(l.code.Insns):
			if u := l.code.Insns[at]; dex.Opcode(u&0xff) >= dex.OpMoveResult && dex.Opcode(u&0xff) <= dex.OpMoveResultObject {
				in.res = int32(u >> 8)
				at++
			}
		}
		if writes(&in) >= int32(l.code.Registers) {
			return 0, false
		}
		before := len(l.raw)
		if l.translate(&in) != nil {
			return 0, false
		}
		if len(l.raw) > before {
			throws = d.Op.CanThrow()
		}
	}
	return 0, false
}

// elsewhere: an instruction that would be another in the caller, or that no
// accessor has.
func elsewhere(op dex.Opcode) bool {
	switch op {
	case dex.OpInvokeSuper, dex.OpInvokeSuperRange, dex.OpInvokeCustom, dex.OpInvokeCustomRange,
		dex.OpMonitorEnter, dex.OpMonitorExit, dex.OpFillArrayData, dex.OpMoveException:
		return true
	}
	return false
}
