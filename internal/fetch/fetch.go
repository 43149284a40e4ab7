// Package fetch gets files that tests need and the repository must not hold, by
// pinned version and SHA-256, out of npm packages. It asks the npm client, which
// knows the machine's registry, proxy and credentials; it keeps what it got in
// the user's cache folder and believes only what has the right checksum.
//
// Get is for tests: what cannot be fetched skips the test with one line, or
// fails it where REQUIRE=all is set.
package fetch

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// Package is one version of an npm package.
type Package struct {
	Name, Version string
	SHA256        string // of the tarball; "" if only single files are taken, which have their own
}

func (p Package) String() string { return p.Name + "@" + p.Version }

// attempts is how often a download is tried; the pauses between grow.
const attempts = 3

// offline remembers that npm could not be reached, so that the other fetches of
// this process need not wait for it again.
var offline atomic.Bool

// File gives the path of one file of the package, named by its path in the
// tarball and pinned by its SHA-256.
func (p Package) File(ctx context.Context, name, sum string) (string, error) {
	dir, err := cacheDir()
	if err != nil {
		return "", err
	}
	target := filepath.Join(dir, sum[:16], filepath.Base(name))
	if sumOf(target) == sum {
		return target, nil
	}
	err = p.download(ctx, func(tarball string) error { return extractFile(tarball, name, target, sum) })
	if err != nil {
		return "", fmt.Errorf("%s of npm package %s: %w", name, p, err)
	}
	return target, nil
}

// Dir gives a folder with everything in the package.
func (p Package) Dir(ctx context.Context) (string, error) {
	if p.SHA256 == "" {
		return "", fmt.Errorf("npm package %s has no checksum", p)
	}
	dir, err := cacheDir()
	if err != nil {
		return "", err
	}
	target := filepath.Join(dir, p.SHA256[:16])
	if _, err := os.Stat(target); err == nil {
		return target, nil // it was put there in one step, after the check
	}
	err = p.download(ctx, func(tarball string) error { return extractAll(tarball, target) })
	if err != nil {
		return "", fmt.Errorf("npm package %s: %w", p, err)
	}
	return target, nil
}

// download runs npm pack in a fresh folder and hands the tarball to use.
func (p Package) download(ctx context.Context, use func(tarball string) error) error {
	if offline.Load() {
		return errors.New("npm could not be reached before")
	}
	dir, err := os.MkdirTemp("", "fetch")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for n := 0; ; n++ {
		err = p.pack(ctx, dir)
		if err == nil {
			break
		}
		if n+1 == attempts || errors.Is(err, exec.ErrNotFound) {
			offline.Store(true)
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(2*n*n+1) * time.Second):
		}
	}
	tarballs, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(tarballs) != 1 {
		return fmt.Errorf("npm pack left %d tarballs", len(tarballs))
	}
	if p.SHA256 != "" {
		if sum := sumOf(tarballs[0]); sum != p.SHA256 {
			return fmt.Errorf("SHA-256 is %s, want %s", sum, p.SHA256)
		}
	}
	return use(tarballs[0])
}

func (p Package) pack(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	// The npm client's own retries wait up to a minute each; ours are shorter.
	cmd := exec.CommandContext(ctx, "npm", "pack", p.String(), "--silent", "--ignore-scripts", "--fetch-retries=0", "--pack-destination", dir)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.Fields(strings.TrimSpace(string(out)))
		return fmt.Errorf("npm pack failed: %w %.200s", err, strings.Join(lines, " "))
	}
	return nil
}

func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "eventraces", "npm"), nil
}

// sumOf is the SHA-256 of a file, "" if it cannot be read.
func sumOf(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// extractFile puts one file of the tarball at target, if it has the checksum.
func extractFile(tarball, name, target, sum string) error {
	found := false
	err := eachFile(tarball, func(h *tar.Header, r io.Reader) error {
		if found || h.Name != name {
			return nil
		}
		found = true
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		f, err := os.CreateTemp(filepath.Dir(target), ".part-*")
		if err != nil {
			return err
		}
		defer os.Remove(f.Name())
		_, err = io.Copy(f, r)
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
		if got := sumOf(f.Name()); got != sum {
			return fmt.Errorf("SHA-256 is %s, want %s", got, sum)
		}
		return os.Rename(f.Name(), target)
	})
	if err == nil && !found {
		err = fs.ErrNotExist
	}
	return err
}

// extractAll unpacks the tarball beside target and then puts it in place.
func extractAll(tarball, target string) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(target), ".part-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	err = eachFile(tarball, func(h *tar.Header, r io.Reader) error {
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("%s leaves the folder", h.Name)
		}
		file := filepath.Join(dir, h.Name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fs.FileMode(h.Mode).Perm())
		if err != nil {
			return err
		}
		_, err = io.Copy(f, r)
		if e := f.Close(); err == nil {
			err = e
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := os.Rename(dir, target); err != nil {
		if _, e := os.Stat(target); e == nil {
			return nil // another process was first
		}
		return err
	}
	return os.Chmod(target, 0o755)
}

func eachFile(tarball string, visit func(*tar.Header, io.Reader) error) error {
	f, err := os.Open(tarball)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeReg {
			if err := visit(h, r); err != nil {
				return err
			}
		}
	}
}

// T is the part of testing.TB that Required needs.
type T interface {
	Helper()
	Context() context.Context
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Required is for tests: it gives what was fetched, or ends the test. A skip is
// one line; where REQUIRE=all asks for everything, it is a failure.
func Required(t T, path string, err error) string {
	t.Helper()
	if err == nil {
		return path
	}
	if os.Getenv("REQUIRE") == "all" {
		t.Fatalf("cannot fetch %v", err)
	} else {
		t.Skipf("cannot fetch %v", err)
	}
	return ""
}
