package dex_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
)

// FuzzParse reads everything in whatever Parse accepts.
func FuzzParse(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		readAll(t, data)
	})
}

// FuzzDamage overwrites bytes of a valid file, which gets further than FuzzParse
// can by itself: each edit is a place, a width and a value.
func FuzzDamage(f *testing.F) {
	const edit = 8
	files := [][]byte{sample(35).Bytes(), sample(39).Bytes(), container()}
	f.Add(uint8(0), []byte{0x38, 0, 4, 0, 0xff, 0xff, 0xff, 0xff})
	f.Add(uint8(1), []byte{0x34, 2, 1, 0, 0x7f, 0, 0, 0, 0x00, 4, 2, 0, 0, 1, 0, 0})
	f.Add(uint8(2), []byte{0x20, 0, 4, 0, 0x78, 0, 0, 0})
	f.Fuzz(func(t *testing.T, which uint8, edits []byte) {
		data := bytes.Clone(files[int(which)%len(files)])
		for ; len(edits) >= edit; edits = edits[edit:] {
			at := int(binary.LittleEndian.Uint16(edits)) % (len(data) - 4)
			copy(data[at:], edits[4:4+1+edits[2]%4])
		}
		readAll(t, data)
	})
}

func readAll(t *testing.T, data []byte) {
	files, err := dex.Parse("fuzz.dex", data)
	if err == nil && len(files) == 0 {
		t.Error("neither files nor an error")
	}
	for _, file := range files {
		first := dump(file)
		checkIndices(t, file)
		if dump(file) != first {
			t.Error("reading twice differs")
		}
	}
}

// seeds are whole files, and the same ones cut off or with bytes changed where
// the mutator would take long to find that anything is read.
func seeds() [][]byte {
	list := [][]byte{nil, []byte("dex\n035\x00"), dextest.New(35).Bytes(), container()}
	for _, version := range []int{35, 39, 41} {
		whole := sample(version).Bytes()
		list = append(list, whole, whole[:len(whole)/2], whole[:0x70])
		cut := append([]byte(nil), whole[:len(whole)*3/4]...)
		put32(cut, 0x20, uint32(len(cut)))
		if version == 41 {
			put32(cut, 0x70, uint32(len(cut)))
		}
		list = append(list, cut)
	}
	return list
}

// checkIndices makes sure of what the package promises: what is in a table can
// be looked up without a check.
func checkIndices(t *testing.T, f *dex.File) {
	for _, s := range f.Types {
		_ = f.Strings[s]
	}
	for _, p := range f.Protos {
		_, _ = f.Strings[p.Shorty], f.Types[p.Return]
		for _, i := range p.Params {
			_ = f.Types[i]
		}
	}
	for _, x := range f.Fields {
		_, _, _ = f.Types[x.Class], f.Types[x.Type], f.Strings[x.Name]
	}
	for _, x := range f.Methods {
		_, _, _ = f.Types[x.Class], f.Protos[x.Proto], f.Strings[x.Name]
	}
	for _, h := range f.MethodHandles {
		if h.Kind.IsField() {
			_ = f.Fields[h.Index]
		} else {
			_ = f.Methods[h.Index]
		}
	}
	for _, s := range f.CallSites {
		if s.Err == nil {
			_, _, _ = f.MethodHandles[s.Handle], f.Strings[s.Name], f.Protos[s.Proto]
		}
	}
	members := 0
	for i := range f.Classes {
		c := &f.Classes[i]
		if name := f.Strings[f.Types[c.Type]]; name[0] != 'L' || len(c.StaticValues) > len(c.StaticFields) {
			t.Errorf("class %q with %d static values", name, len(c.StaticValues))
		}
		members += len(c.StaticFields) + len(c.InstanceFields) + len(c.Direct) + len(c.Virtual)
	}
	if most := 2 * (len(f.Fields) + len(f.Methods)); members > most {
		t.Errorf("%d members defined, more than %d", members, most)
	}
}

// FuzzDecode walks code units as a method body.
func FuzzDecode(f *testing.F) {
	file, err := sample(39).Parse("a.dex")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range file.Classes {
		for _, m := range append(append([]dex.EncodedMethod(nil), c.Direct...), c.Virtual...) {
			if code, err := file.Code(m.Code); err == nil {
				f.Add(bytesOf(code.Insns))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = uint16(data[2*i]) | uint16(data[2*i+1])<<8
		}
		for pc := 0; pc < len(units); {
			in, err := dex.Decode(units, pc)
			if err != nil {
				return
			}
			if in.Width < 1 || pc+in.Width > len(units) {
				t.Fatalf("%s at %#x is %d units wide", in.Op, pc, in.Width)
			}
			checkTargets(t, units, pc, in)
			pc += in.Width
		}
	})
}

func checkTargets(t *testing.T, units []uint16, pc int, in dex.Inst) {
	inside := func(what string, target int32) {
		if at := pc + int(target); at < 0 || at >= len(units) {
			t.Fatalf("%s at %#x: %s %#x is outside", in.Op, pc, what, at)
		}
	}
	switch {
	case in.Op.IsBranch():
		inside("target", in.Target)
	case in.Op.Flow() == dex.FlowSwitch:
		keys, targets, err := dex.SwitchTargets(units, pc, in)
		if err == nil && len(keys) != len(targets) {
			t.Fatalf("%d keys, %d targets", len(keys), len(targets))
		}
		for i, target := range targets {
			inside(fmt.Sprintf("case %d", keys[i]), target)
		}
	case in.Op == dex.OpFillArrayData:
		if width, data, err := dex.ArrayData(units, pc, in); err == nil && len(data)%width != 0 {
			t.Fatalf("%d bytes of elements of %d", len(data), width)
		}
	}
	for i := range int(in.NRegs) {
		if r := in.Reg(i); r > 0xffff {
			t.Fatalf("register %d", r)
		}
	}
}

func bytesOf(units []uint16) []byte {
	var b []byte
	for _, u := range units {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}
