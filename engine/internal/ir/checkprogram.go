package ir

import (
	"cmp"
	"fmt"
	"slices"
)

// Check verifies what a program promises: ids exist, members belong to their
// classes, methods are sorted, and the hierarchy is a tree with interfaces that
// have no cycle.
func (p *Program) Check() error {
	for _, step := range []func() error{p.checkTypes, p.checkMembers, p.checkClasses, p.checkLambdas} {
		if err := step(); err != nil {
			return fmt.Errorf("program: %w", err)
		}
	}
	return nil
}

func valid[ID ~int32, E any](id ID, of []E) bool { return id > 0 && int(id) < len(of) }

func (p *Program) checkTypes() error {
	for i := 1; i < len(p.Types); i++ {
		t := &p.Types[i]
		hasClass := t.Kind == Ref || t.Kind == Array
		if t.Kind < Void || t.Kind > Array || hasClass != (t.Class != 0) || (t.Kind == Array) != (t.Elem != 0) {
			return fmt.Errorf("type %d is %+v", i, *t)
		}
		if hasClass && (!valid(t.Class, p.Classes) || p.Classes[t.Class].Type != TypeID(i)) {
			return fmt.Errorf("type %s has class %d", t.Desc, t.Class)
		}
		if t.Elem != 0 && (!valid(t.Elem, p.Types) || t.Desc != "["+p.Types[t.Elem].Desc) {
			return fmt.Errorf("type %s has elements of type %d", t.Desc, t.Elem)
		}
		if p.tables.types[t.Desc] != TypeID(i) {
			return fmt.Errorf("type %s is interned as another", t.Desc)
		}
	}
	return nil
}

func (p *Program) checkMembers() error {
	for i := 1; i < len(p.Fields); i++ {
		if f := &p.Fields[i]; !valid(f.Class, p.Classes) || !valid(f.Type, p.Types) {
			return fmt.Errorf("field %d is %+v", i, *f)
		}
	}
	for i := 1; i < len(p.Selectors); i++ {
		s := &p.Selectors[i]
		if !valid(s.Return, p.Types) || slices.ContainsFunc(s.Params, func(t TypeID) bool { return !valid(t, p.Types) }) {
			return fmt.Errorf("selector %d is %+v", i, *s)
		}
	}
	for i := 1; i < len(p.Methods); i++ {
		m := &p.Methods[i]
		if !valid(m.Class, p.Classes) || !valid(m.Sel, p.Selectors) || m.HasCode != (p.code[i].off != 0) || m.HasCode && !m.Declared {
			return fmt.Errorf("method %d is %+v", i, *m)
		}
		if r := p.ResolveMethod(MethodID(i)); m.Declared && r != MethodID(i) || r != 0 && !p.Methods[r].Declared {
			return fmt.Errorf("%s resolves to %s", p.MethodString(MethodID(i)), p.MethodString(r))
		}
	}
	return nil
}

func (p *Program) checkClasses() error {
	for i := 1; i < len(p.Classes); i++ {
		c, id := &p.Classes[i], ClassID(i)
		if (c.Super == 0) != (id == ClassObject) || c.Super != 0 && !valid(c.Super, p.Classes) || !p.SubclassOf(id, ClassObject) {
			return fmt.Errorf("class %s has superclass %d", c.Name, c.Super)
		}
		for _, s := range append(slices.Clone(c.Interfaces), c.Super) {
			if s != 0 && (!p.SubclassOf(id, s) || p.SubclassOf(s, id)) {
				return fmt.Errorf("class %s is not below %s", c.Name, p.Classes[s].Name)
			}
		}
		bySelector := func(a, b MethodID) int { return cmp.Compare(p.Methods[a].Sel, p.Methods[b].Sel) }
		if !slices.IsSortedFunc(c.Methods, bySelector) {
			return fmt.Errorf("the methods of class %s are not sorted", c.Name)
		}
		for _, m := range c.Methods {
			if !valid(m, p.Methods) || p.Methods[m].Class != id || !p.Methods[m].Declared {
				return fmt.Errorf("class %s declares method %d", c.Name, m)
			}
		}
		for _, f := range c.Fields {
			if !valid(f, p.Fields) || p.Fields[f].Class != id || !p.Fields[f].Declared {
				return fmt.Errorf("class %s declares field %d", c.Name, f)
			}
		}
	}
	return nil
}

func (p *Program) checkLambdas() error {
	for i := 1; i < len(p.Lambdas); i++ {
		l := &p.Lambdas[i]
		if !valid(l.Interface, p.Classes) || !valid(l.Sel, p.Selectors) || !valid(l.Impl, p.Methods) || l.Captured < 0 {
			return fmt.Errorf("lambda %d is %+v", i, *l)
		}
	}
	for i := 1; i < len(p.CallSites); i++ {
		if s := &p.CallSites[i]; !valid(s.Sel, p.Selectors) {
			return fmt.Errorf("call site %d is %+v", i, *s)
		}
	}
	for i := 1; i < len(p.Handles); i++ {
		if h := &p.Handles[i]; valid(h.Method, p.Methods) == valid(h.Field, p.Fields) {
			return fmt.Errorf("method handle %d is %+v", i, *h)
		}
	}
	return nil
}
