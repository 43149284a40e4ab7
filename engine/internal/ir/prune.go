package ir

// prune replaces phis that have one value besides themselves by that value
// until there are none, resolves all arguments, and marks the phis that
// something other than a phi needs.
func (l *lifter) prune() error {
	l.rep = sized(l.rep, len(l.raw))
	if len(l.phis) == 0 {
		return nil
	}
	l.listUsers()
	l.work = l.work[:0]
	for _, v := range l.phis {
		l.simplify(v)
	}
	for len(l.work) > 0 {
		v := Value(l.work[len(l.work)-1])
		l.work = l.work[:len(l.work)-1]
		l.simplify(v)
	}
	for i, a := range l.args {
		l.args[i] = l.find(a)
	}
	return l.markPhis()
}

// find is what stands for v in the end.
func (l *lifter) find(v Value) Value {
	for l.rep[v] != 0 {
		if up := l.rep[l.rep[v]]; up != 0 {
			l.rep[v] = up
		}
		v = l.rep[v]
	}
	return v
}

// listUsers chains the arguments of phis that are phis, by what they are.
func (l *lifter) listUsers() {
	l.head = sized(l.head, len(l.raw))
	l.chain, l.owner = sized(l.chain, len(l.args)), sized(l.owner, len(l.args))
	for _, v := range l.phis {
		for i, a := range l.argsOf(v) {
			at := int(l.raw[v].arg) + i
			l.owner[at] = v
			if l.raw[a].op == OpPhi {
				l.chain[at], l.head[a] = l.head[a], int32(at)+1
			}
		}
	}
}

// simplify drops the phi v if it is trivial, and has its users looked at again.
func (l *lifter) simplify(v Value) {
	if l.rep[v] != 0 {
		return
	}
	same := v
	for _, a := range l.argsOf(v) {
		if a = l.find(a); a == v || a == same {
			continue
		}
		if same != v {
			return
		}
		same = a
	}
	if same == v || same == 0 { // undefined on all paths
		return
	}
	l.rep[v] = same
	joins := l.raw[same].op == OpPhi
	for at := l.head[v]; at != 0; {
		next := l.chain[at-1]
		if joins {
			l.chain[at-1], l.head[same] = l.head[same], at
		}
		l.work = append(l.work, int32(l.owner[at-1]))
		at = next
	}
}

func (l *lifter) markPhis() error {
	l.work = l.work[:0]
	need := func(args []Value) {
		for _, a := range args {
			if r := &l.raw[a]; r.op == OpPhi && !r.live {
				r.live = true
				l.work = append(l.work, int32(a))
			}
		}
	}
	for v := Value(1); int(v) < len(l.raw); v++ {
		if l.raw[v].op != OpPhi {
			need(l.argsOf(v))
		}
	}
	for len(l.work) > 0 {
		v := Value(l.work[len(l.work)-1])
		l.work = l.work[:len(l.work)-1]
		args := l.argsOf(v)
		for _, a := range args {
			if a == 0 {
				return l.errorf(l.raw[v].pc, "a register read later is not written on every path to here")
			}
		}
		need(args)
	}
	return nil
}
