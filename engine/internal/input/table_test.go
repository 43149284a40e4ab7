package input

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/shogo82148/androidbinary"

	"github.com/eventraces/eventraces/engine/internal/input/inputtest"
)

func sampleTable(e inputtest.Encoding, utf8 bool) (*inputtest.Table, map[string]uint32) {
	t := &inputtest.Table{Encoding: e, UTF8: utf8}
	ids := make(map[string]uint32)
	add := func(name string, v any) { ids[name] = t.Add(name, v) }
	add("layout/main", "res/layout/main.xml")
	add("layout/detail", "res/layout/detail.xml")
	add("id/ok", false)
	add("bool/on", true)
	add("bool/alias", inputtest.Ref(ids["bool/on"]))
	add("integer/answer", 42)
	add("integer/minus", -1)
	add("string/hello", "h\u00e9llo")
	add("style/Theme", inputtest.Bag{})
	ids["string/land_only"] = t.AddLand("string/land_only", "wide")
	t.AddLand("layout/main", "res/layout-land/main.xml")
	add("bool/loop", inputtest.Ref(0))
	t.Add("bool/loop", inputtest.Ref(ids["bool/loop"]))
	add("layout/short", inputtest.Ref(ids["layout/main"]))
	return t, ids
}

func TestReadTable(t *testing.T) {
	for _, e := range []inputtest.Encoding{inputtest.Dense, inputtest.Sparse, inputtest.Offset16, inputtest.Compact} {
		for _, utf8 := range []bool{false, true} {
			t.Run(fmt.Sprint(e, utf8), func(t *testing.T) { testReadTable(t, e, utf8) })
		}
	}
}

func testReadTable(t *testing.T, e inputtest.Encoding, utf8 bool) {
	w, ids := sampleTable(e, utf8)
	tab, err := readTable(w.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, id := range ids {
		if got := tab.name(id); got != name {
			t.Errorf("name(%#x) = %q, want %q", id, got, name)
		}
		if got := tab.id("@+" + name); got != id {
			t.Errorf("id(%q) = %#x, want %#x", name, got, id)
		}
	}
	for name, want := range map[string]string{
		"bool/on": "true", "bool/alias": "true", "bool/loop": "", "id/ok": "false",
		"integer/answer": "42", "integer/minus": "-1", "string/hello": "h\u00e9llo",
		"string/land_only": "wide", "style/Theme": "", "layout/main": "res/layout/main.xml",
	} {
		if got := tab.value(ids[name]); got != want {
			t.Errorf("value(%s) = %q, want %q", name, got, want)
		}
	}
	if got := tab.name(0x7f7f0000); got != "" {
		t.Errorf("name of an unknown id = %q", got)
	}
	for _, name := range []string{"", "ok", "id/", "layout/ok"} {
		if got := tab.id(name); got != 0 {
			t.Errorf("id(%q) = %#x", name, got)
		}
	}
	files, err := tab.files("layout")
	got := ""
	for _, f := range files {
		got += f.name + "=" + f.path + "\n"
	}
	want := "layout/main=res/layout/main.xml\nlayout/main=res/layout-land/main.xml\nlayout/detail=res/layout/detail.xml\n" +
		"layout/short=res/layout/main.xml\nlayout/short=res/layout-land/main.xml\n"
	if got != want || err != nil {
		t.Errorf("files: got\n%s%v\nwant\n%s", got, err, want)
	}
}

// androidbinary answers for values in dense tables: it is the oracle there,
// for resources of one configuration.
func TestValuesLikeLibrary(t *testing.T) {
	w, ids := sampleTable(inputtest.Dense, false)
	tab, err := readTable(w.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	lib, err := androidbinary.NewTableFile(bytes.NewReader(w.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bool/on", "integer/answer", "string/hello", "layout/detail", "string/land_only"} {
		want, err := lib.GetResource(androidbinary.ResID(ids[name]), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := tab.value(ids[name]); got != fmt.Sprint(want) {
			t.Errorf("%s: got %s, the library says %v", name, got, want)
		}
	}
}

func TestReadTableRejects(t *testing.T) {
	pkg := func(t *testing.T, b []byte) int { return find(t, b, chunkPackage, 0) }
	typ := func(t *testing.T, b []byte) int { // the first type chunk
		for at := pkg(t, b) + 288; at < len(b); at += get32(b, at+4) {
			if b[at] == 0x01 && b[at+1] == 0x02 {
				return at
			}
		}
		t.Fatal("no type chunk")
		return 0
	}
	tests := []struct {
		name   string
		change func(*testing.T, []byte)
		want   string
	}{
		{"xml", func(_ *testing.T, b []byte) { put16(b, 0, chunkXML) }, "expected a resource table (0x0002)"},
		{"short header", func(_ *testing.T, b []byte) { put16(b, 2, 8) }, "header of 8 bytes, expected 12"},
		{"short package header", func(t *testing.T, b []byte) { put16(b, pkg(t, b)+2, 100) }, "package header of 100 bytes"},
		{"wild package id", func(t *testing.T, b []byte) { put32(b, pkg(t, b)+8, 0x1ff) }, "package id 0x1ff"},
		{"wild type names", func(t *testing.T, b []byte) { put32(b, pkg(t, b)+268, 0xfffffff0) }, "a string pool at 4294967280"},
		{"key names are no pool", func(t *testing.T, b []byte) { put32(b, pkg(t, b)+276, 0) }, "expected a string pool"},
		{"wild key count", func(t *testing.T, b []byte) {
			put32(b, pkg(t, b)+get32(b, pkg(t, b)+276)+8, 0x40000000)
		}, "string offsets do not fit"},
		{"wild entry count", func(t *testing.T, b []byte) { put32(b, typ(t, b)+12, 0x10000000) }, "268435456 entries do not fit"},
		{"wild entries start", func(t *testing.T, b []byte) { put32(b, typ(t, b)+16, 0xffffff00) }, "an entry at 4294967040 lies beyond"},
		{"wild entry offset", func(t *testing.T, b []byte) { put32(b, typ(t, b)+48, 0xfffffff0) }, "lies beyond"},
		{"unknown type", func(t *testing.T, b []byte) { b[typ(t, b)+8] = 200 }, "type id 200; the package names"},
		{"type zero", func(t *testing.T, b []byte) { b[typ(t, b)+8] = 0 }, "type id 0"},
		{"short type header", func(t *testing.T, b []byte) { put16(b, typ(t, b)+2, 12) }, "type header of 12 bytes"},
		{"wild key", func(t *testing.T, b []byte) {
			at := typ(t, b)
			put32(b, at+get32(b, at+16)+4, 12345)
		}, "entry name 12345"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, _ := sampleTable(inputtest.Dense, false)
			b := w.Bytes()
			tt.change(t, b)
			_, err := readTable(b)
			wantBad(t, err, tt.want)
		})
	}
}

// Every prefix is refused, none panics, and none allocates much.
func TestTableTruncated(t *testing.T) {
	w, _ := sampleTable(inputtest.Dense, false)
	b := w.Bytes()
	for n := range len(b) {
		if _, err := readTable(b[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, len(b))
		}
	}
}

// Aliases that refer to each other in all configurations multiply at each step.
func TestAliasRing(t *testing.T) {
	w := new(inputtest.Table)
	id := w.Add("layout/ring", inputtest.Ref(0))
	w.Add("layout/ring", inputtest.Ref(id))
	tab, err := readTable(w.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 { // as many configurations of it
		tab.entries = append(tab.entries, tab.entries[0])
	}
	_, err = tab.files("layout")
	wantBad(t, err, "more files or aliases of type layout")
}
