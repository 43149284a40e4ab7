package dex_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/internal/goldentest"
)

// sample is a file with one of everything.
func sample(version int) *dextest.Dex {
	d := dextest.New(version)
	d.String("null \x00, accent \u00e9, dash \u2014, smile \U0001F600")
	metafactory := dextest.Handle{Kind: dex.HandleInvokeStatic, Class: "Ljava/lang/invoke/LambdaMetafactory;",
		Name: "metafactory", Desc: "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;)Ljava/lang/invoke/CallSite;"}
	body := dextest.Handle{Kind: dex.HandleInvokeStatic, Class: "La/Main;", Name: "lambda$0", Desc: "(La/Main;)V"}
	d.Handle("getter", dextest.Handle{Kind: dex.HandleInstanceGet, Class: "La/Main;", Name: "count", Desc: "I"})
	d.CallSite("lambda", dextest.CallSite{Bootstrap: metafactory, Name: "run", Proto: "(La/Main;)Ljava/lang/Runnable;",
		Args: []any{dextest.Proto("()V"), body, dextest.Proto("()V"), 7, int64(-1), 1.5, "text"}})
	sampleMain(d)
	sampleInner(d)
	d.Class("La/Empty;", "Ljava/lang/Object;", dex.AccInterface|dex.AccAbstract)
	return d
}

func system(name string, value any) dextest.Annotation {
	return dextest.Annotation{Visibility: dex.VisibilitySystem, Type: "Ldalvik/annotation/" + name + ";",
		Elements: []dextest.Element{{Name: "value", Value: value}}}
}

func sampleMain(d *dextest.Dex) {
	c := d.Class("La/Main;", "Landroid/app/Activity;", dex.AccPublic, "La/Empty;", "Ljava/lang/Runnable;").Source("Main.java")
	c.Annotate(system("Signature", []any{"Landroid/app/Activity;", "La/Empty<", "TT;>;"}))
	c.Field("count", "I", dex.AccPrivate|dex.AccVolatile)
	c.Field("A", "Z", dex.AccStatic, true).Field("B", "B", dex.AccStatic, int8(-128)).Field("C", "C", dex.AccStatic, dextest.Char(65535))
	c.Field("D", "S", dex.AccStatic, int16(-2)).Field("E", "I", dex.AccStatic, math.MinInt32).Field("F", "J", dex.AccStatic, int64(math.MaxInt64))
	c.Field("G", "F", dex.AccStatic, float32(-2.25)).Field("H", "D", dex.AccStatic, math.Pi)
	c.Field("I", "Ljava/lang/String;", dex.AccStatic, "text").Field("J", "Ljava/lang/Class;", dex.AccStatic, dextest.Type("[La/Main;"))
	c.Field("K", "Ljava/lang/Object;", dex.AccStatic, nil).Field("L", "J", dex.AccStatic)
	c.AnnotateField(dextest.Annotation{Visibility: dex.VisibilityBuild, Type: "La/Mark;"})
	c.Method("<init>", "()V", dex.AccPublic).Asm(1, `
		.line 7
		invoke-direct {p0}, Landroid/app/Activity;-><init>()V
		return-void`)
	c.Method("lambda$0", "(La/Main;)V", dex.AccPrivate|dex.AccStatic|dex.AccSynthetic).Asm(1, `
		return-void`)
	c.Method("onCreate", "(Landroid/os/Bundle;J)V", dex.AccPublic).Annotate(
		system("Throws", []any{dextest.Type("Ljava/io/IOException;"), dextest.Type("La/E;")}),
		dextest.Annotation{Visibility: dex.VisibilityRuntime, Type: "La/Mark;", Elements: []dextest.Element{
			{Name: "kind", Value: dextest.Enum{Class: "La/Kind;", Name: "ONE", Type: "La/Kind;"}},
			{Name: "nested", Value: dextest.Annotation{Type: "La/Mark;"}},
			{Name: "list", Value: []any{[]any{1, true}, dextest.Method{Class: "La/Main;", Name: "run", Proto: "()V"},
				dextest.Field{Class: "La/Main;", Name: "count", Type: "I"}}},
		}}).AnnotateParams([]dextest.Annotation{{Visibility: dex.VisibilityRuntime, Type: "La/Mark;"}}, nil).Asm(6, `
		.param "state"
		.line 20
		:try
		const-string v0, "hello"
		invoke-custom {p0}, @lambda
		move-result-object v1
		:mid
		.line 21
		invoke-virtual {p0, v1}, La/Main;->runOnUiThread(Ljava/lang/Runnable;)V
		:end
		.line 500
		packed-switch v0, :packed
		sparse-switch v0, :sparse
		:done
		return-void
		.line 18
		:io
		move-exception v0
		:any
		throw v0
		:packed
		.packed-switch -1 :done :mid
		:sparse
		.sparse-switch -100 :done 100 :io
		.catch Ljava/io/IOException; :try :mid :io
		.catch La/E; :try :mid :io
		.catchall :try :end :any`)
	c.Method("run", "()V", dex.AccPublic|dex.AccNative)
}

