package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// platform is what a program runs on, in the words of Go.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "_" + p.arch }

// platforms are those that have a program in a release.
var platforms = []platform{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"linux", "amd64"}, {"linux", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// release is what is built, from which sources and by what.
type release struct {
	root      string // folder of the sources
	version   string
	toolchain string // as GOTOOLCHAIN has it
	platforms []platform
	log       io.Writer
}

// asset is the name of a program among the files of the release; the Action asks
// for it by that name.
func (r release) asset(p platform) string {
	name := "eventraces_" + r.version + "_" + p.String()
	if p.os == "windows" {
		name += ".exe"
	}
	return name
}

// write fills dir, which must hold nothing yet, and is made if need be.
func (r release) write(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	names, err := list(dir)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		return fmt.Errorf("-out %s holds %s; want a folder that is empty", dir, names[0])
	}
	sums := new(bytes.Buffer)
	pins := new(bytes.Buffer)
	fmt.Fprintf(pins, "# Written by scripts/release: the program that this release of the Action runs.\nversion %s\n", r.version)
	for _, p := range r.platforms {
		file := filepath.Join(dir, r.asset(p))
		if err := r.build(ctx, p, file); err != nil {
			return err
		}
		program, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(program)
		fmt.Fprintf(sums, "%x  %s\n", sum, r.asset(p))
		fmt.Fprintf(pins, "sha256 %s %x\n", p, sum)
		fmt.Fprintf(r.log, "%x  %s\n", sum, r.asset(p))
	}
	licences, err := r.licences(ctx)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "licences.txt"), licences, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "checksums.txt"), sums.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "release.txt"), pins.Bytes(), 0o644)
}

// build makes one program.
func (r release) build(ctx context.Context, p platform, file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", "-s -w -X main.version="+r.version, "-o", file, "./cmd/eventraces")
	cmd.Dir = r.root
	// Later ones win: what a machine sets for its own builds does not count.
	cmd.Env = append(os.Environ(),
		"GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=-mod=readonly", "GOWORK=off", "GOEXPERIMENT=", "GOFIPS140=off", "GOTOOLCHAIN="+r.toolchain)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building for %s: %w: %s", p, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// check says how dir departs from what write would fill it with.
func (r release) check(ctx context.Context, dir string) error {
	fresh, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := r.write(ctx, fresh); err != nil {
		return err
	}
	want, err := list(fresh)
	if err != nil {
		return err
	}
	got, err := list(dir)
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s holds %s; a fresh build gives %s", dir, strings.Join(got, ", "), strings.Join(want, ", "))
	}
	for _, name := range want {
		a, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(fresh, name))
		if err != nil {
			return err
		}
		if !bytes.Equal(a, b) {
			return fmt.Errorf("%s is not what a fresh build gives: %d bytes with SHA-256 %x; want %d with %x",
				filepath.Join(dir, name), len(a), sha256.Sum256(a), len(b), sha256.Sum256(b))
		}
	}
	return nil
}

// list names what is in a folder, sorted.
func list(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}
