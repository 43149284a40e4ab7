package expect

import (
	"path/filepath"
	"testing"
)

// apps are the folders of all example and fixture apps.
func apps(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, dir := range []string{"../../../examples", "../../testdata/fixtures"} {
		found, err := Apps(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			t.Fatalf("no apps in %s", dir)
		}
		all = append(all, found...)
	}
	return all
}

func TestAPKsAreBuiltFromTheirSources(t *testing.T) {
	for _, dir := range append(apps(t), "../../testdata/rules") {
		if err := CheckBuilt(dir); err != nil {
			t.Error(err)
		}
	}
}

func TestJarIsBuiltFromItsSources(t *testing.T) {
	if err := CheckJar("../../../annotations"); err != nil {
		t.Error(err)
	}
}

func TestMarksOfAllApps(t *testing.T) {
	var sum Tally
	for _, dir := range apps(t) {
		set, err := Parse(filepath.Join(dir, "src"))
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		tally := set.Tally()
		if tally.Races+tally.Silent == 0 {
			t.Errorf("%s expects nothing", dir)
		}
		sum.Races += tally.Races
		sum.Silent += tally.Silent
		sum.KnownWrong += tally.KnownWrong
	}
	t.Logf("%d races, %d silent lines, %d known wrong answers", sum.Races, sum.Silent, sum.KnownWrong)
	if sum.KnownWrong*15 > sum.Races+sum.Silent {
		t.Errorf("%d known wrong answers are more than one in fifteen of %d marks", sum.KnownWrong, sum.Races+sum.Silent)
	}
}
