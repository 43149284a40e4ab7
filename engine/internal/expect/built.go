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
	return checkHashes(filepath.Join(dir, name+".built"), "examples/build.sh",
		[]string{"sources", name + ".apk", name + "-dx.apk"}, func(what string) (string, error) { return hashOf(dir, what) })
}

// CheckJar tells the same of the jar of annotations, which annotations/build.sh makes.
func CheckJar(dir string) error {
	const name = "eventraces-annotations"
	return checkHashes(filepath.Join(dir, name+".built"), "annotations/build.sh", []string{"sources", name + ".jar"}, func(what string) (string, error) {
		if what != "sources" {
			return fileHash(filepath.Join(dir, what))
		}
		paths, err := filesBelow(dir, "src")
		if err != nil {
			return "", err
		}
		return hashOfAll(dir, paths)
	})
}

// CheckEdited tells the same of the APKs that examples/edits/build.sh makes of the app in a folder: EDIT.apk for each
// of the edits in the folder edits/NAME beside it, by a program of the given sources in the folder tools.
func CheckEdited(dir string, program, edits []string) error {
	name, root := filepath.Base(dir), filepath.Join(filepath.Dir(dir), "edits")
	lines := append([]string{"sources"}, program...)
	for _, edit := range edits {
		lines = append(lines, edit+".apk")
	}
	return checkHashes(filepath.Join(root, name+".built"), "examples/edits/build.sh", lines, func(what string) (string, error) {
		switch {
		case what == "sources":
			return SourcesHash(dir)
		case slices.Contains(program, what):
			return fileHash(filepath.Join(filepath.Dir(root), "tools", what))
		}
		return fileHash(filepath.Join(root, name, what))
	})
}

// checkHashes compares the lines NAME HASH of a file with what hash computes for each name; they must be the wanted
// lines in their order.
func checkHashes(file, script string, want []string, hash func(what string) (string, error)) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var seen []string
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		what, sum, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			return fmt.Errorf("%s: %q is not NAME HASH", file, lines.Text())
		}
		seen = append(seen, what)
		got, err := hash(what)
		if err != nil {
			return err
		}
		if got != sum {
			return fmt.Errorf("%s: %s is not what it was when the APKs were built: run %s", file, what, script)
		}
	}
	if lines.Err() == nil && !slices.Equal(seen, want) {
		return fmt.Errorf("%s has lines for %q, want %q", file, seen, want)
	}
	return lines.Err()
}

func hashOf(dir, file string) (string, error) {
	if file == "sources" {
		return SourcesHash(dir)
	}
	return fileHash(filepath.Join(dir, file))
}

func fileHash(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// sourcePath is a file in the place of src that names the folder of the sources.
const sourcePath = "src.path"

// releasePath is a file beside the manifest with the version of Java that an app is compiled for.
const releasePath = "release"

// SourcesHash is the hash of an app's manifest, sources and resources: of the list that sha256sum prints for them in
// order of path. sources_hash in examples/tools/apk.sh computes the same.
func SourcesHash(dir string) (string, error) {
	paths := []string{"AndroidManifest.xml"}
	if _, err := os.Stat(filepath.Join(dir, releasePath)); err == nil {
		paths = append(paths, releasePath)
	}
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
		hash, err := fileHash(filepath.Join(dir, filepath.FromSlash(path)))
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
