package expect

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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
		got, err := hashOf(dir, file)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%s: %s changed since the APKs were built: run examples/build.sh", dir, file)
		}
	}
	for _, file := range []string{"sources", name + ".apk", name + "-dx.apk"} {
		if !seen[file] {
			return fmt.Errorf("%s.built: no line for %s", name, file)
		}
	}
	return lines.Err()
}

func hashOf(dir, file string) (string, error) {
	if file == "sources" {
		return SourcesHash(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, file))
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
		top := filepath.Join(dir, filepath.FromSlash(sub))
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil && sub == "res" && path == top:
				return fs.SkipDir // an app may have no resources
			case err != nil:
				return err
			case d.Type().IsRegular():
				below, err := filepath.Rel(top, path)
				paths = append(paths, sub+"/"+filepath.ToSlash(below))
				return err
			}
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	slices.Sort(paths)
	list := sha256.New()
	for _, path := range paths {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(list, "%x  %s\n", sha256.Sum256(data), path)
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
