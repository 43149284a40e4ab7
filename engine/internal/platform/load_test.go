package platform

import (
	"testing"
)

// TestLoad checks the models that come with the program.
func TestLoad(t *testing.T) {
	m, err := LoadModels(nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Classes) < 10 {
		t.Fatalf("only %d classes", len(m.Classes))
	}
}
