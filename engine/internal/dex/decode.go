package dex

import "fmt"

// Inst is one decoded instruction.
type Inst struct {
	Op      Opcode
	Range   bool // registers A..A+NRegs-1 are passed
	NRegs   uint8
	Regs    [5]uint16 // registers passed, unless Range
	Width   int       // code units
	A, B, C uint32    // registers in the order of the mnemonic; of a range first and last
	Lit     int64     // constant, sign-extended and shifted into place
	Index   uint32    // see Opcode.Index
	Index2  uint32    // prototype of invoke-polymorphic
	Target  int32     // relative to this instruction: branch target or payload
}

// Reg gives the i-th register passed by an invoke or filled-new-array.
func (in *Inst) Reg(i int) uint32 {
	if in.Range {
		return in.A + uint32(i)
	}
	return uint32(in.Regs[i])
}

// Payload identifiers, as the first code unit.
const (
	packedSwitchIdent = 0x0100
	sparseSwitchIdent = 0x0200
	fillArrayIdent    = 0x0300
)

func codeError(pc int, format string, args ...any) error {
	return fmt.Errorf("code unit 0x%x: "+format, append([]any{pc}, args...)...)
}

// Decode reads the instruction at code unit pc. Branch targets are inside insns
// when it succeeds; registers and indices are as the instruction says.
func Decode(insns []uint16, pc int) (Inst, error) {
	if pc < 0 || pc >= len(insns) {
		return Inst{}, codeError(pc, "outside the %d units of the method", len(insns))
	}
	u := insns[pc:]
	switch u[0] {
	case packedSwitchIdent, sparseSwitchIdent, fillArrayIdent:
		return decodePayload(u, pc)
	}
	op := Opcode(u[0] & 0xff)
	info := &opcodes[op]
	if info.format == FormatUnused {
		return Inst{}, codeError(pc, "unused opcode 0x%02x", uint16(op))
	}
	width := int(formatWidths[info.format])
	if width > len(u) {
		return Inst{}, codeError(pc, "%s runs past the end of the method", info.name)
	}
	in := Inst{Op: op, Width: width}
	in.operands(info.format, u)
	if in.NRegs > 5 && !in.Range {
		return Inst{}, codeError(pc, "%s passes %d registers", info.name, in.NRegs)
	}
	if in.Range && in.A+uint32(in.NRegs) > 1<<16 {
		return Inst{}, codeError(pc, "%s passes registers above 65535", info.name)
	}
	if info.flow == FlowGoto || info.flow == FlowIf || info.format == Format31t {
		if t := int64(pc) + int64(in.Target); t < 0 || t >= int64(len(insns)) {
			return Inst{}, codeError(pc, "%s refers to unit %#x outside the method", info.name, t)
		}
	}
	return in, nil
}

// operands unpacks the operands of u[0], which is whole.
func (in *Inst) operands(f Format, u []uint16) {
	hi := u[0] >> 8
	switch f {
	case Format10x:
	case Format12x:
		in.A, in.B = uint32(hi&0xf), uint32(hi>>4)
	case Format11n:
		in.A, in.Lit = uint32(hi&0xf), int64(int8(hi)>>4)
	case Format11x:
		in.A = uint32(hi)
	case Format10t:
		in.Target = int32(int8(hi))
	case Format20t:
		in.Target = int32(int16(u[1]))
	case Format30t:
		in.Target = int32(u32at(u, 1))
	case Format22x:
		in.A, in.B = uint32(hi), uint32(u[1])
	case Format32x:
		in.A, in.B = uint32(u[1]), uint32(u[2])
	case Format21t:
		in.A, in.Target = uint32(hi), int32(int16(u[1]))
	case Format22t:
		in.A, in.B, in.Target = uint32(hi&0xf), uint32(hi>>4), int32(int16(u[1]))
	case Format31t:
		in.A, in.Target = uint32(hi), int32(u32at(u, 1))
	case Format21s:
		in.A, in.Lit = uint32(hi), int64(int16(u[1]))
	case Format21h:
		in.A = uint32(hi)
		if in.Lit = int64(int16(u[1])) << 16; in.Op == OpConstWideHigh16 {
			in.Lit <<= 32
		}
	case Format31i:
		in.A, in.Lit = uint32(hi), int64(int32(u32at(u, 1)))
	case Format51l:
		in.A, in.Lit = uint32(hi), int64(u32at(u, 1))|int64(u32at(u, 3))<<32
	case Format23x:
		in.A, in.B, in.C = uint32(hi), uint32(u[1]&0xff), uint32(u[1]>>8)
	case Format22b:
		in.A, in.B, in.Lit = uint32(hi), uint32(u[1]&0xff), int64(int8(u[1]>>8))
	case Format22s:
		in.A, in.B, in.Lit = uint32(hi&0xf), uint32(hi>>4), int64(int16(u[1]))
	case Format21c:
		in.A, in.Index = uint32(hi), uint32(u[1])
	case Format31c:
		in.A, in.Index = uint32(hi), u32at(u, 1)
	case Format22c:
		in.A, in.B, in.Index = uint32(hi&0xf), uint32(hi>>4), uint32(u[1])
	case Format35c, Format45cc:
		in.list(hi, u)
	case Format3rc, Format4rcc:
		in.Range = true
		in.NRegs, in.Index, in.A = uint8(hi), uint32(u[1]), uint32(u[2])
		in.B = in.A + max(uint32(in.NRegs), 1) - 1
	}
	if f == Format45cc || f == Format4rcc {
		in.Index2 = uint32(u[3])
	}
}

