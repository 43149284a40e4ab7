package dex_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
)

// instruction is one line of testdata/instructions.txt: code units as the
// platform's dexdump prints them, ---- for an index, and the text of dextest.
type instruction struct{ units, text string }

func readInstructions(t *testing.T) []instruction {
	t.Helper()
	data, err := os.ReadFile("testdata/instructions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []instruction
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		units, text, ok := strings.Cut(line, "|")
		if !ok {
			t.Fatalf("testdata/instructions.txt: malformed line %q", line)
		}
		list = append(list, instruction{strings.TrimSpace(units), strings.TrimSpace(text)})
	}
	return list
}

// instructionDex makes one method for each instruction, at code unit 1.
func instructionDex(list []instruction) *dextest.Dex {
	d := dextest.New(39)
	d.Handle("handle", dextest.Handle{Kind: dex.HandleInvokeStatic, Class: "La/B;", Name: "m", Desc: "(IJ)V"})
	d.CallSite("site", dextest.CallSite{
		Bootstrap: dextest.Handle{Kind: dex.HandleInvokeStatic, Class: "La/B;", Name: "boot", Desc: "()V"},
		Name:      "run", Proto: "(I)V",
	})
	c := d.Class("La/A;", "Ljava/lang/Object;", dex.AccPublic)
	for i, in := range list {
		c.Method(fmt.Sprintf("i%03d", i), "()V", dex.AccStatic).Asm(400, `
			:back
			nop
			`+in.text+`
			:ahead
			return-void
			:packed
			.packed-switch 10 :back :ahead
			:sparse
			.sparse-switch -1 :back 2147483647 :ahead
			:array
			.array-data 8 1 -2`)
	}
	return d
}

// TestInstructions decodes every instruction and prints it again.
func TestInstructions(t *testing.T) {
	list := readInstructions(t)
	f, err := instructionDex(list).Parse("test.dex")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[dex.Opcode]bool{}
	for i, m := range f.Classes[0].Direct {
		code, err := f.Code(m.Code)
		if err != nil {
			t.Fatal(err)
		}
		in, err := dex.Decode(code.Insns, 1)
		if err != nil {
			t.Errorf("%s: %v", list[i].text, err)
			continue
		}
		seen[in.Op] = true
		if got := printInst(t, f, in); got != list[i].text {
			t.Errorf("decoded %q, want %q", got, list[i].text)
		}
		if got := printUnits(code.Insns[1:1+in.Width], in.Op); got != list[i].units {
			t.Errorf("%s: units %s, want %s", list[i].text, got, list[i].units)
		}
	}
	for op := dex.Opcode(0); op <= 0xff; op++ {
		if op.Valid() != seen[op] {
			t.Errorf("%s: defined %t, in testdata/instructions.txt %t", op, op.Valid(), seen[op])
		}
	}
}

func printUnits(units []uint16, op dex.Opcode) string {
	var words []string
	for i, u := range units {
		isIndex := i == 1 || (i == 2 && op.Format() == dex.Format31c) || (i == 3 && op.Index() == dex.IndexMethodProto)
		if isIndex && op.Index() != dex.IndexNone {
			words = append(words, "----")
		} else {
			words = append(words, fmt.Sprintf("%04x", u))
		}
	}
	return strings.Join(words, " ")
}

