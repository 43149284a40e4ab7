package dex_test

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
)

func le32(b []byte, off int) uint32     { return binary.LittleEndian.Uint32(b[off:]) }
func put32(b []byte, off int, v uint32) { binary.LittleEndian.PutUint32(b[off:], v) }
func put16(b []byte, off int, v uint16) { binary.LittleEndian.PutUint16(b[off:], v) }

// Places in the header.
const (
	hdrMap     = 0x34
	hdrStrings = 0x38
	hdrTypes   = 0x40
	hdrProtos  = 0x48
	hdrFields  = 0x50
	hdrMethods = 0x58
	hdrClasses = 0x60
)

// entry gives the place of the i-th record of a table of the header.
func entry(b []byte, table, size, i int) int { return int(le32(b, table+4)) + size*i }

// mapped gives the place of the table of that kind in the map list.
func mapped(b []byte, kind uint16) int {
	at := int(le32(b, hdrMap))
	for i := range int(le32(b, at)) {
		if e := at + 4 + 12*i; binary.LittleEndian.Uint16(b[e:]) == kind {
			return int(le32(b, e+8))
		}
	}
	return 0
}

// TestUnreadableFiles damages what every class needs: the file is refused.
func TestUnreadableFiles(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(b []byte) []byte
		want   string
	}{
		{"magic", func(b []byte) []byte { b[0] = 'D'; return b }, `offset 0x0: not a dex file: magic is "Dex\n039\x00"`},
		{"version", func(b []byte) []byte { copy(b[4:], "042"); return b }, `offset 0x4: dex version "042" is not one of 035 to 041`},
		{"version text", func(b []byte) []byte { copy(b[4:], "+39"); return b }, `offset 0x4: dex version "+39" is not one of 035 to 041`},
		{"byte order", func(b []byte) []byte { put32(b, 0x28, 0x78563412); return b },
			"offset 0x28: endian tag is 0x78563412, only little-endian files are read"},
		{"header size", func(b []byte) []byte { put32(b, 0x24, 0x6f); return b }, "offset 0x24: header size is 111, less than 112"},
		{"file size", func(b []byte) []byte { put32(b, 0x20, 1<<31); return b },
			"offset 0x20: file size is 2147483648, present are * bytes"},
		{"truncated", func(b []byte) []byte { return b[:0x100] }, "offset 0x20: file size is *, present are 256 bytes"},
		{"no header", func(b []byte) []byte { return b[:7] }, "offset 0x0: 7 bytes are too few for a dex header"},
		{"half a header", func(b []byte) []byte { return b[:0x6f] }, "offset 0x0: 111 bytes are too few for a dex header"},
		{"strings", func(b []byte) []byte { put32(b, hdrStrings, 1<<30); return b },
			"offset 0x38: string_ids: 1073741824 entries at 0x70 run past the end of the file"},
		{"wild table", func(b []byte) []byte { put32(b, hdrMethods+4, 0xfffffff0); return b },
			"offset 0x58: method_ids: * entries at 0xfffffff0 run past the end of the file"},
		{"type name", func(b []byte) []byte { put32(b, entry(b, hdrTypes, 4, 1), 1<<20); return b },
			"type 1 has no name: *: string index 1048576 is outside the table of *"},
		{"return type", func(b []byte) []byte { put32(b, entry(b, hdrProtos, 12, 2)+4, 999); return b },
			"prototype 2: shorty or return type index outside its table"},
		{"parameters", func(b []byte) []byte { put32(b, entry(b, hdrProtos, 12, 2)+8, 0xffffffff); return b },
			"prototype 2: parameters: type list at 0xffffffff runs past the end of the file"},
		{"field", func(b []byte) []byte { put16(b, entry(b, hdrFields, 8, 3), 0xffff); return b },
			"field 3: class, type or name index outside its table"},
		{"method", func(b []byte) []byte { put32(b, entry(b, hdrMethods, 8, 3)+4, 0xffffffff); return b },
			"method 3: class, prototype or name index outside its table"},
		{"map", func(b []byte) []byte { put32(b, hdrMap, uint32(len(b)-1)); return b }, "item runs past the end of the file"},
		{"map size", func(b []byte) []byte { put32(b, int(le32(b, hdrMap)), 1<<31); return b },
			"map list of 2147483648 entries runs past the end of the file"},
		{"method handle", func(b []byte) []byte { put16(b, mapped(b, 8)+8, 9); return b },
			"method handle 1: kind 9, index * outside its table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, err := dex.Parse("a.dex", c.damage(sample(39).Bytes()))
			if err == nil || len(files) > 0 {
				t.Fatalf("files %v, error %v", files, err)
			}
			if !matches(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "a.dex: offset 0x") {
				t.Errorf("error %q, want %q", err, c.want)
			}
		})
	}
}

