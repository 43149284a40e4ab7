package dex

import (
	"encoding/binary"
	"fmt"
	"slices"
)

const codeHeader = 16

// Code is the code of one method.
type Code struct {
	Registers uint16
	Ins       uint16 // parameters are the last Ins registers
	Outs      uint16
	Insns     []uint16 // must not be changed
	Tries     []Try    // ascending, without overlap

	Lines      []Line   // ascending addresses; nil without debug information
	ParamNames []string // "" where unknown; may be shorter than the parameters
	DebugErr   error    // debug information is damaged; Lines holds what precedes the damage
}

// Try is a range of code units and its handlers, in the order they are tried.
type Try struct {
	Start, Count uint32
	Handlers     []Handler
}

// Handler catches Type, a type index, or everything if it is -1.
type Handler struct {
	Type int32
	Addr uint32
}

// Line says that the code from Addr on, up to the next entry, is of a source
// line.
type Line struct{ Addr, Line uint32 }

// LineAt gives the source line of code unit pc, 0 if unknown.
func (c *Code) LineAt(pc uint32) uint32 {
	i, found := slices.BinarySearchFunc(c.Lines, pc, func(l Line, pc uint32) int {
		return int(int64(l.Addr) - int64(pc))
	})
	if !found {
		i--
	}
	if i < 0 {
		return 0
	}
	return c.Lines[i].Line
}

// codeUnits gives how many code units the code item at off says it has, or 0.
func (f *File) codeUnits(off uint32) uint32 {
	if off == 0 || uint64(off)+codeHeader > uint64(len(f.data)) {
		return 0
	}
	return min(binary.LittleEndian.Uint32(f.data[off+12:]), uint32(len(f.data)))
}

// Code reads the code item at off, as EncodedMethod gives it.
func (f *File) Code(off uint32) (*Code, error) {
	fail := func(at int, format string, args ...any) (*Code, error) {
		return nil, &Error{f.Name, uint32(at), "code: " + fmt.Sprintf(format, args...)}
	}
	start := int(off)
	if off == 0 || uint64(off)+codeHeader > uint64(len(f.data)) {
		return fail(start, "item runs past the end of the file")
	}
	d := f.data[start:]
	c := &Code{
		Registers: binary.LittleEndian.Uint16(d),
		Ins:       binary.LittleEndian.Uint16(d[2:]),
		Outs:      binary.LittleEndian.Uint16(d[4:]),
	}
	tries := int(binary.LittleEndian.Uint16(d[6:]))
	debug := binary.LittleEndian.Uint32(d[8:])
	n := binary.LittleEndian.Uint32(d[12:])
	if c.Ins > c.Registers {
		return fail(start+2, "%d parameter registers of %d", c.Ins, c.Registers)
	}
	if n == 0 {
		return fail(start+12, "no instructions")
	}
	if uint64(n)*2 > uint64(len(d)-codeHeader) {
		return fail(start+12, "%d code units run past the end of the file", n)
	}
	end := codeHeader + 2*int(n)
	c.Insns = units(d[codeHeader:end:end])
	if tries > 0 {
		end += end & 2
		if err := f.tries(c, start+end, tries); err != nil {
			return nil, err
		}
	}
	if debug != 0 {
		f.debugInfo(c, debug)
	}
	return c, nil
}

// catchList is one encoded_catch_handler: off counts from the start of the list.
type catchList struct{ off, first, last int }

// tries reads n try_items at off and the handlers behind them.
func (f *File) tries(c *Code, off, n int) error {
	fail := func(at int, format string, args ...any) error {
		return &Error{f.Name, uint32(at), "code: " + fmt.Sprintf(format, args...)}
	}
	if off+8*n > len(f.data) {
		return fail(off, "%d try items run past the end of the file", n)
	}
	if n > len(c.Insns) {
		return fail(off, "%d try blocks for %d code units", n, len(c.Insns))
	}
	handlers, lists, err := f.catchHandlers(c, off+8*n, n)
	if err != nil {
		return err
	}
	c.Tries = make([]Try, n)
	last := uint64(0)
	for i := range c.Tries {
		at := off + 8*i
		d := f.data[at : at+8]
		t := Try{Start: binary.LittleEndian.Uint32(d), Count: uint32(binary.LittleEndian.Uint16(d[4:]))}
		h := int(binary.LittleEndian.Uint16(d[6:]))
		if uint64(t.Start) < last || uint64(t.Start)+uint64(t.Count) > uint64(len(c.Insns)) {
			return fail(at, "try block of units 0x%x to 0x%x overlaps another or ends outside the method", t.Start, uint64(t.Start)+uint64(t.Count))
		}
		last = uint64(t.Start) + uint64(t.Count)
		k, found := slices.BinarySearchFunc(lists, h, func(l catchList, h int) int { return l.off - h })
		if !found {
			return fail(at+6, "try block has no handlers at 0x%x", h)
		}
		t.Handlers = handlers[lists[k].first:lists[k].last:lists[k].last]
		c.Tries[i] = t
	}
	return nil
}

// catchHandlers reads the encoded_catch_handler_list at off, for tries blocks.
func (f *File) catchHandlers(c *Code, off, tries int) ([]Handler, []catchList, error) {
	cur := cursor{data: f.data, pos: off}
	n := cur.uleb()
	// Every list serves at least one try block.
	if uint64(n) > uint64(tries) || uint64(n) > uint64(cur.left()) {
		cur.failf("code: %d lists of handlers for %d try blocks", n, tries)
	}
	if cur.failed() {
		return nil, nil, cur.err(f.Name)
	}
	// The bound keeps a list that many methods share from costing more than
	// their code.
	limit := 16*int64(len(c.Insns)) + 256
	lists := make([]catchList, 0, n)
	handlers := make([]Handler, 0, 2*n)
	for i := uint32(0); i < n && !cur.failed(); i++ {
		l := catchList{off: cur.pos - off, first: len(handlers)}
		size := int64(cur.sleb())
		typed := max(size, -size)
		if typed*2 > int64(cur.left()) {
			cur.failf("code: list of %d handlers runs past the end of the file", typed)
		}
		if limit -= typed + 1; limit < 0 {
			cur.failf("code: far more handlers than code: list of %d", typed)
		}
		for range typed {
			t := cur.uleb()
			h := Handler{Type: int32(t), Addr: cur.uleb()}
			if !cur.failed() && uint64(t) >= uint64(len(f.Types)) {
				cur.failf("code: handler: type index %d outside the table of %d", t, len(f.Types))
			}
			if cur.failed() {
				break
			}
			handlers = append(handlers, h)
		}
		if size <= 0 {
			handlers = append(handlers, Handler{Type: -1, Addr: cur.uleb()})
		}
		l.last = len(handlers)
		lists = append(lists, l)
	}
	for _, h := range handlers {
		if uint64(h.Addr) >= uint64(len(c.Insns)) {
			cur.failf("code: handler at unit 0x%x outside the method", h.Addr)
		}
	}
	return handlers, lists, cur.err(f.Name)
}
