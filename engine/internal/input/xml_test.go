package input

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/input/inputtest"
)

// document has an element, attributes of every kind and a child.
func document() *inputtest.Node {
	return inputtest.E("manifest", inputtest.Plain("package", "com.acme"),
		inputtest.E("view",
			inputtest.A("name", "a<b>&\"c\" \u00e9"), inputtest.A("id", inputtest.Ref(0x7f010002)),
			inputtest.A("max", 7), inputtest.A("on", true), inputtest.App("off", false)))
}

func printXML(elements []element) string {
	var b strings.Builder
	for _, e := range elements {
		fmt.Fprintf(&b, "%d %s", e.parent, e.name)
		for _, a := range e.attrs {
			if a.Name.Space != "xmlns" {
				fmt.Fprintf(&b, " %s|%s=%q", a.Name.Space[strings.LastIndex(a.Name.Space, "/")+1:], a.Name.Local, a.Value)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestReadXML(t *testing.T) {
	want := `-1 manifest |package="com.acme"
0 view android|name="a<b>&\"c\" é" android|id="@0x7F010002" android|max="7" android|on="true" res-auto|off="false"
`
	for _, o := range []inputtest.XMLOptions{{}, {UTF8: true}, {NoRaw: true}} {
		got, err := readXML(o.Write(document()))
		if err != nil {
			t.Errorf("%+v: %v", o, err)
		} else if s := printXML(got); s != want {
			t.Errorf("%+v: got\n%swant\n%s", o, s, want)
		}
	}
}

func put32(b []byte, off int, v uint32) { binary.LittleEndian.PutUint32(b[off:], v) }
func put16(b []byte, off int, v uint16) { binary.LittleEndian.PutUint16(b[off:], v) }
func get32(b []byte, off int) int       { return int(binary.LittleEndian.Uint32(b[off:])) }

// find is the offset of the n-th child chunk of the given kind.
func find(t *testing.T, b []byte, kind uint16, n int) int {
	t.Helper()
	for at := int(binary.LittleEndian.Uint16(b[2:])); at < len(b); at += get32(b, at+4) {
		if binary.LittleEndian.Uint16(b[at:]) == kind {
			if n--; n < 0 {
				return at
			}
		}
	}
	t.Fatalf("no chunk %#x", kind)
	return 0
}

// Each fault is one that androidbinary trusts: it would allocate by the count,
// read elsewhere, panic or loop.
func TestReadXMLRejects(t *testing.T) {
	start := func(t *testing.T, b []byte) int { return find(t, b, chunkStartElement, 1) } // <view>
	tests := []struct {
		name   string
		change func(*testing.T, []byte) []byte
		want   string
	}{
		{"empty", func(_ *testing.T, b []byte) []byte { return nil }, "offset 0x0: a chunk header needs 8 bytes, 0 are left"},
		{"text", func(_ *testing.T, b []byte) []byte { return []byte("<?xml version='1.0'?>") },
			"offset 0x0: starts with chunk 0x3f3c, expected binary XML (0x0003)"},
		{"other chunk", func(_ *testing.T, b []byte) []byte { put16(b, 0, 2); return b }, "starts with chunk 0x0002, expected binary XML"},
		{"size beyond end", func(_ *testing.T, b []byte) []byte { put32(b, 4, uint32(len(b)+1)); return b }, "are left"},
		{"truncated", func(_ *testing.T, b []byte) []byte { return b[:len(b)-9] }, "are left"},
		{"header larger than chunk", func(_ *testing.T, b []byte) []byte { put16(b, 10, 0xffff); return b },
			"offset 0x8: chunk 0x0001 has a header of 65535"},
		{"chunk of size 0", func(_ *testing.T, b []byte) []byte { put32(b, 12, 0); return b },
			"offset 0x8: chunk 0x0001 has a header of 28 bytes in 0 bytes"},
		{"wild string count", func(_ *testing.T, b []byte) []byte { put32(b, 16, 0x3fffffff); return b },
			"1073741823 string offsets do not fit"},
		{"wild style count", func(_ *testing.T, b []byte) []byte { put32(b, 20, 0x7fffffff); return b },
			"2147483647 style offsets do not fit"},
		{"strings start beyond", func(_ *testing.T, b []byte) []byte { put32(b, 28, 0xfffffff0); return b }, "strings start at 4294967280"},
		{"wild string offset", func(_ *testing.T, b []byte) []byte { put32(b, 36, 0xffffffff); return b },
			"offset 0x24: string 0 lies beyond"},
		{"wild string length", func(_ *testing.T, b []byte) []byte { put16(b, 8+get32(b, 28), 0xffff); return b }, "string 0 lies beyond"},
		{"short pool header", func(_ *testing.T, b []byte) []byte { put16(b, 10, 8); return b }, "string pool header of 8 bytes"},
		{"two pools", func(_ *testing.T, b []byte) []byte {
			pool := b[8 : 8+get32(b, 12)]
			b = append(b, pool...)
			put32(b, 4, uint32(len(b)))
			return b
		}, "a second string pool"},
		{"wild name", func(t *testing.T, b []byte) []byte { put32(b, start(t, b)+20, 999); return b }, "element name refers to string 999"},
		{"undeclared namespace", func(t *testing.T, b []byte) []byte { put32(b, start(t, b)+36, 0); return b },
			"in a namespace that is not declared"},
		{"attribute size 0", func(t *testing.T, b []byte) []byte { put16(b, start(t, b)+26, 0); return b }, "5 attributes of 0 bytes"},
		{"wild attribute count", func(t *testing.T, b []byte) []byte { put16(b, start(t, b)+28, 0xffff); return b },
			"65535 attributes of 20 bytes"},
		{"wild attribute start", func(t *testing.T, b []byte) []byte { put16(b, start(t, b)+24, 0xfff8); return b }, "do not fit into the"},
		{"wild attribute value", func(t *testing.T, b []byte) []byte { put32(b, start(t, b)+44, 500); return b },
			"attribute value refers to string 500"},
		{"short node header", func(t *testing.T, b []byte) []byte { put16(b, start(t, b)+2, 12); return b }, "with a header of 12"},
		{"unbalanced", func(t *testing.T, b []byte) []byte { put16(b, find(t, b, chunkEndElement, 1), 0x104); return b },
			"ends inside element <manifest>"},
		{"wrong end", func(t *testing.T, b []byte) []byte { put32(b, find(t, b, chunkEndElement, 0)+20, 0); return b },
			"element <view> ends as </name>"},
		{"end first", func(t *testing.T, b []byte) []byte {
			put16(b, find(t, b, chunkStartElement, 0), chunkEndElement)
			return b
		}, "ends that was not started"},
		{"no element", func(t *testing.T, b []byte) []byte { put32(b, 4, uint32(8+get32(b, 12))); return b }, "without an element"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readXML(tt.change(t, inputtest.XML(document())))
			wantBad(t, err, tt.want)
		})
	}
}

func wantBad(t *testing.T, err error, want string) {
	t.Helper()
	var b *badData
	if !errors.As(err, &b) {
		t.Fatalf("got error %v, want one with an offset", err)
	}
	if s := err.Error(); !strings.Contains(s, want) || strings.Contains(s, "\n") {
		t.Errorf("got %q, want one line with %q", s, want)
	}
}

// allocated is how many bytes f allocates in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A few bytes whose counts ask for gigabytes: the library allocates them.
func TestTinyXMLAllocatesLittle(t *testing.T) {
	b := make([]byte, 39)
	put16(b, 0, chunkXML)
	put16(b, 2, 8)
	put32(b, 4, 39)
	put16(b, 8, chunkPool)
	put16(b, 10, 28)
	put32(b, 12, 31)
	put32(b, 16, 0x1fffffff)
	var err error
	if n := allocated(func() { _, err = readXML(b) }); n > 64<<10 {
		t.Errorf("allocated %d bytes for 39", n)
	}
	wantBad(t, err, "offset 0x8: 536870911 string offsets do not fit into the 31 bytes")
}

// One long string named by many attributes or many string slots.
func TestRepeatedStringsAreBounded(t *testing.T) {
	root := inputtest.E("a")
	for i := range 2000 {
		root.Attrs = append(root.Attrs, inputtest.Plain(fmt.Sprintf("a%d", i), strings.Repeat("x", 20000)))
	}
	_, err := readXML(inputtest.XML(root))
	wantBad(t, err, "unpacks to more than 16 times the file")

	b := inputtest.XMLOptions{UTF8: true}.Write(inputtest.E("a", inputtest.Plain("b", strings.Repeat("x", 20000)),
		inputtest.Plain("c", "d")))
	n, long := get32(b, 16), 0
	for i := range n { // the slot of the long string
		if at := 8 + get32(b, 28) + get32(b, 36+4*i); b[at]&0x80 != 0 {
			long = get32(b, 36+4*i)
		}
	}
	for i := range n {
		put32(b, 36+4*i, uint32(long))
	}
	_, err = readXML(b)
	wantBad(t, err, "the strings overlap")
}

// Names are printed unquoted by the library.
func TestForgedMarkup(t *testing.T) {
	for _, name := range []string{`a b="c"`, "a><b", "a:b", ""} {
		if _, err := readXML(inputtest.XML(inputtest.E(name))); err == nil {
			t.Errorf("element name %q was accepted", name)
		}
	}
}

// Two namespaces of one prefix on one element come out in map order.
func TestPrefixDeclaredTwice(t *testing.T) {
	b := inputtest.XML(inputtest.E("a"))
	first, second := find(t, b, chunkStartNS, 0), find(t, b, chunkStartNS, 1)
	copy(b[second+16:second+20], b[first+16:first+20])
	_, err := readXML(b)
	wantBad(t, err, `prefix "android" is declared twice`)
}