// matches reports whether s ends in pattern, in which * stands for any text.
func matches(s, pattern string) bool {
	parts := strings.Split(pattern, "*")
	last := parts[len(parts)-1]
	if !strings.HasSuffix(s, last) {
		return false
	}
	for _, p := range parts[:len(parts)-1] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return true
}

// TestBrokenClasses damages class La/Main;, the second: the others stay.
func TestBrokenClasses(t *testing.T) {
	def := func(b []byte) int { return entry(b, hdrClasses, 32, 1) }
	data := func(b []byte) int { return int(le32(b, def(b)+24)) }
	for _, c := range []struct {
		name   string
		damage func(b []byte)
		want   string
	}{
		{"type", func(b []byte) { put32(b, def(b), 1<<16) }, "class_def: type index 65536 is not a class"},
		{"primitive", func(b []byte) { put32(b, def(b), 0) }, "class_def: type index 0 is not a class in class B"},
		{"twice", func(b []byte) { put32(b, def(b), le32(b, def(b)-32)) }, "class_def: La/Empty; is defined twice in class La/Empty;"},
		{"super", func(b []byte) { put32(b, def(b)+8, 0xfffffffe) },
			"class_def: superclass index 4294967294 outside the table of * types in class La/Main;"},
		{"interfaces", func(b []byte) { put32(b, def(b)+12, 0xfffffff0) },
			"class_def: interfaces: type list at 0xfffffff0 runs past the end of the file in class La/Main;"},
		{"source", func(b []byte) { put32(b, def(b)+16, 1<<30) },
			"class_def: source file index 1073741824 outside the table of * strings in class La/Main;"},
		{"annotations", func(b []byte) { put32(b, def(b)+20, 1<<30) },
			"class_def: annotations at 0x40000000 lie outside the file in class La/Main;"},
		{"data", func(b []byte) { put32(b, def(b)+24, 0xffffffff) }, "item runs past the end of the file in class La/Main;"},
		{"other's data", func(b []byte) { put32(b, def(b)+24, le32(b, def(b)+32+24)) },
			"class data: field * belongs to another class in class La/Main;"},
		{"field count", func(b []byte) { copy(b[data(b):], "\xff\xff\xff\x7f") },
			"class data: 268435455 fields are more than fit the rest of the file in class La/Main;"},
		{"number", func(b []byte) { copy(b[data(b):], "\xff\xff\xff\xff\xff\x01") },
			"LEB128 number is longer than five bytes in class La/Main;"},
		{"order", func(b []byte) { b[data(b)+6] = 0 }, "class data: fields do not ascend in class La/Main;"},
		{"field", func(b []byte) { b[data(b)+4] = 0x7f }, "class data: field index 127 outside the table of * in class La/Main;"},
		{"values", func(b []byte) { put32(b, def(b)+28, 0xffffffff) }, "item runs past the end of the file in class La/Main;"},
		{"too many values", func(b []byte) { b[data(b)] = 1 }, "class data: *"},
		{"value kind", func(b []byte) { b[le32(b, def(b)+28)+1] = 0x01 }, "unknown kind 0x1 of encoded value in class La/Main;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := sample(39).Bytes()
			c.damage(b)
			files, err := dex.Parse("a.dex", b)
			if err != nil {
				t.Fatal(err)
			}
			f := files[0]
			var names []string
			for _, k := range f.Classes {
				name, _ := f.TypeName(k.Type)
				names = append(names, name)
			}
			if diff := cmp.Diff([]string{"La/Empty;", "La/Main$1;"}, names); diff != "" {
				t.Errorf("classes left (-want +got):\n%s", diff)
			}
			if len(f.Broken) != 1 || f.Broken[0].Index != 1 || !matches(f.Broken[0].Error(), c.want) {
				t.Fatalf("broken: %v, want %s", f.Broken, c.want)
			}
			if !strings.HasPrefix(f.Broken[0].Error(), "a.dex: offset 0x") {
				t.Errorf("error %q has no place", f.Broken[0])
			}
			dump(f)
		})
	}
}

