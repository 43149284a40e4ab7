package flow

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// passed is the problem which instructions of some have been executed on every path, as
// bits, or on any path.
type passed struct {
	bit map[ir.Value]uint64
	any bool
}

func (p *passed) Entry() uint64 { return 0 }
func (p *passed) Top() uint64 {
	if p.any {
		return 0
	}
	return ^uint64(0)
}
func (p *passed) Join(a, b uint64) uint64 {
	if p.any {
		return a | b
	}
	return a & b
}
func (p *passed) Equal(a, b uint64) bool           { return a == b }
func (p *passed) Step(v ir.Value, s uint64) uint64 { return s | p.bit[v] }
func (p *passed) Edge(_, _ int32, s uint64) uint64 { return s }

// TestSolve compares the solver on random bodies with walks along all their paths, each block
// at most twice.
func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		x := build(t, randomCode(r))
		f := x.function("onCreate")
		b := x.s.PT.Body(f)
		bit := map[ir.Value]uint64{}
		for i, v := range x.values(f, ir.OpInvoke) {
			bit[v] = 1 << i
		}
		must, may := Solve(b, &passed{bit, false}), Solve(b, &passed{bit, true})
		wantMust, wantMay := walk(b, bit)
		for k := range b.Blocks {
			v := b.Blocks[k].Start
			if got := must.Before(v); got != wantMust[k] {
				t.Errorf("block %d: always %b, want %b", k, got, wantMust[k])
			}
			if got := may.Before(v); got != wantMay[k] {
				t.Errorf("block %d: perhaps %b, want %b", k, got, wantMay[k])
			}
		}
	}
}

// randomCode is code of calls and branches between labels.
func randomCode(r *rand.Rand) string {
	var out strings.Builder
	n := 2 + r.IntN(4)
	for i := range n {
		out.WriteString(":l" + strconv.Itoa(i) + "\ntest v0\n")
		if r.IntN(3) > 0 {
			out.WriteString("if-eqz v0, :l" + strconv.Itoa(r.IntN(n)) + "\n")
		}
		if r.IntN(4) == 0 {
			out.WriteString("test v1\nif-eqz v1, :end\n")
		}
	}
	out.WriteString(":end")
	if r.IntN(2) == 0 {
		out.WriteString("\n.catchall :l0 :end :end")
		return strings.Replace(out.String(), "\n:end\n", "\nreturn-void\n:end\nmove-exception v2\n", 1)
	}
	return out.String()
}

// walk gives what has been passed at the start of each block on every and on some path.
func walk(b *ir.Body, bit map[ir.Value]uint64) (must, may []uint64) {
	must, may = make([]uint64, len(b.Blocks)), make([]uint64, len(b.Blocks))
	for k := range must {
		must[k] = ^uint64(0)
	}
	type state struct {
		block  int32
		passed uint64
	}
	seen := map[state]bool{}
	for work := []state{{0, 0}}; len(work) > 0; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		must[s.block] &= s.passed
		may[s.block] |= s.passed
		end := b.Blocks[s.block].End
		before := s.passed
		for v := b.Blocks[s.block].Start; v < end-1; v++ {
			before |= bit[v]
		}
		after := before | bit[end-1]
		for i, to := range b.Succs(s.block) {
			work = append(work, state{to, after})
			if i >= int(b.Blocks[s.block].Normal) {
				work = append(work, state{to, before})
			}
		}
	}
	return must, may
}
