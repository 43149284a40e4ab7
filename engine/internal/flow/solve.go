package flow

import "github.com/eventraces/eventraces/engine/internal/ir"

// Problem is a forward analysis of a body: a lattice of states and what
// instructions and edges make of them.
type Problem[S any] interface {
	Entry() S                   // the state at the start of the body
	Top() S                     // the neutral element of Join: no path known yet
	Join(a, b S) S              // what holds on both paths (must) or on one (may)
	Equal(a, b S) bool          //
	Step(v ir.Value, s S) S     // the state after an instruction; of the top that is no state, the same
	Edge(from, to int32, s S) S // the state after a normal edge, which may be that of a test
}

// Solution is the state at the start of each block.
type Solution[S any] struct {
	b     *ir.Body
	p     Problem[S]
	start []S
}

// Solve finds the greatest solution of a problem: the states of a block's
// predecessors are joined until nothing changes. A handler sees the state before the last
// instruction of the block that throws joined with that after it, since the
// instruction may have had its effect or not.
func Solve[S any](b *ir.Body, p Problem[S]) *Solution[S] {
	s := &Solution[S]{b: b, p: p, start: make([]S, len(b.Blocks))}
	for k := range s.start {
		s.start[k] = p.Top()
	}
	s.start[0] = p.Entry()
	for changed := true; changed; {
		changed = false
		for k := range b.Blocks {
			changed = s.pass(int32(k)) || changed
		}
	}
	return s
}

// pass gives the state of a block to its successors, and reports whether one of
// theirs has changed.
func (s *Solution[S]) pass(k int32) bool {
	changed := false
	for i, to := range s.b.Succs(k) {
		next := s.edge(k, to, i >= int(s.b.Blocks[k].Normal))
		if joined := s.p.Join(s.start[to], next); !s.p.Equal(joined, s.start[to]) {
			s.start[to], changed = joined, true
		}
	}
	return changed
}

// edge is the state at the end of an edge, which leads to a handler or not.
func (s *Solution[S]) edge(from, to int32, thrown bool) S {
	last := s.b.Blocks[from].End - 1
	before := s.through(from, last)
	after := s.p.Step(last, before)
	if thrown {
		return s.p.Join(before, after)
	}
	return s.p.Edge(from, to, after)
}

// through is the state of block k before instruction stop.
func (s *Solution[S]) through(k int32, stop ir.Value) S {
	state := s.start[k]
	for v := s.b.Blocks[k].Start; v < stop; v++ {
		state = s.p.Step(v, state)
	}
	return state
}

// Before is the state when v is about to be executed.
func (s *Solution[S]) Before(v ir.Value) S { return s.through(s.b.BlockOf(v), v) }

// After is the state at the end of the edge between two blocks.
func (s *Solution[S]) After(from, to int32) S { return s.edge(from, to, s.b.Blocks[to].Handler) }