// TestBrokenCode damages the code of onCreate: it alone is lost.
func TestBrokenCode(t *testing.T) {
	const insns = 16
	for _, c := range []struct {
		name   string
		damage func(code []byte)
		want   string
	}{
		{"parameters", func(c []byte) { put16(c, 2, 7) }, "code: 7 parameter registers of 6"},
		{"empty", func(c []byte) { put32(c, 12, 0) }, "code: no instructions"},
		{"size", func(c []byte) { put32(c, 12, 0xffffffff) }, "code: 4294967295 code units run past the end of the file"},
		{"many tries", func(c []byte) { put16(c, 6, 0xffff) }, "code: 65535 try items run past the end of the file"},
		{"tries", func(c []byte) { put16(c, 6, 40) }, "code: 40 try blocks for * code units"},
		{"try start", func(c []byte) { put32(c, tryItems(c), 0xffffffff) },
			"code: try block of units 0xffffffff to 0x100000005 overlaps another or ends outside the method"},
		{"try order", func(c []byte) { put32(c, tryItems(c)+8, 5) },
			"code: try block of units 0x5 to 0x8 overlaps another or ends outside the method"},
		{"handlers", func(c []byte) { put16(c, tryItems(c)+6, 2) }, "code: try block has no handlers at 0x2"},
		{"handler count", func(c []byte) { c[tryItems(c)+16] = 3 }, "code: 3 lists of handlers for 2 try blocks"},
		{"handler size", func(c []byte) { copy(c[tryItems(c)+17:], "\x80\x80\x80\x80\x78") },
			"code: list of 2147483648 handlers runs past the end of the file"},
		{"handler type", func(c []byte) { c[tryItems(c)+18] = 0x7e }, "code: handler: type index 126 outside the table of *"},
		{"handler address", func(c []byte) { c[tryItems(c)+19] = 0x7e }, "code: handler at unit 0x7e outside the method"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := sample(39).Bytes()
			f, off := onCreate(t, b)
			c.damage(b[off:])
			if _, err := f.Code(off); err == nil || !matches(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "a.dex: offset 0x") {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	f, off := onCreate(t, sample(39).Bytes())
	for _, bad := range []uint32{0, 0xffffffff, 1 << 20} {
		if _, err := f.Code(bad); err == nil || !matches(err.Error(), "code: item runs past the end of the file") {
			t.Errorf("code at 0x%x: error %v", bad, err)
		}
	}
	if _, err := f.Code(off); err != nil {
		t.Error(err)
	}
}

// tryItems gives the place of the try items in a code item.
func tryItems(c []byte) int { return (16 + 2*int(le32(c, 12)) + 3) &^ 3 }

func onCreate(t *testing.T, b []byte) (*dex.File, uint32) {
	t.Helper()
	files, err := dex.Parse("a.dex", b)
	if err != nil {
		t.Fatal(err)
	}
	f := files[0]
	for _, c := range f.Classes {
		for _, m := range c.Virtual {
			if f.Strings[f.Methods[m.Method].Name] == "onCreate" {
				return f, m.Code
			}
		}
	}
	t.Fatal("no onCreate")
	return nil, 0
}

// TestDamagedAnnotations keeps the class and the annotations before the damage.
func TestDamagedAnnotations(t *testing.T) {
	set := func(b []byte, dir int) int { return int(le32(b, dir)) }
	first := func(b []byte, dir int) int { return int(le32(b, set(b, dir)+4)) }
	second := func(b []byte, dir int) int { return int(le32(b, set(b, dir)+8)) }
	for _, c := range []struct {
		name   string
		damage func(b []byte, dir int)
		left   int
		want   string
	}{
		{"none", func([]byte, int) {}, 2, ""},
		{"set", func(b []byte, dir int) { put32(b, dir, 0xffffffff) }, 0, "item runs past the end of the file"},
		{"set size", func(b []byte, dir int) { put32(b, set(b, dir), 1<<31) }, 0,
			"set of 2147483648 annotations is larger than the rest of the file"},
		{"item", func(b []byte, dir int) { put32(b, set(b, dir)+8, 0xffffffff) }, 1, "item runs past the end of the file"},
		{"type", func(b []byte, dir int) { b[first(b, dir)+1] = 0x7f }, 0, "annotation: type index 127 outside the table of *"},
		{"element", func(b []byte, dir int) { b[second(b, dir)+3] = 0x7f }, 1, "annotation: element name index 127 outside the table of *"},
		{"value", func(b []byte, dir int) { b[first(b, dir)+5] = 0x7f }, 0, "encoded value of kind 0x1a: index 127 outside the table of *"},
		{"members", func(b []byte, dir int) { put32(b, dir+8, 1<<31) }, 0,
			"annotations of 2147483648 members are larger than the rest of the file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := sample(39).Bytes()
			dir := int(le32(b, entry(b, hdrClasses, 32, 2)+20)) // of La/Main$1;
			c.damage(b, dir)
			files, err := dex.Parse("a.dex", b)
			if err != nil || len(files[0].Classes) != 3 {
				t.Fatalf("files %v, error %v", files, err)
			}
			all, err := files[0].Annotations(&files[0].Classes[2])
			if len(all.Class) != c.left {
				t.Errorf("%d annotations left, want %d", len(all.Class), c.left)
			}
			got := ""
			if err != nil {
				got = err.Error()
			}
			if !matches(got, c.want) || (c.want == "") != (err == nil) {
				t.Errorf("error %q, want %q", got, c.want)
			}
			dump(files[0])
		})
	}
}

// TestDamagedDebugInformation keeps the code and the lines before the damage.
func TestDamagedDebugInformation(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(b []byte, code, debug int)
		lines  int
		want   string
	}{
		{"offset", func(b []byte, code, _ int) { put32(b, code+8, 0xffffffff) }, 0, "item runs past the end of the file"},
		{"parameters", func(b []byte, _, debug int) { b[debug+1] = 5 }, 0, "debug information: 5 parameter names for 4 registers"},
		{"name", func(b []byte, _, debug int) { b[debug+2] = 0x7f }, 0, "debug information: name index 126 outside the table of *"},
		// Prologue end, then an entry for each line.
		{"address", func(b []byte, _, debug int) { copy(b[debug+5:], "\x01\x7f\x0e") }, 1,
			"debug information: code unit 0x* outside the method"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := sample(39).Bytes()
			f, off := onCreate(t, b)
			c.damage(b, int(off), int(le32(b, int(off)+8)))
			code, err := f.Code(off)
			if err != nil {
				t.Fatal(err)
			}
			if len(code.Insns) == 0 || len(code.Lines) != c.lines {
				t.Errorf("%d units, lines %v", len(code.Insns), code.Lines)
			}
			if code.DebugErr == nil || !matches(code.DebugErr.Error(), c.want) {
				t.Errorf("error %v, want %s", code.DebugErr, c.want)
			}
		})
	}
}

