package dextest

import (
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

func (a *assembler) emit(units ...any) { a.m.units = append(a.m.units, units...) }

// unit makes a code unit of an operand in the high byte and an opcode.
func unit(op dex.Opcode, high int) uint16 { return uint16(high)<<8 | uint16(op) }

// fits checks that an operand is in lo..hi.
func (a *assembler) fits(v, lo, hi int64) int {
	if v < lo || v > hi {
		a.fail("operand %d is not in %d to %d", v, lo, hi)
	}
	return int(v)
}

func (a *assembler) reg(s string, bits int) int {
	return a.fits(int64(a.register(s)), 0, 1<<bits-1)
}

// lit checks a signed literal of so many bits; unsigned notation is accepted.
func (a *assembler) lit(s string, bits int) int64 {
	v := a.number(s)
	if bits < 64 {
		a.fits(v, -1<<(bits-1), 1<<(bits-1)-1)
	}
	return v
}

// branch gives the distance to a label.
func (a *assembler) branch(s statement, label string, bits int) int {
	d := int64(a.label(label) - s.addr)
	return a.fits(d, -1<<(bits-1), 1<<(bits-1)-1)
}

// operandCounts says how many operands each format has.
var operandCounts = map[dex.Format]int{
	dex.Format10x: 0, dex.Format12x: 2, dex.Format11n: 2, dex.Format11x: 1, dex.Format10t: 1,
	dex.Format20t: 1, dex.Format22x: 2, dex.Format21t: 2, dex.Format21s: 2, dex.Format21h: 2,
	dex.Format21c: 2, dex.Format23x: 3, dex.Format22b: 3, dex.Format22t: 3, dex.Format22s: 3,
	dex.Format22c: 3, dex.Format30t: 1, dex.Format32x: 2, dex.Format31i: 2, dex.Format31t: 2,
	dex.Format31c: 2, dex.Format35c: 2, dex.Format3rc: 2, dex.Format45cc: 3, dex.Format4rcc: 3,
	dex.Format51l: 2,
}

func (a *assembler) encode(s statement) {
	if s.op.IsPayload() {
		a.encodePayload(s)
		return
	}
	f := s.op.Format()
	a.need(s.words, operandCounts[f])
	switch f {
	case dex.Format10x:
		a.emit(unit(s.op, 0))
	case dex.Format10t, dex.Format20t, dex.Format30t, dex.Format21t, dex.Format22t, dex.Format31t:
		a.encodeBranch(s, f)
	case dex.Format11n, dex.Format21s, dex.Format21h, dex.Format31i, dex.Format51l, dex.Format22b, dex.Format22s:
		a.encodeLiteral(s, f)
	case dex.Format35c, dex.Format45cc, dex.Format3rc, dex.Format4rcc:
		a.encodeCall(s, f)
	case dex.Format21c:
		a.emit(unit(s.op, a.reg(s.words[0], 8)), a.reference(s.op.Index(), s.words[1]))
	case dex.Format31c:
		a.emit(unit(s.op, a.reg(s.words[0], 8)), Jumbo(a.unquote(s.words[1])))
	case dex.Format22c:
		a.emit(a.pair(s), a.reference(s.op.Index(), s.words[2]))
	default:
		a.encodeRegisters(s, f)
	}
}

// pair puts two registers of four bits beside the opcode.
func (a *assembler) pair(s statement) uint16 {
	return unit(s.op, a.reg(s.words[1], 4)<<4|a.reg(s.words[0], 4))
}

func (a *assembler) encodeRegisters(s statement, f dex.Format) {
	switch f {
	case dex.Format11x:
		a.emit(unit(s.op, a.reg(s.words[0], 8)))
	case dex.Format12x:
		a.emit(a.pair(s))
	case dex.Format22x:
		a.emit(unit(s.op, a.reg(s.words[0], 8)), uint16(a.reg(s.words[1], 16)))
	case dex.Format32x:
		a.emit(unit(s.op, 0), uint16(a.reg(s.words[0], 16)), uint16(a.reg(s.words[1], 16)))
	case dex.Format23x:
		a.emit(unit(s.op, a.reg(s.words[0], 8)), uint16(a.reg(s.words[2], 8)<<8|a.reg(s.words[1], 8)))
	default:
		a.fail("%s cannot be written", s.op)
	}
}

func (a *assembler) encodeBranch(s statement, f dex.Format) {
	switch f {
	case dex.Format10t:
		a.emit(unit(s.op, a.branch(s, s.words[0], 8)&0xff))
	case dex.Format20t:
		a.emit(unit(s.op, 0), uint16(a.branch(s, s.words[0], 16)))
	case dex.Format30t:
		d := a.branch(s, s.words[0], 32)
		a.emit(unit(s.op, 0), uint16(d), uint16(d>>16))
	case dex.Format21t:
		a.emit(unit(s.op, a.reg(s.words[0], 8)), uint16(a.branch(s, s.words[1], 16)))
	case dex.Format22t:
		a.emit(a.pair(s), uint16(a.branch(s, s.words[2], 16)))
	case dex.Format31t:
		d := a.branch(s, s.words[1], 32)
		a.emit(unit(s.op, a.reg(s.words[0], 8)), uint16(d), uint16(d>>16))
	}
}

func (a *assembler) encodeLiteral(s statement, f dex.Format) {
	switch f {
	case dex.Format11n:
		a.emit(unit(s.op, int(a.lit(s.words[1], 4)&0xf)<<4|a.reg(s.words[0], 4)))
	case dex.Format21s:
		a.emit(unit(s.op, a.reg(s.words[0], 8)), uint16(a.lit(s.words[1], 16)))
	case dex.Format31i:
		v := a.lit(s.words[1], 32)
		a.emit(unit(s.op, a.reg(s.words[0], 8)), uint16(v), uint16(v>>16))
	case dex.Format51l:
		v := a.lit(s.words[1], 64)
		a.emit(unit(s.op, a.reg(s.words[0], 8)), uint16(v), uint16(v>>16), uint16(v>>32), uint16(v>>48))
	case dex.Format21h:
		shift := 16
		if s.op == dex.OpConstWideHigh16 {
			shift = 48
		}
		v := a.number(s.words[1])
		if v&(1<<shift-1) != 0 {
			a.fail("%s has more than its high 16 bits", s.words[1])
		}
		a.emit(unit(s.op, a.reg(s.words[0], 8)), uint16(v>>shift))
	case dex.Format22b:
		v := int(a.lit(s.words[2], 8) & 0xff)
		a.emit(unit(s.op, a.reg(s.words[0], 8)), uint16(v<<8|a.reg(s.words[1], 8)))
	case dex.Format22s:
		a.emit(a.pair(s), uint16(a.lit(s.words[2], 16)))
	}
}

func (a *assembler) encodeCall(s statement, f dex.Format) {
	list := strings.TrimSpace(strings.Trim(s.words[0], "{}"))
	ref := a.reference(s.op.Index(), s.words[1])
	if f == dex.Format3rc || f == dex.Format4rcc {
		first, last, isRange := strings.Cut(list, " .. ")
		if !isRange {
			a.fail("%q is not a range of registers", list)
		}
		from, to := a.register(first), a.register(last)
		n := a.fits(int64(to-from+1), 0, 255)
		a.outs = max(a.outs, n)
		a.emit(unit(s.op, n), ref, uint16(from))
	} else {
		var regs [5]int
		words := splitOperands(list)
		a.fits(int64(len(words)), 0, 5)
		for i, word := range words {
			regs[i] = a.reg(word, 4)
		}
		a.outs = max(a.outs, len(words))
		a.emit(unit(s.op, len(words)<<4|regs[4]), ref, uint16(regs[3]<<12|regs[2]<<8|regs[1]<<4|regs[0]))
	}
	if len(s.words) == 3 {
		a.emit(Proto(s.words[2]))
	}
}

// reference parses the operand that names something.
func (a *assembler) reference(k dex.IndexKind, s string) any {
	switch k {
	case dex.IndexString:
		return Str(a.unquote(s))
	case dex.IndexType:
		return Type(s)
	case dex.IndexProto:
		return Proto(s)
	case dex.IndexField:
		class, member, ok := strings.Cut(s, "->")
		name, typ, ok2 := strings.Cut(member, ":")
		if ok && ok2 {
			return Field{class, name, typ}
		}
	case dex.IndexMethod, dex.IndexMethodProto:
		class, member, ok := strings.Cut(s, "->")
		if at := strings.IndexByte(member, '('); ok && at > 0 {
			return Method{class, member[:at], member[at:]}
		}
	case dex.IndexCallSite:
		if site, known := a.m.class.dex.sites[strings.TrimPrefix(s, "@")]; known {
			return site
		}
	case dex.IndexMethodHandle:
		if h, known := a.m.class.dex.handles[strings.TrimPrefix(s, "@")]; known {
			return h
		}
	}
	a.fail("%q is not what this instruction refers to", s)
	return nil
}

func (a *assembler) encodePayload(s statement) {
	base := 0
	for _, user := range a.statements {
		if user.op.Format() == dex.Format31t && a.label(user.words[1]) == s.addr {
			base = user.addr
		}
	}
	n := len(s.words)
	wide := func(v int64) { a.emit(uint16(v), uint16(v>>16)) }
	switch s.op {
	case dex.OpPackedSwitchPayload:
		a.emit(uint16(0x0100), uint16(n-1))
		wide(a.number(s.words[0]))
		for _, l := range s.words[1:] {
			wide(int64(a.label(l) - base))
		}
	case dex.OpSparseSwitchPayload:
		a.emit(uint16(0x0200), uint16(n/2))
		for i := 0; i+1 < n; i += 2 {
			wide(a.number(s.words[i]))
		}
		for i := 1; i < n; i += 2 {
			wide(int64(a.label(s.words[i]) - base))
		}
	case dex.OpFillArrayDataPayload:
		a.encodeArray(s, int(a.number(s.words[0])))
	}
}

func (a *assembler) encodeArray(s statement, width int) {
	elems := s.words[1:]
	a.emit(uint16(0x0300), uint16(width), uint16(len(elems)), uint16(len(elems)>>16))
	var data []byte
	for _, e := range elems {
		v := a.number(e)
		for i := range width {
			data = append(data, byte(v>>(8*i)))
		}
	}
	if len(data)%2 != 0 {
		data = append(data, 0)
	}
	for i := 0; i < len(data); i += 2 {
		a.emit(uint16(data[i]) | uint16(data[i+1])<<8)
	}
}
