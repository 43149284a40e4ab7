package input

import (
	"slices"
	"strings"
	"testing"
)

// originCase is an app: its manifest, its classes, and which are its own.
type originCase struct {
	name       string
	pkg        string
	app        string   // Application class
	components []string // "*" marks a launcher activity
	test       string   // package under test
	flags      []string // --app-package
	own, deps  []string // classes in the bytecode, with the expected origin
	notes      int
}

var originCases = []originCase{
	{
		name: "one package", pkg: "com.acme.shop", components: []string{"*com.acme.shop.ui.main.MainActivity"},
		own:  []string{"com.acme.shop.ui.main.MainActivity", "com.acme.shop.data.Store$1", "com.acme.shop.R$id"},
		deps: []string{"androidx.core.R", "androidx.core.view.ViewCompat", "kotlin.Unit", "org.lib.Thing", "com.acmeco.Other", "Toplevel"},
	},
	{
		name: "modules of the same owner", pkg: "com.acme.shop", components: []string{"*com.acme.shop.Main", "com.acme.pay.PayActivity"},
		own:  []string{"com.acme.shop.Main", "com.acme.pay.PayActivity", "com.acme.data.Store"},
		deps: []string{"org.lib.Thing"},
	},
	{
		name: "namespace differs from the application id", pkg: "com.storefront.listing", components: []string{"*org.dev.app.ui.Main"},
		own:  []string{"org.dev.app.ui.Main", "org.dev.app.data.Store", "org.dev.app.R"},
		deps: []string{"com.storelib.X", "org.other.R$id"},
	},
	{
		name: "application id with a suffix", pkg: "com.acme.shop.debug", components: []string{"com.acme.shop.Sync"},
		own:  []string{"com.acme.shop.Sync", "com.acme.shop.Store"},
		deps: []string{"com.other.Thing"},
	},
	{
		name: "manifest package without classes proves nothing", pkg: "com.lib.app", app: "org.dev.App", components: []string{"*org.dev.Main"},
		own:  []string{"org.dev.App", "org.dev.Main"},
		deps: []string{"com.lib.Thing"},
	},
	{
		name: "two segments", pkg: "com.acme", components: []string{"*com.acme.Main"},
		own:  []string{"com.acme.Main", "com.acme.a.B"},
		deps: []string{"com.lib.Thing", "com.Thing"},
	},
	{
		name: "components of listed libraries", pkg: "com.acme.shop",
		app: "androidx.multidex.MultiDexApplication",
		components: []string{"*com.acme.shop.Main", "androidx.startup.InitializationProvider", "*leakcanary.internal.activity.LeakLauncherActivity",
			"com.google.android.gms.common.api.GoogleApiActivity", "com.google.firebase.provider.FirebaseInitProvider"},
		own: []string{"com.acme.shop.Main"},
		deps: []string{"androidx.multidex.MultiDexApplication", "androidx.startup.InitializationProvider", "leakcanary.internal.activity.LeakLauncherActivity",
			"com.google.android.gms.common.api.GoogleApiActivity", "com.google.android.gms.X", "com.google.firebase.provider.FirebaseInitProvider"},
	},
	{
		name: "a component of an unlisted library", pkg: "com.acme.shop",
		components: []string{"*com.acme.shop.Main", "com.acme.shop.Sync", "net.vendor.push.PushService"},
		own:        []string{"com.acme.shop.Main", "com.acme.shop.Sync"},
		deps:       []string{"net.vendor.push.PushService", "net.vendor.push.R$id"},
		notes:      1,
	},
	{
		name: "most components", pkg: "com.acme.shop",
		components: []string{"*com.acme.shop.Main", "de.team.A", "de.team.B", "de.team.C"},
		own:        []string{"com.acme.shop.Main", "de.team.A", "de.team.B", "de.team.C", "de.team.x.Y"},
	},
	{
		name: "no launcher, all components", pkg: "com.none.x", components: []string{"de.team.A", "org.team.B"},
		own:  []string{"de.team.A", "org.team.B"},
		deps: []string{"com.nobody.C"},
	},
	{
		name: "components that are not in the bytecode", pkg: "com.none.x", components: []string{"*com.gone.Main", "de.team.A"},
		own:  []string{"de.team.A"},
		deps: []string{"com.gone.lib.X"},
	},
	{
		name: "shared domain", pkg: "com.github.acme.shop", components: []string{"*com.github.acme.shop.Main"},
		own:  []string{"com.github.acme.shop.Main", "com.github.acme.data.X"},
		deps: []string{"com.github.other.Lib"},
	},
	{
		name: "an app of a library's vendor", pkg: "com.google.android.apps.maps", components: []string{"*com.google.android.apps.maps.Main"},
		own:  []string{"com.google.android.apps.maps.Main"},
		deps: []string{"com.google.android.material.button.MaterialButton", "com.google.gson.Gson"},
	},
	{
		name: "a sample inside a library's package", pkg: "com.google.android.gms.samples.vision", components: []string{"*com.google.android.gms.samples.vision.Main"},
		own:  []string{"com.google.android.gms.samples.vision.Main"},
		deps: []string{"com.google.android.gms.vision.Detector", "com.google.android.gms.samplesX.A"},
	},
	{
		name: "test APK", pkg: "com.acme.shop.test", test: "com.acme.shop",
		own:  []string{"com.acme.shop.MainTest", "com.acme.shop.test.R"},
		deps: []string{"androidx.test.runner.AndroidJUnitRunner", "org.junit.Test"},
	},
	{
		name: "test APK of a library", pkg: "androidx.fragment.test", test: "androidx.fragment.test",
		own:  []string{"androidx.fragment.test.FragmentTest", "androidx.fragment.app.Fragment"},
		deps: []string{"androidx.core.view.ViewCompat"},
	},
	{
		name: "no component, resource class of the owner", pkg: "com.acme.shop.debug",
		own:  []string{"com.acme.shop.R$id", "com.acme.shop.Store"},
		deps: []string{"org.lib.R$id", "org.lib.X"},
	},
	{
		name: "no component, classes of the owner", pkg: "com.acme.shop.debug",
		own:  []string{"com.acme.shop.Store"},
		deps: []string{"org.lib.X"},
	},
	{
		name: "no component, one other resource class", pkg: "com.acme.shop",
		own:  []string{"org.dev.R$id", "org.dev.Store"},
		deps: []string{"org.lib.X", "androidx.core.R$id"},
	},
	{
		name: "nothing known", pkg: "com.acme.shop",
		own:   []string{"org.dev.Store", "de.team.R", "net.third.R", "Toplevel"},
		deps:  []string{"androidx.core.R$id", "okhttp3.OkHttpClient"},
		notes: 1,
	},
	{
		name: "named package", pkg: "com.acme.shop", components: []string{"*com.acme.shop.Main"}, flags: []string{"org.lib.*", "okhttp3", "net.one.Only"},
		own:  []string{"com.acme.shop.Main", "org.lib.X", "org.lib.a.Y", "okhttp3.OkHttpClient", "net.one.Only", "net.one.Only$1"},
		deps: []string{"org.library.Z", "okio.Buffer", "net.one.OnlyNot"},
	},
}