func TestBrokenInstructions(t *testing.T) {
	for _, c := range []struct {
		units []uint16
		want  string
	}{
		{nil, "code unit 0x0: outside the 0 units of the method"},
		{[]uint16{0x003e}, "code unit 0x0: unused opcode 0x3e"},
		{[]uint16{0x0079}, "code unit 0x0: unused opcode 0x79"},
		{[]uint16{0x00f9}, "code unit 0x0: unused opcode 0xf9"},
		{[]uint16{0x0018, 0, 0, 0}, "code unit 0x0: const-wide runs past the end of the method"},
		{[]uint16{0x0228}, "code unit 0x0: goto refers to unit 0x2 outside the method"},
		{[]uint16{0x0032, 0xffff}, "code unit 0x0: if-eq refers to unit -0x1 outside the method"},
		{[]uint16{0x002b, 0, 0x8000}, "code unit 0x0: packed-switch refers to unit -0x80000000 outside the method"},
		{[]uint16{0x606e, 0, 0}, "code unit 0x0: invoke-virtual passes 6 registers"},
		{[]uint16{0xff74, 0, 0xff02}, "code unit 0x0: invoke-virtual/range passes registers above 65535"},
		{[]uint16{0x0100, 1, 0, 0, 0}, "code unit 0x0: packed-switch-payload runs past the end of the method"},
		{[]uint16{0x0200, 0xffff}, "code unit 0x0: sparse-switch-payload runs past the end of the method"},
		{[]uint16{0x0300, 0xffff, 0xffff, 0xffff}, "code unit 0x0: fill-array-data-payload runs past the end of the method"},
		{[]uint16{0x0300}, "code unit 0x0: fill-array-data-payload runs past the end of the method"},
	} {
		_, err := dex.Decode(c.units, 0)
		if got := fmt.Sprint(err); got != c.want {
			t.Errorf("%04x: error %q, want %q", c.units, got, c.want)
		}
	}
}

