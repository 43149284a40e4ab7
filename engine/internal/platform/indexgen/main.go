// Command indexgen makes the platform index from published class files: a
// framework jar and modules of a JDK (java.base and the few others of which
// Android has packages).
//
//	go run ./engine/internal/platform/indexgen -framework android-all.jar -jmods $JAVA_HOME/jmods -out engine/internal/platform/index.bin
//
// It reads class headers only: names, supertypes, access flags, the
// signatures of members that apps can see. See NOTICE in the parent folder
// for what the checked-in index was made from.
package main

import (
	"archive/zip"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

func main() {
	framework := flag.String("framework", "", "framework jar (org.robolectric:android-all)")
	jmods := flag.String("jmods", "", "folder of the JDK's .jmod files")
	out := flag.String("out", "", "index file to write")
	flag.Parse()
	if err := run(*framework, *jmods, *out); err != nil {
		fmt.Fprintln(os.Stderr, "indexgen:", err)
		os.Exit(2)
	}
}

func run(framework, jmods, out string) error {
	all := map[string]*header{}
	for _, m := range modules {
		if err := readJar(filepath.Join(jmods, m+".jmod"), "classes/", all); err != nil {
			return err
		}
	}
	if err := readJar(framework, "", all); err != nil {
		return err
	}
	kept := keep(all)
	data, err := platform.EncodeIndex(kept)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d of %d classes, %d bytes\n", len(kept), len(all), len(data))
	return os.WriteFile(out, data, 0o644)
}

// readJar reads the class headers of a jar, or of a jmod, which is a zip
// after four bytes with its classes in a folder. The first definition of a
// class wins.
func readJar(path, folder string, all map[string]*header) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(data, []byte("JM")) {
		data = data[4:]
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("%s: %v", path, err)
	}
	for _, f := range z.File {
		name, ok := strings.CutPrefix(f.Name, folder)
		name, isClass := strings.CutSuffix(name, ".class")
		if !ok || !isClass || !wanted(strings.ReplaceAll(name, "/", ".")) {
			continue
		}
		h, err := readEntry(f)
		if err != nil {
			return fmt.Errorf("%s: %s: %v", path, f.Name, err)
		}
		if all[h.decl.Name] == nil {
			all[h.decl.Name] = h
		}
	}
	return nil
}

func readEntry(f *zip.File) (*header, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return readHeader(data)
}

// keep chooses the classes that apps can name, and the supertypes of those.
func keep(all map[string]*header) []*ir.ClassDecl {
	var names []string
	for n := range all {
		names = append(names, n)
	}
	sort.Strings(names)
	kept := map[string]bool{}
	var add func(n string)
	add = func(n string) {
		h := all[n]
		if h == nil || kept[n] {
			return
		}
		kept[n] = true
		add(h.decl.Super)
		for _, i := range h.decl.Interfaces {
			add(i)
		}
	}
	for _, n := range names {
		if visible(all, all[n]) && exported(n) {
			add(n)
		}
	}
	var out []*ir.ClassDecl
	for _, n := range names {
		if !kept[n] {
			continue
		}
		d := all[n].decl
		if all[n].outer != "" {
			d.Flags = all[n].inner | d.Flags&^7
		}
		sort.Slice(d.Methods, func(i, j int) bool {
			return d.Methods[i].Name+d.Methods[i].Desc < d.Methods[j].Name+d.Methods[j].Desc
		})
		out = append(out, &d)
	}
	return out
}

// visible reports whether app code can name the class.
func visible(all map[string]*header, h *header) bool {
	if h == nil || h.local || h.system || h.decl.Flags&accSynthetic != 0 {
		return false
	}
	if h.outer == "" {
		return h.decl.Flags&accPublic != 0 && !generatedBinder(h)
	}
	return h.inner&(accPublic|accProtected) != 0 && visible(all, all[h.outer])
}

// generatedBinder recognises the interfaces of system services that the AIDL
// compiler makes; public API has none.
func generatedBinder(h *header) bool {
	return len(h.decl.Interfaces) == 1 && h.decl.Interfaces[0] == "android.os.IInterface"
}
