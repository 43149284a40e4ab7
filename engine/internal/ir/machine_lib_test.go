package ir_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// arithmetic evaluates unary and binary operations and comparisons.
func (f *frame) arithmetic(v ir.Value) (any, error) {
	b, x := f.b, f.arg(v, 0)
	sub := b.Sub[v]
	if b.Op[v] == ir.OpUnary {
		if sub == ir.Convert {
			return convert(x, f.b.Type[v]), nil
		}
		return unary(sub, x), nil
	}
	y := f.arg(v, 1)
	if b.Op[v] == ir.OpCompare {
		return compare(sub, x, y), nil
	}
	if (sub == ir.Div || sub == ir.Rem) && (y == int32(0) || y == int64(0)) {
		return nil, f.m.throw("java.lang.ArithmeticException", "divide by zero")
	}
	switch x := x.(type) {
	case int32:
		return binaryInt(sub, x, y.(int32)), nil
	case int64:
		if n, shift := y.(int32); shift {
			return shiftLong(sub, x, n), nil
		}
		return binaryLong(sub, x, y.(int64)), nil
	case float32:
		if sub == ir.Rem {
			return float32(math.Mod(float64(x), float64(y.(float32)))), nil
		}
		return binaryFloat(sub, x, y.(float32)), nil
	case float64:
		if sub == ir.Rem {
			return math.Mod(x, y.(float64)), nil
		}
		return binaryFloat(sub, x, y.(float64)), nil
	}
	return nil, fmt.Errorf("%s of %T", sub, x)
}

func unary(sub ir.Sub, x any) any {
	switch x := x.(type) {
	case int32:
		if sub == ir.Not {
			return ^x
		}
		return -x
	case int64:
		if sub == ir.Not {
			return ^x
		}
		return -x
	case float32:
		return -x
	case float64:
		return -x
	}
	return nil
}

func convert(x any, to ir.TypeID) any {
	var f float64
	switch x := x.(type) {
	case int32:
		switch to {
		case ir.TypeByte, ir.TypeChar, ir.TypeShort:
			return fit(to, x)
		case ir.TypeLong:
			return int64(x)
		case ir.TypeFloat:
			return float32(x)
		}
		return float64(x)
	case int64:
		switch to {
		case ir.TypeInt:
			return int32(x)
		case ir.TypeFloat:
			return float32(x)
		}
		return float64(x)
	case float32:
		f = float64(x)
	case float64:
		f = x
	}
	switch to {
	case ir.TypeInt:
		return int32(saturate(f, math.MinInt32, math.MaxInt32))
	case ir.TypeLong:
		return saturate(f, math.MinInt64, math.MaxInt64)
	case ir.TypeFloat:
		return float32(f)
	}
	return f
}

func saturate(f float64, lo, hi int64) int64 {
	switch {
	case f != f:
		return 0
	case f <= float64(lo):
		return lo
	case f >= float64(hi):
		return hi
	}
	return int64(f)
}

func compare(sub ir.Sub, x, y any) int32 {
	var a, b float64
	switch x := x.(type) {
	case int64:
		switch y := y.(int64); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	case float32:
		a, b = float64(x), float64(y.(float32))
	case float64:
		a, b = x, y.(float64)
	}
	switch {
	case a < b || sub == ir.CmpL && !(a >= b):
		return -1
	case a > b || !(a <= b):
		return 1
	}
	return 0
}

func binaryInt(sub ir.Sub, x, y int32) int32 {
	switch sub {
	case ir.Shl:
		return x << (y & 31)
	case ir.Shr:
		return x >> (y & 31)
	case ir.UShr:
		return int32(uint32(x) >> (y & 31))
	case ir.Div:
		return int32(int64(x) / int64(y))
	case ir.Rem:
		return int32(int64(x) % int64(y))
	}
	return int32(binaryLong(sub, int64(x), int64(y)))
}

func shiftLong(sub ir.Sub, x int64, n int32) int64 {
	switch sub {
	case ir.Shl:
		return x << (n & 63)
	case ir.Shr:
		return x >> (n & 63)
	}
	return int64(uint64(x) >> (n & 63))
}

func binaryLong(sub ir.Sub, x, y int64) int64 {
	switch sub {
	case ir.Add:
		return x + y
	case ir.Subtract:
		return x - y
	case ir.Mul:
		return x * y
	case ir.Div:
		return x / y
	case ir.Rem:
		return x % y
	case ir.And:
		return x & y
	case ir.Or:
		return x | y
	}
	return x ^ y
}