func TestBrokenPayloads(t *testing.T) {
	for _, c := range []struct {
		units []uint16
		want  string
	}{
		{[]uint16{0x002b, 1, 0, 0}, "code unit 0x0: packed-switch refers to unit 0x1, which is not its payload"},
		{[]uint16{0x002c, 4, 0, 0, 0x0100, 0, 0, 0}, "code unit 0x0: sparse-switch refers to unit 0x4, which is not its payload"},
		{[]uint16{0x002b, 4, 0, 0, 0x0100, 1, 7, 0, 10, 0}, "code unit 0x0: packed-switch case 7 goes to unit 0xa outside the method"},
		{[]uint16{0x002b, 4, 0, 0, 0x0100, 2, 7, 0, 0, 0}, "code unit 0x4: packed-switch-payload runs past the end of the method"},
		{[]uint16{0x0026, 4, 0, 0, 0x0300, 3, 1, 0, 0, 0}, "code unit 0x0: fill-array-data has elements of 3 bytes"},
		{[]uint16{0x0026, 4, 0, 0, 0x0300, 0, 0xffff, 0xffff}, "code unit 0x0: fill-array-data has elements of 0 bytes"},
	} {
		in, err := dex.Decode(c.units, 0)
		if err != nil {
			t.Fatal(err)
		}
		if in.Op == dex.OpFillArrayData {
			_, _, err = dex.ArrayData(c.units, 0, in)
		} else {
			_, _, err = dex.SwitchTargets(c.units, 0, in)
		}
		if got := fmt.Sprint(err); got != c.want {
			t.Errorf("%04x: error %q, want %q", c.units, got, c.want)
		}
	}
	if _, _, err := dex.SwitchTargets([]uint16{0}, 0, dex.Inst{}); err == nil {
		t.Error("nop has switch targets")
	}
	if _, _, err := dex.ArrayData([]uint16{0}, 0, dex.Inst{}); err == nil {
		t.Error("nop has array data")
	}
}

// allocated gives the bytes that do allocates for each byte of b.
func allocated(b []byte, do func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / float64(len(b))
}

