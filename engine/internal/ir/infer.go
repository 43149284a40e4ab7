package ir

import (
	"math/bits"
	"strconv"
)

// demand says that some use wants an untyped phi to be of a class.
type demand struct {
	v    Value
	want class
}

// infer types what dex leaves untyped. Types go forward from definitions through
// phis and array reads to a fixed point; then what uses want goes backward to
// constants, and through phis of nothing but constants. A value wanted as
// several classes gets a copy for each when it is emitted.
func (l *lifter) infer() error {
	if err := l.forward(); err != nil {
		return err
	}
	l.pend = l.pend[:0]
	for _, u := range l.loose {
		if err := l.elementClass(u); err != nil {
			return err
		}
	}
	if err := l.backward(); err != nil {
		return err
	}
	for _, u := range l.loose {
		if err := l.decide(u); err != nil {
			return err
		}
	}
	return l.settle()
}

func (l *lifter) forward() error {
	for changed := true; changed; {
		changed = false
		for _, v := range l.phis {
			if r := &l.raw[v]; r.live {
				if t := l.phiType(v); t != r.typ {
					r.typ, changed = t, true
				}
			}
		}
		for _, v := range l.open {
			t, err := l.elementType(v)
			if err != nil {
				return err
			}
			if t != l.raw[v].typ {
				l.raw[v].typ, changed = t, true
			}
		}
	}
	for _, v := range l.phis {
		if r := &l.raw[v]; r.live && r.typ == TypeUnknown {
			return l.errorf(r.pc, "a register read later holds now a reference, now a number")
		}
	}
	for _, v := range l.open {
		if r := &l.raw[v]; r.typ == 0 && class(r.aux) == isRef {
			r.typ = TypeNull // the array is always null
		}
	}
	return nil
}

// phiType joins the types of the arguments that have one.
func (l *lifter) phiType(v Value) TypeID {
	t := TypeID(0)
	args := l.argsOf(v)
	for _, a := range args {
		switch at := l.raw[a].typ; {
		case at == 0 || at == t:
		case t == 0:
			t = at
		default:
			t = l.p.Join(t, at)
		}
	}
	if t < TypeBoolean || t > TypeChar {
		return t
	}
	for _, a := range args {
		if r := &l.raw[a]; r.op == OpConst && r.sub != wideConst && !fits(t, r.aux) {
			return TypeInt
		}
	}
	return t
}

// fits reports whether a small integer type holds n.
func fits(t TypeID, n int32) bool {
	switch t {
	case TypeBoolean:
		return n == 0 || n == 1
	case TypeByte:
		return n == int32(int8(n))
	case TypeShort:
		return n == int32(int16(n))
	}
	return n == int32(uint16(n))
}

// elementType is the type of an array read, 0 as long as that of the array is
// not known.
func (l *lifter) elementType(v Value) (TypeID, error) {
	r := &l.raw[v]
	array := l.raw[l.args[r.arg]].typ
	if array == 0 {
		return r.typ, nil
	}
	t := &l.p.Types[array]
	switch may := class(r.aux); {
	case t.Kind == Array && l.classOf(t.Elem)&may != 0:
		return t.Elem, nil
	case t.Kind == Ref && may == isRef:
		return TypeObject, nil
	}
	return 0, l.errorf(r.pc, "an element of %s is read as another type", l.p.TypeString(array))
}

// elementClass decides the class of an array write where the array's type says
// it.
func (l *lifter) elementClass(u looseUse) error {
	if !u.array {
		return nil
	}
	if t := &l.p.Types[l.raw[l.args[u.arg-2]].typ]; t.Kind == Array {
		if l.class[u.arg] = l.classOf(t.Elem); l.class[u.arg]&u.may == 0 {
			return l.errorf(u.pc, "an element of %s is written as another type", l.p.TypeString(l.raw[l.args[u.arg-2]].typ))
		}
	}
	return nil
}

// backward passes what uses want to what is used.
func (l *lifter) backward() error {
	for v := Value(1); int(v) < len(l.raw); v++ {
		r := &l.raw[v]
		if r.op == OpPhi && (!r.live || r.typ == 0) {
			continue
		}
		want := class(0)
		if r.op == OpPhi {
			want = l.classOf(r.typ)
		}
		for i, a := range l.argsOf(v) {
			at := int(r.arg) + i
			if want != 0 {
				l.class[at] = want
			}
			if l.class[at] == 0 {
				continue // loose
			}
			if err := l.want(a, l.class[at], r.pc); err != nil {
				return err
			}
		}
	}
	return l.flush()
}

