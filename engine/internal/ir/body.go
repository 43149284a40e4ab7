package ir

import (
	"sort"
	"sync/atomic"
)

// Value names an instruction of a body and, if it has one, its result.
type Value int32

// Body is the code of one method in SSA form. Instruction v is spread over the
// arrays Op, Sub, Type, Aux and ArgAt; instruction 0 is unused. It is read-only.
type Body struct {
	Method MethodID
	Op     []Op
	Sub    []Sub
	Type   []TypeID // of the result; 0 if there is none
	Aux    []int32
	ArgAt  []uint32 // arguments of v are Args[ArgAt[v]:ArgAt[v+1]]
	Args   []Value
	Consts []int64
	Blocks []Block
	Edges  []int32
	Lines  []LineAt // sorted by First

	flow atomic.Pointer[Flow]
}

// Block is a stretch of instructions [Start, End) that are entered only at the
// start. Its successors are Edges[Succ:Succ+NSucc]: Normal of them normal, the
// rest handlers of its last instruction in the order in which they are tried.
// A handler has no normal predecessors.
type Block struct {
	Start, End  Value
	Succ, NSucc int32
	Pred, NPred int32
	Normal      int32
	Handler     bool // its first instruction after the phis is an OpCatch
}

// LineAt says that the instructions from First on stand at a line (0 unknown)
// and come from a code unit. In a method without line numbers there is an entry
// per instruction, so that its code unit can stand in for the line.
type LineAt struct {
	First Value
	Line  int32
	PC    int32
	Frame FrameID // the method of the source, if it is another one
}

// Len is the number of instructions, the unused first one included.
func (b *Body) Len() int { return len(b.Op) }

// Arg is the i-th argument of v.
func (b *Body) Arg(v Value, i int) Value { return b.Args[b.ArgAt[v]+uint32(i)] }

// ArgsOf are the arguments of v. The caller must not change them.
func (b *Body) ArgsOf(v Value) []Value {
	return b.Args[b.ArgAt[v]:b.ArgAt[v+1]:b.ArgAt[v+1]]
}

// NArgs is the number of arguments of v.
func (b *Body) NArgs(v Value) int { return int(b.ArgAt[v+1] - b.ArgAt[v]) }

// Succs are the successors of a block, normal ones first.
func (b *Body) Succs(block int32) []int32 {
	k := &b.Blocks[block]
	return b.Edges[k.Succ : k.Succ+k.NSucc : k.Succ+k.NSucc]
}

// Handlers are the handler successors of a block, in the order tried.
func (b *Body) Handlers(block int32) []int32 { return b.Succs(block)[b.Blocks[block].Normal:] }

// Preds are the predecessors of a block. One that has two edges to the block
// stands there twice.
func (b *Body) Preds(block int32) []int32 {
	k := &b.Blocks[block]
	return b.Edges[k.Pred : k.Pred+k.NPred : k.Pred+k.NPred]
}

// BlockOf is the block in which v stands.
func (b *Body) BlockOf(v Value) int32 {
	return int32(sort.Search(len(b.Blocks), func(i int) bool { return b.Blocks[i].End > v }))
}

// Line is the source line of v, 0 if unknown.
func (b *Body) Line(v Value) int {
	if l := b.lineAt(v); l != nil {
		return int(l.Line)
	}
	return 0
}

// PC is the code unit of v, or of the first instruction of v's line.
func (b *Body) PC(v Value) int {
	if l := b.lineAt(v); l != nil {
		return int(l.PC)
	}
	return 0
}

func (b *Body) lineAt(v Value) *LineAt {
	i := sort.Search(len(b.Lines), func(i int) bool { return b.Lines[i].First > v })
	if i == 0 {
		return nil
	}
	return &b.Lines[i-1]
}

// Throws reports whether v may throw.
func (b *Body) Throws(v Value) bool {
	if b.Op[v] == OpBinary {
		return (b.Sub[v] == Div || b.Sub[v] == Rem) && b.Type[v] <= TypeLong
	}
	return b.Op[v].Throws()
}

// Int is the number that an OpConst of an integer type holds, or the bits of
// one of a floating type.
func (b *Body) Int(v Value) int64 {
	if b.Type[v] == TypeLong || b.Type[v] == TypeDouble {
		return b.Consts[b.Aux[v]]
	}
	return int64(b.Aux[v])
}

// Cases are the keys of an OpSwitch; key i leads to successor i.
func (b *Body) Cases(v Value) []int64 {
	n := int32(b.Blocks[b.BlockOf(v)].Normal) - 1
	return b.Consts[b.Aux[v] : b.Aux[v]+n]
}

// FillData is the content of an OpFillData: the width of an element in bytes
// and the little-endian bytes of all elements.
func (b *Body) FillData(v Value) (width int, data []byte) {
	head := b.Consts[b.Aux[v]]
	width = int(head & 0xff)
	data = make([]byte, head>>8)
	for i := range data {
		data[i] = byte(b.Consts[int(b.Aux[v])+1+i/8] >> (8 * (i % 8)))
	}
	return width, data
}

// Flow is what NewFlow computes, kept with the body.
func (b *Body) Flow() *Flow {
	if f := b.flow.Load(); f != nil {
		return f
	}
	f := NewFlow(b)
	if !b.flow.CompareAndSwap(nil, f) {
		return b.flow.Load()
	}
	return f
}
