package ir_test

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// FuzzLift builds and lifts whatever a dex file says. A body, if there is one,
// must be right; nothing may panic.
func FuzzLift(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.dex")
	if err != nil || len(files) < 6 {
		f.Fatalf("%d seeds, error %v", len(files), err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := dex.Parse("fuzz.dex", data)
		if err != nil {
			return
		}
		p, _ := ir.Build(files, nil, nil)
		checkProgram(t, p)
	})
}

// FuzzCode lifts one method of arbitrary code units, which reaches further than
// damage to whole files.
func FuzzCode(f *testing.F) {
	for _, file := range readDex(f, "testdata/oracle/dx.dex") {
		for i := range file.Classes {
			for _, m := range file.Classes[i].Direct {
				if code, err := file.Code(m.Code); err == nil {
					var data []byte
					for _, u := range code.Insns {
						data = binary.LittleEndian.AppendUint16(data, u)
					}
					f.Add(data, uint8(code.Registers), uint8(2), uint8(len(code.Insns)/2))
				}
			}
		}
	}
	f.Add([]byte{0x12, 0x00, 0x39, 0x00, 0x02, 0x00, 0x0f, 0x00}, uint8(4), uint8(0), uint8(2))
	f.Fuzz(func(t *testing.T, code []byte, registers, from, handler uint8) {
		units := make([]any, 0, len(code)/2+1)
		for ; len(code) >= 2; code = code[2:] {
			units = append(units, binary.LittleEndian.Uint16(code))
		}
		if len(units) == 0 || len(units) > 1000 {
			return
		}
		d := asmDex()
		d.Class("Lfuzz/A;", objectDesc, 0).Field("i", "I", 0).Field("s", "J", ir.AccStatic).
			Method("m", "(ILjava/lang/String;J)I", ir.AccStatic).Units(4+int(registers), 6, units...).
			Try(uint32(int(from)%len(units)), uint32(len(units)), dextest.Catch{Type: "Ljava/lang/Error;", Addr: uint32(int(handler) % len(units))},
				dextest.Catch{Addr: uint32(int(from) % len(units))})
		file, err := d.Parse("fuzz.dex")
		if err != nil {
			t.Fatal(err)
		}
		p, _ := ir.Build([]*dex.File{file}, nil, nil)
		checkProgram(t, p)
	})
}

// checkProgram asks everything of a program that must not fail for any input.
func checkProgram(t *testing.T, p *ir.Program) {
	t.Helper()
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	for c := ir.ClassID(1); int(c) < len(p.Classes) && c < 500; c++ {
		p.Nesting(c)
		if !p.SubclassOf(c, ir.ClassObject) || len(p.Subclasses(c)) == 0 {
			t.Fatalf("%s is not below Object", p.Classes[c].Name)
		}
		for s := ir.SelectorID(1); int(s) < len(p.Selectors) && s < 20; s++ {
			p.Dispatch(c, s)
		}
	}
	for f := range p.Fields {
		p.ResolveField(ir.FieldID(f))
	}
	for m := range p.Methods {
		p.ResolveMethod(ir.MethodID(m))
		b, err := p.Lift(ir.MethodID(m))
		if err != nil {
			continue
		}
		if err := b.Check(p); err != nil {
			t.Fatal(err)
		}
		if err := p.Print(io.Discard, b); err != nil {
			t.Fatal(err)
		}
	}
}
