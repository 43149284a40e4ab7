package dex

// Opcodes of the debug information.
const (
	dbgEndSequence   = 0x00
	dbgAdvancePC     = 0x01
	dbgAdvanceLine   = 0x02
	dbgStartLocal    = 0x03
	dbgStartLocalExt = 0x04
	dbgEndLocal      = 0x05
	dbgRestartLocal  = 0x06
	dbgPrologueEnd   = 0x07
	dbgEpilogueBegin = 0x08
	dbgSetFile       = 0x09
	dbgFirstSpecial  = 0x0a
	dbgLineBase      = 4 // subtracted
	dbgLineRange     = 15
)

// debugInfo reads the debug_info_item at off into c. Damage costs lines but
// never the code, which runs without.
func (f *File) debugInfo(c *Code, off uint32) {
	cur := cursor{data: f.data, pos: int(min(uint64(off), uint64(len(f.data))))}
	line := cur.uleb()
	f.paramNames(c, &cur)
	body := cur
	if n := lineTable(&cur, line, len(c.Insns), nil); n > 0 {
		c.Lines = make([]Line, 0, n)
		lineTable(&body, line, len(c.Insns), &c.Lines)
	}
	c.DebugErr = cur.err(f.Name)
}

func (f *File) paramNames(c *Code, cur *cursor) {
	n := cur.uleb()
	if n > uint32(c.Ins) {
		cur.failf("debug information: %d parameter names for %d registers", n, c.Ins)
	}
	if cur.failed() || n == 0 {
		return
	}
	named := false
	names := make([]string, n)
	for i := range names {
		s := cur.ulebp1()
		if cur.failed() {
			return
		}
		if s == NoIndex {
			continue
		}
		if uint64(s) >= uint64(len(f.Strings)) {
			cur.failf("debug information: name index %d outside the table of %d", s, len(f.Strings))
			return
		}
		names[i], named = f.Strings[s], true
	}
	if named {
		c.ParamNames = names
	}
}

// lineTable runs the line number program at cur and counts its entries; with
// out it also stores them. Of several entries for one address the last counts,
// as on the platform, so there are never more than code units.
func lineTable(cur *cursor, line uint32, codeUnits int, out *[]Line) (n int) {
	// Locals take a few opcodes per instruction. The bound keeps a program
	// that many methods share from costing more than their code.
	steps := 64*codeUnits + 4096
	addr, last := uint32(0), int64(-1)
	for ; !cur.failed(); steps-- {
		if steps == 0 {
			cur.fail("debug information is far longer than the code")
			return n
		}
		op := cur.u8()
		if op < dbgFirstSpecial {
			if op == dbgEndSequence {
				return n
			}
			debugOperands(cur, op, &addr, &line)
			continue
		}
		adjusted := uint32(op - dbgFirstSpecial)
		line += adjusted%dbgLineRange - dbgLineBase
		addr += adjusted / dbgLineRange
		if uint64(addr) >= uint64(codeUnits) {
			cur.failf("debug information: code unit 0x%x outside the method", addr)
			return n
		}
		if int64(addr) != last {
			n++
		}
		if out != nil {
			if int64(addr) == last {
				(*out)[n-1].Line = line
			} else {
				*out = append(*out, Line{addr, line})
			}
		}
		last = int64(addr)
	}
	return n
}

// debugOperands runs an opcode that emits no entry.
func debugOperands(cur *cursor, op uint8, addr, line *uint32) {
	switch op {
	case dbgAdvancePC:
		step := cur.uleb()
		if uint64(*addr)+uint64(step) > 1<<31 {
			cur.fail("debug information: address overflows")
		}
		*addr += step
	case dbgAdvanceLine:
		*line += uint32(cur.sleb())
	case dbgStartLocal, dbgStartLocalExt:
		cur.uleb()
		cur.uleb()
		cur.uleb()
		if op == dbgStartLocalExt {
			cur.uleb()
		}
	case dbgEndLocal, dbgRestartLocal, dbgSetFile:
		cur.uleb()
	case dbgPrologueEnd, dbgEpilogueBegin:
	}
}
