package realapps

import "testing"

func TestTable(t *testing.T) {
	if len(All) < 15 {
		t.Fatalf("%d apps", len(All))
	}
	names, sums := map[string]bool{}, map[string]bool{}
	quick := 0
	for _, a := range All {
		if names[a.Name] || sums[a.SHA256] {
			t.Errorf("%s is in the table twice", a.Name)
		}
		names[a.Name], sums[a.SHA256] = true, true
		if len(a.SHA256) != 64 || a.Package == "" || a.Version == "" || a.File == "" {
			t.Errorf("%s is not pinned", a.Name)
		}
		if got, ok := ByName(a.Name); !ok || got != a {
			t.Errorf("%s is not found by its name", a.Name)
		}
		if a.Quick {
			quick++
		}
	}
	if quick == 0 {
		t.Error("no app is analysed in every test run")
	}
}

// Every app can still be had as pinned.
func TestFetch(t *testing.T) {
	for _, a := range All {
		t.Run(a.Name, func(t *testing.T) { a.Fetch(t) })
	}
}
