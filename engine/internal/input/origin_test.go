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
	artifacts  []string // entries of the archive
	types      map[string]string
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
		name: "manifest package without classes proves nothing", pkg: "com.lib.app", app: "org.dev.App",
		components: []string{"*org.dev.Main"},
		own:        []string{"org.dev.App", "org.dev.Main"},
		deps:       []string{"com.lib.Thing"},
	},
	{
		name: "two segments", pkg: "com.acme", components: []string{"*com.acme.Main"},
		own:  []string{"com.acme.Main", "com.acme.a.B"},
		deps: []string{"com.lib.Thing", "com.Thing"},
	},
	{
		name: "components of listed libraries", pkg: "com.acme.shop",
		app: "androidx.multidex.MultiDexApplication",
		components: []string{"*com.acme.shop.Main", "androidx.startup.InitializationProvider",
			"*leakcanary.internal.activity.LeakLauncherActivity",
			"com.google.android.gms.common.api.GoogleApiActivity", "com.google.firebase.provider.FirebaseInitProvider"},
		own: []string{"com.acme.shop.Main"},
		deps: []string{"androidx.multidex.MultiDexApplication", "androidx.startup.InitializationProvider",
			"leakcanary.internal.activity.LeakLauncherActivity",
			"com.google.android.gms.common.api.GoogleApiActivity", "com.google.android.gms.X",
			"com.google.firebase.provider.FirebaseInitProvider"},
	},
	{
		name: "a component of an unlisted library", pkg: "com.acme.shop",
		components: []string{"*com.acme.shop.Main", "com.acme.shop.Sync", "net.vendor.push.PushService"},
		own:        []string{"com.acme.shop.Main", "com.acme.shop.Sync"},
		deps:       []string{"net.vendor.push.PushService", "net.vendor.push.R$id"},
		notes:      1,
	},
	{
		name: "the same, named", pkg: "com.acme.shop", flags: []string{"net.vendor.push"},
		components: []string{"*com.acme.shop.Main", "com.acme.shop.Sync", "net.vendor.push.PushService"},
		own:        []string{"com.acme.shop.Main", "com.acme.shop.Sync", "net.vendor.push.PushService", "net.vendor.push.R$id"},
		deps:       []string{"net.vendor.other.X"},
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
		name: "an app of a library's vendor", pkg: "com.google.android.apps.maps",
		components: []string{"*com.google.android.apps.maps.Main"},
		own:        []string{"com.google.android.apps.maps.Main"},
		deps:       []string{"com.google.android.material.button.MaterialButton", "com.google.gson.Gson"},
	},
	{
		name: "a sample inside a library's package", pkg: "com.google.android.gms.samples.vision",
		components: []string{"*com.google.android.gms.samples.vision.Main"},
		own:        []string{"com.google.android.gms.samples.vision.Main"},
		deps:       []string{"com.google.android.gms.vision.Detector", "com.google.android.gms.samplesX.A"},
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
		name: "named package", pkg: "com.acme.shop", components: []string{"*com.acme.shop.Main"},
		flags: []string{"org.lib.*", "okhttp3", "net.one.Only"},
		own:   []string{"com.acme.shop.Main", "org.lib.X", "org.lib.a.Y", "okhttp3.OkHttpClient", "net.one.Only", "net.one.Only$1"},
		deps:  []string{"org.library.Z", "okio.Buffer", "net.one.OnlyNot"},
	},
	{
		name: "a published library of the app's owner", pkg: "org.foo.app", components: []string{"*org.foo.app.Main", "org.foo.lib.Shown"},
		artifacts: []string{"META-INF/maven/org.foo/foo-lib/pom.properties", "META-INF/org.foo.ui_widgets.version"},
		own:       []string{"org.foo.app.Main", "org.foo.data.Store"},
		deps:      []string{"org.foo.lib.Shown", "org.foo.lib.a.B", "org.foo.ui.widgets.Button"},
	},
	{
		name: "the same without what names it", pkg: "org.foo.app", components: []string{"*org.foo.app.Main", "org.foo.lib.Shown"},
		own: []string{"org.foo.app.Main", "org.foo.data.Store", "org.foo.lib.Shown", "org.foo.lib.a.B", "org.foo.ui.widgets.Button"},
	},
	{
		name: "a published library whose package is its group", pkg: "org.foo.app", components: []string{"*org.foo.app.Main"},
		artifacts: []string{"META-INF/maven/org.foo.net/client/pom.properties"},
		own:       []string{"org.foo.app.Main", "org.foo.data.Store"},
		deps:      []string{"org.foo.net.Client", "org.foo.net.a.B"},
	},
	{
		name: "an app that Maven builds", pkg: "org.foo.app", components: []string{"*org.foo.app.Main"},
		artifacts: []string{"META-INF/maven/org.foo/app/pom.properties", "META-INF/maven/org.foo/foo-parent/pom.xml"},
		own:       []string{"org.foo.app.Main", "org.foo.data.Store"},
		deps:      []string{"org.lib.X"},
	},
	{
		name: "an app below the package of a published library", pkg: "org.foo.lib.sample",
		components: []string{"*org.foo.lib.sample.Main"},
		artifacts:  []string{"META-INF/maven/org.foo/lib/pom.properties"},
		own:        []string{"org.foo.lib.sample.Main"},
		deps:       []string{"org.other.X"},
	},
	{
		name: "a published library that is named as the app's", pkg: "org.foo.app",
		components: []string{"*org.foo.app.Main"}, flags: []string{"org.foo.lib"},
		artifacts: []string{"META-INF/maven/org.foo/lib/pom.properties"},
		own:       []string{"org.foo.app.Main", "org.foo.lib.X"},
	},
	{
		name: "a module of another owner", pkg: "org.foo.app",
		components: []string{"*org.foo.app.Main", "org.foo.app.Other", "net.bar.sync.Sync"},
		types:      map[string]string{"org.foo.app": "debug", "net.bar.sync": "debug", "net.third": "release"},
		own:        []string{"org.foo.app.Main", "org.foo.app.Other", "net.bar.sync.Sync", "net.bar.sync.a.B"},
		deps:       []string{"net.third.X", "net.bar.other.Y"},
	},
	{
		name: "the same as a release, which libraries are, too", pkg: "org.foo.app",
		components: []string{"*org.foo.app.Main", "org.foo.app.Other", "net.bar.sync.Sync"},
		types:      map[string]string{"org.foo.app": "release", "net.bar.sync": "release"},
		own:        []string{"org.foo.app.Main", "org.foo.app.Other"},
		deps:       []string{"net.bar.sync.Sync"},
		notes:      1,
	},
	{
		name: "a module in the package of a listed library", pkg: "com.squareup.till",
		components: []string{"*com.squareup.till.Main", "com.squareup.pay.Pay"},
		types:      map[string]string{"com.squareup.till": "debug", "com.squareup.pay": "debug"},
		own:        []string{"com.squareup.till.Main", "com.squareup.pay.Pay"},
		deps:       []string{"com.squareup.picasso.Picasso"},
	},
}