// want notes that a use at pc needs v to be of a class, or says why it cannot.
func (l *lifter) want(v Value, c class, pc int32) error {
	r := &l.raw[v]
	ok := true
	switch {
	case r.typ != 0:
		ok = l.classOf(r.typ) == c
	case r.op == OpConst && r.sub == wideConst:
		ok = c&(isLong|isDouble) != 0
	case r.op == OpConst:
		ok = c&(isInt|isFloat) != 0 || c == isRef && r.aux == 0
	case r.op == OpPhi:
		if r.mask&c == 0 {
			l.pend = append(l.pend, demand{v, c})
		}
	case r.op == OpArrayGet:
		ok = class(r.aux)&c != 0 && r.mask&^c == 0
	default:
		ok = false // has no result
	}
	if !ok {
		return l.errorf(pc, "%s is used as %s", l.describe(v), c)
	}
	r.mask |= c
	return nil
}

// describe says what a value is, for an error.
func (l *lifter) describe(v Value) string {
	switch r := &l.raw[v]; {
	case r.typ != 0:
		return "a value of type " + l.p.TypeString(r.typ)
	case r.op == OpConst && r.sub == wideConst:
		return "a constant of 64 bits"
	case r.op == OpConst:
		return "the constant " + strconv.Itoa(int(r.aux))
	case r.op == OpNone || !r.op.HasResult() || r.op == OpInvoke:
		return "nothing"
	}
	return "an untyped value"
}

var classNames = [...]string{"an int", "a float", "a reference", "a long", "a double"}

func (c class) String() string {
	if i := bits.TrailingZeros8(uint8(c)); i < len(classNames) {
		return classNames[i]
	}
	return "nothing"
}

// flush passes demands on through untyped phis.
func (l *lifter) flush() error {
	for len(l.pend) > 0 {
		d := l.pend[len(l.pend)-1]
		l.pend = l.pend[:len(l.pend)-1]
		for _, a := range l.argsOf(d.v) {
			if err := l.want(a, d.want, l.raw[d.v].pc); err != nil {
				return err
			}
		}
	}
	return nil
}

// held is the class that a value has, or those it is wanted as.
func (l *lifter) held(v Value) class {
	if t := l.raw[v].typ; t != 0 {
		return l.classOf(t)
	}
	return l.raw[v].mask
}

// decide picks a class for a loose use: that of what is used, else what it is
// wanted as elsewhere, else an integer.
func (l *lifter) decide(u looseUse) error {
	if l.class[u.arg] != 0 {
		return nil
	}
	a, b := l.args[u.arg], l.args[u.peer]
	pick := (l.held(a) | l.held(b)) & u.may
	switch {
	case l.raw[a].typ != 0:
		pick = l.classOf(l.raw[a].typ)
	case l.raw[b].typ != 0:
		pick = l.classOf(l.raw[b].typ)
	case pick == 0:
		pick = u.may
	}
	pick &= -pick // the first of several
	if pick&u.may == 0 {
		return l.errorf(u.pc, "%s is compared or stored as %s", l.describe(a), u.may)
	}
	for _, at := range [...]uint32{u.arg, u.peer} {
		l.class[at] = pick
		if err := l.want(l.args[at], pick, u.pc); err != nil {
			return err
		}
	}
	return l.flush()
}

// settle types the array reads that remain: the array is always null there, and
// the read is what its uses want, or an integer.
func (l *lifter) settle() error {
	for _, v := range l.open {
		r := &l.raw[v]
		if r.typ != 0 {
			continue
		}
		c := r.mask
		if c == 0 {
			c = class(r.aux)
		}
		r.typ = classTypes[bits.TrailingZeros8(uint8(c))]
	}
	for _, v := range l.open {
		l.raw[v].aux = 0
	}
	return nil
}

// classTypes are the types of untyped values, by number of the class.
var classTypes = [...]TypeID{TypeInt, TypeFloat, TypeNull, TypeLong, TypeDouble}