// TestMemoryIsBounded makes files of a megabyte that say the same bytes over
// and over again: what they cost must stay in proportion to their size.
func TestMemoryIsBounded(t *testing.T) {
	const size = 1 << 20
	for _, c := range []struct {
		name string
		file func() []byte
	}{
		{"one long string many times", func() []byte {
			b := blank(39, size)
			put32(b, hdrStrings, size/8)
			for i := range size / 8 {
				put32(b, 0x70+4*i, size/2+0x1000)
			}
			text := b[size/2+0x1000:]
			for i := range text {
				text[i] = 'a'
			}
			copy(text, "\x80\x80\x10")
			return b
		}},
		{"headers that share one table", func() []byte {
			b := blank(41, size)
			n := size / 2 / 0x78
			for i := range n {
				at := 0x78 * i
				copy(b[at:], b[:0x78])
				put32(b, at+0x20, 0x78)
				put32(b, at+0x74, uint32(at))
				put32(b, at+hdrStrings, size/8-uint32(i%2))
				put32(b, at+hdrStrings+4, size/2)
			}
			put32(b, 0x78*(n-1)+0x20, uint32(size-0x78*(n-1)))
			return b
		}},
		{"deep arrays", func() []byte { return values(size, "\x1c\x64") }},
		{"empty arrays", func() []byte { return values(size, "\x1c\x00") }},
		{"small arrays", func() []byte { return values(size, "\x1c\x01\x1e") }},
		{"small annotations", func() []byte { return values(size, "\x1d\x00\x00") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := c.file()
			ratio := allocated(b, func() {
				files, _ := dex.Parse("a.dex", b)
				for _, f := range files {
					for i := range f.Classes {
						f.Annotations(&f.Classes[i])
					}
				}
			})
			if ratio > 32 {
				t.Errorf("%.0f bytes allocated for each byte of the file", ratio)
			}
		})
	}
}

// blank is an empty file of that size.
func blank(version, size int) []byte {
	head := dextest.New(version).Bytes()
	b := make([]byte, size)
	copy(b, head)
	put32(b, 0x20, uint32(size))
	put32(b, hdrMap, 0)
	if version == 41 {
		put32(b, 0x70, uint32(size))
	}
	return b
}

// values is a class whose only static value and only annotation are one array
// full of copies of value.
func values(size int, value string) []byte {
	d := dextest.New(39)
	d.Class("La;", "Ljava/lang/Object;", 0).Field("f", "I", dex.AccStatic, 1)
	head := d.Bytes()
	for len(head)%4 != 0 {
		head = append(head, 0)
	}
	b := make([]byte, 0, size+len(value))
	b = append(b, head...)
	at := len(b)
	for _, word := range []uint32{uint32(at + 16), 0, 0, 0, 1, uint32(at + 24)} {
		b = binary.LittleEndian.AppendUint32(b, word)
	}
	// A visible annotation of type 0 with one element, named by string 0.
	b = append(b, "\x01\x00\x01\x00"...)
	array := len(b) + 1
	n := (size - 0x400) / len(value)
	b = append(b, 0x1c, byte(n)|0x80, byte(n>>7)|0x80, byte(n>>14))
	for len(b) < size {
		b = append(b, value...)
	}
	put32(b, 0x20, uint32(len(b)))
	def := entry(b, hdrClasses, 32, 0)
	put32(b, def+20, uint32(at))
	put32(b, def+28, uint32(array))
	return b
}

// A type with a malformed name is told, and loses nothing but its name.
func TestMalformedDescriptor(t *testing.T) {
	good, err := dex.Parse("a.dex", sample(39).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	b := sample(39).Bytes()
	put32(b, entry(b, hdrTypes, 4, 0), 0)
	files, err := dex.Parse("a.dex", b)
	if err != nil {
		t.Fatal(err)
	}
	f := files[0]
	if len(f.Broken) != 1 || !strings.Contains(f.Broken[0].Error(), `type 0 has malformed descriptor "<init>"`) {
		t.Errorf("broken are %v", f.Broken)
	}
	if name, err := f.TypeName(0); err != nil || name != "Lmalformed/type0;" {
		t.Errorf("type 0 is %q, %v", name, err)
	}
	if len(f.Classes) != len(good[0].Classes) {
		t.Errorf("%d classes, want %d", len(f.Classes), len(good[0].Classes))
	}
}
