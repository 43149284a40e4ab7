package mapping_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/mapping"
)

// FuzzRead applies whatever reads to a build, which must stay one that can be
// read.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "shrunk", "*-*.txt"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no mappings: %v", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 3000)])
	}
	f.Add([]byte("a -> b:\n    1:2:void a.c():3:4 -> a\n    1:2:int b(b[],int):5 -> a\n    int b -> a\n"))
	f.Add([]byte("b -> c:\nc -> b:\n    void a():7:9 -> b\n# {\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"(((\"}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := mapping.Read(bytes.NewReader(text), "fuzz.txt")
		if err != nil {
			return
		}
		d := dextest.New(35)
		c := d.Class("Lb;", "Lc;", dex.AccPublic).Field("a", "Lb;", 0)
		c.Method("a", "()V", dex.AccPublic).Asm(1, "invoke-virtual {p0}, Lb;->b()V\n return-void").Line(0, 1)
		c.Method("a", "([Lb;I)I", dex.AccPublic).Asm(3, "return p2").Line(0, 2)
		d.Class("Lc;", object, dex.AccPublic).Method("b", "()V", dex.AccPublic).Asm(1, "return-void")
		file, err := d.Parse("fuzz.dex")
		if err != nil {
			t.Fatal(err)
		}
		sources := m.Apply([]*dex.File{file})
		p, _ := ir.Build([]*dex.File{file}, nil, nil)
		p.Restore(sources)
		for id := range p.Methods {
			if p.Methods[id].HasCode {
				b, err := p.Lift(ir.MethodID(id))
				if err != nil {
					t.Fatal(err)
				}
				body(p, b)
			}
		}
	})
}