func binaryFloat[T float32 | float64](sub ir.Sub, x, y T) T {
	switch sub {
	case ir.Add:
		return x + y
	case ir.Subtract:
		return x - y
	case ir.Mul:
		return x * y
	}
	return x / y
}

// library runs the methods of the library that the tests need.
func (m *machine) library(id ir.MethodID, args []any) (any, error) {
	name := m.p.Classes[m.p.Methods[id].Class].Name + "." + m.p.Selectors[m.p.Methods[id].Sel].Name
	params := m.p.Selectors[m.p.Methods[id].Sel].Params
	if s, ok := first(args).(string); ok && strings.HasPrefix(name, "java.lang.String.") {
		return m.text(name, s, args[1:])
	}
	obj, _ := first(args).(*object)
	switch name {
	case "java.lang.Object.<init>", "java.lang.Object.getClass", "java.util.Objects.requireNonNull",
		"java.lang.Enum.<init>", "java.lang.Throwable.addSuppressed":
		if name == "java.lang.Enum.<init>" {
			obj.extra = args[2]
		}
		return first(args), nil
	case "java.lang.StringBuilder.<init>":
		obj.extra = ""
		if len(params) == 1 && params[0] == ir.TypeString {
			obj.extra = args[1]
		}
		return nil, nil
	case "java.lang.StringBuilder.append":
		obj.extra = obj.extra.(string) + m.show(params[0], args[1])
		return obj, nil
	case "java.lang.StringBuilder.toString", "java.lang.Throwable.getMessage":
		return obj.extra, nil
	case "java.lang.Enum.ordinal":
		return obj.extra, nil
	case "java.lang.String.valueOf":
		return m.show(params[0], args[0]), nil
	case "java.lang.Integer.valueOf", "java.lang.Long.valueOf", "java.lang.Boolean.valueOf":
		return &object{class: m.p.Methods[id].Class, extra: args[0]}, nil
	case "java.lang.Integer.intValue", "java.lang.Long.longValue":
		return obj.extra, nil
	case "java.lang.Long.intValue":
		return int32(obj.extra.(int64)), nil
	case "java.lang.Integer.equals":
		if other, ok := args[1].(*object); ok && other.extra == obj.extra {
			return int32(1), nil
		}
		return int32(0), nil
	case "java.lang.reflect.Array.newInstance":
		return m.newMatrix(ir.TypeID(args[0].(classValue)), args[1].(*array).elems)
	}
	if obj != nil && m.instance(obj, m.p.Lookup("java.lang.Throwable")) && strings.HasSuffix(name, ".<init>") {
		if obj.extra = nil; len(params) == 1 && params[0] == ir.TypeString {
			obj.extra = args[1]
		}
		return nil, nil
	}
	if a, ok := first(args).(*array); ok && strings.HasSuffix(name, ".clone") {
		return &array{a.typ, append([]any(nil), a.elems...)}, nil
	}
	return nil, fmt.Errorf("method %s is not known", m.p.MethodString(id))
}

func first(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// text runs a method of a string.
func (m *machine) text(name, s string, args []any) (any, error) {
	switch name {
	case "java.lang.String.length":
		return int32(len(s)), nil
	case "java.lang.String.charAt":
		return int32(s[args[0].(int32)]), nil
	case "java.lang.String.valueOf":
		return s, nil
	case "java.lang.String.equals":
		if args[0] == s {
			return int32(1), nil
		}
		return int32(0), nil
	case "java.lang.String.hashCode":
		h := int32(0)
		for i := range len(s) {
			h = 31*h + int32(s[i])
		}
		return h, nil
	}
	return nil, fmt.Errorf("method %s is not known", name)
}

func (m *machine) newMatrix(elem ir.TypeID, dims []any) (any, error) {
	name := m.p.TypeString(elem) + strings.Repeat("[]", len(dims))
	t := m.p.TypeNamed(name)
	if t == 0 {
		return nil, fmt.Errorf("no type %s", name)
	}
	a, err := m.newArray(t, dims[0].(int32))
	for i := range a.elems {
		if len(dims) > 1 && err == nil {
			a.elems[i], err = m.newMatrix(elem, dims[1:])
		}
	}
	return a, err
}

// show turns a value into text as Java's concatenation does.
func (m *machine) show(t ir.TypeID, v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case int32:
		switch t {
		case ir.TypeBoolean:
			return strconv.FormatBool(v != 0)
		case ir.TypeChar:
			return string(rune(v))
		}
		return strconv.Itoa(int(v))
	case *object:
		return fmt.Sprint(v.extra)
	}
	return fmt.Sprint(v)
}