// list unpacks the up to five registers of formats 35c and 45cc.
func (in *Inst) list(hi uint16, u []uint16) {
	in.NRegs, in.Index = uint8(hi>>4), uint32(u[1])
	in.Regs = [5]uint16{u[2] & 0xf, u[2] >> 4 & 0xf, u[2] >> 8 & 0xf, u[2] >> 12, hi & 0xf}
	for i := int(in.NRegs); i < len(in.Regs); i++ {
		in.Regs[i] = 0
	}
}

func u32at(u []uint16, i int) uint32 { return uint32(u[i]) | uint32(u[i+1])<<16 }

// decodePayload measures the payload that starts at u[0].
func decodePayload(u []uint16, pc int) (Inst, error) {
	in := Inst{}
	var width, head uint64
	switch u[0] {
	case packedSwitchIdent:
		in.Op, head = OpPackedSwitchPayload, 4
	case sparseSwitchIdent:
		in.Op, head = OpSparseSwitchPayload, 2
	default:
		in.Op, head = OpFillArrayDataPayload, 4
	}
	if uint64(len(u)) >= head {
		switch in.Op {
		case OpPackedSwitchPayload:
			width = head + 2*uint64(u[1])
		case OpSparseSwitchPayload:
			width = head + 4*uint64(u[1])
		default:
			width = head + (uint64(u[1])*uint64(u32at(u, 2))+1)/2
		}
	}
	if width == 0 || width > uint64(len(u)) {
		return Inst{}, codeError(pc, "%s runs past the end of the method", in.Op)
	}
	in.Width = int(width)
	return in, nil
}

// payload finds the payload that in, at pc, refers to.
func payload(insns []uint16, pc int, in Inst, want Opcode) ([]uint16, error) {
	at := int64(pc) + int64(in.Target)
	if at < 0 || at >= int64(len(insns)) {
		return nil, codeError(pc, "%s refers to unit %#x outside the method", in.Op, at)
	}
	var p Inst
	var err error
	switch u := insns[at:]; u[0] {
	case packedSwitchIdent, sparseSwitchIdent, fillArrayIdent:
		p, err = decodePayload(u, int(at))
	}
	if err != nil {
		return nil, err
	}
	if p.Op != want {
		return nil, codeError(pc, "%s refers to unit %#x, which is not its payload", in.Op, at)
	}
	return insns[at : at+int64(p.Width)], nil
}

// SwitchTargets gives the cases of the packed-switch or sparse-switch in at pc.
// Targets are relative to the switch and inside insns. A hostile method may share
// one table among all its switches; a caller that keeps the cases of every switch
// stays linear if it stops once they outnumber the code units.
func SwitchTargets(insns []uint16, pc int, in Inst) (keys, targets []int32, err error) {
	var u []uint16
	switch in.Op {
	case OpPackedSwitch:
		u, err = payload(insns, pc, in, OpPackedSwitchPayload)
	case OpSparseSwitch:
		u, err = payload(insns, pc, in, OpSparseSwitchPayload)
	default:
		err = codeError(pc, "%s is not a switch", in.Op)
	}
	if err != nil {
		return nil, nil, err
	}
	n := int(u[1])
	both := make([]int32, 2*n)
	keys, targets = both[:n:n], both[n:]
	for i := range keys {
		if in.Op == OpPackedSwitch {
			keys[i] = int32(u32at(u, 2)) + int32(i)
			targets[i] = int32(u32at(u, 4+2*i))
		} else {
			keys[i] = int32(u32at(u, 2+2*i))
			targets[i] = int32(u32at(u, 2+2*n+2*i))
		}
		if t := int64(pc) + int64(targets[i]); t < 0 || t >= int64(len(insns)) {
			return nil, nil, codeError(pc, "%s case %d goes to unit %#x outside the method", in.Op, keys[i], t)
		}
	}
	return keys, targets, nil
}

// ArrayData gives the elements of the fill-array-data in at pc, little-endian,
// each elemWidth bytes: 1, 2, 4 or 8. The data must not be changed.
func ArrayData(insns []uint16, pc int, in Inst) (elemWidth int, data []byte, err error) {
	if in.Op != OpFillArrayData {
		return 0, nil, codeError(pc, "%s does not fill an array", in.Op)
	}
	u, err := payload(insns, pc, in, OpFillArrayDataPayload)
	if err != nil {
		return 0, nil, err
	}
	elemWidth = int(u[1])
	switch elemWidth {
	case 1, 2, 4, 8:
	default:
		return 0, nil, codeError(pc, "%s has elements of %d bytes", in.Op, elemWidth)
	}
	n := elemWidth * int(u32at(u, 2))
	return elemWidth, unitBytes(u[4:])[:n], nil
}
