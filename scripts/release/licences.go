package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is code that stands in the programs, as go list tells of it.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// licences are the texts that must go with the programs: ours, Go's and those of
// the modules that any platform's program is made of.
func (r release) licences(ctx context.Context) ([]byte, error) {
	modules := map[string]module{}
	for _, p := range r.platforms {
		list, err := r.modules(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			modules[m.Path] = m
		}
	}
	paths := make([]string, 0, len(modules))
	for path := range modules {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	var out bytes.Buffer
	root, err := r.goRoot(ctx)
	if err != nil {
		return nil, err
	}
	if err := licence(&out, "eventraces", r.root); err != nil {
		return nil, err
	}
	if err := licence(&out, "Go", root); err != nil {
		return nil, err
	}
	for _, path := range paths {
		if err := licence(&out, path+" "+modules[path].Version, modules[path].Dir); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func (r release) goRoot(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Dir, cmd.Env = r.root, append(os.Environ(), "GOTOOLCHAIN="+r.toolchain)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// modules are those that the program of a platform is made of.
func (r release) modules(ctx context.Context, p platform) ([]module, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Module", "./cmd/eventraces")
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off", "GOTOOLCHAIN="+r.toolchain)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing what %s is made of: %w", p, err)
	}
	var list []module
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		var pkg struct{ Module *module }
		switch err := d.Decode(&pkg); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		if m := pkg.Module; m != nil && !m.Main && !slices.Contains(list, *m) {
			list = append(list, *m)
		}
	}
}

// licence appends the files of a folder that tell how its code may be used.
func licence(out *bytes.Buffer, name, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("the licence of %s: %w", name, err)
	}
	n := 0
	for _, e := range entries {
		stem := strings.ToUpper(strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())))
		if e.IsDir() || !slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}, stem) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return fmt.Errorf("the licence of %s: %w", name, err)
		}
		fmt.Fprintf(out, "==== %s: %s ====\n\n%s\n\n", name, e.Name(), bytes.TrimSpace(text))
		n++
	}
	if n == 0 {
		return fmt.Errorf("the licence of %s is not in its folder", name)
	}
	return nil
}
