package engine

import (
	"fmt"
	"os"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/mapping"
)

// mappingFlag begins errors about the mapping.
const mappingFlag = "--mapping "

// readMapping reads the mapping of a shrunk build; nil if none is given.
func readMapping(name string) (*mapping.Mapping, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf(mappingFlag+"%w", err)
	}
	defer f.Close()
	m, err := mapping.Read(f, name)
	if err != nil {
		return nil, fmt.Errorf(mappingFlag+"%w", err)
	}
	return m, nil
}

// unshrink gives the build the names of its source, and tells where its code
// stands there; nil without a mapping.
func (r *run) unshrink(files []*dex.File) (*ir.Sources, error) {
	m := r.mapping
	if m == nil {
		return nil, nil
	}
	r.mapping = nil
	classes := classNames(files)
	var renamed []string
	if s := shrunkBuild(files, classes, r.bundle, r.bundle.Origins(classes, buildTypes(files)).Origin); s.is() {
		renamed = s.renamed
	}
	if err := m.Fits(files, classes, renamed); err != nil {
		return nil, fmt.Errorf(mappingFlag+"%w", err)
	}
	sources := m.Apply(files)
	r.bundle.Rename(m.ClassName)
	return sources, nil
}
