package inputtest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// APK is an APK under construction.
type APK struct {
	Manifest *Node
	Table    Table
	files    []file
}

type file struct {
	name string
	data []byte
}

// New is an APK with the given manifest and dex files (classes.dex, then
// classes2.dex and so on).
func New(manifest *Node, dex ...[]byte) *APK {
	a := &APK{Manifest: manifest}
	for i, d := range dex {
		name := "classes.dex"
		if i > 0 {
			name = fmt.Sprintf("classes%d.dex", i+1)
		}
		a.Add(name, d)
	}
	return a
}

// Manifest is a small <manifest>: package, SDK versions and an <application>
// with the given attributes and children.
func Manifest(pkg string, application ...any) *Node {
	return E("manifest", Plain("package", pkg),
		E("uses-sdk", A("minSdkVersion", 21), A("targetSdkVersion", 33)),
		E("application", application...))
}

// Add adds a file as it is.
func (a *APK) Add(name string, data []byte) { a.files = append(a.files, file{name, data}) }

// AddID declares id/name and is its id.
func (a *APK) AddID(name string) uint32 { return a.Table.Add("id/"+name, false) }

// AddLayout adds res/layout/name.xml and the resource; it is its id.
func (a *APK) AddLayout(name string, root *Node) uint32 { return a.addXML("layout", name, root) }

// AddMenu adds res/menu/name.xml and the resource; it is its id.
func (a *APK) AddMenu(name string, root *Node) uint32 { return a.addXML("menu", name, root) }

// AddXML adds res/xml/name.xml and the resource; it is its id.
func (a *APK) AddXML(name string, root *Node) uint32 { return a.addXML("xml", name, root) }

func (a *APK) addXML(kind, name string, root *Node) uint32 {
	path := "res/" + kind + "/" + name + ".xml"
	a.Add(path, XML(root))
	return a.Table.Add(kind+"/"+name, path)
}

// Bytes is the APK. Files come in the order they were added, after the
// manifest and the resource table (written if it has a resource).
func (a *APK) Bytes() []byte {
	var files []file
	if a.Manifest != nil {
		files = append(files, file{"AndroidManifest.xml", XML(a.Manifest)})
	}
	if len(a.Table.types) > 0 {
		files = append(files, file{"resources.arsc", a.Table.Bytes()})
	}
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, f := range append(files, a.files...) {
		e, err := w.Create(f.name)
		if err == nil {
			_, err = e.Write(f.data)
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

// Write writes the APK to a temporary file and is its path.
func (a *APK) Write(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, a.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
