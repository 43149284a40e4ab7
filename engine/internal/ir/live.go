package ir

import "math/bits"

// liveness gives a column to each register that some block reads before writing
// it, and finds at which blocks those columns are live. Methods of one block
// have none.
func (l *lifter) liveness() error {
	regs, n := int(l.code.Registers)+1, len(l.blocks)
	l.column, l.columns, l.words = sized(l.column, regs), l.columns[:0], 0
	if n == 1 {
		return nil
	}
	if err := l.assignColumns(regs, n); err != nil {
		return err
	}
	l.words = (len(l.columns) + 63) / 64
	if n*len(l.columns) > largestTable {
		return l.errorf(0, "%d blocks with %d registers are too many", n, len(l.columns))
	}
	l.live, l.kill = sized(l.live, n*l.words), sized(l.kill, n*l.words)
	l.localSets()
	l.flowBack()
	return nil
}

// largestTable bounds blocks times live registers, and half of what joins may
// take as arguments; real methods stay below a hundredth of it.
const largestTable = 1 << 24

// eachInst calls f with the instructions of block k in order.
func (l *lifter) eachInst(k int, f func(in *inst, last bool) error) error {
	s := &l.stretches[l.order[k]]
	if s.pc < 0 {
		return nil
	}
	for i := l.at[s.pc] - 1; ; {
		in := &l.insts[i]
		if err := f(in, i == s.last); err != nil {
			return err
		}
		if i == s.last {
			return nil
		}
		i = l.at[in.next] - 1
	}
}

// assignColumns also notes the reads that make the columns, as pairs of block
// and register in work.
func (l *lifter) assignColumns(regs, n int) error {
	l.seen, l.used = sized(l.seen, regs), sized(l.used, regs)
	l.work = l.work[:0]
	for k := range n {
		now := int32(k) + 1
		if l.stretches[l.order[k]].catch >= 0 {
			l.seen[regs-1] = now
		}
		err := l.eachInst(k, func(in *inst, _ bool) error {
			reads, err := l.reads(in)
			if err != nil {
				return err
			}
			for _, r := range reads {
				if l.seen[r] == now || l.used[r] == now {
					continue
				}
				l.used[r] = now
				if l.column[r] == 0 {
					l.columns = append(l.columns, r)
					l.column[r] = int32(len(l.columns))
				}
				l.work = append(l.work, int32(k), r)
			}
			if w := writes(in); w >= 0 {
				l.seen[w] = now
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// localSets fills live with what a block reads first, and kill with what it
// writes, but for the result of a last instruction that handlers do not see.
func (l *lifter) localSets() {
	for i := 0; i < len(l.work); i += 2 {
		l.mark(l.live, int(l.work[i]), l.work[i+1])
	}
	for k := range l.blocks {
		if l.stretches[l.order[k]].catch >= 0 {
			l.mark(l.kill, k, int32(l.code.Registers))
		}
		if k == 0 {
			for r := l.code.Registers - l.code.Ins; r < l.code.Registers; r++ {
				l.mark(l.kill, k, int32(r))
			}
		}
		b := &l.blocks[k]
		_ = l.eachInst(k, func(in *inst, last bool) error {
			if w := writes(in); w >= 0 && !(last && b.NSucc > b.Normal) {
				l.mark(l.kill, k, w)
			}
			return nil
		})
	}
}

func (l *lifter) mark(set []uint64, block int, reg int32) {
	if c := l.column[reg]; c != 0 {
		set[block*l.words+int(c-1)/64] |= 1 << (uint(c-1) % 64)
	}
}

// flowBack solves live(b) = reads(b) + (live of its successors - writes(b)).
func (l *lifter) flowBack() {
	n := len(l.blocks)
	queued := sized(l.seen, n)
	l.work = l.work[:0]
	for k := range n {
		l.work = append(l.work, int32(k))
		queued[k] = 1
	}
	for len(l.work) > 0 {
		k := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		queued[k] = 0
		if !l.absorb(k) {
			continue
		}
		b := &l.blocks[k]
		for _, p := range l.edges[b.Pred : b.Pred+b.NPred] {
			if queued[p] == 0 {
				queued[p] = 1
				l.work = append(l.work, p)
			}
		}
	}
	l.seen = queued
}

// absorb adds to live of block k what its successors have live. It reports
// whether that was more than before.
func (l *lifter) absorb(k int32) bool {
	b := &l.blocks[k]
	hidden := l.hidden(k)
	grew := false
	live := l.live[int(k)*l.words : (int(k)+1)*l.words]
	kill := l.kill[int(k)*l.words : (int(k)+1)*l.words]
	for j, s := range l.edges[b.Succ : b.Succ+b.NSucc] {
		for w := range live {
			in := l.live[int(s)*l.words+w] &^ kill[w]
			if int32(j) < b.Normal && hidden >= 0 && int(hidden)/64 == w {
				in &^= 1 << (uint(hidden) % 64)
			}
			if in&^live[w] != 0 {
				live[w] |= in
				grew = true
			}
		}
	}
	return grew
}

// hidden is the column that the last instruction of a block with handlers
// writes, which the handlers do not see, or -1.
func (l *lifter) hidden(k int32) int32 {
	b := &l.blocks[k]
	s := &l.stretches[l.order[k]]
	if b.NSucc == b.Normal || s.pc < 0 {
		return -1
	}
	if w := writes(&l.insts[s.last]); w >= 0 {
		return l.column[w] - 1
	}
	return -1
}

// eachColumn calls f with the columns that are live at the start of block k.
func (l *lifter) eachColumn(k int, f func(c int)) {
	for w, set := range l.live[k*l.words : (k+1)*l.words] {
		for ; set != 0; set &= set - 1 {
			f(w*64 + bits.TrailingZeros64(set))
		}
	}
}