func TestArtifactOf(t *testing.T) {
	for entry, want := range map[string]string{
		"META-INF/maven/org.foo/foo-lib/pom.properties":        "org.foo:foo-lib",
		"META-INF/maven/org.foo/foo-lib/pom.xml":               "org.foo:foo-lib",
		"META-INF/androidx.appcompat_appcompat.version":        "androidx.appcompat:appcompat",
		"META-INF/kotlinx_coroutines_core.version":             "", // no group
		"META-INF/maven/org.foo/pom.properties":                "",
		"META-INF/maven/org.foo/foo-lib/more/pom.properties":   "",
		"META-INF/services/org.foo.Bar":                        "",
		"assets/META-INF/maven/org.foo/foo-lib/pom.properties": "",
		"META-INF/x/org.foo_lib.version":                       "",
		"META-INF/org.foo_.version":                            "",
	} {
		a, ok := artifactOf(entry)
		got := ""
		if ok {
			got = a.String()
		}
		if got != want {
			t.Errorf("%s names %q, want %q", entry, got, want)
		}
	}
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
	for _, name := range c.artifacts {
		a, ok := artifactOf(name)
		if !ok {
			panic(name + " names no artifact")
		}
		b.artifacts = append(b.artifacts, a)
	}
	for _, f := range c.flags {
		b.appPackages = append(b.appPackages, cleanPackage(f))
	}
	return b
}

func TestOrigin(t *testing.T) {
	for _, c := range originCases {
		t.Run(c.name, func(t *testing.T) {
			classes := slices.Concat(c.deps, c.own)
			o := c.bundle().Origins(classes, c.types)
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
			again := c.bundle().Origins(classes, c.types)
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
	n := strings.Count("\n"+originsText, "\nlibrary ") + strings.Count("\n"+originsText, "\nshared ")
	if n != len(ownership.libraries)+len(ownership.shared) {
		t.Errorf("%d lines for %d packages: a line is there twice", n, len(ownership.libraries)+len(ownership.shared))
	}
}
