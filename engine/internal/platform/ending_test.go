package platform

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEndings: which call ends what another one arms follows from their effects.
func TestEndings(t *testing.T) {
	m, ix := models(t)
	for call, want := range map[string]string{
		"android.content.ContextWrapper.bindService(android.content.Intent, android.content.ServiceConnection, int)":      "unbindService",
		"android.app.Activity.registerReceiver(android.content.BroadcastReceiver, android.content.IntentFilter)":          "unregisterReceiver",
		"android.os.Handler.post(java.lang.Runnable)":                                                                     "removeCallbacks",
		"android.os.Handler.sendEmptyMessage(int)":                                                                        "removeMessages",
		"android.os.Message.sendToTarget()":                                                                               "removeMessages",
		"android.view.View.postDelayed(java.lang.Runnable, long)":                                                         "removeCallbacks",
		"android.os.AsyncTask.execute(java.lang.Object[])":                                                                "cancel",
		"java.util.Timer.schedule(java.util.TimerTask, long)":                                                             "cancel",
		"java.util.concurrent.ExecutorService.submit(java.lang.Runnable)":                                                 "cancel",
		"android.view.View.setOnClickListener(android.view.View$OnClickListener)":                                         "setOnClickListener",
		"android.widget.TextView.addTextChangedListener(android.text.TextWatcher)":                                        "removeTextChangedListener",
		"java.util.concurrent.ScheduledExecutorService.schedule(java.lang.Runnable, long, java.util.concurrent.TimeUnit)": "cancel",
		"java.lang.Thread.start()":                                                                                        "",
		"android.app.Activity.runOnUiThread(java.lang.Runnable)":                                                          "",
		"android.telephony.TelephonyManager.listen(android.telephony.PhoneStateListener, int)":                            "",
	} {
		open := strings.IndexByte(call, '(')
		dot := strings.LastIndexByte(call[:open], '.')
		params := strings.Split(call[open+1:len(call)-1], ", ")
		if params[0] == "" {
			params = nil
		}
		got := ""
		for _, x := range m.For(ix.Supers, call[:dot], call[dot+1:open], params) {
			for i := range x.Effects {
				e := &x.Effects[i]
				if e.Kind != Post && e.Kind != Start && e.Kind != Register {
					continue
				}
				if m.Arming(e) != x {
					t.Errorf("%s: the effect is not found again", call)
				}
				if ends := m.Endings(ix.Supers, x, call[:dot], e); len(ends) > 0 {
					got = ends[0].Method.Name
				}
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", call, d)
		}
	}
}

func TestTests(t *testing.T) {
	m, ix := models(t)
	for class, want := range map[string]string{
		"android.database.sqlite.SQLiteDatabase": "isOpen", "android.graphics.Bitmap": "not isRecycled", "java.lang.String": "",
	} {
		got := ""
		if x, not := m.Tests(ix.Supers, class, "open"); x != nil {
			got = x.Name
			if not {
				got = "not " + got
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", class, got, want)
		}
	}
}
