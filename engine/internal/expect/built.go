package expect

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CheckBuilt tells whether the APKs in the folder of an app were built from the sources beside them, going by the
// hashes in NAME.built, which examples/build.sh writes.
func CheckBuilt(dir string) error {
	name := filepath.Base(dir)
	return checkBuilt(dir, name, "examples/build.sh", SourcesHash, name+".apk", name+"-dx.apk")
}

// CheckJar tells the same of the jar of annotations, which annotations/build.sh makes.
func CheckJar(dir string) error {
	const name = "eventraces-annotations"
	return checkBuilt(dir, name, "annotations/build.sh", func(dir string) (string, error) {
		paths, err := filesBelow(dir, "src")
		if err != nil {
			return "", err
		}
		return hashOfAll(dir, paths)
	}, name+".jar")
}

func checkBuilt(dir, name, script string, sources func(dir string) (string, error), made ...string) error {
	text, err := os.ReadFile(filepath.Join(dir, name+".built"))
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		file, want, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			return fmt.Errorf("%s.built: %q is not NAME HASH", name, lines.Text())
		}
		seen[file] = true
		hash := fileHash
		if file == "sources" {
			hash = func(dir, _ string) (string, error) { return sources(dir) }
		}
		got, err := hash(dir, file)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%s: %s changed since it was built: run %s", dir, file, script)
		}
	}
	for _, file := range append(made, "sources") {
		if !seen[file] {
			return fmt.Errorf("%s.built: no line for %s", name, file)
		}
	}
	return lines.Err()
}

func fileHash(dir, file string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// sourcePath is a file in the place of src that names the folder of the sources.
const sourcePath = "src.path"

// SourcesHash is the hash of an app's manifest, sources and resources: of the list that sha256sum prints for them in
// order of path. sources_hash in examples/build.sh computes the same.
func SourcesHash(dir string) (string, error) {
	paths := []string{"AndroidManifest.xml"}
	folders := []string{"res", "src"}
	if elsewhere, err := os.ReadFile(filepath.Join(dir, sourcePath)); err == nil {
		paths = append(paths, sourcePath)
		folders[1] = strings.TrimSpace(string(elsewhere))
	}
	for _, sub := range folders {
		below, err := filesBelow(dir, sub)
		if sub == "res" && errors.Is(err, fs.ErrNotExist) {
			continue // an app may have no resources
		}
		if err != nil {
			return "", err
		}
		paths = append(paths, below...)
	}
	return hashOfAll(dir, paths)
}

// filesBelow lists the files below a folder of dir, as paths from dir.
func filesBelow(dir, sub string) ([]string, error) {
	var paths []string
	top := filepath.Join(dir, filepath.FromSlash(sub))
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		below, err := filepath.Rel(top, path)
		paths = append(paths, sub+"/"+filepath.ToSlash(below))
		return err
	})
	return paths, err
}

// hashOfAll is the hash of what sha256sum prints for files in order of path.
func hashOfAll(dir string, paths []string) (string, error) {
	slices.Sort(paths)
	list := sha256.New()
	for _, path := range paths {
		hash, err := fileHash(dir, path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(list, "%s  %s\n", hash, path)
	}
	return hex.EncodeToString(list.Sum(nil)), nil
}

// Apps lists the folders of fixture and example apps directly below dir, in order of name.
func Apps(dir string) ([]string, error) {
	manifests, err := filepath.Glob(filepath.Join(dir, "*", "AndroidManifest.xml"))
	if err != nil {
		return nil, err
	}
	var apps []string
	for _, m := range manifests {
		apps = append(apps, filepath.Dir(m))
	}
	return apps, nil
}