func sampleInner(d *dextest.Dex) {
	c := d.Class("La/Main$1;", "La/Main;", dex.AccFinal)
	c.Annotate(system("EnclosingMethod", dextest.Method{Class: "La/Main;", Name: "onCreate", Proto: "(Landroid/os/Bundle;J)V"}),
		dextest.Annotation{Visibility: dex.VisibilitySystem, Type: "Ldalvik/annotation/InnerClass;", Elements: []dextest.Element{
			{Name: "accessFlags", Value: 8}, {Name: "name", Value: nil}}})
	c.Field("this$0", "La/Main;", dex.AccFinal|dex.AccSynthetic)
	c.Method("data", "()[I", dex.AccPrivate).Asm(3, `
		const/4 v0, 3
		new-array v1, v0, [I
		fill-array-data v1, :data
		return-object v1
		:data
		.array-data 4 1 -2 3`)
}

func TestGolden(t *testing.T) {
	for version := 35; version <= 41; version++ {
		f, err := sample(version).Parse("sample.dex")
		if err != nil {
			t.Fatal(err)
		}
		if f.Version != version {
			t.Errorf("version %d was read as %d", version, f.Version)
		}
		f.Version = 35
		got := dump(f)
		goldentest.Compare(t, "testdata/sample.golden", got)
	}
}

// container is three logical files.
func container() []byte {
	second := dextest.New(41)
	second.Class("La/Second;", "La/Main;", 0).Method("run", "()V", 0).Asm(1, "const-string v0, \"second\"\nreturn-void")
	return dextest.Container(sample(41), second, dextest.New(41))
}

func TestContainer(t *testing.T) {
	files, err := dex.Parse("c.dex", container())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, fmt.Sprintf("%s %d classes %d broken", f.Name, len(f.Classes), len(f.Broken)))
	}
	want := []string{"c.dex 3 classes 0 broken", "c.dex!classes2.dex 1 classes 0 broken", "c.dex!classes3.dex 0 classes 0 broken"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("files (-want +got):\n%s", diff)
	}
	alone, err := sample(41).Parse("c.dex")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dump(alone), dump(files[0])); diff != "" {
		t.Errorf("the first file differs from the same file alone:\n%s", diff)
	}
	second := dump(files[1])
	if !strings.Contains(second, "0000 line 0 const-string") || !strings.Contains(second, `"second"`) {
		t.Errorf("second file:\n%s", second)
	}
}

// TestContainerSharesStrings points the second header at the first one's
// strings, of which it uses the same ones.
func TestContainerSharesStrings(t *testing.T) {
	data := dextest.Container(sample(41), sample(41))
	files, err := dex.Parse("c.dex", data)
	if err != nil {
		t.Fatal(err)
	}
	want := dump(files[1])
	second := int(le32(data, 0x20))
	copy(data[second+0x38:second+0x40], data[0x38:0x40])
	if files, err = dex.Parse("c.dex", data); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, dump(files[1])); diff != "" {
		t.Errorf("with shared strings (-want +got):\n%s", diff)
	}
	if &files[0].Strings[0] != &files[1].Strings[0] {
		t.Error("the strings were read twice")
	}
}

func TestContainerKeepsReadableFiles(t *testing.T) {
	data := container()
	second := int(le32(data, 0x20))
	put32(data, second+0x44, 1<<30) // type_ids
	files, err := dex.Parse("c.dex", data)
	if len(files) != 2 || files[0].Name != "c.dex" || files[1].Name != "c.dex!classes3.dex" {
		t.Errorf("files %v", files)
	}
	want := fmt.Sprintf("c.dex!classes2.dex: offset 0x%x: type_ids: %d entries at 0x40000000 run past the end of the file", second+0x40, le32(data, second+0x40))
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestAccessorsCheckIndices(t *testing.T) {
	f, err := sample(39).Parse("a.dex")
	if err != nil {
		t.Fatal(err)
	}
	for what, get := range map[string]func(uint32) error{
		"string":        func(i uint32) error { _, err := f.String(i); return err },
		"type":          func(i uint32) error { _, err := f.TypeName(i); return err },
		"prototype":     func(i uint32) error { _, err := f.ProtoName(i); return err },
		"field":         func(i uint32) error { _, err := f.FieldName(i); return err },
		"method":        func(i uint32) error { _, err := f.MethodName(i); return err },
		"call site":     func(i uint32) error { _, err := f.CallSite(i); return err },
		"method handle": func(i uint32) error { _, err := f.MethodHandle(i); return err },
	} {
		for _, i := range []uint32{1 << 20, dex.NoIndex} {
			want := fmt.Sprintf("a.dex: %s index %d is outside the table of", what, i)
			if err := get(i); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s %d: error %v", what, i, err)
			}
		}
		if err := get(0); err != nil {
			t.Errorf("%s 0: %v", what, err)
		}
	}
}

func TestErrorsHaveOffsets(t *testing.T) {
	_, err := dex.Parse("a.dex", nil)
	var e *dex.Error
	if !errors.As(err, &e) || e.File != "a.dex" || err.Error() != "a.dex: offset 0x0: 0 bytes are too few for a dex header" {
		t.Errorf("error %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	f, err := sample(39).Parse("a.dex")
	if err != nil {
		t.Fatal(err)
	}
	want := dump(f)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if dump(f) != want {
					t.Error("results differ")
				}
			}
		})
	}
	wg.Wait()
}
