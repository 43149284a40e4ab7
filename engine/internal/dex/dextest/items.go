package dextest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// classDefs writes class_defs and, kind by kind as the map wants it, everything
// they refer to.
func (w *writer) classDefs() {
	interfaces := make([]int, len(w.classes))
	for i, c := range w.classes {
		interfaces[i] = w.typeListAt(c.interfaces)
	}
	debug := map[*Code]int{}
	w.eachMethod(func(m *Code) { debug[m] = w.debugInfo(m) })
	code := map[*Code]int{}
	w.eachMethod(func(m *Code) { code[m] = w.code(m, debug[m]) })
	directories := w.annotations()
	statics := w.arrays()
	for i, c := range w.classes {
		at := w.sections[5].off + 32*i
		w.put32(at, int(w.pool.types[c.desc]))
		w.put32(at+4, int(c.access))
		w.put32(at+8, w.optional(c.super, w.pool.types))
		w.put32(at+12, interfaces[i])
		w.put32(at+16, w.optional(c.source, w.pool.strings))
		w.put32(at+20, directories[i])
		off := w.classData(c, code)
		w.put32(at+24, off)
		w.put32(at+28, statics[i])
	}
}

// arrays writes the encoded arrays, of call sites and of classes, and gives the
// places of the latter.
func (w *writer) arrays() []int {
	for i, s := range w.pool.siteList {
		w.data(itemArray, 1)
		w.put32(w.sections[6].off+4*i, len(w.out))
		w.array(s.values())
	}
	statics := make([]int, len(w.classes))
	for i, c := range w.classes {
		statics[i] = w.staticValues(c)
	}
	return statics
}

func (w *writer) eachMethod(do func(*Code)) {
	for _, c := range w.classes {
		for _, m := range c.methods {
			do(m)
		}
	}
}

func (w *writer) optional(name string, indices map[string]uint32) int {
	if name == "" {
		return dex.NoIndex
	}
	return int(indices[name])
}

func (w *writer) classData(c *Class, code map[*Code]int) int {
	if len(c.fields)+len(c.methods) == 0 {
		return 0
	}
	w.data(itemClassData, 1)
	off := len(w.out)
	statics, instances := w.splitFields(c)
	direct, virtual := w.splitMethods(c)
	for _, n := range []int{len(statics), len(instances), len(direct), len(virtual)} {
		w.uleb(uint32(n))
	}
	for _, list := range [][]*field{statics, instances} {
		last := uint32(0)
		for _, f := range list {
			i := w.pool.fields[f.id]
			w.uleb(i - last)
			w.uleb(f.access)
			last = i
		}
	}
	for _, list := range [][]*Code{direct, virtual} {
		last := uint32(0)
		for _, m := range list {
			i := w.pool.methods[m.id]
			w.uleb(i - last)
			w.uleb(m.access)
			w.uleb(uint32(code[m]))
			last = i
		}
	}
	return off
}

// splitFields gives static and instance fields, sorted by index.
func (w *writer) splitFields(c *Class) (statics, instances []*field) {
	for _, f := range c.fields {
		if f.access&dex.AccStatic != 0 {
			statics = append(statics, f)
		} else {
			instances = append(instances, f)
		}
	}
	for _, list := range [][]*field{statics, instances} {
		slices.SortFunc(list, func(a, b *field) int { return cmp.Compare(w.pool.fields[a.id], w.pool.fields[b.id]) })
	}
	return statics, instances
}

// splitMethods gives direct and virtual methods, sorted by index.
func (w *writer) splitMethods(c *Class) (direct, virtual []*Code) {
	for _, m := range c.methods {
		if m.direct() {
			direct = append(direct, m)
		} else {
			virtual = append(virtual, m)
		}
	}
	for _, list := range [][]*Code{direct, virtual} {
		slices.SortFunc(list, func(a, b *Code) int { return cmp.Compare(w.pool.methods[a.id], w.pool.methods[b.id]) })
	}
	return direct, virtual
}

