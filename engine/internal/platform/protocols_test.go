package platform

import "testing"

// TestFirst asks of automata that no walk reaches one callback before another
// has run.
func TestFirst(t *testing.T) {
	m, _ := models(t)
	for _, c := range []struct{ base, first, then string }{
		{"android.app.Activity", "onCreate", "onResume"},
		{"android.app.Activity", "onCreate", "onActivityResult"},
		{"android.accessibilityservice.AccessibilityService", "onServiceConnected", "onAccessibilityEvent"},
		{"android.accessibilityservice.AccessibilityService", "onServiceConnected", "onUnbind"},
		{"android.service.notification.NotificationListenerService", "onListenerConnected", "onNotificationPosted"},
		{"android.service.notification.NotificationListenerService", "onListenerConnected", "onListenerDisconnected"},
		{"android.inputmethodservice.InputMethodService", "onCreateInputView", "onStartInputView"},
		{"android.inputmethodservice.InputMethodService", "onStartInput", "onKeyDown"},
		{"android.inputmethodservice.InputMethodService", "onInitializeInterface", "onStartInput"},
		{"android.service.quicksettings.TileService", "onStartListening", "onClick"},
		{"android.service.dreams.DreamService", "onAttachedToWindow", "onDreamingStarted"},
		{"android.nfc.cardemulation.HostApduService", "processCommandApdu", "onDeactivated"},
		{"android.app.job.JobService", "onStartJob", "onStopJob"},
		{"android.service.media.MediaBrowserService", "onGetRoot", "onLoadChildren"},
		{"android.service.wallpaper.WallpaperService$Engine", "onSurfaceCreated", "onVisibilityChanged"},
		{"android.service.wallpaper.WallpaperService$Engine", "onSurfaceCreated", "onSurfaceDestroyed"},
		{"android.widget.RemoteViewsService$RemoteViewsFactory", "onCreate", "getViewAt"},
		{"android.app.Instrumentation", "onCreate", "onDestroy"},
	} {
		l := m.byBase(c.base)
		if l == nil {
			t.Errorf("no lifecycle of %s", c.base)
			continue
		}
		if !runs(l, "", c.then) {
			t.Errorf("%s: %s never runs", c.base, c.then)
		}
		if runs(l, c.first, c.then) {
			t.Errorf("%s: %s may run before %s", c.base, c.then, c.first)
		}
		if c.first != c.then && !runs(l, c.then, c.first) {
			t.Errorf("%s: %s never runs without %s", c.base, c.first, c.then)
		}
	}
}

// runs reports whether some walk runs a callback with nothing named without
// before it.
func runs(l *Lifecycle, without, name string) bool {
	seen := make([]bool, len(l.States))
	for work := []int{0}; len(work) > 0; work = work[1:] {
		s := work[0]
		if seen[s] {
			continue
		}
		seen[s] = true
		for _, e := range l.Events {
			for _, in := range e.In {
				if in == s && l.Callbacks[e.Call].Callback.Name == name {
					return true
				}
			}
		}
		for _, tr := range l.Transitions {
			if tr.From != s {
				continue
			}
			passed := true
			for _, k := range tr.Calls {
				switch l.Callbacks[k].Callback.Name {
				case name:
					if passed {
						return true
					}
				case without:
					passed = false
				}
			}
			if passed {
				work = append(work, tr.To)
			}
		}
	}
	return false
}
