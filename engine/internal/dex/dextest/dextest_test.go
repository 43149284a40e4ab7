package dextest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

func parse(t *testing.T, d *Dex) *dex.File {
	t.Helper()
	f, err := d.Parse("test.dex")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The wanted code units were checked with the disassembler of the platform.
func TestAsm(t *testing.T) {
	d := New(35)
	d.Class("La;", "Ljava/lang/Object;", 0).Method("run", "(I)V", dex.AccStatic).Asm(3, `
		# labels, line numbers and payloads
		:start
		.line 10
		packed-switch p0, :table
		:b
		.line 12
		const/4 v1, -3
		sparse-switch p0, :sparse
		fill-array-data v0, :data
		:c
		.line 300
		return-void
		:table
		.packed-switch -5 :b :c
		:sparse
		.sparse-switch 1 :c 100 :b
		:data
		.array-data 1 1 -2 3`)
	f := parse(t, d)
	code, err := f.Code(f.Classes[0].Direct[0].Code)
	if err != nil {
		t.Fatal(err)
	}
	want := []uint16{
		0x022b, 0x000c, 0x0000,
		0xd112,
		0x022c, 0x0010, 0x0000,
		0x0026, 0x0017, 0x0000,
		0x000e,
		0x0000, // aligns the payload
		0x0100, 0x0002, 0xfffb, 0xffff, 0x0003, 0x0000, 0x000a, 0x0000,
		0x0200, 0x0002, 0x0001, 0x0000, 0x0064, 0x0000, 0x0006, 0x0000, 0xffff, 0xffff,
		0x0300, 0x0001, 0x0003, 0x0000, 0xfe01, 0x0003,
	}
	if diff := cmp.Diff(want, code.Insns); diff != "" {
		t.Errorf("code units (-want +got):\n%s", diff)
	}
	lines := []dex.Line{{Addr: 0, Line: 10}, {Addr: 3, Line: 12}, {Addr: 10, Line: 300}}
	if diff := cmp.Diff(lines, code.Lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestCatchRangesAreSplit(t *testing.T) {
	d := New(35)
	d.Class("La;", "Ljava/lang/Object;", 0).Method("run", "()V", dex.AccStatic).Asm(1, `
		:a
		nop
		:b
		nop
		:c
		nop
		:d
		return-void
		:h1
		return-void
		:h2
		return-void
		.catch La/E; :b :c :h1
		.catchall :a :d :h2
		.catch La/Never; :b :c :h1`)
	f := parse(t, d)
	code, err := f.Code(f.Classes[0].Direct[0].Code)
	if err != nil {
		t.Fatal(err)
	}
	var e int32
	for i := range f.Types {
		if name, _ := f.TypeName(uint32(i)); name == "La/E;" {
			e = int32(i)
		}
	}
	want := []dex.Try{
		{Start: 0, Count: 1, Handlers: []dex.Handler{{Type: -1, Addr: 5}}},
		{Start: 1, Count: 1, Handlers: []dex.Handler{{Type: e, Addr: 4}, {Type: -1, Addr: 5}}},
		{Start: 2, Count: 1, Handlers: []dex.Handler{{Type: -1, Addr: 5}}},
	}
	if diff := cmp.Diff(want, code.Tries); diff != "" {
		t.Errorf("try blocks (-want +got):\n%s", diff)
	}
}

func TestClassesFollowTheirSupertypes(t *testing.T) {
	d := New(35)
	d.Class("La;", "Lb;", 0, "Lc;")
	d.Class("Lb;", "Ljava/lang/Object;", 0)
	d.Class("Lc;", "Ljava/lang/Object;", dex.AccInterface|dex.AccAbstract)
	f := parse(t, d)
	var got []string
	for _, c := range f.Classes {
		name, _ := f.TypeName(c.Type)
		got = append(got, name)
	}
	if s := strings.Join(got, " "); s != "Lb; Lc; La;" {
		t.Errorf("order is %s", s)
	}
}

func TestMisuseNamesTheLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"const/4 v0, 8", "La;->run line 1: operand 8 is not in -8 to 7"},
		{"nop\nmove v0, v9", "La;->run line 2: register v9 of 4"},
		{"goto :nowhere", "La;->run line 1: label :nowhere is not defined"},
		{"frobnicate v0", `La;->run line 1: unknown instruction "frobnicate"`},
		{"iget v0, v1, La;->f", `La;->run line 1: "La;->f" is not what this instruction refers to`},
		{"return", "La;->run line 1: 0 words instead of 1"},
	} {
		t.Run(c.text, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); got != "dextest: "+c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}()
			New(35).Class("La;", "", 0).Method("run", "()V", 0).Asm(4, c.text)
		})
	}
}
