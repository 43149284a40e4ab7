package dex

import "fmt"

// Opcode is the operation of an instruction.
type Opcode uint16

// opcodeInfo is one row of the table of opcodes.
type opcodeInfo struct {
	name   string
	format Format
	index  IndexKind
	flow   Flow
	throws bool
	result Result
}

const (
	throws = true
	quiet  = false
)

// Format says how operands are packed; the names are those of the Dalvik
// document: code units, registers, and a letter for the rest.
type Format uint8

const (
	FormatUnused Format = iota
	Format10x
	Format12x
	Format11n
	Format11x
	Format10t
	Format20t
	Format22x
	Format21t
	Format21s
	Format21h
	Format21c
	Format23x
	Format22b
	Format22t
	Format22s
	Format22c
	Format30t
	Format32x
	Format31i
	Format31t
	Format31c
	Format35c
	Format3rc
	Format45cc
	Format4rcc
	Format51l
	FormatPayload
)

// formatWidths gives code units; 0 means not fixed.
var formatWidths = [...]uint8{
	Format10x: 1, Format12x: 1, Format11n: 1, Format11x: 1, Format10t: 1,
	Format20t: 2, Format22x: 2, Format21t: 2, Format21s: 2, Format21h: 2, Format21c: 2,
	Format23x: 2, Format22b: 2, Format22t: 2, Format22s: 2, Format22c: 2,
	Format30t: 3, Format32x: 3, Format31i: 3, Format31t: 3, Format31c: 3,
	Format35c: 3, Format3rc: 3, Format45cc: 4, Format4rcc: 4, Format51l: 5,
	FormatPayload: 0,
}

// IndexKind is which table Inst.Index refers to.
type IndexKind uint8

const (
	IndexNone IndexKind = iota
	IndexString
	IndexType
	IndexField
	IndexMethod
	IndexMethodProto // method in Index, prototype in Index2
	IndexCallSite
	IndexMethodHandle
	IndexProto
)

// Flow is where control goes after an instruction that does not throw.
type Flow uint8

const (
	FlowNext    Flow = iota
	FlowGoto         // to Target
	FlowIf           // to Target or the next instruction
	FlowSwitch       // to one of the SwitchTargets or the next instruction
	FlowReturn       // out of the method
	FlowThrow        // nowhere
	FlowPayload      // not executed
)

// Result is what an instruction writes to register A.
type Result uint8

const (
	ResultNone    Result = iota
	ResultNarrow         // 32 bits; for moves and constants that may be a float or null
	ResultWide           // 64 bits in A and A+1
	ResultObject         // a reference
	ResultPending        // no register: a following move-result takes it
)

func (op Opcode) info() *opcodeInfo {
	if int(op) < len(opcodes) {
		return &opcodes[op]
	}
	return &opcodes[0x3e] // unused
}

// Valid reports whether op is defined.
func (op Opcode) Valid() bool { return op.info().name != "" }

// String gives the mnemonic.
func (op Opcode) String() string {
	if s := op.info().name; s != "" {
		return s
	}
	return fmt.Sprintf("unused-%02x", uint16(op))
}

// Format gives how operands are packed.
func (op Opcode) Format() Format { return op.info().format }

// Index gives the table that the instruction's index refers to.
func (op Opcode) Index() IndexKind { return op.info().index }

// Flow gives where control goes.
func (op Opcode) Flow() Flow { return op.info().flow }

// CanThrow reports whether the instruction may throw, asynchronous exceptions
// aside.
func (op Opcode) CanThrow() bool { return op.info().throws }

// Result gives what the instruction writes to register A.
func (op Opcode) Result() Result { return op.info().result }

// SetsRegister reports whether the instruction writes register A.
func (op Opcode) SetsRegister() bool {
	r := op.info().result
	return r != ResultNone && r != ResultPending
}

// IsBranch reports whether Target is the relative address of an instruction.
func (op Opcode) IsBranch() bool {
	f := op.info().flow
	return f == FlowGoto || f == FlowIf
}

// IsInvoke reports whether the instruction calls a method.
func (op Opcode) IsInvoke() bool {
	return op >= OpInvokeVirtual && op <= OpInvokeInterfaceRange && op != 0x73 ||
		op >= OpInvokePolymorphic && op <= OpInvokeCustomRange
}

// IsPayload reports whether op is a table in the instruction stream.
func (op Opcode) IsPayload() bool { return op.info().flow == FlowPayload }

// Width gives the length in code units, 0 for payloads.
func (op Opcode) Width() int { return int(formatWidths[op.info().format]) }
