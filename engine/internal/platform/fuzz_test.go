package platform

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzModels reads damaged model files: an error or models, never a panic.
func FuzzModels(f *testing.F) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, file := range append(files, "models/threads.yaml") {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Parse("fuzz.yaml", data); m == nil && err == nil {
			t.Error("neither models nor an error")
		}
	})
}