func (c originCase) bundle() *Bundle {
	m := &Manifest{Package: c.pkg, Application: c.app}
	for _, n := range c.components {
		name, launcher := strings.CutPrefix(n, "*")
		m.Components = append(m.Components, Component{Kind: Activity, Name: name, Launcher: launcher})
	}
	if c.test != "" {
		m.Instrumentations = []Instrumentation{{"androidx.test.runner.AndroidJUnitRunner", c.test}}
	}
	b := &Bundle{Manifest: m, Manifests: []*Manifest{m}}
	for _, f := range c.flags {
		b.appPackages = append(b.appPackages, cleanPackage(f))
	}
	return b
}

func TestOrigin(t *testing.T) {
	for _, c := range originCases {
		t.Run(c.name, func(t *testing.T) {
			classes := slices.Concat(c.deps, c.own)
			o := c.bundle().Origins(classes)
			for _, n := range c.own {
				if got := o.Origin(n); got != App {
					t.Errorf("%s: %v, want app", n, got)
				}
			}
			for _, n := range c.deps {
				if got := o.Origin(n); got != Dependency {
					t.Errorf("%s: %v, want dependency", n, got)
				}
			}
			if len(o.Notes) != c.notes {
				t.Errorf("notes %q, want %d", o.Notes, c.notes)
			}
			slices.Reverse(classes)
			again := c.bundle().Origins(classes)
			if !slices.Equal(o.Evidence(), again.Evidence()) || !slices.Equal(o.Notes, again.Notes) {
				t.Errorf("the order of classes matters: %q %q, then %q %q", o.Evidence(), o.Notes, again.Evidence(), again.Notes)
			}
		})
	}
}

func TestOwner(t *testing.T) {
	for pkg, want := range map[string]string{
		"": "", "a": "a", "com.acme": "com.acme", "com.acme.shop.cart": "com.acme", "com.github.acme.shop": "com.github.acme",
		"com.google.android.apps.maps": "com.google.android.apps", "uk.co.acme.shop": "uk.co.acme", "com.github": "com.github",
	} {
		if got := ownership.owner(pkg); got != want {
			t.Errorf("owner(%q) = %q, want %q", pkg, got, want)
		}
	}
}

// A library below another one, or a library that is shared, would never matter.
func TestOwnershipData(t *testing.T) {
	for p := range ownership.libraries {
		if l := ownership.library(packageOf(p)); l != "" && packageOf(p) != "" {
			t.Errorf("library %s is inside library %s", p, l)
		}
		if ownership.shared[p] {
			t.Errorf("%s is a library and shared", p)
		}
	}
	if n := strings.Count("\n"+originsText, "\nlibrary ") + strings.Count("\n"+originsText, "\nshared "); n != len(ownership.libraries)+len(ownership.shared) {
		t.Errorf("%d lines for %d packages: a line is there twice", n, len(ownership.libraries)+len(ownership.shared))
	}
}
