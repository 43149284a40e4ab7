package dex

// Opcodes. The last three are not opcodes but the tables that switch and
// fill-array-data instructions refer to; they start with a nop whose high byte
// tells them apart.
const (
	OpNop                    Opcode = 0x00
	OpMove                   Opcode = 0x01
	OpMoveFrom16             Opcode = 0x02
	OpMove16                 Opcode = 0x03
	OpMoveWide               Opcode = 0x04
	OpMoveWideFrom16         Opcode = 0x05
	OpMoveWide16             Opcode = 0x06
	OpMoveObject             Opcode = 0x07
	OpMoveObjectFrom16       Opcode = 0x08
	OpMoveObject16           Opcode = 0x09
	OpMoveResult             Opcode = 0x0a
	OpMoveResultWide         Opcode = 0x0b
	OpMoveResultObject       Opcode = 0x0c
	OpMoveException          Opcode = 0x0d
	OpReturnVoid             Opcode = 0x0e
	OpReturn                 Opcode = 0x0f
	OpReturnWide             Opcode = 0x10
	OpReturnObject           Opcode = 0x11
	OpConst4                 Opcode = 0x12
	OpConst16                Opcode = 0x13
	OpConst                  Opcode = 0x14
	OpConstHigh16            Opcode = 0x15
	OpConstWide16            Opcode = 0x16
	OpConstWide32            Opcode = 0x17
	OpConstWide              Opcode = 0x18
	OpConstWideHigh16        Opcode = 0x19
	OpConstString            Opcode = 0x1a
	OpConstStringJumbo       Opcode = 0x1b
	OpConstClass             Opcode = 0x1c
	OpMonitorEnter           Opcode = 0x1d
	OpMonitorExit            Opcode = 0x1e
	OpCheckCast              Opcode = 0x1f
	OpInstanceOf             Opcode = 0x20
	OpArrayLength            Opcode = 0x21
	OpNewInstance            Opcode = 0x22
	OpNewArray               Opcode = 0x23
	OpFilledNewArray         Opcode = 0x24
	OpFilledNewArrayRange    Opcode = 0x25
	OpFillArrayData          Opcode = 0x26
	OpThrow                  Opcode = 0x27
	OpGoto                   Opcode = 0x28
	OpGoto16                 Opcode = 0x29
	OpGoto32                 Opcode = 0x2a
	OpPackedSwitch           Opcode = 0x2b
	OpSparseSwitch           Opcode = 0x2c
	OpCmplFloat              Opcode = 0x2d
	OpCmpgFloat              Opcode = 0x2e
	OpCmplDouble             Opcode = 0x2f
	OpCmpgDouble             Opcode = 0x30
	OpCmpLong                Opcode = 0x31
	OpIfEq                   Opcode = 0x32
	OpIfNe                   Opcode = 0x33
	OpIfLt                   Opcode = 0x34
	OpIfGe                   Opcode = 0x35
	OpIfGt                   Opcode = 0x36
	OpIfLe                   Opcode = 0x37
	OpIfEqz                  Opcode = 0x38
	OpIfNez                  Opcode = 0x39
	OpIfLtz                  Opcode = 0x3a
	OpIfGez                  Opcode = 0x3b
	OpIfGtz                  Opcode = 0x3c
	OpIfLez                  Opcode = 0x3d
	OpAget                   Opcode = 0x44
	OpAgetWide               Opcode = 0x45
	OpAgetObject             Opcode = 0x46
	OpAgetBoolean            Opcode = 0x47
	OpAgetByte               Opcode = 0x48
	OpAgetChar               Opcode = 0x49
	OpAgetShort              Opcode = 0x4a
	OpAput                   Opcode = 0x4b
	OpAputWide               Opcode = 0x4c
	OpAputObject             Opcode = 0x4d
	OpAputBoolean            Opcode = 0x4e
	OpAputByte               Opcode = 0x4f
	OpAputChar               Opcode = 0x50
	OpAputShort              Opcode = 0x51
	OpIget                   Opcode = 0x52
	OpIgetWide               Opcode = 0x53
	OpIgetObject             Opcode = 0x54
	OpIgetBoolean            Opcode = 0x55
	OpIgetByte               Opcode = 0x56
	OpIgetChar               Opcode = 0x57
	OpIgetShort              Opcode = 0x58
	OpIput                   Opcode = 0x59
	OpIputWide               Opcode = 0x5a
	OpIputObject             Opcode = 0x5b
	OpIputBoolean            Opcode = 0x5c
	OpIputByte               Opcode = 0x5d
	OpIputChar               Opcode = 0x5e
	OpIputShort              Opcode = 0x5f
	OpSget                   Opcode = 0x60
	OpSgetWide               Opcode = 0x61
	OpSgetObject             Opcode = 0x62
	OpSgetBoolean            Opcode = 0x63
	OpSgetByte               Opcode = 0x64
	OpSgetChar               Opcode = 0x65
	OpSgetShort              Opcode = 0x66
	OpSput                   Opcode = 0x67
	OpSputWide               Opcode = 0x68
	OpSputObject             Opcode = 0x69
	OpSputBoolean            Opcode = 0x6a
	OpSputByte               Opcode = 0x6b
	OpSputChar               Opcode = 0x6c
	OpSputShort              Opcode = 0x6d
	OpInvokeVirtual          Opcode = 0x6e
	OpInvokeSuper            Opcode = 0x6f
	OpInvokeDirect           Opcode = 0x70
	OpInvokeStatic           Opcode = 0x71
	OpInvokeInterface        Opcode = 0x72
	OpInvokeVirtualRange     Opcode = 0x74
	OpInvokeSuperRange       Opcode = 0x75
	OpInvokeDirectRange      Opcode = 0x76
	OpInvokeStaticRange      Opcode = 0x77
	OpInvokeInterfaceRange   Opcode = 0x78
	OpNegInt                 Opcode = 0x7b
	OpNotInt                 Opcode = 0x7c
	OpNegLong                Opcode = 0x7d
	OpNotLong                Opcode = 0x7e
	OpNegFloat               Opcode = 0x7f
	OpNegDouble              Opcode = 0x80
	OpIntToLong              Opcode = 0x81
	OpIntToFloat             Opcode = 0x82
	OpIntToDouble            Opcode = 0x83
	OpLongToInt              Opcode = 0x84
	OpLongToFloat            Opcode = 0x85
	OpLongToDouble           Opcode = 0x86
	OpFloatToInt             Opcode = 0x87
	OpFloatToLong            Opcode = 0x88
	OpFloatToDouble          Opcode = 0x89
	OpDoubleToInt            Opcode = 0x8a
	OpDoubleToLong           Opcode = 0x8b
	OpDoubleToFloat          Opcode = 0x8c
	OpIntToByte              Opcode = 0x8d
	OpIntToChar              Opcode = 0x8e
	OpIntToShort             Opcode = 0x8f
	OpAddInt                 Opcode = 0x90
	OpSubInt                 Opcode = 0x91
	OpMulInt                 Opcode = 0x92
	OpDivInt                 Opcode = 0x93
	OpRemInt                 Opcode = 0x94
	OpAndInt                 Opcode = 0x95
	OpOrInt                  Opcode = 0x96
	OpXorInt                 Opcode = 0x97
	OpShlInt                 Opcode = 0x98
	OpShrInt                 Opcode = 0x99
	OpUshrInt                Opcode = 0x9a
	OpAddLong                Opcode = 0x9b
	OpSubLong                Opcode = 0x9c
	OpMulLong                Opcode = 0x9d
	OpDivLong                Opcode = 0x9e
	OpRemLong                Opcode = 0x9f
	OpAndLong                Opcode = 0xa0
	OpOrLong                 Opcode = 0xa1
	OpXorLong                Opcode = 0xa2
	OpShlLong                Opcode = 0xa3
	OpShrLong                Opcode = 0xa4
	OpUshrLong               Opcode = 0xa5
	OpAddFloat               Opcode = 0xa6
	OpSubFloat               Opcode = 0xa7
	OpMulFloat               Opcode = 0xa8
	OpDivFloat               Opcode = 0xa9
	OpRemFloat               Opcode = 0xaa
	OpAddDouble              Opcode = 0xab
	OpSubDouble              Opcode = 0xac
	OpMulDouble              Opcode = 0xad
	OpDivDouble              Opcode = 0xae
	OpRemDouble              Opcode = 0xaf
	OpAddInt2addr            Opcode = 0xb0
	OpSubInt2addr            Opcode = 0xb1
	OpMulInt2addr            Opcode = 0xb2
	OpDivInt2addr            Opcode = 0xb3
	OpRemInt2addr            Opcode = 0xb4
	OpAndInt2addr            Opcode = 0xb5
	OpOrInt2addr             Opcode = 0xb6
	OpXorInt2addr            Opcode = 0xb7
	OpShlInt2addr            Opcode = 0xb8
	OpShrInt2addr            Opcode = 0xb9
	OpUshrInt2addr           Opcode = 0xba
	OpAddLong2addr           Opcode = 0xbb
	OpSubLong2addr           Opcode = 0xbc
	OpMulLong2addr           Opcode = 0xbd
	OpDivLong2addr           Opcode = 0xbe
	OpRemLong2addr           Opcode = 0xbf
	OpAndLong2addr           Opcode = 0xc0
	OpOrLong2addr            Opcode = 0xc1
	OpXorLong2addr           Opcode = 0xc2
	OpShlLong2addr           Opcode = 0xc3
	OpShrLong2addr           Opcode = 0xc4
	OpUshrLong2addr          Opcode = 0xc5
	OpAddFloat2addr          Opcode = 0xc6
	OpSubFloat2addr          Opcode = 0xc7
	OpMulFloat2addr          Opcode = 0xc8
	OpDivFloat2addr          Opcode = 0xc9
	OpRemFloat2addr          Opcode = 0xca
	OpAddDouble2addr         Opcode = 0xcb
	OpSubDouble2addr         Opcode = 0xcc
	OpMulDouble2addr         Opcode = 0xcd
	OpDivDouble2addr         Opcode = 0xce
	OpRemDouble2addr         Opcode = 0xcf
	OpAddIntLit16            Opcode = 0xd0
	OpRsubInt                Opcode = 0xd1
	OpMulIntLit16            Opcode = 0xd2
	OpDivIntLit16            Opcode = 0xd3
	OpRemIntLit16            Opcode = 0xd4
	OpAndIntLit16            Opcode = 0xd5
	OpOrIntLit16             Opcode = 0xd6
	OpXorIntLit16            Opcode = 0xd7
	OpAddIntLit8             Opcode = 0xd8
	OpRsubIntLit8            Opcode = 0xd9
	OpMulIntLit8             Opcode = 0xda
	OpDivIntLit8             Opcode = 0xdb
	OpRemIntLit8             Opcode = 0xdc
	OpAndIntLit8             Opcode = 0xdd
	OpOrIntLit8              Opcode = 0xde
	OpXorIntLit8             Opcode = 0xdf
	OpShlIntLit8             Opcode = 0xe0
	OpShrIntLit8             Opcode = 0xe1
	OpUshrIntLit8            Opcode = 0xe2
	OpInvokePolymorphic      Opcode = 0xfa
	OpInvokePolymorphicRange Opcode = 0xfb
	OpInvokeCustom           Opcode = 0xfc
	OpInvokeCustomRange      Opcode = 0xfd
	OpConstMethodHandle      Opcode = 0xfe
	OpConstMethodType        Opcode = 0xff
	OpPackedSwitchPayload    Opcode = 0x100
	OpSparseSwitchPayload    Opcode = 0x101
	OpFillArrayDataPayload   Opcode = 0x102
)

