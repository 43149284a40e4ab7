package ir

// Op is what an instruction does.
type Op uint8

const (
	OpNone         Op = iota
	OpParam           // Aux: index, the receiver included
	OpConst           // Aux: 32-bit value; for long and double an index into Consts
	OpConstNull       //
	OpConstString     // Aux: StringID
	OpConstClass      // Aux: TypeID
	OpConstHandle     // Sub: HandleOf, Aux: index into Handles; Sub: TypeOf, Aux: see Program.Prototype
	OpPhi             // args in the order of the block's predecessors
	OpUnary           // Sub: Neg, Not, Convert (to the instruction's type)
	OpBinary          // Sub: Add ..
	OpCompare         // Sub: Cmp, CmpL, CmpG; result -1, 0, 1
	OpInstanceOf      // Aux: TypeID
	OpCheckCast       // Aux: TypeID; the result is the argument
	OpArrayLength     //
	OpNew             // Aux: TypeID
	OpNewArray        // Aux: TypeID of the array; args: length
	OpFilledArray     // Aux: TypeID of the array; args: the elements
	OpFillData        // Aux: index into Consts, see FillData; args: array
	OpGetField        // Aux: FieldID; args: object
	OpPutField        // Aux: FieldID; args: object, value
	OpGetStatic       // Aux: FieldID
	OpPutStatic       // Aux: FieldID; args: value
	OpArrayGet        // args: array, index
	OpArrayPut        // args: array, index, value
	OpInvoke          // Sub: kind; Aux: MethodID; args: receiver first
	OpNewLambda       // Aux: index into Lambdas; args: captured values
	OpInvokeCustom    // Aux: index into CallSites
	OpMonitorEnter    // args: object
	OpMonitorExit     // args: object
	OpCatch           // Aux: TypeID, 0 for any; only at the start of a handler
	OpGoto            //
	OpIf              // Sub: EQ ..; args: a, b, or a alone against zero or null; Succs[0] is taken
	OpSwitch          // Aux: index of the first key in Consts; Succs: one per key, then default
	OpReturn          // args: value, if any
	OpThrow           // args: exception
	opCount
)

var opNames = [...]string{
	"none", "param", "const", "null", "string", "class", "handle", "phi", "unary", "binary", "compare",
	"instanceof", "cast", "length", "new", "newarray", "filledarray", "filldata", "getfield", "putfield",
	"getstatic", "putstatic", "aget", "aput", "invoke", "lambda", "invokecustom", "lock", "unlock", "catch",
	"goto", "if", "switch", "return", "throw",
}

func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return "op?"
}

// Sub refines an Op.
type Sub uint8

const (
	_ Sub = iota
	// Of OpInvoke, Handle and Lambda.
	Virtual
	Super
	Direct // private methods and constructors
	Static
	Interface
	Polymorphic // MethodHandle.invoke and its like; the call site's types are those of the arguments and the result
	Construct   // only in handles: allocates, then calls the constructor
	HandleGetField
	HandlePutField
	HandleGetStatic
	HandlePutStatic
	// Of OpUnary.
	Neg
	Not
	Convert
	// Of OpBinary.
	Add
	Subtract
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	UShr
	// Of OpCompare. CmpL and CmpG give -1 and 1 for NaN.
	Cmp
	CmpL
	CmpG
	// Of OpIf.
	EQ
	NE
	LT
	GE
	GT
	LE
	// Of OpConstHandle.
	HandleOf
	TypeOf
)

var subNames = [...]string{
	"", "virtual", "super", "direct", "static", "interface", "polymorphic", "construct",
	"getfield", "putfield", "getstatic", "putstatic", "neg", "not", "convert",
	"add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr", "ushr",
	"cmp", "cmpl", "cmpg", "eq", "ne", "lt", "ge", "gt", "le", "handle", "type",
}

func (s Sub) String() string {
	if int(s) < len(subNames) {
		return subNames[s]
	}
	return "sub?"
}

// Ends reports whether the operation always ends a block.
func (o Op) Ends() bool { return o >= OpGoto && o <= OpThrow }

// HasResult reports whether the operation gives a value. A call does if its
// Type is not 0.
func (o Op) HasResult() bool {
	switch o {
	case OpFillData, OpPutField, OpPutStatic, OpArrayPut, OpMonitorEnter, OpMonitorExit,
		OpGoto, OpIf, OpSwitch, OpReturn, OpThrow, OpNone:
		return false
	}
	return true
}

// Throws reports whether the operation may throw. Binary may throw only for
// integer division and remainder; ask Body.Throws for an instruction.
func (o Op) Throws() bool {
	switch o {
	case OpNone, OpParam, OpConst, OpConstNull, OpPhi, OpUnary, OpCompare, OpCatch, OpGoto, OpIf, OpSwitch, OpReturn:
		return false
	}
	return true
}
