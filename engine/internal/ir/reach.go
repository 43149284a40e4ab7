package ir

import "github.com/eventraces/eventraces/engine/internal/dex"

// Flags of code units.
const (
	unitLeads  uint8 = 1 << iota // starts a block
	unitJoins                    // something goes there without an exception
	unitCaught                   // handler
	unitShared                   // handler of several types
)

// reach decodes what control can reach, and marks where blocks start. Each code
// unit is decoded at most once.
func (l *lifter) reach() error {
	n := len(l.code.Insns)
	l.at, l.flags = sized(l.at, n), sized(l.flags, n)
	l.insts, l.work, l.keys, l.goals = l.insts[:0], l.work[:0], l.keys[:0], l.goals[:0]
	l.lead(0)
	for len(l.work) > 0 {
		pc := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		if err := l.follow(pc); err != nil {
			return err
		}
	}
	return nil
}

func (l *lifter) lead(pc int32) {
	if l.flags[pc]&unitLeads == 0 {
		l.flags[pc] |= unitLeads
		l.work = append(l.work, pc)
	}
}

// follow decodes from pc on until control goes elsewhere.
func (l *lifter) follow(pc int32) error {
	for l.at[pc] == 0 {
		in, err := l.decode(pc)
		if err != nil {
			return err
		}
		flow := in.Op.Flow()
		if (flow == dex.FlowNext || flow == dex.FlowIf || flow == dex.FlowSwitch) && int(in.next) >= len(l.code.Insns) {
			return l.errorf(pc, "control runs past the end of the method")
		}
		switch flow {
		case dex.FlowNext:
			if in.try < 0 {
				pc = in.next
				continue
			}
			l.lead(in.next)
		case dex.FlowGoto:
			l.lead(pc + in.Target)
		case dex.FlowIf:
			l.lead(in.next)
			l.lead(pc + in.Target)
		case dex.FlowSwitch:
			l.lead(in.next)
			for _, goal := range l.goals[in.cases : in.cases+in.ncase] {
				l.lead(goal)
			}
		case dex.FlowPayload:
			return l.errorf(pc, "control runs into a %s", in.Op)
		}
		return nil
	}
	l.flags[pc] |= unitLeads
	return nil
}

// decode reads the instruction at pc and what belongs to it.
func (l *lifter) decode(pc int32) (*inst, error) {
	d, err := dex.Decode(l.code.Insns, int(pc))
	if err != nil {
		return nil, l.errorf(pc, "%w", err)
	}
	l.insts = append(l.insts, inst{Inst: d, pc: pc, next: pc + int32(d.Width), try: -1, res: -1})
	l.at[pc] = int32(len(l.insts))
	in := &l.insts[len(l.insts)-1]
	if d.Op.Result() == dex.ResultPending && int(in.next) < len(l.code.Insns) {
		if u := l.code.Insns[in.next]; dex.Opcode(u&0xff) >= dex.OpMoveResult && dex.Opcode(u&0xff) <= dex.OpMoveResultObject {
			in.res = int32(u >> 8)
			in.next++
		}
	}
	if w := writes(in); w >= int32(l.code.Registers) {
		return nil, l.errorf(pc, "%s writes register %d of %d", d.Op, w, l.code.Registers)
	}
	if d.Op.Flow() == dex.FlowSwitch {
		if err := l.cases(in); err != nil {
			return nil, err
		}
	}
	if d.Op.CanThrow() && len(l.code.Tries) > 0 {
		if in.try = l.tryAt(pc); in.try >= 0 {
			for _, h := range l.code.Tries[in.try].Handlers {
				if h.Type >= 0 && l.p.Types[l.u.types[h.Type]].Kind != Ref {
					return nil, l.errorf(pc, "a handler catches %s", l.p.TypeString(l.u.types[h.Type]))
				}
				l.lead(int32(h.Addr))
			}
		}
	}
	return in, nil
}

func (l *lifter) cases(in *inst) error {
	keys, targets, err := dex.SwitchTargets(l.code.Insns, int(in.pc), in.Inst)
	if err != nil {
		return l.errorf(in.pc, "%w", err)
	}
	in.cases, in.ncase = int32(len(l.keys)), int32(len(keys))
	l.keys = append(l.keys, keys...)
	for _, t := range targets {
		l.goals = append(l.goals, in.pc+t)
	}
	return nil
}

// tryAt finds the try range with handlers that covers pc, or -1.
func (l *lifter) tryAt(pc int32) int32 {
	lo, hi := 0, len(l.code.Tries)
	for lo < hi {
		mid := (lo + hi) / 2
		switch t := &l.code.Tries[mid]; {
		case uint32(pc) < t.Start:
			hi = mid
		case uint32(pc) >= t.Start+t.Count:
			lo = mid + 1
		case len(t.Handlers) == 0:
			return -1
		default:
			return int32(mid)
		}
	}
	return -1
}