// opcodes holds every fact about an opcode that the format document gives.
// Names, formats and index kinds follow the table of Dalvik bytecode, what may
// throw follows the verifier of the platform; an entry without name is unused.
var opcodes = [...]opcodeInfo{
	OpNop:                    {"nop", Format10x, IndexNone, FlowNext, quiet, ResultNone},
	OpMove:                   {"move", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMoveFrom16:             {"move/from16", Format22x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMove16:                 {"move/16", Format32x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMoveWide:               {"move-wide", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpMoveWideFrom16:         {"move-wide/from16", Format22x, IndexNone, FlowNext, quiet, ResultWide},
	OpMoveWide16:             {"move-wide/16", Format32x, IndexNone, FlowNext, quiet, ResultWide},
	OpMoveObject:             {"move-object", Format12x, IndexNone, FlowNext, quiet, ResultObject},
	OpMoveObjectFrom16:       {"move-object/from16", Format22x, IndexNone, FlowNext, quiet, ResultObject},
	OpMoveObject16:           {"move-object/16", Format32x, IndexNone, FlowNext, quiet, ResultObject},
	OpMoveResult:             {"move-result", Format11x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMoveResultWide:         {"move-result-wide", Format11x, IndexNone, FlowNext, quiet, ResultWide},
	OpMoveResultObject:       {"move-result-object", Format11x, IndexNone, FlowNext, quiet, ResultObject},
	OpMoveException:          {"move-exception", Format11x, IndexNone, FlowNext, quiet, ResultObject},
	OpReturnVoid:             {"return-void", Format10x, IndexNone, FlowReturn, quiet, ResultNone},
	OpReturn:                 {"return", Format11x, IndexNone, FlowReturn, quiet, ResultNone},
	OpReturnWide:             {"return-wide", Format11x, IndexNone, FlowReturn, quiet, ResultNone},
	OpReturnObject:           {"return-object", Format11x, IndexNone, FlowReturn, quiet, ResultNone},
	OpConst4:                 {"const/4", Format11n, IndexNone, FlowNext, quiet, ResultNarrow},
	OpConst16:                {"const/16", Format21s, IndexNone, FlowNext, quiet, ResultNarrow},
	OpConst:                  {"const", Format31i, IndexNone, FlowNext, quiet, ResultNarrow},
	OpConstHigh16:            {"const/high16", Format21h, IndexNone, FlowNext, quiet, ResultNarrow},
	OpConstWide16:            {"const-wide/16", Format21s, IndexNone, FlowNext, quiet, ResultWide},
	OpConstWide32:            {"const-wide/32", Format31i, IndexNone, FlowNext, quiet, ResultWide},
	OpConstWide:              {"const-wide", Format51l, IndexNone, FlowNext, quiet, ResultWide},
	OpConstWideHigh16:        {"const-wide/high16", Format21h, IndexNone, FlowNext, quiet, ResultWide},
	OpConstString:            {"const-string", Format21c, IndexString, FlowNext, throws, ResultObject},
	OpConstStringJumbo:       {"const-string/jumbo", Format31c, IndexString, FlowNext, throws, ResultObject},
	OpConstClass:             {"const-class", Format21c, IndexType, FlowNext, throws, ResultObject},
	OpMonitorEnter:           {"monitor-enter", Format11x, IndexNone, FlowNext, throws, ResultNone},
	OpMonitorExit:            {"monitor-exit", Format11x, IndexNone, FlowNext, throws, ResultNone},
	OpCheckCast:              {"check-cast", Format21c, IndexType, FlowNext, throws, ResultObject},
	OpInstanceOf:             {"instance-of", Format22c, IndexType, FlowNext, throws, ResultNarrow},
	OpArrayLength:            {"array-length", Format12x, IndexNone, FlowNext, throws, ResultNarrow},
	OpNewInstance:            {"new-instance", Format21c, IndexType, FlowNext, throws, ResultObject},
	OpNewArray:               {"new-array", Format22c, IndexType, FlowNext, throws, ResultObject},
	OpFilledNewArray:         {"filled-new-array", Format35c, IndexType, FlowNext, throws, ResultPending},
	OpFilledNewArrayRange:    {"filled-new-array/range", Format3rc, IndexType, FlowNext, throws, ResultPending},
	OpFillArrayData:          {"fill-array-data", Format31t, IndexNone, FlowNext, throws, ResultNone},
	OpThrow:                  {"throw", Format11x, IndexNone, FlowThrow, throws, ResultNone},
	OpGoto:                   {"goto", Format10t, IndexNone, FlowGoto, quiet, ResultNone},
	OpGoto16:                 {"goto/16", Format20t, IndexNone, FlowGoto, quiet, ResultNone},
	OpGoto32:                 {"goto/32", Format30t, IndexNone, FlowGoto, quiet, ResultNone},
	OpPackedSwitch:           {"packed-switch", Format31t, IndexNone, FlowSwitch, quiet, ResultNone},
	OpSparseSwitch:           {"sparse-switch", Format31t, IndexNone, FlowSwitch, quiet, ResultNone},
	OpCmplFloat:              {"cmpl-float", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpCmpgFloat:              {"cmpg-float", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpCmplDouble:             {"cmpl-double", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpCmpgDouble:             {"cmpg-double", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpCmpLong:                {"cmp-long", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpIfEq:                   {"if-eq", Format22t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfNe:                   {"if-ne", Format22t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfLt:                   {"if-lt", Format22t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfGe:                   {"if-ge", Format22t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfGt:                   {"if-gt", Format22t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfLe:                   {"if-le", Format22t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfEqz:                  {"if-eqz", Format21t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfNez:                  {"if-nez", Format21t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfLtz:                  {"if-ltz", Format21t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfGez:                  {"if-gez", Format21t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfGtz:                  {"if-gtz", Format21t, IndexNone, FlowIf, quiet, ResultNone},
	OpIfLez:                  {"if-lez", Format21t, IndexNone, FlowIf, quiet, ResultNone},
	OpAget:                   {"aget", Format23x, IndexNone, FlowNext, throws, ResultNarrow},
	OpAgetWide:               {"aget-wide", Format23x, IndexNone, FlowNext, throws, ResultWide},
	OpAgetObject:             {"aget-object", Format23x, IndexNone, FlowNext, throws, ResultObject},
	OpAgetBoolean:            {"aget-boolean", Format23x, IndexNone, FlowNext, throws, ResultNarrow},
	OpAgetByte:               {"aget-byte", Format23x, IndexNone, FlowNext, throws, ResultNarrow},
	OpAgetChar:               {"aget-char", Format23x, IndexNone, FlowNext, throws, ResultNarrow},
	OpAgetShort:              {"aget-short", Format23x, IndexNone, FlowNext, throws, ResultNarrow},
	OpAput:                   {"aput", Format23x, IndexNone, FlowNext, throws, ResultNone},
	OpAputWide:               {"aput-wide", Format23x, IndexNone, FlowNext, throws, ResultNone},
	OpAputObject:             {"aput-object", Format23x, IndexNone, FlowNext, throws, ResultNone},
	OpAputBoolean:            {"aput-boolean", Format23x, IndexNone, FlowNext, throws, ResultNone},
	OpAputByte:               {"aput-byte", Format23x, IndexNone, FlowNext, throws, ResultNone},
	OpAputChar:               {"aput-char", Format23x, IndexNone, FlowNext, throws, ResultNone},
	OpAputShort:              {"aput-short", Format23x, IndexNone, FlowNext, throws, ResultNone},
	OpIget:                   {"iget", Format22c, IndexField, FlowNext, throws, ResultNarrow},
	OpIgetWide:               {"iget-wide", Format22c, IndexField, FlowNext, throws, ResultWide},
	OpIgetObject:             {"iget-object", Format22c, IndexField, FlowNext, throws, ResultObject},
	OpIgetBoolean:            {"iget-boolean", Format22c, IndexField, FlowNext, throws, ResultNarrow},
	OpIgetByte:               {"iget-byte", Format22c, IndexField, FlowNext, throws, ResultNarrow},
	OpIgetChar:               {"iget-char", Format22c, IndexField, FlowNext, throws, ResultNarrow},
	OpIgetShort:              {"iget-short", Format22c, IndexField, FlowNext, throws, ResultNarrow},
	OpIput:                   {"iput", Format22c, IndexField, FlowNext, throws, ResultNone},
	OpIputWide:               {"iput-wide", Format22c, IndexField, FlowNext, throws, ResultNone},
	OpIputObject:             {"iput-object", Format22c, IndexField, FlowNext, throws, ResultNone},
	OpIputBoolean:            {"iput-boolean", Format22c, IndexField, FlowNext, throws, ResultNone},
	OpIputByte:               {"iput-byte", Format22c, IndexField, FlowNext, throws, ResultNone},
	OpIputChar:               {"iput-char", Format22c, IndexField, FlowNext, throws, ResultNone},
	OpIputShort:              {"iput-short", Format22c, IndexField, FlowNext, throws, ResultNone},
	OpSget:                   {"sget", Format21c, IndexField, FlowNext, throws, ResultNarrow},
	OpSgetWide:               {"sget-wide", Format21c, IndexField, FlowNext, throws, ResultWide},
	OpSgetObject:             {"sget-object", Format21c, IndexField, FlowNext, throws, ResultObject},
	OpSgetBoolean:            {"sget-boolean", Format21c, IndexField, FlowNext, throws, ResultNarrow},
	OpSgetByte:               {"sget-byte", Format21c, IndexField, FlowNext, throws, ResultNarrow},
	OpSgetChar:               {"sget-char", Format21c, IndexField, FlowNext, throws, ResultNarrow},
	OpSgetShort:              {"sget-short", Format21c, IndexField, FlowNext, throws, ResultNarrow},
	OpSput:                   {"sput", Format21c, IndexField, FlowNext, throws, ResultNone},
	OpSputWide:               {"sput-wide", Format21c, IndexField, FlowNext, throws, ResultNone},
	OpSputObject:             {"sput-object", Format21c, IndexField, FlowNext, throws, ResultNone},
	OpSputBoolean:            {"sput-boolean", Format21c, IndexField, FlowNext, throws, ResultNone},
	OpSputByte:               {"sput-byte", Format21c, IndexField, FlowNext, throws, ResultNone},
	OpSputChar:               {"sput-char", Format21c, IndexField, FlowNext, throws, ResultNone},
	OpSputShort:              {"sput-short", Format21c, IndexField, FlowNext, throws, ResultNone},
	OpInvokeVirtual:          {"invoke-virtual", Format35c, IndexMethod, FlowNext, throws, ResultPending},
	OpInvokeSuper:            {"invoke-super", Format35c, IndexMethod, FlowNext, throws, ResultPending},
	OpInvokeDirect:           {"invoke-direct", Format35c, IndexMethod, FlowNext, throws, ResultPending},
	OpInvokeStatic:           {"invoke-static", Format35c, IndexMethod, FlowNext, throws, ResultPending},
	OpInvokeInterface:        {"invoke-interface", Format35c, IndexMethod, FlowNext, throws, ResultPending},
	OpInvokeVirtualRange:     {"invoke-virtual/range", Format3rc, IndexMethod, FlowNext, throws, ResultPending},
	OpInvokeSuperRange:       {"invoke-super/range", Format3rc, IndexMethod, FlowNext, throws, ResultPending},
	OpInvokeDirectRange:      {"invoke-direct/range", Format3rc, IndexMethod, FlowNext, throws, ResultPending},
	OpInvokeStaticRange:      {"invoke-static/range", Format3rc, IndexMethod, FlowNext, throws, ResultPending},
	OpInvokeInterfaceRange:   {"invoke-interface/range", Format3rc, IndexMethod, FlowNext, throws, ResultPending},
	OpNegInt:                 {"neg-int", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpNotInt:                 {"not-int", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpNegLong:                {"neg-long", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpNotLong:                {"not-long", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpNegFloat:               {"neg-float", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpNegDouble:              {"neg-double", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpIntToLong:              {"int-to-long", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpIntToFloat:             {"int-to-float", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpIntToDouble:            {"int-to-double", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpLongToInt:              {"long-to-int", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpLongToFloat:            {"long-to-float", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpLongToDouble:           {"long-to-double", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpFloatToInt:             {"float-to-int", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpFloatToLong:            {"float-to-long", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpFloatToDouble:          {"float-to-double", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpDoubleToInt:            {"double-to-int", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpDoubleToLong:           {"double-to-long", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpDoubleToFloat:          {"double-to-float", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpIntToByte:              {"int-to-byte", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpIntToChar:              {"int-to-char", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpIntToShort:             {"int-to-short", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpAddInt:                 {"add-int", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpSubInt:                 {"sub-int", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMulInt:                 {"mul-int", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpDivInt:                 {"div-int", Format23x, IndexNone, FlowNext, throws, ResultNarrow},
	OpRemInt:                 {"rem-int", Format23x, IndexNone, FlowNext, throws, ResultNarrow},
	OpAndInt:                 {"and-int", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpOrInt:                  {"or-int", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpXorInt:                 {"xor-int", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpShlInt:                 {"shl-int", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpShrInt:                 {"shr-int", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpUshrInt:                {"ushr-int", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpAddLong:                {"add-long", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpSubLong:                {"sub-long", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpMulLong:                {"mul-long", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpDivLong:                {"div-long", Format23x, IndexNone, FlowNext, throws, ResultWide},
	OpRemLong:                {"rem-long", Format23x, IndexNone, FlowNext, throws, ResultWide},
	OpAndLong:                {"and-long", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpOrLong:                 {"or-long", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpXorLong:                {"xor-long", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpShlLong:                {"shl-long", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpShrLong:                {"shr-long", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpUshrLong:               {"ushr-long", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpAddFloat:               {"add-float", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpSubFloat:               {"sub-float", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMulFloat:               {"mul-float", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpDivFloat:               {"div-float", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpRemFloat:               {"rem-float", Format23x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpAddDouble:              {"add-double", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpSubDouble:              {"sub-double", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpMulDouble:              {"mul-double", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpDivDouble:              {"div-double", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpRemDouble:              {"rem-double", Format23x, IndexNone, FlowNext, quiet, ResultWide},
	OpAddInt2addr:            {"add-int/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpSubInt2addr:            {"sub-int/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMulInt2addr:            {"mul-int/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpDivInt2addr:            {"div-int/2addr", Format12x, IndexNone, FlowNext, throws, ResultNarrow},
	OpRemInt2addr:            {"rem-int/2addr", Format12x, IndexNone, FlowNext, throws, ResultNarrow},
	OpAndInt2addr:            {"and-int/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpOrInt2addr:             {"or-int/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpXorInt2addr:            {"xor-int/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpShlInt2addr:            {"shl-int/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpShrInt2addr:            {"shr-int/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpUshrInt2addr:           {"ushr-int/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpAddLong2addr:           {"add-long/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpSubLong2addr:           {"sub-long/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpMulLong2addr:           {"mul-long/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpDivLong2addr:           {"div-long/2addr", Format12x, IndexNone, FlowNext, throws, ResultWide},
	OpRemLong2addr:           {"rem-long/2addr", Format12x, IndexNone, FlowNext, throws, ResultWide},
	OpAndLong2addr:           {"and-long/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpOrLong2addr:            {"or-long/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpXorLong2addr:           {"xor-long/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpShlLong2addr:           {"shl-long/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpShrLong2addr:           {"shr-long/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpUshrLong2addr:          {"ushr-long/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpAddFloat2addr:          {"add-float/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpSubFloat2addr:          {"sub-float/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMulFloat2addr:          {"mul-float/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpDivFloat2addr:          {"div-float/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpRemFloat2addr:          {"rem-float/2addr", Format12x, IndexNone, FlowNext, quiet, ResultNarrow},
	OpAddDouble2addr:         {"add-double/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpSubDouble2addr:         {"sub-double/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpMulDouble2addr:         {"mul-double/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpDivDouble2addr:         {"div-double/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpRemDouble2addr:         {"rem-double/2addr", Format12x, IndexNone, FlowNext, quiet, ResultWide},
	OpAddIntLit16:            {"add-int/lit16", Format22s, IndexNone, FlowNext, quiet, ResultNarrow},
	OpRsubInt:                {"rsub-int", Format22s, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMulIntLit16:            {"mul-int/lit16", Format22s, IndexNone, FlowNext, quiet, ResultNarrow},
	OpDivIntLit16:            {"div-int/lit16", Format22s, IndexNone, FlowNext, throws, ResultNarrow},
	OpRemIntLit16:            {"rem-int/lit16", Format22s, IndexNone, FlowNext, throws, ResultNarrow},
	OpAndIntLit16:            {"and-int/lit16", Format22s, IndexNone, FlowNext, quiet, ResultNarrow},
	OpOrIntLit16:             {"or-int/lit16", Format22s, IndexNone, FlowNext, quiet, ResultNarrow},
	OpXorIntLit16:            {"xor-int/lit16", Format22s, IndexNone, FlowNext, quiet, ResultNarrow},
	OpAddIntLit8:             {"add-int/lit8", Format22b, IndexNone, FlowNext, quiet, ResultNarrow},
	OpRsubIntLit8:            {"rsub-int/lit8", Format22b, IndexNone, FlowNext, quiet, ResultNarrow},
	OpMulIntLit8:             {"mul-int/lit8", Format22b, IndexNone, FlowNext, quiet, ResultNarrow},
	OpDivIntLit8:             {"div-int/lit8", Format22b, IndexNone, FlowNext, throws, ResultNarrow},
	OpRemIntLit8:             {"rem-int/lit8", Format22b, IndexNone, FlowNext, throws, ResultNarrow},
	OpAndIntLit8:             {"and-int/lit8", Format22b, IndexNone, FlowNext, quiet, ResultNarrow},
	OpOrIntLit8:              {"or-int/lit8", Format22b, IndexNone, FlowNext, quiet, ResultNarrow},
	OpXorIntLit8:             {"xor-int/lit8", Format22b, IndexNone, FlowNext, quiet, ResultNarrow},
	OpShlIntLit8:             {"shl-int/lit8", Format22b, IndexNone, FlowNext, quiet, ResultNarrow},
	OpShrIntLit8:             {"shr-int/lit8", Format22b, IndexNone, FlowNext, quiet, ResultNarrow},
	OpUshrIntLit8:            {"ushr-int/lit8", Format22b, IndexNone, FlowNext, quiet, ResultNarrow},
	OpInvokePolymorphic:      {"invoke-polymorphic", Format45cc, IndexMethodProto, FlowNext, throws, ResultPending},
	OpInvokePolymorphicRange: {"invoke-polymorphic/range", Format4rcc, IndexMethodProto, FlowNext, throws, ResultPending},
	OpInvokeCustom:           {"invoke-custom", Format35c, IndexCallSite, FlowNext, throws, ResultPending},
	OpInvokeCustomRange:      {"invoke-custom/range", Format3rc, IndexCallSite, FlowNext, throws, ResultPending},
	OpConstMethodHandle:      {"const-method-handle", Format21c, IndexMethodHandle, FlowNext, throws, ResultObject},
	OpConstMethodType:        {"const-method-type", Format21c, IndexProto, FlowNext, throws, ResultObject},
	OpPackedSwitchPayload:    {"packed-switch-payload", FormatPayload, IndexNone, FlowPayload, quiet, ResultNone},
	OpSparseSwitchPayload:    {"sparse-switch-payload", FormatPayload, IndexNone, FlowPayload, quiet, ResultNone},
	OpFillArrayDataPayload:   {"fill-array-data-payload", FormatPayload, IndexNone, FlowPayload, quiet, ResultNone},
}
