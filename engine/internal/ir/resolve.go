package ir

import "sync/atomic"

// resolved keeps the answers of ResolveField and ResolveMethod, which are asked
// once per instruction and more: 0 is not asked yet, -1 is none.
type resolved struct {
	fields  []int32
	methods []int32
}

// ResolveField is the declaration that a reference means, or 0: the class, its
// superinterfaces, then its superclass (JVMS 5.4.3.2).
func (p *Program) ResolveField(f FieldID) FieldID {
	return FieldID(remember(p.resolved.fields, int32(f), func() int32 { return int32(p.findField(f)) }))
}

// ResolveMethod is the declaration that a reference means, or 0: the super
// chain first, then the most specific interface (JVMS 5.4.3.3, 5.4.3.4).
func (p *Program) ResolveMethod(m MethodID) MethodID {
	return MethodID(remember(p.resolved.methods, int32(m), func() int32 { return int32(p.findMethod(m)) }))
}

func remember(memo []int32, id int32, find func() int32) int32 {
	got := atomic.LoadInt32(&memo[id])
	if got == 0 {
		if got = find(); got == 0 {
			got = -1
		}
		atomic.StoreInt32(&memo[id], got)
	}
	return max(got, 0)
}

func (p *Program) findField(f FieldID) FieldID {
	ref := &p.Fields[f]
	if ref.Declared || f == 0 {
		return f
	}
	key := fieldKey{ref.Class, p.tables.strings[ref.Name], ref.Type}
	for c := ref.Class; c != 0; c = p.Classes[c].Super {
		key.class = c
		if d := p.tables.fields[key]; p.Fields[d].Declared {
			return d
		}
		for _, i := range p.Interfaces(c) {
			key.class = i
			if d := p.tables.fields[key]; p.Fields[d].Declared {
				return d
			}
		}
	}
	return 0
}

func (p *Program) findMethod(m MethodID) MethodID {
	ref := &p.Methods[m]
	if ref.Declared || m == 0 {
		return m
	}
	for c := ref.Class; c != 0; c = p.Classes[c].Super {
		if d := p.DeclaredMethod(c, ref.Sel); d != 0 {
			return d
		}
	}
	if d := p.mostSpecific(ref.Class, ref.Sel, false); d != 0 {
		return d
	}
	return p.polymorphic(ref)
}

// polymorphic finds the one declaration of MethodHandle.invoke and its like,
// which calls name with any signature.
func (p *Program) polymorphic(ref *Method) MethodID {
	if name := p.Classes[ref.Class].Name; name != "java.lang.invoke.MethodHandle" && name != "java.lang.invoke.VarHandle" {
		return 0
	}
	for _, m := range p.Classes[ref.Class].Methods {
		if p.Methods[m].Flags&AccNative != 0 && p.Selectors[p.Methods[m].Sel].Name == p.Selectors[ref.Sel].Name {
			return m
		}
	}
	return 0
}

// Dispatch is the method that a virtual or interface call of the selector runs
// on an object whose class is exactly c: the nearest override in the super
// chain, else the most specific interface default. If all there is is abstract,
// that; if there is nothing, 0. Package-private methods are taken to override
// each other across packages.
func (p *Program) Dispatch(c ClassID, sel SelectorID) MethodID {
	abstract := MethodID(0)
	for k := c; k != 0; k = p.Classes[k].Super {
		m := p.DeclaredMethod(k, sel)
		if m == 0 {
			continue
		}
		switch flags := p.Methods[m].Flags; {
		case flags&AccStatic != 0, flags&AccPrivate != 0 && k != c:
		case flags&AccAbstract == 0:
			return m
		case abstract == 0:
			abstract = m
		}
	}
	if m := p.mostSpecific(c, sel, true); m != 0 {
		return m
	}
	if abstract != 0 {
		return abstract
	}
	return p.mostSpecific(c, sel, false)
}

// mostSpecific picks among the declarations of the selector in c's
// superinterfaces one that no other overrides, with code if need be. Of several
// such it is the one with the lowest class id.
func (p *Program) mostSpecific(c ClassID, sel SelectorID, concrete bool) MethodID {
	best := MethodID(0)
	for _, i := range p.Interfaces(c) {
		m := p.DeclaredMethod(i, sel)
		if m == 0 || p.Methods[m].Flags&(AccStatic|AccPrivate) != 0 || concrete && p.Methods[m].Flags&AccAbstract != 0 {
			continue
		}
		if best == 0 || p.SubclassOf(i, p.Methods[best].Class) {
			best = m
		}
	}
	return best
}
