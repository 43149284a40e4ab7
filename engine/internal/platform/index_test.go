package platform

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// TestIndexKnows looks up classes whose headers are known.
func TestIndexKnows(t *testing.T) {
	ix, err := LoadIndex()
	if err != nil {
		t.Fatal(err)
	}
	if len(embedded) >= 1_000_000 {
		t.Errorf("index takes %d bytes", len(embedded))
	}
	for _, want := range []struct {
		class, super string
		interfaces   []string
		flags        uint32
		field        string
		method       string
	}{
		{"java.lang.Object", "", nil, 0x1, "", "hashCode()I"},
		{"android.widget.Button", "android.widget.TextView", nil, 0x1, "", "getAccessibilityClassName()Ljava/lang/CharSequence;"},
		{"android.view.View$OnClickListener", "java.lang.Object", nil, 0x609, "", "onClick(Landroid/view/View;)V"},
		{"android.os.Message", "java.lang.Object", []string{"android.os.Parcelable"}, 0x11, "what:I", "obtain()Landroid/os/Message;"},
		{"java.util.ArrayList", "java.util.AbstractList", []string{"java.util.List", "java.util.RandomAccess", "java.lang.Cloneable", "java.io.Serializable"}, 0x1, "", "add(Ljava/lang/Object;)Z"},
		{"android.os.AsyncTask", "java.lang.Object", nil, 0x401, "SERIAL_EXECUTOR:Ljava/util/concurrent/Executor;", "execute([Ljava/lang/Object;)Landroid/os/AsyncTask;"},
		{"android.app.Fragment$SavedState", "java.lang.Object", []string{"android.os.Parcelable"}, 0x9, "", "describeContents()I"},
	} {
		d, ok := ix.Class(want.class)
		if !ok {
			t.Errorf("%s is missing", want.class)
			continue
		}
		if d.Super != want.super || d.Flags != want.flags || !cmp.Equal(d.Interfaces, want.interfaces) {
			t.Errorf("%s: super %s, interfaces %v, flags %#x", want.class, d.Super, d.Interfaces, d.Flags)
		}
		if !member(d, want.field, want.method) {
			t.Errorf("%s lacks %s or %s", want.class, want.field, want.method)
		}
	}
	for _, none := range []string{"", "android.app.Activity2", "com.android.internal.os.BinderInternal", "android.os.Message$1", "zzz"} {
		if _, ok := ix.Class(none); ok {
			t.Errorf("%q is there", none)
		}
	}
}

func member(d *ir.ClassDecl, field, method string) bool {
	hasField, hasMethod := field == "", method == ""
	for _, f := range d.Fields {
		hasField = hasField || f.Name+":"+f.Desc == field
	}
	for _, m := range d.Methods {
		hasMethod = hasMethod || m.Name+m.Desc == method
	}
	return hasField && hasMethod
}

// TestIndexWhole decodes every class, and finds every superclass.
func TestIndexWhole(t *testing.T) {
	ix, err := LoadIndex()
	if err != nil {
		t.Fatal(err)
	}
	if ix.Len() < 8000 {
		t.Fatalf("only %d classes", ix.Len())
	}
	for i := range ix.Len() {
		d, ok := ix.Class(ix.Name(i))
		if !ok {
			t.Fatalf("%s cannot be decoded", ix.Name(i))
		}
		if d.Super != "" && !ix.Has(d.Super) {
			t.Errorf("%s: superclass %s is missing", d.Name, d.Super)
		}
	}
}

var sample = []*ir.ClassDecl{
	{Name: "a.B", Super: "a.Z", Interfaces: []string{"a.I", "c.J"}, Flags: 0x21,
		Fields:  []ir.FieldDecl{{Name: "x", Desc: "[[La/B;", Flags: 1}, {Name: "y", Desc: "J", Flags: 0x19}},
		Methods: []ir.MethodDecl{{Name: "<init>", Desc: "()V", Flags: 1}, {Name: "m", Desc: "(I[JLa/B;)[[I", Flags: 0x401}}},
	{Name: "a", Flags: 1},
	{Name: "a.Z", Super: "a", Flags: 0x1},
}

// TestIndexRoundTrip writes classes, reads them, and writes them again.
func TestIndexRoundTrip(t *testing.T) {
	data, err := EncodeIndex(sample)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := ReadIndex(data)
	if err != nil {
		t.Fatal(err)
	}
	var again []*ir.ClassDecl
	for i := range ix.Len() {
		d, ok := ix.Class(ix.Name(i))
		if !ok {
			t.Fatalf("%s cannot be decoded", ix.Name(i))
		}
		again = append(again, d)
	}
	want := []*ir.ClassDecl{sample[1], sample[0], sample[2]}
	if d := cmp.Diff(want, again); d != "" {
		t.Error(d)
	}
	second, err := EncodeIndex(again)
	if err != nil || !bytes.Equal(data, second) {
		t.Errorf("second writing differs: %v", err)
	}
}

func TestIndexEncodeErrors(t *testing.T) {
	for _, bad := range [][]*ir.ClassDecl{
		{{Name: "a"}, {Name: "a"}},
		{{Name: "a", Fields: []ir.FieldDecl{{Name: "f", Desc: "Q"}}}},
		{{Name: "a", Methods: []ir.MethodDecl{{Name: "m", Desc: "I)V"}}}},
		{{Name: "a", Methods: []ir.MethodDecl{{Name: "m", Desc: "(La)V"}}}},
	} {
		if _, err := EncodeIndex(bad); err == nil {
			t.Errorf("%+v was written", bad[0])
		}
	}
}

// TestIndexHostile: claims that do not fit the bytes are errors.
func TestIndexHostile(t *testing.T) {
	good, err := EncodeIndex(sample)
	if err != nil {
		t.Fatal(err)
	}
	for n := range good {
		if _, err := ReadIndex(good[:n]); err == nil {
			t.Errorf("first %d of %d bytes pass", n, len(good))
		}
	}
	for _, raw := range [][]byte{
		{0xff, 0xff, 0xff, 0xff, 0x0f}, {1, 1, 5, 1, 'a'}, {1, 9, 0, 9, 'a'}, {2, 1, 0, 1, 'a', 1, 1, 'b'},
		{0, 0, 1, 9, 0}, {0, 0, 1, 0, 9}, {0, 0, 1, 0, 0, 1, 0, 3, 9}, {0, 0, 0, 0, 1, 0, 0},
	} {
		data, err := deflate(raw)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadIndex(data); err == nil {
			t.Errorf("% x passes", raw)
		}
	}
}

// FuzzIndex reads damaged indexes; the inflated form is fuzzed, as deflate
// would hide it.
func FuzzIndex(f *testing.F) {
	e := &indexEncoder{strings: map[string]int{}, types: map[string]int{}, protos: map[string]int{}}
	for _, c := range sample {
		if err := e.collect(c); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(e.write([]*ir.ClassDecl{sample[1], sample[0], sample[2]}))
	f.Add([]byte{})
	f.Add([]byte{1, 1, 0, 1, 'a', 1, 1, 9, 1, 0, 1, 0, 1, 0, 3, 0, 0, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		data, err := deflate(raw)
		if err != nil {
			t.Fatal(err)
		}
		ix, err := ReadIndex(data)
		if err != nil {
			return
		}
		for i := range ix.Len() {
			ix.Class(ix.Name(i))
			ix.Supers(ix.Name(i))
		}
	})
}