// printInst writes in as instructionDex had it.
func printInst(t *testing.T, f *dex.File, in dex.Inst) string {
	v := func(r uint32) string { return fmt.Sprintf("v%d", r) }
	var words []string
	switch in.Op.Format() {
	case dex.Format12x, dex.Format22x, dex.Format32x, dex.Format22b, dex.Format22s, dex.Format22t, dex.Format22c:
		words = append(words, v(in.A), v(in.B))
	case dex.Format23x:
		words = append(words, v(in.A), v(in.B), v(in.C))
	case dex.Format35c, dex.Format45cc:
		var regs []string
		for i := range int(in.NRegs) {
			regs = append(regs, v(in.Reg(i)))
		}
		words = append(words, "{"+strings.Join(regs, ", ")+"}")
	case dex.Format3rc, dex.Format4rcc:
		if in.Reg(int(in.NRegs)-1) != in.B {
			t.Errorf("%s: last register is %d, not %d", in.Op, in.Reg(int(in.NRegs)-1), in.B)
		}
		words = append(words, "{"+v(in.A)+" .. "+v(in.B)+"}")
	case dex.Format10x, dex.Format10t, dex.Format20t, dex.Format30t:
	default:
		words = append(words, v(in.A))
	}
	switch in.Op.Format() {
	case dex.Format11n, dex.Format21s, dex.Format21h, dex.Format31i, dex.Format51l, dex.Format22b, dex.Format22s:
		words = append(words, fmt.Sprint(in.Lit))
	case dex.Format31t:
		words = append(words, map[dex.Opcode]string{
			dex.OpPackedSwitch: ":packed", dex.OpSparseSwitch: ":sparse", dex.OpFillArrayData: ":array"}[in.Op])
	}
	if in.Op.IsBranch() {
		words = append(words, map[int32]string{-1: ":back", int32(in.Width): ":ahead"}[in.Target])
	}
	words = append(words, printIndex(t, f, in)...)
	return strings.TrimSpace(in.Op.String() + " " + strings.Join(words, ", "))
}

func printIndex(t *testing.T, f *dex.File, in dex.Inst) []string {
	get := func(s string, err error) string {
		if err != nil {
			t.Error(err)
		}
		return s
	}
	switch in.Op.Index() {
	case dex.IndexString:
		return []string{fmt.Sprintf("%q", get(f.String(in.Index)))}
	case dex.IndexType:
		return []string{get(f.TypeName(in.Index))}
	case dex.IndexField:
		return []string{get(f.FieldName(in.Index))}
	case dex.IndexMethod:
		return []string{get(f.MethodName(in.Index))}
	case dex.IndexMethodProto:
		return []string{get(f.MethodName(in.Index)), get(f.ProtoName(in.Index2))}
	case dex.IndexProto:
		return []string{get(f.ProtoName(in.Index))}
	case dex.IndexCallSite:
		site, err := f.CallSite(in.Index)
		if err != nil || get(f.String(site.Name)) != "run" {
			t.Errorf("call site %d: %v, %v", in.Index, site, err)
		}
		return []string{"@site"}
	case dex.IndexMethodHandle:
		h, err := f.MethodHandle(in.Index)
		if err != nil || get(f.MethodName(h.Index)) != "La/B;->m(IJ)V" {
			t.Errorf("method handle %d: %v, %v", in.Index, h, err)
		}
		return []string{"@handle"}
	}
	return nil
}

// TestPayloads reads what the switches and the array refer to.
func TestPayloads(t *testing.T) {
	list := []instruction{{text: "packed-switch v0, :packed"}, {text: "sparse-switch v0, :sparse"}, {text: "fill-array-data v0, :array"}}
	f, err := instructionDex(list).Parse("test.dex")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"[10 11] [-1 3]", "[-1 2147483647] [-1 3]", "8 [1 0 0 0 0 0 0 0 254 255 255 255 255 255 255 255]"}
	payloads := []dex.Opcode{dex.OpPackedSwitchPayload, dex.OpSparseSwitchPayload, dex.OpFillArrayDataPayload}
	for i, m := range f.Classes[0].Direct {
		code, err := f.Code(m.Code)
		if err != nil {
			t.Fatal(err)
		}
		in, err := dex.Decode(code.Insns, 1)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if in.Op == dex.OpFillArrayData {
			width, data, err := dex.ArrayData(code.Insns, 1, in)
			if err != nil {
				t.Fatal(err)
			}
			got = fmt.Sprint(width, data)
		} else {
			keys, targets, err := dex.SwitchTargets(code.Insns, 1, in)
			if err != nil {
				t.Fatal(err)
			}
			got = fmt.Sprint(keys, targets)
		}
		if got != want[i] {
			t.Errorf("%s: %s, want %s", list[i].text, got, want[i])
		}
		p, err := dex.Decode(code.Insns, 1+int(in.Target))
		if err != nil || p.Op != payloads[i] || !p.Op.IsPayload() {
			t.Errorf("%s: decoded %s with %v", payloads[i], p.Op, err)
		}
	}
}