// staticValues writes the constants of the static fields, up to the last one
// that has one.
func (w *writer) staticValues(c *Class) int {
	statics, _ := w.splitFields(c)
	for len(statics) > 0 && !statics[len(statics)-1].hasValue {
		statics = statics[:len(statics)-1]
	}
	if len(statics) == 0 {
		return 0
	}
	w.data(itemArray, 1)
	off := len(w.out)
	w.uleb(uint32(len(statics)))
	for _, f := range statics {
		if f.hasValue {
			w.value(f.value)
		} else {
			w.value(zeroOf(f.id.Type))
		}
	}
	return off
}

// zeroOf gives the default value of a type.
func zeroOf(desc string) any {
	switch desc {
	case "Z":
		return false
	case "B":
		return int8(0)
	case "S":
		return int16(0)
	case "C":
		return Char(0)
	case "I":
		return int32(0)
	case "J":
		return int64(0)
	case "F":
		return float32(0)
	case "D":
		return float64(0)
	}
	return nil
}

func (w *writer) code(m *Code, debug int) int {
	if len(m.units) == 0 {
		return 0
	}
	w.data(itemCode, 4)
	off := len(w.out)
	w.u16(m.registers)
	w.u16(m.ins())
	w.u16(m.outs)
	w.u16(len(m.tries))
	w.u32(debug)
	size := len(w.out)
	w.u32(0)
	start := len(w.out)
	for _, u := range m.units {
		w.unit(u)
	}
	n := (len(w.out) - start) / 2
	w.put32(size, n)
	if len(m.tries) > 0 {
		if n%2 != 0 {
			w.u16(0)
		}
		w.tries(m)
	}
	return off
}

func (w *writer) unit(u any) {
	switch u := u.(type) {
	case uint16:
		w.u16(int(u))
	case Jumbo:
		w.u32(int(w.pool.index(u)))
	default:
		i := w.pool.index(u)
		if i > 0xffff {
			panic(fmt.Sprintf("dextest: index %d of %v does not fit a code unit", i, u))
		}
		w.u16(int(i))
	}
}

func (w *writer) tries(m *Code) {
	table := len(w.out)
	for _, t := range m.tries {
		w.u32(int(t.start))
		w.u16(int(t.end - t.start))
		w.u16(0)
	}
	list := len(w.out)
	w.uleb(uint32(len(m.tries)))
	for i, t := range m.tries {
		w.put16(table+8*i+6, len(w.out)-list)
		n := int32(len(t.handlers))
		if n == 0 {
			panic("dextest: try block without handlers")
		}
		if t.handlers[n-1].Type == "" {
			n = -(n - 1)
		}
		w.sleb(n)
		for _, h := range t.handlers {
			if h.Type != "" {
				w.uleb(w.pool.types[h.Type])
			}
			w.uleb(h.Addr)
		}
	}
}

func (w *writer) debugInfo(m *Code) int {
	if len(m.lines)+len(m.params) == 0 {
		return 0
	}
	w.data(itemDebugInfo, 1)
	off := len(w.out)
	line, addr := uint32(1), uint32(0)
	if len(m.lines) > 0 {
		line = m.lines[0].Line
	}
	w.uleb(line)
	w.uleb(uint32(len(m.params)))
	for _, name := range m.params {
		if name == "" {
			w.uleb(0)
		} else {
			w.uleb(w.pool.strings[name] + 1)
		}
	}
	w.u8(7) // end of prologue
	for _, l := range m.lines {
		w.linePosition(l.Addr-addr, int32(l.Line-line))
		line, addr = l.Line, l.Addr
	}
	w.u8(0)
	return off
}

// linePosition moves address and line and emits an entry.
func (w *writer) linePosition(addr uint32, line int32) {
	if line < -4 || line > 10 {
		w.u8(2)
		w.sleb(line)
		line = 0
	}
	if addr > 15 {
		w.u8(1)
		w.uleb(addr)
		addr = 0
	}
	w.u8(0x0a + int(line) + 4 + 15*int(addr))
}
