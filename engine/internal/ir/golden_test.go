package ir_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/internal/goldentest"
)

// text prints all bodies of a class, each checked.
func text(t testing.TB, p *ir.Program, class string) string {
	t.Helper()
	var out bytes.Buffer
	for m := range p.Methods {
		if !p.Methods[m].HasCode || p.Methods[m].Class != p.Lookup(class) {
			continue
		}
		b, err := p.Lift(ir.MethodID(m))
		if err != nil {
			t.Error(err)
			continue
		}
		if err := b.Check(p); err != nil {
			t.Error(err)
		}
		if err := p.Print(&out, b); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// TestGoldenSource prints what javac and each dexer made of one source.
func TestGoldenSource(t *testing.T) {
	for _, build := range builds {
		p := buildFile(t, filepath.Join("testdata/golden", build))
		got := text(t, p, "golden.Sample")
		if strings.Count(got, "\nb0:") < 9 {
			t.Fatalf("%s: too few methods", build)
		}
		goldentest.Compare(t, filepath.Join("testdata/golden", strings.TrimSuffix(build, ".dex")+".txt"), got)
	}
}

func TestGoldenDump(t *testing.T) {
	p := buildFile(t, "testdata/golden/dx.dex")
	var out bytes.Buffer
	err := p.Dump(&out, func(c ir.ClassID) bool { return p.Classes[c].Name != "golden.Sample" })
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "testdata/golden/dump.txt", out.String())
}

// TestGoldenAsm lifts single methods. A file of testdata/lift has a line with
// prototype and number of registers, code as dextest reads it, "----", and what
// becomes of it: the printed body, or an error. All methods are static.
func TestGoldenAsm(t *testing.T) {
	files, err := filepath.Glob("testdata/lift/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			source, _, _ := strings.Cut(string(data), "----\n")
			goldentest.Compare(t, path, source+"----\n"+liftAsm(t, source))
		})
	}
}

func liftAsm(t *testing.T, source string) string {
	t.Helper()
	head, code, _ := strings.Cut(source, "\n")
	proto, registers, _ := strings.Cut(head, " ")
	n, err := strconv.Atoi(registers)
	if err != nil {
		t.Fatal(err)
	}
	d := asmDex()
	d.Class("Ltest/A;", "Ljava/lang/Object;", dex.AccPublic).
		Method("m", proto, dex.AccPublic|dex.AccStatic).Asm(n, code)
	f, err := d.Parse("asm.dex")
	if err != nil {
		t.Fatal(err)
	}
	p, errs := ir.Build([]*dex.File{f}, nil, nil)
	for _, err := range errs {
		t.Error(err)
	}
	b, err := p.Lift(p.Classes[p.Lookup("test.A")].Methods[0])
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	if err := b.Check(p); err != nil {
		t.Error(err)
	}
	var out bytes.Buffer
	if err := p.Print(&out, b); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// asmDex has the call sites and handles that the files may name.
func asmDex() *dextest.Dex {
	d := dextest.New(39)
	d.Handle("run", dextest.Handle{Kind: dex.HandleInvokeStatic, Class: "Ltest/A;", Name: "body", Desc: "(Ljava/lang/String;)V"})
	d.CallSite("lambda", dextest.CallSite{
		Bootstrap: dextest.Handle{
			Kind: dex.HandleInvokeStatic, Class: "Ljava/lang/invoke/LambdaMetafactory;", Name: "metafactory",
			Desc: "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;" +
				"Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",
		},
		Name: "run", Proto: "(Ljava/lang/String;)Ljava/lang/Runnable;",
		Args: []any{
			dextest.Proto("()V"),
			dextest.Handle{Kind: dex.HandleInvokeStatic, Class: "Ltest/A;", Name: "body", Desc: "(Ljava/lang/String;)V"},
			dextest.Proto("()V"),
		},
	})
	d.CallSite("concat", dextest.CallSite{
		Bootstrap: dextest.Handle{
			Kind: dex.HandleInvokeStatic, Class: "Ljava/lang/invoke/StringConcatFactory;", Name: "makeConcatWithConstants",
			Desc: "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;" +
				"Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;",
		},
		Name: "makeConcatWithConstants", Proto: "(IJ)Ljava/lang/String;",
		Args: []any{dextest.Str("n=\u0001, l=\u0001")},
	})
	return d
}
