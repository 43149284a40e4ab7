package input

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/input/inputtest"
)

// allocation fails a fuzz run whose input of n bytes made f allocate more than
// times n plus slack: all that was allocated, not only the peak.
func allocation(t *testing.T, n int, times, slack uint64, f func()) {
	t.Helper()
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	if got := sample[0].Value.Uint64() - before; got > times*uint64(n)+slack {
		t.Errorf("allocated %d bytes for an input of %d", got, n)
	}
}

// checkError demands one line that names the file.
func checkError(t *testing.T, err error) {
	t.Helper()
	if s := err.Error(); !strings.HasPrefix(s, "app.apk") || strings.ContainsAny(s, "\n\r") || len(s) > 2000 {
		t.Errorf("error %q", s)
	}
	if strings.Contains(err.Error(), "cannot handle") {
		t.Errorf("the check let through what made the library panic: %v", err)
	}
}

func openBytes(data []byte) (*Bundle, error) {
	a, err := newArchive("app.apk", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	b := &Bundle{Name: "app.apk"}
	if err := b.addAPK(context.Background(), a); err != nil {
		return nil, err
	}
	return b.finish("app.apk")
}

func checkOpen(t *testing.T, data []byte) {
	t.Helper()
	b, err := openBytes(data)
	if err != nil {
		checkError(t, err)
		return
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	b.Origins([]string{"com.acme.Main", b.Manifest.Application}, nil)
}

// FuzzOpen feeds whole files to the input stage.
func FuzzOpen(f *testing.F) {
	apk := goodAPK()
	f.Add(apk.Bytes())
	f.Add(zipStored(nil, nil, nil))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		// A directory record costs 46 bytes and becomes ten times that.
		allocation(t, len(data), 64, unpackBase+8<<20, func() { checkOpen(t, data) })
	})
}

// zipStored is an APK of three parts with checksums that are right, so that a
// fuzzer gets past the zip layer.
func zipStored(manifest, table, layout []byte) []byte {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, e := range []struct {
		name string
		data []byte
	}{{manifestName, manifest}, {tableName, table}, {"res/layout/main.xml", layout}, {"classes.dex", []byte("dex")}} {
		out, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Store})
		if err == nil {
			_, err = out.Write(e.data)
		}
		if err != nil {
			panic(err) // a bytes.Buffer does not fail
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

// FuzzAPK feeds the parts of an APK to the input stage.
func FuzzAPK(f *testing.F) {
	apk := goodAPK()
	layout := inputtest.XML(inputtest.E("LinearLayout", inputtest.E("Button", inputtest.A("onClick", "pay")), inputtest.E("include", inputtest.Plain("layout", inputtest.Ref(1)))))
	menu := inputtest.XML(inputtest.E("menu", inputtest.E("item", inputtest.A("id", inputtest.Ref(7)))))
	manifest := inputtest.XML(inputtest.Manifest("com.acme",
		inputtest.E("activity", inputtest.A("name", ".Main"), launcherFilter()),
		inputtest.E("activity-alias", inputtest.A("name", ".Alias"), inputtest.A("targetActivity", ".Main"), filter("VIEW"))))
	f.Add(manifest, apk.Table.Bytes(), layout)
	f.Add(manifest, apk.Table.Bytes(), menu)
	f.Add(inputtest.XML(document()), []byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, manifest, table, layout []byte) {
		data := zipStored(manifest, table, layout)
		allocation(t, len(data), 512, 1<<20, func() { checkOpen(t, data) })
	})
}

// FuzzXML feeds binary XML to the check and to the library behind it.
func FuzzXML(f *testing.F) {
	f.Add(inputtest.XML(document()))
	f.Add(inputtest.XMLOptions{UTF8: true}.Write(document()))
	f.Add(inputtest.XMLOptions{NoRaw: true}.Write(document()))
	f.Fuzz(func(t *testing.T, data []byte) {
		allocation(t, len(data), 512, 1<<20, func() {
			again := bytes.Clone(data)
			elements, err := readXML(data)
			if err != nil {
				checkBad(t, err, len(data))
				return
			}
			for i, e := range elements {
				if e.name == "" || e.parent >= i || (e.parent < 0) != (i == 0) {
					t.Fatalf("element %d: %q, parent %d", i, e.name, e.parent)
				}
			}
			second, err := readXML(again)
			if err != nil || printXML(second) != printXML(elements) {
				t.Errorf("the same bytes give\n%s\nand then\n%s%v", printXML(elements), printXML(second), err)
			}
		})
	})
}

// FuzzTable feeds resource tables to our reader.
func FuzzTable(f *testing.F) {
	for _, e := range []inputtest.Encoding{inputtest.Dense, inputtest.Sparse, inputtest.Offset16, inputtest.Compact} {
		w, _ := sampleTable(e, e == inputtest.Sparse)
		f.Add(w.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		allocation(t, len(data), 512, 1<<20, func() {
			tab, err := readTable(data)
			if err != nil {
				checkBad(t, err, len(data))
				return
			}
			tab.files("layout")
			for _, r := range tab.entries[:min(len(tab.entries), 20)] {
				name := tab.name(r.id)
				if name == "" {
					t.Errorf("%#x has no name", r.id)
				}
				if id := tab.id(name); id != 0 && tab.name(id) != name {
					t.Errorf("id(%q) = %#x, which is %q", name, id, tab.name(id))
				}
				tab.value(r.id)
			}
		})
	})
}

func checkBad(t *testing.T, err error, size int) {
	t.Helper()
	var b *badData
	switch {
	case !errors.As(err, &b):
		t.Errorf("error without an offset: %v", err)
	case b.offset < 0 || b.offset > size:
		t.Errorf("offset %#x in an input of %#x bytes: %v", b.offset, size, err)
	case strings.ContainsAny(b.reason, "\n\r"), len(b.reason) > 1500:
		t.Errorf("error is not a line: %q", err)
	case strings.Contains(b.reason, "cannot handle"):
		t.Errorf("the check let through what made the library panic: %v", err)
	}
}
