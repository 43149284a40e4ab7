package input_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/input"
)

// TestRename: classes get other names wherever manifests and resources name them,
// once each.
func TestRename(t *testing.T) {
	manifest := func() *input.Manifest {
		return &input.Manifest{
			Package: "a.b", Application: "a.b", Components: []input.Component{{Name: "a.b", Process: "a.b"}},
			Instrumentations: []input.Instrumentation{{Name: "a.b", Target: "a.b"}},
		}
	}
	views := []input.View{{Class: "a.b", Tag: "a.b", OnClick: "a.b"}, {Fragment: "a.b"}, {Action: "a.b"}}
	b := &input.Bundle{
		Manifest: manifest(), Manifests: []*input.Manifest{manifest()},
		Layouts: []input.Layout{{Name: "a.b", Views: views[:1]}}, Menus: []input.Layout{{Views: views[1:2]}}, Preferences: []input.Layout{{Views: views[2:]}},
	}
	b.Rename(func(class string) string { return strings.ReplaceAll(class, "a.b", "com.acme.a.b") })
	for _, m := range []*input.Manifest{b.Manifest, b.Manifests[0]} {
		want := "{Package:a.b Application:com.acme.a.b Components:com.acme.a.b in a.b Instrumentations:[{Name:com.acme.a.b Target:a.b}]}"
		c := m.Components[0]
		if got := fmt.Sprintf("{Package:%s Application:%s Components:%s in %s Instrumentations:%+v}", m.Package, m.Application, c.Name, c.Process, m.Instrumentations); got != want {
			t.Errorf("the manifest is %s, want %s", got, want)
		}
	}
	if got, want := fmt.Sprintf("%+v", []input.View{b.Layouts[0].Views[0], b.Menus[0].Views[0], b.Preferences[0].Views[0]}),
		"[{Class:com.acme.a.b Tag:a.b ID:0 Parent:0 OnClick:a.b Include:0 Fragment: Action:} "+
			"{Class: Tag: ID:0 Parent:0 OnClick: Include:0 Fragment:com.acme.a.b Action:} {Class: Tag: ID:0 Parent:0 OnClick: Include:0 Fragment: Action:com.acme.a.b}]"; got != want {
		t.Errorf("the views are %s, want %s", got, want)
	}
}
