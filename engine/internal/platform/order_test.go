package platform

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAfter: the callbacks before another are those of all supertypes, and what
// comes before them.
func TestAfter(t *testing.T) {
	m, ix := models(t)
	app := func(class string) []string { // an app class that takes two kinds of callbacks
		if class == "com.example.Both" {
			return []string{"android.widget.AbsListView$MultiChoiceModeListener", "android.view.SurfaceHolder$Callback2"}
		}
		return ix.Supers(class)
	}
	for method, want := range map[string][]string{
		"onCreateActionMode":        {},
		"onActionItemClicked":       {"onCreateActionMode", "onPrepareActionMode"},
		"onItemCheckedStateChanged": {"onCreateActionMode"},
		"surfaceRedrawNeeded":       {"surfaceCreated"},
		"surfaceDestroyed":          {"surfaceCreated"},
		"onDrawFrame":               {},
	} {
		if d := cmp.Diff(want, m.After(app, "com.example.Both", method)); d != "" {
			t.Errorf("%s (-want +got):\n%s", method, d)
		}
	}
	if d := cmp.Diff([]string{"onSurfaceChanged", "onSurfaceCreated"}, m.After(ix.Supers, "android.opengl.GLSurfaceView$Renderer", "onDrawFrame")); d != "" {
		t.Error(d)
	}
}
