package fetch

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func tarball(t *testing.T, files ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.tgz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for i := 0; i < len(files); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1])), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, files[i+1])
	}
	for _, c := range []interface{ Close() error }{w, z, f} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return name
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func TestExtractFile(t *testing.T) {
	tgz := tarball(t, "package/a", "first", "package/b", "second")
	target := filepath.Join(t.TempDir(), "sub", "b")
	if err := extractFile(tgz, "package/b", target, hash("second")); err != nil {
		t.Fatal(err)
	}
	if sumOf(target) != hash("second") {
		t.Error("another file was extracted")
	}
	wrong := filepath.Join(t.TempDir(), "b")
	if err := extractFile(tgz, "package/b", wrong, hash("third")); err == nil || !strings.Contains(err.Error(), hash("second")) {
		t.Errorf("a wrong checksum gives %v", err)
	}
	if _, err := os.Stat(wrong); err == nil {
		t.Error("a file with a wrong checksum stays")
	}
	if err := extractFile(tgz, "package/c", wrong, ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
}

func TestExtractAll(t *testing.T) {
	target := filepath.Join(t.TempDir(), "out")
	if err := extractAll(tarball(t, "package/a", "first", "package/d/b", "second"), target); err != nil {
		t.Fatal(err)
	}
	if sumOf(filepath.Join(target, "package", "d", "b")) != hash("second") {
		t.Error("a nested file is missing")
	}
	outside := filepath.Join(t.TempDir(), "out")
	if err := extractAll(tarball(t, "../evil", "x"), outside); err == nil {
		t.Error("a path that leaves the folder is taken")
	}
	if left, _ := os.ReadDir(filepath.Dir(outside)); len(left) != 0 {
		t.Errorf("a refused tarball leaves %v", left)
	}
}

func TestWithoutNpm(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	defer offline.Store(false)
	_, err := Package{Name: "x", Version: "1.0.0"}.File(t.Context(), "package/a", hash("x"))
	if !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "x@1.0.0") {
		t.Errorf("without npm: %v", err)
	}
}

// asked records how a test would have ended.
type asked struct{ ended string }

func (*asked) Helper()                       {}
func (*asked) Context() context.Context      { return context.Background() }
func (a *asked) Skipf(f string, args ...any) { a.ended = "skip: " + fmt.Sprintf(f, args...) }
func (a *asked) Fatalf(f string, args ...any) {
	a.ended = "fail: " + fmt.Sprintf(f, args...)
}

func TestRequired(t *testing.T) {
	cases := []struct {
		require string
		err     error
		want    string
	}{
		{"", nil, ""},
		{"all", nil, ""},
		{"", errors.New("x@1: no network"), "skip: cannot fetch x@1: no network"},
		{"all", errors.New("x@1: no network"), "fail: cannot fetch x@1: no network"},
	}
	for _, c := range cases {
		t.Setenv("REQUIRE", c.require)
		a := &asked{}
		if Required(a, "path", c.err); a.ended != c.want {
			t.Errorf("REQUIRE=%q, error %v: %q, want %q", c.require, c.err, a.ended, c.want)
		}
	}
}
