package ir

import "github.com/eventraces/eventraces/engine/internal/dex"

// Ids are dense, start at 1, and 0 means none.
type (
	TypeID     int32
	ClassID    int32
	FieldID    int32
	MethodID   int32
	SelectorID int32
	StringID   int32
)

// Kind tells the sorts of types apart.
type Kind uint8

const (
	Void Kind = iota + 1
	Boolean
	Byte
	Short
	Char
	Int
	Long
	Float
	Double
	Null    // the type of a value that is always null
	Unknown // a dead value that is no instance of anything
	Ref     // class or interface
	Array
)

// The types that every program has, at fixed ids.
const (
	TypeVoid    = TypeID(Void)
	TypeBoolean = TypeID(Boolean)
	TypeByte    = TypeID(Byte)
	TypeShort   = TypeID(Short)
	TypeChar    = TypeID(Char)
	TypeInt     = TypeID(Int)
	TypeLong    = TypeID(Long)
	TypeFloat   = TypeID(Float)
	TypeDouble  = TypeID(Double)
	TypeNull    = TypeID(Null)
	TypeUnknown = TypeID(Unknown)

	TypeObject       TypeID = 12
	TypeClass        TypeID = 13
	TypeString       TypeID = 14
	TypeThrowable    TypeID = 15
	TypeMethodHandle TypeID = 16
	TypeMethodType   TypeID = 17
	TypeObjectArray  TypeID = 18
)

// ClassObject is java.lang.Object, the root of every super chain.
const ClassObject ClassID = 1

// builtinTypes are the descriptors of the types with fixed ids.
var builtinTypes = [...]string{
	TypeVoid: "V", TypeBoolean: "Z", TypeByte: "B", TypeShort: "S", TypeChar: "C", TypeInt: "I", TypeLong: "J",
	TypeFloat: "F", TypeDouble: "D", TypeNull: "null", TypeUnknown: "unknown",
	TypeObject: "Ljava/lang/Object;", TypeClass: "Ljava/lang/Class;", TypeString: "Ljava/lang/String;",
	TypeThrowable: "Ljava/lang/Throwable;", TypeMethodHandle: "Ljava/lang/invoke/MethodHandle;",
	TypeMethodType: "Ljava/lang/invoke/MethodType;", TypeObjectArray: "[Ljava/lang/Object;",
}

// Reference reports whether values of the kind are references.
func (k Kind) Reference() bool { return k == Ref || k == Array || k == Null }

// Wide reports whether values of the kind have 64 bits.
func (k Kind) Wide() bool { return k == Long || k == Double }

// IntLike reports whether values of the kind are held as 32-bit integers.
func (k Kind) IntLike() bool { return k >= Boolean && k <= Int }

// Origin tells whose class it is.
type Origin uint8

const (
	Missing    Origin = iota // named, but defined nowhere
	Platform                 // known from the platform index; has no code
	Dependency               // code of a library packed with the app
	App
)

func (o Origin) String() string {
	return [...]string{"missing", "platform", "dependency", "app"}[o&3]
}

// Access flags of classes, fields and methods, for those who do not see dex.
const (
	AccPublic       = dex.AccPublic
	AccPrivate      = dex.AccPrivate
	AccProtected    = dex.AccProtected
	AccStatic       = dex.AccStatic
	AccFinal        = dex.AccFinal
	AccSynchronized = dex.AccSynchronized
	AccVolatile     = dex.AccVolatile
	AccBridge       = dex.AccBridge
	AccTransient    = dex.AccTransient
	AccVarargs      = dex.AccVarargs
	AccNative       = dex.AccNative
	AccInterface    = dex.AccInterface
	AccAbstract     = dex.AccAbstract
	AccStrict       = dex.AccStrict
	AccSynthetic    = dex.AccSynthetic
	AccAnnotation   = dex.AccAnnotation
	AccEnum         = dex.AccEnum
	AccConstructor  = dex.AccConstructor
	// AccDeclaredSynchronized marks a synchronized method whose monitor calls
	// are in its code.
	AccDeclaredSynchronized = dex.AccDeclaredSync
)
