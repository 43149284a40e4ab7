package tell

import (
	"testing"

	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

func TestUndoneBy(t *testing.T) {
	models, err := platform.LoadModels(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ base, callback, want string }{
		{"android.app.Activity", "onPause", "onResume"},
		{"android.app.Activity", "onStop", "onStart"},
		{"android.app.Activity", "onDestroy", "onCreate"},
		{"android.app.Service", "onDestroy", "onCreate"},
		{"android.app.Fragment", "onDestroyView", "onCreateView"},
		{"android.app.Fragment", "onStop", "onStart"},
		{"android.app.Fragment", "onDestroy", ""},
	} {
		for _, l := range models.Lifecycles {
			for i := range l.Callbacks {
				if l.Base != c.base || l.Callbacks[i].Callback.Name != c.callback {
					continue
				}
				if got := undoneBy(&pointsto.Arm{Life: l, LifeCall: i}); got != c.want {
					t.Errorf("%s.%s is undone by %q, want %q", c.base, c.callback, got, c.want)
				}
			}
		}
	}
}
