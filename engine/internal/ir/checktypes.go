package ir

import "fmt"

// aux checks that the ids in an instruction exist.
func (c *checker) aux(v Value) error {
	b, p := c.b, c.p
	aux, limit := int(b.Aux[v]), 0
	switch b.Op[v] {
	case OpConstClass, OpInstanceOf, OpCheckCast, OpNew, OpNewArray, OpFilledArray:
		limit = len(p.Types)
	case OpGetField, OpPutField, OpGetStatic, OpPutStatic:
		limit = len(p.Fields)
	case OpInvoke:
		limit = len(p.Methods)
	case OpNewLambda:
		limit = len(p.Lambdas)
	case OpInvokeCustom:
		limit = len(p.CallSites)
	case OpConstString:
		limit = len(p.Strings)
	case OpConstHandle:
		limit = max(len(p.Handles), len(p.protos))
	case OpCatch:
		if aux == 0 {
			return nil
		}
		limit = len(p.Types)
	default:
		return c.literal(v)
	}
	if aux <= 0 || aux >= limit {
		return fmt.Errorf("id %d of %d", aux, limit)
	}
	return nil
}

// literal checks that what an instruction has in Consts is there.
func (c *checker) literal(v Value) error {
	b, need := c.b, 0
	switch b.Op[v] {
	case OpConst:
		if b.Type[v] == TypeLong || b.Type[v] == TypeDouble {
			need = 1
		}
	case OpSwitch:
		need = int(b.Blocks[b.BlockOf(v)].Normal) - 1
	case OpFillData:
		need = 1
		if at := int(b.Aux[v]); at >= 0 && at < len(b.Consts) {
			need += int(b.Consts[at]>>8+7) / 8
		}
	}
	if need > 0 && (b.Aux[v] < 0 || int(b.Aux[v])+need > len(b.Consts)) {
		return fmt.Errorf("%d constants at %d of %d", need, b.Aux[v], len(b.Consts))
	}
	return nil
}

// classes checks that references, and numbers of each size, are used as such.
func (c *checker) classes(v Value) error {
	want, err := c.wants(v)
	if err != nil {
		return err
	}
	args := c.b.ArgsOf(v)
	if len(args) != len(want) {
		return fmt.Errorf("%d arguments where %d belong", len(args), len(want))
	}
	for i, a := range args {
		if have := kindClass[c.p.Types[c.b.Type[a]].Kind]; have != want[i] {
			return fmt.Errorf("argument v%d is %s, not %s", a, have, want[i])
		}
	}
	return nil
}

func (c *checker) typeClass(t TypeID) class { return kindClass[c.p.Types[t].Kind] }

// wants lists the classes that the arguments of v must have.
func (c *checker) wants(v Value) ([]class, error) {
	b, p := c.b, c.p
	args, own := b.ArgsOf(v), c.typeClass(b.Type[v])
	switch b.Op[v] {
	case OpPhi:
		return repeat(own, len(args)), nil
	case OpUnary:
		if b.Sub[v] == Convert {
			return []class{c.typeClass(b.Type[args[0]])}, nil
		}
		return []class{own}, nil
	case OpBinary:
		if s := b.Sub[v]; s >= Shl && s <= UShr {
			return []class{own, isInt}, nil
		}
		return []class{own, own}, nil
	case OpCompare:
		one := c.typeClass(b.Type[args[0]])
		if b.Sub[v] == Cmp && one != isLong || b.Sub[v] != Cmp && one&(isFloat|isDouble) == 0 {
			return nil, fmt.Errorf("compares %s", one)
		}
		return []class{one, one}, nil
	case OpInstanceOf, OpCheckCast, OpArrayLength, OpFillData, OpMonitorEnter, OpMonitorExit, OpThrow:
		return []class{isRef}, nil
	case OpNewArray:
		return []class{isInt}, nil
	case OpFilledArray:
		return repeat(c.typeClass(p.Types[b.Aux[v]].Elem), len(args)), nil
	case OpGetField:
		return []class{isRef}, nil
	case OpPutField:
		return []class{isRef, c.typeClass(p.Fields[b.Aux[v]].Type)}, nil
	case OpPutStatic:
		return []class{c.typeClass(p.Fields[b.Aux[v]].Type)}, nil
	case OpArrayGet:
		return []class{isRef, isInt}, nil
	case OpArrayPut:
		return c.wantsElement(args), nil
	case OpIf:
		return c.wantsTest(v, args), nil
	case OpSwitch:
		return []class{isInt}, nil
	case OpReturn:
		if ret := p.Selectors[p.Methods[b.Method].Sel].Return; ret != TypeVoid {
			return []class{c.typeClass(ret)}, nil
		}
	case OpInvoke:
		return c.wantsCall(v), nil
	case OpNewLambda, OpInvokeCustom: // the call site's type is not kept for lambdas
		want := make([]class, len(args))
		for i, a := range args {
			want[i] = c.typeClass(b.Type[a])
		}
		return want, nil
	}
	return nil, nil
}

func repeat(one class, n int) []class {
	all := make([]class, n)
	for i := range all {
		all[i] = one
	}
	return all
}

func (c *checker) wantsElement(args []Value) []class {
	last := c.typeClass(c.b.Type[args[2]])
	if t := c.p.Types[c.b.Type[args[0]]]; t.Kind == Array {
		last = c.typeClass(t.Elem)
	}
	return []class{isRef, isInt, last}
}

func (c *checker) wantsTest(v Value, args []Value) []class {
	one := c.typeClass(c.b.Type[args[0]])
	if s := c.b.Sub[v]; one != isRef || s != EQ && s != NE {
		one = isInt
	}
	if len(args) == 1 {
		return []class{one}
	}
	return []class{one, one}
}

func (c *checker) wantsCall(v Value) []class {
	b, p := c.b, c.p
	var want []class
	if b.Sub[v] != Static {
		want = append(want, isRef)
	}
	if b.Sub[v] == Polymorphic { // typed by its arguments
		for _, a := range b.ArgsOf(v)[1:] {
			want = append(want, c.typeClass(b.Type[a]))
		}
		return want
	}
	for _, t := range p.Selectors[p.Methods[b.Aux[v]].Sel].Params {
		want = append(want, c.typeClass(t))
	}
	return want
}
