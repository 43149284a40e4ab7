package ir

import "github.com/eventraces/eventraces/engine/internal/dex"

// stretch is a block before it has its place: code, a landing (the catch of one
// type, then on to handler code that serves several), or an entry of its own.
type stretch struct {
	pc          int32 // first code unit, -1 if there is no code
	last        int32 // index in insts
	catch       int32 // TypeID, 0 for any, -1 if it catches nothing
	to          int32 // where a stretch without code goes
	succ, nsucc int32 // in targets
	normal      int32
	mark        int32 // 1 + last stretch found to have it as handler
}

// mostEdges bounds the edges of a method. A few bytes can put every instruction
// under thousands of handlers.
const mostEdges = 1 << 22

// split cuts the reached code into stretches and finds their successors.
func (l *lifter) split() error {
	l.stretches, l.targets = l.stretches[:0], l.targets[:0]
	l.blockAt = sized(l.blockAt, len(l.flags))
	for pc, f := range l.flags {
		if f&unitLeads != 0 {
			l.stretches = append(l.stretches, stretch{pc: int32(pc), catch: -1})
			l.blockAt[pc] = int32(len(l.stretches))
		}
	}
	code := len(l.stretches)
	for i := range code {
		l.measure(&l.stretches[i])
	}
	if len(l.code.Tries) > 0 {
		if l.landings == nil {
			l.landings = make(map[uint64]int32)
		}
		clear(l.landings)
		for i := range code {
			l.countHandlers(&l.insts[l.stretches[i].last])
		}
	}
	for i := range code {
		if l.link(i); len(l.targets) > mostEdges {
			return l.errorf(l.stretches[i].pc, "the method has more than %d edges", mostEdges)
		}
	}
	if l.flags[0]&(unitJoins|unitCaught) != 0 {
		l.stretches = append(l.stretches, stretch{
			pc: -1, catch: -1, to: 0, succ: int32(len(l.targets)), nsucc: 1, normal: 1,
		})
		l.targets = append(l.targets, 0)
	}
	return nil
}

// measure finds the last instruction of a stretch and marks where it goes.
func (l *lifter) measure(s *stretch) {
	for pc := s.pc; ; {
		s.last = l.at[pc] - 1
		in := &l.insts[s.last]
		switch in.Op.Flow() {
		case dex.FlowNext:
			if l.flags[in.next]&unitLeads == 0 {
				pc = in.next
				continue
			}
			l.flags[in.next] |= unitJoins
		case dex.FlowGoto:
			l.flags[pc+in.Target] |= unitJoins
		case dex.FlowIf:
			l.flags[in.next] |= unitJoins
			l.flags[pc+in.Target] |= unitJoins
		case dex.FlowSwitch:
			l.flags[in.next] |= unitJoins
			for _, goal := range l.goals[in.cases : in.cases+in.ncase] {
				l.flags[goal] |= unitJoins
			}
		}
		return
	}
}

func landingKey(h dex.Handler) uint64 { return uint64(h.Addr)<<32 | uint64(uint32(h.Type+1)) }

func (l *lifter) countHandlers(in *inst) {
	if in.try < 0 {
		return
	}
	for _, h := range l.code.Tries[in.try].Handlers {
		if _, seen := l.landings[landingKey(h)]; seen {
			continue
		}
		l.landings[landingKey(h)] = -1
		if l.flags[h.Addr]&unitCaught != 0 {
			l.flags[h.Addr] |= unitShared
		}
		l.flags[h.Addr] |= unitCaught
	}
}

// link lists the successors of the stretch at index i.
func (l *lifter) link(i int) {
	in := &l.insts[l.stretches[i].last]
	first := int32(len(l.targets))
	goes := func(pc int32) { l.targets = append(l.targets, l.blockAt[pc]-1) }
	switch in.Op.Flow() {
	case dex.FlowNext:
		goes(in.next)
	case dex.FlowGoto:
		goes(in.pc + in.Target)
	case dex.FlowIf:
		goes(in.pc + in.Target)
		goes(in.next)
	case dex.FlowSwitch:
		for _, goal := range l.goals[in.cases : in.cases+in.ncase] {
			goes(goal)
		}
		goes(in.next)
	}
	s := &l.stretches[i]
	s.succ, s.normal = first, int32(len(l.targets))-first
	s.nsucc = s.normal
	if in.try >= 0 {
		l.linkHandlers(i, l.code.Tries[in.try].Handlers)
	}
}

