package expect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const examples = "../../../examples"

// edits are those of examples/tools/Edit.java, in its order.
var edits = []string{
	"insert-lines", "one-line", "spread", "rename-locals", "reorder-members", "add-lambda", "rename-classes", "rename-methods",
	"rename-package",
}

func TestEditedAPKsAreBuiltFromTheirSources(t *testing.T) {
	apps, err := Apps(examples)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, dir := range apps {
		names = append(names, filepath.Base(dir))
		if err := CheckEdited(dir, []string{"Edit.java", "Members.java"}, edits); err != nil {
			t.Error(err)
		}
	}
	built, err := filepath.Glob(filepath.Join(examples, "edits", "*.built"))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, file := range built {
		have = append(have, strings.TrimSuffix(filepath.Base(file), ".built"))
	}
	if len(have) == 0 || !slices.Equal(have, names) {
		t.Errorf("there are edits of %q, want those of %q", have, names)
	}
}

// Only what build.sh lists lies in the folders of edited apps.
func TestNoOtherEditedAPKs(t *testing.T) {
	apks, err := filepath.Glob(filepath.Join(examples, "edits", "*", "*.apk"))
	if err != nil {
		t.Fatal(err)
	}
	if len(apks) != 5*len(edits)+2 { // five examples, and the two builds of worse
		t.Errorf("%d edited APKs", len(apks))
	}
	for _, apk := range apks {
		dir, edit := filepath.Base(filepath.Dir(apk)), strings.TrimSuffix(filepath.Base(apk), ".apk")
		if dir == "worse" && (edit == "before" || edit == "after") {
			continue
		}
		if !slices.Contains(edits, edit) {
			t.Errorf("%s is not an edit", apk)
		}
		if _, err := os.Stat(filepath.Join(examples, dir, "AndroidManifest.xml")); err != nil {
			t.Errorf("%s is an edit of no app: %v", apk, err)
		}
	}
}

func TestWorseIsBuiltFromItsSources(t *testing.T) {
	dir := filepath.Join(examples, "edits", "worse")
	err := checkHashes(filepath.Join(dir, "worse.built"), "examples/edits/build.sh", []string{"sources", "before.apk", "after.apk"},
		func(what string) (string, error) { return hashOf(dir, what) })
	if err != nil {
		t.Error(err)
	}
}

// examples/edits is no app, and holds none that is taken for an example.
func TestEditsAreNoExamples(t *testing.T) {
	apps, err := Apps(examples)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range apps {
		if strings.Contains(filepath.ToSlash(dir), "/edits") {
			t.Errorf("%s is taken for an example", dir)
		}
	}
}
