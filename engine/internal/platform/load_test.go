package platform

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/internal/goldentest"
)

func models(t testing.TB) (*Models, *Index) {
	t.Helper()
	m, err := LoadModels(nil)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := LoadIndex()
	if err != nil {
		t.Fatal(err)
	}
	return m, ix
}

// TestModels checks the models that come with the program: every class,
// method, parameter type, callback and slot that the index can know exists.
func TestModels(t *testing.T) {
	m, ix := models(t)
	if err := joinSorted(m.Check(ix)); err != nil {
		t.Error(err)
	}
	if len(m.Classes) < 250 {
		t.Errorf("only %d classes", len(m.Classes))
	}
}

// TestUnchecked pins which modelled classes the index cannot check, so that
// no misspelt platform class hides among them.
func TestUnchecked(t *testing.T) {
	m, ix := models(t)
	var b strings.Builder
	names := m.Unchecked(ix)
	fmt.Fprintf(&b, "%d of %d modelled classes are not in the index:\n", len(names), len(m.Classes))
	for _, n := range names {
		if !strings.HasPrefix(n, "androidx.") && !strings.HasPrefix(n, "android.support.") && !strings.HasPrefix(n, "com.google.android.material.") {
			t.Errorf("%s is of the platform, but not in the index", n)
		}
		fmt.Fprintln(&b, n)
	}
	goldentest.Compare(t, "testdata/unchecked.golden", b.String())
}

// TestErrors compares what each faulty file is told.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var b strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Parse(filepath.Base(f), data)
		if err == nil {
			t.Errorf("%s: no error", f)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		sort.Strings(lines)
		fmt.Fprintf(&b, "%s\n\n", strings.Join(lines, "\n"))
	}
	goldentest.Compare(t, "testdata/errors.golden", b.String())
}

// TestListenersCovered finds, in the index, every method of the view and
// widget packages that sets or adds a listener, and asks for its model.
func TestListenersCovered(t *testing.T) {
	m, ix := models(t)
	checked := 0
	for i := range ix.Len() {
		name := ix.Name(i)
		if !strings.HasPrefix(name, "android.view.") && !strings.HasPrefix(name, "android.widget.") {
			continue
		}
		d, _ := ix.Class(name)
		for _, x := range d.Methods {
			params, _ := javaTypes(x.Desc)
			if x.Flags&1 == 0 || len(params) != 1 || !isListener(ix, params[0]) || hiddenListener[name+"."+x.Name] ||
				!strings.HasPrefix(x.Name, "set") && !strings.HasPrefix(x.Name, "add") {
				continue
			}
			checked++
			if len(m.For(ix.Supers, name, x.Name, params)) == 0 {
				t.Errorf("no model of %s.%s(%s)", name, x.Name, params[0])
			}
		}
	}
	if checked < 90 {
		t.Errorf("only %d methods looked at", checked)
	}
}

// hiddenListener are hidden methods that no app can call.
var hiddenListener = map[string]bool{
	"android.view.InsetsController.addOnControllableInsetsChangedListener":               true,
	"android.view.InsetsController.setSystemDrivenInsetsAnimationLoggingListener":        true,
	"android.view.NativeVectorDrawableAnimator.setThreadedRendererAnimatorListener":      true,
	"android.view.NotificationTopLineView.setFeedbackOnClickListener":                    true,
	"android.view.PendingInsetsController.addOnControllableInsetsChangedListener":        true,
	"android.view.PendingInsetsController.setSystemDrivenInsetsAnimationLoggingListener": true,
	"android.view.SurfaceControl.addOnReparentListener":                                  true,
	"android.view.ViewRootImpl.addOnBufferTransformHintChangedListener":                  true,
	"android.view.ViewRootImpl.setOnContentApplyWindowInsetsListener":                    true,
	"android.view.WindowInsetsController.setSystemDrivenInsetsAnimationLoggingListener":  true,
	"android.widget.ActivityChooserView.setOnDismissListener":                            true,
	"android.widget.MenuPopupWindow.setHoverListener":                                    true,
	"android.widget.MenuPopupWindow$MenuDropDownListView.setHoverListener":               true,
}

func isListener(ix *Index, class string) bool {
	d, ok := ix.Class(class)
	return ok && d.Flags&0x200 != 0 && strings.HasSuffix(class, "Listener")
}

// TestOverride: a user's file may replace a model of ours, once.
func TestOverride(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.yaml")
	text := "title: Mine\nclasses:\n  android.os.Handler:\n    methods:\n      \"post(Runnable)\": none\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := LoadModels([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	ix, _ := LoadIndex()
	got := m.For(ix.Supers, "android.os.Handler", "post", []string{"java.lang.Runnable"})
	if len(got) != 1 || len(got[0].Effects) != 0 || got[0].Pos.File != file {
		t.Errorf("post is still ours: %+v", got)
	}
	text += "      \"post(java.lang.Runnable)\": none\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadModels([]string{file}); err == nil || !strings.Contains(err.Error(), "mine.yaml:6: duplicate model") {
		t.Errorf("duplicate in one file: %v", err)
	}
}

// TestDeep: nesting that would exhaust the parser's stack is an error.
func TestDeep(t *testing.T) {
	for _, text := range []string{strings.Repeat("[", 1<<19), strings.Repeat("- ", 1<<18), "a: b\n" + strings.Repeat("{a: ", 1<<17)} {
		if _, err := Parse("deep.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "deep.yaml:") {
			t.Errorf("%.10s...: %v", text, err)
		}
	}
}