// linkHandlers adds the handler edges of the stretch at index i. A second
// handler of one type at one place is never reached. Landings made here list
// their successor later: the targets of one stretch are contiguous.
func (l *lifter) linkHandlers(i int, handlers []dex.Handler) {
	first := l.stretches[i].succ
	made := len(l.stretches)
	for _, h := range handlers {
		to := l.landing(h)
		if s := &l.stretches[to]; s.mark != int32(i)+1 {
			s.mark = int32(i) + 1
			l.targets = append(l.targets, to)
		}
	}
	l.stretches[i].nsucc = int32(len(l.targets)) - first
	for k := made; k < len(l.stretches); k++ {
		s := &l.stretches[k]
		s.succ, s.nsucc, s.normal = int32(len(l.targets)), 1, 1
		l.targets = append(l.targets, s.to)
	}
}

// landing is the stretch that catches for a handler: the handler code itself if
// nothing else leads there.
func (l *lifter) landing(h dex.Handler) int32 {
	if k := l.landings[landingKey(h)]; k >= 0 {
		return k
	}
	typ := int32(0)
	if h.Type >= 0 {
		typ = int32(l.u.types[h.Type])
	}
	k := l.blockAt[h.Addr] - 1
	if l.flags[h.Addr]&(unitJoins|unitShared) == 0 && h.Addr != 0 {
		l.stretches[k].catch = typ
	} else {
		l.stretches = append(l.stretches, stretch{pc: -1, catch: typ, to: k})
		k = int32(len(l.stretches) - 1)
	}
	l.landings[landingKey(h)] = k
	return k
}

// entry is the stretch at which the method starts.
func (l *lifter) entry() int32 {
	if s := &l.stretches[len(l.stretches)-1]; s.pc < 0 && s.catch < 0 {
		return int32(len(l.stretches) - 1)
	}
	return 0
}

// arrange puts the stretches in reverse postorder, so that what follows a
// branch that is not taken comes next, and lists edges both ways.
func (l *lifter) arrange() {
	n := len(l.stretches)
	l.rank, l.order = sized(l.rank, n), sized(l.order, n)
	place := n
	l.work = append(l.work[:0], l.entry())
	next := sized(l.edges, n) // successors visited
	l.rank[l.entry()] = -1
	for len(l.work) > 0 {
		i := l.work[len(l.work)-1]
		s := &l.stretches[i]
		if next[i] == s.nsucc {
			l.work = l.work[:len(l.work)-1]
			place--
			l.order[place] = i
			continue
		}
		t := l.targets[s.succ+l.visit(s, next[i])]
		next[i]++
		if l.rank[t] == 0 {
			l.rank[t] = -1
			l.work = append(l.work, t)
		}
	}
	l.order = l.order[place:]
	for k, i := range l.order {
		l.rank[i] = int32(k)
	}
	l.edges = next
	l.connect()
}

// visit is which successor to visit at turn k: handlers first, what should come
// next last.
func (l *lifter) visit(s *stretch, k int32) int32 {
	at := s.nsucc - 1 - k
	if s.normal == 2 && at < 2 && s.pc >= 0 && l.insts[s.last].Op.Flow() == dex.FlowIf {
		return 1 - at
	}
	return at
}

// connect fills Blocks and Edges but for the instructions.
func (l *lifter) connect() {
	n, total := len(l.order), int32(0)
	l.blocks = sized(l.blocks, n)
	for k, i := range l.order {
		s := &l.stretches[i]
		l.blocks[k] = Block{Succ: total, NSucc: s.nsucc, Normal: s.normal, Handler: s.catch >= 0}
		total += s.nsucc
	}
	l.edges = sized(l.edges, int(2*total))
	for k, i := range l.order {
		s := &l.stretches[i]
		for j := range s.nsucc {
			to := l.rank[l.targets[s.succ+j]]
			l.edges[l.blocks[k].Succ+j] = to
			l.blocks[to].NPred++
		}
	}
	for k := range l.blocks {
		l.blocks[k].Pred = total
		total += l.blocks[k].NPred
		l.blocks[k].NPred = 0
	}
	for k := range l.blocks {
		b := &l.blocks[k]
		for _, to := range l.edges[b.Succ : b.Succ+b.NSucc] {
			t := &l.blocks[to]
			l.edges[t.Pred+t.NPred] = int32(k)
			t.NPred++
		}
	}
}
