package platform

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path"
	"sort"
)

//go:embed models/*.yaml
var modelFiles embed.FS

// LoadModels reads the models that come with the program and then the user's
// files, whose models of a method, slot or lifecycle replace ours.
func LoadModels(extra []string) (*Models, error) {
	ix, err := LoadIndex()
	if err != nil {
		return nil, err
	}
	m := &Models{Classes: map[string]*ClassModel{}}
	var errs []error
	entries, err := modelFiles.ReadDir("models")
	if err != nil {
		return nil, err
	}
	for _, e := range entries { // sorted by name
		data, err := modelFiles.ReadFile(path.Join("models", e.Name()))
		if err != nil {
			return nil, err
		}
		errs = append(errs, m.read(ix, "models/"+e.Name(), data, false)...)
	}
	for _, file := range extra {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		errs = append(errs, m.read(ix, file, data, true)...)
	}
	m.listenerTypes(ix)
	if len(errs) == 0 && len(extra) > 0 { // ours are checked by a test
		errs = m.Check(ix)
	}
	if err := joinSorted(errs); err != nil {
		return nil, err
	}
	return m, nil
}

// Parse reads one model file on its own, for tests and tools.
func Parse(file string, data []byte) (*Models, error) {
	ix, err := LoadIndex()
	if err != nil {
		return nil, err
	}
	m := &Models{Classes: map[string]*ClassModel{}}
	errs := m.read(ix, file, data, false)
	m.listenerTypes(ix)
	if len(errs) == 0 {
		errs = m.Check(ix)
	}
	return m, joinSorted(errs)
}

func (m *Models) read(ix *Index, file string, data []byte, extra bool) []error {
	d := &decoder{reader: reader{file: file}, names: newNames(ix.Has), models: m, extra: extra}
	d.decodeFile(data)
	return d.errs
}

// maxErrors bounds how many errors are shown at once.
const maxErrors = 20

// joinSorted makes one error of many, a line each, the same one only once.
func joinSorted(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	seen := map[string]bool{}
	var out []error
	for _, e := range errs {
		if !seen[e.Error()] {
			seen[e.Error()] = true
			out = append(out, e)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return fileOf(out[i]) < fileOf(out[j]) })
	if len(out) > maxErrors {
		out = append(out[:maxErrors:maxErrors], fmt.Errorf("and %d more errors in model files", len(out)-maxErrors))
	}
	return errors.Join(out...)
}

func fileOf(err error) string {
	s := err.Error()
	for i := range s {
		if s[i] == ':' {
			return s[:i]
		}
	}
	return s
}
