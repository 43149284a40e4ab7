package input

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eventraces/eventraces/engine/internal/input/inputtest"
)

// The shorthands keep the documents of these tests readable.
var (
	elem  = inputtest.E
	a     = inputtest.A
	attr0 = inputtest.Plain
)

func filter(actions ...string) *inputtest.Node {
	f := elem("intent-filter")
	for _, s := range actions {
		f.Children = append(f.Children, elem("action", a("name", s)))
	}
	return f
}

func launcherFilter() *inputtest.Node {
	f := filter("android.intent.action.MAIN")
	f.Children = append(f.Children, elem("category", a("name", "android.intent.category.LAUNCHER")))
	return f
}

func open(t *testing.T, paths ...string) *Bundle {
	t.Helper()
	b, err := Open(context.Background(), paths, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestManifest(t *testing.T) {
	apk := inputtest.New(nil, []byte("dex"))
	off := apk.Table.Add("bool/off", false)
	title := apk.Table.Add("string/process", ":web")
	apk.Manifest = elem("manifest", attr0("package", "com.acme.shop"),
		elem("uses-sdk", a("minSdkVersion", "IceCreamSandwich"), a("targetSdkVersion", 30)),
		elem("instrumentation", a("name", ".Probe"), a("targetPackage", "com.acme.other")),
		elem("activity", a("name", ".NotInApplication")),
		elem("application", a("name", "App"), a("debuggable", true),
			elem("activity-alias", a("name", ".Alias"), a("targetActivity", ".ui.Main"), a("exported", true), launcherFilter(),
				filter("VIEW")),
			elem("activity", a("name", ".ui.Main"), filter("VIEW", "EDIT"), filter("VIEW")),
			elem("activity", a("name", "Off"), a("enabled", inputtest.Ref(off)), a("exported", true)),
			elem("service", a("name", "org.lib.Sync"), a("process", inputtest.Ref(title))),
			elem("receiver", a("name", ".Boot"), a("exported", false), a("process", "other"), filter("BOOT")),
			elem("provider", a("name", ".Data")),
			elem("meta-data", a("name", "x"), elem("activity", a("name", ".Nested"))),
			elem("activity")),
		elem("application", elem("activity", a("name", ".Second"))))
	want := &Manifest{
		Package: "com.acme.shop", Application: "com.acme.shop.App", MinSDK: 14, TargetSDK: 30, Debuggable: true,
		Components: []Component{
			{Kind: Activity, Name: "com.acme.shop.ui.Main", Exported: true, Enabled: true, Launcher: true,
				Actions: []string{"VIEW", "EDIT", "android.intent.action.MAIN"}},
			{Kind: Activity, Name: "com.acme.shop.Off", Exported: true},
			{Kind: Service, Name: "org.lib.Sync", Process: "com.acme.shop:web", Enabled: true},
			{Kind: Receiver, Name: "com.acme.shop.Boot", Process: "other", Enabled: true, Actions: []string{"BOOT"}},
			{Kind: Provider, Name: "com.acme.shop.Data", Enabled: true},
		},
		Instrumentations: []Instrumentation{{"com.acme.shop.Probe", "com.acme.other"}},
	}
	path := apk.Write(t, "a.apk")
	want.File = path
	got := open(t, path).Manifest
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Manifest{})); d != "" {
		t.Error(d)
	}
}

func TestSDKLevel(t *testing.T) {
	for v, want := range map[string]int{
		"21": 21, "": 0, "-5": 0, "99999999999": 0, "IceCreamSandwich": 14, "Tiramisu": 33,
		"UpsideDownCake.deadbeef": 34, "HONEYCOMB_MR2": 13, "S": 31, "Nonsense": 0, "@0x7F010001": 0,
	} {
		if got := sdkLevel(v); got != want {
			t.Errorf("sdkLevel(%q) = %d, want %d", v, got, want)
		}
	}
}

func printLayouts(b *Bundle, layouts []Layout) string {
	var s strings.Builder
	for _, l := range layouts {
		fmt.Fprintf(&s, "%s %s %s\n", b.ResourceName(l.ID), l.Name, l.File)
		for i, v := range l.Views {
			fmt.Fprintf(&s, "%d^%d <%s> %s", i, v.Parent, v.Tag, v.Class)
			for _, p := range []struct{ k, v string }{
				{"id", b.ResourceName(v.ID)}, {"onClick", v.OnClick}, {"include", b.ResourceName(v.Include)},
				{"fragment", v.Fragment}, {"action", v.Action},
			} {
				if p.v != "" {
					s.WriteString(" " + p.k + "=" + p.v)
				}
			}
			s.WriteString("\n")
		}
	}
	return s.String()
}

func TestScreens(t *testing.T) {
	apk := inputtest.New(inputtest.Manifest("com.acme"), []byte("dex"))
	ok := inputtest.Ref(apk.AddID("ok"))
	row := inputtest.Ref(apk.AddLayout("row", elem("merge",
		elem("TextView"), elem("requestFocus"), elem("tag", a("id", ok)))))
	apk.AddLayout("main", elem("LinearLayout",
		elem("Button", a("id", ok), a("onClick", "pay")),
		elem("include", attr0("layout", row), a("id", ok)),
		elem("view", attr0("class", "com.acme.Chart$Bar")),
		elem("view", attr0("class", "Button")),
		elem("ViewStub", a("layout", row)),
		elem("WebView"), elem("SurfaceView", elem("View")),
		elem("com.acme.Dial"),
		elem("fragment", a("name", "com.acme.ListFragment"), a("id", ok)),
		elem("fragment", attr0("class", "com.acme.OtherFragment")),
		elem("androidx.fragment.app.FragmentContainerView", a("name", "com.acme.NavFragment"))))
	apk.Add("res/layout-land/main.xml", inputtest.XML(elem("GridView")))
	apk.Table.AddLand("layout/main", "res/layout-land/main.xml")
	apk.AddMenu("top", elem("menu",
		elem("item", a("id", ok), a("onClick", "share")),
		elem("group", elem("item", inputtest.App("actionViewClass", "com.acme.Search"),
			elem("menu", elem("item", a("actionProviderClass", "com.acme.Share")))))))
	apk.AddXML("prefs", elem("PreferenceScreen",
		elem("CheckBoxPreference", elem("intent", elem("extra"))),
		elem("com.acme.Slider", a("fragment", "com.acme.SliderFragment"))))
	apk.AddXML("paths", elem("paths", elem("files-path")))
	b := open(t, apk.Write(t, "a.apk"))
	got := printLayouts(b, b.Layouts) + printLayouts(b, b.Menus) + printLayouts(b, b.Preferences)
	want := `layout/row layout/row res/layout/row.xml
0^-1 <merge> 
1^0 <TextView> android.widget.TextView
layout/main layout/main res/layout-land/main.xml
0^-1 <GridView> android.widget.GridView
layout/main layout/main res/layout/main.xml
0^-1 <LinearLayout> android.widget.LinearLayout
1^0 <Button> android.widget.Button id=id/ok onClick=pay
2^0 <include>  id=id/ok include=layout/row
3^0 <view> com.acme.Chart$Bar
4^0 <view> android.widget.Button
5^0 <ViewStub> android.view.ViewStub include=layout/row
6^0 <WebView> android.webkit.WebView
7^0 <SurfaceView> android.view.SurfaceView
8^7 <View> android.view.View
9^0 <com.acme.Dial> com.acme.Dial
10^0 <fragment>  id=id/ok fragment=com.acme.ListFragment
11^0 <fragment>  fragment=com.acme.OtherFragment
12^0 <androidx.fragment.app.FragmentContainerView> androidx.fragment.app.FragmentContainerView fragment=com.acme.NavFragment
menu/top menu/top res/menu/top.xml
0^-1 <menu> 
1^0 <item>  id=id/ok onClick=share
2^0 <group> 
3^2 <item>  action=com.acme.Search
4^3 <menu> 
5^4 <item>  action=com.acme.Share
xml/prefs xml/prefs res/xml/prefs.xml
0^-1 <PreferenceScreen> android.preference.PreferenceScreen
1^0 <CheckBoxPreference> android.preference.CheckBoxPreference
2^0 <com.acme.Slider> com.acme.Slider fragment=com.acme.SliderFragment
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if id := b.ID("@id/ok"); id != uint32(ok) {
		t.Errorf("ID = %#x, want %#x", id, ok)
	}
	if len(b.Problems) > 0 {
		t.Errorf("problems: %v", b.Problems)
	}
}

func TestDexOrder(t *testing.T) {
	apk := inputtest.New(inputtest.Manifest("com.acme"))
	for _, n := range []string{"classes10.dex", "classes2.dex", "classes.dex", "classes02.dex", "classes1.dex", "assets/classes3.dex",
		"classes4.dex", "other.dex"} {
		apk.Add(n, []byte(n))
	}
	for i := 3; i < 9; i++ {
		if i != 4 {
			apk.Add(fmt.Sprintf("classes%d.dex", i), []byte(fmt.Sprintf("classes%d.dex", i)))
		}
	}
	b := open(t, apk.Write(t, "a.apk"))
	var got []string
	for _, d := range b.Dex {
		got = append(got, d.Name)
		if !strings.HasSuffix(d.Name, string(d.Data)) {
			t.Errorf("%s holds %s", d.Name, d.Data)
		}
	}
	want := "a.apk!classes.dex a.apk!classes2.dex a.apk!classes3.dex a.apk!classes4.dex a.apk!classes5.dex a.apk!classes6.dex " +
		"a.apk!classes7.dex a.apk!classes8.dex"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s\nwant %s", s, want)
	}
	var problems []string
	for _, p := range b.Problems {
		problems = append(problems, p.Entry+": "+p.Reason)
	}
	want = `classes02.dex: is not loaded: bytecode is in classes.dex, classes2.dex and so on
classes1.dex: is not loaded: bytecode is in classes.dex, classes2.dex and so on
other.dex: is not loaded: bytecode is in classes.dex, classes2.dex and so on
classes10.dex: is not loaded: classes9.dex is missing before it`
	if s := strings.Join(problems, "\n"); s != want {
		t.Errorf("problems:\n%s\nwant\n%s", s, want)
	}
}

// A broken layout loses itself only.
func TestBrokenLayout(t *testing.T) {
	apk := inputtest.New(inputtest.Manifest("com.acme"), []byte("dex"))
	apk.AddLayout("good", elem("View"))
	apk.Table.Add("layout/gone", "res/layout/gone.xml")
	apk.Table.Add("layout/text", "res/layout/text.xml")
	apk.Add("res/layout/text.xml", []byte("<View xmlns:android='x'/>"))
	b := open(t, apk.Write(t, "a.apk"))
	if len(b.Layouts) != 1 || b.Layouts[0].Name != "layout/good" {
		t.Errorf("layouts: %v", b.Layouts)
	}
	var got []string
	for _, p := range b.Problems {
		got = append(got, strings.TrimPrefix(p.String(), p.File))
	}
	want := `!res/layout/gone.xml: named by resource layout/gone but not in the archive
!res/layout/text.xml: offset 0x0: starts with chunk 0x563c, expected binary XML (0x0003)`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

func TestProblemsAreFew(t *testing.T) {
	apk := inputtest.New(inputtest.Manifest("com.acme"), []byte("dex"))
	for i := range 500 {
		apk.Table.Add(fmt.Sprintf("layout/l%d", i), fmt.Sprintf("res/layout/l%d.xml", i))
	}
	if n := len(open(t, apk.Write(t, "a.apk")).Problems); n != 101 {
		t.Errorf("%d problems", n)
	}
}

func TestSeveralAPKs(t *testing.T) {
	app := inputtest.New(inputtest.Manifest("com.acme", a("name", ".App"), elem("activity", a("name", ".Main"))), []byte("1"))
	main := app.AddLayout("main", elem("View"))
	test := inputtest.New(inputtest.Manifest("com.acme.test", elem("service", a("name", ".Helper")),
		elem("activity", a("name", "com.acme.Main"))), []byte("2"))
	test.AddID("x")
	other := test.AddLayout("probe", elem("Button"))
	split := inputtest.New(inputtest.E("manifest", attr0("package", "com.acme"), attr0("split", "config.de")))
	split.Table.ID = 0x7e
	greeting := split.Table.Add("string/greeting", "Hallo")

	b := open(t, app.Write(t, "app.apk"), test.Write(t, "test.apk"), split.Write(t, "split.apk"))
	if b.Name != "app.apk" || len(b.Dex) != 2 || len(b.Manifests) != 3 {
		t.Errorf("name %s, %d dex files, %d manifests", b.Name, len(b.Dex), len(b.Manifests))
	}
	var names []string
	for _, c := range b.Manifest.Components {
		names = append(names, c.Name)
	}
	if s := strings.Join(names, " "); s != "com.acme.Main com.acme.test.Helper" || b.Manifest.Application != "com.acme.App" {
		t.Errorf("components %s, application %s", s, b.Manifest.Application)
	}
	if len(b.Manifests[0].Components) != 1 {
		t.Error("merging changed the first manifest")
	}
	if b.ResourceName(main) != "layout/main" || b.ResourceName(other) != "layout/probe" || b.ResourceName(greeting) != "string/greeting" {
		t.Errorf("names %q %q %q", b.ResourceName(main), b.ResourceName(other), b.ResourceName(greeting))
	}
	if _, err := Open(context.Background(), []string{split.Write(t, "split.apk")}, Options{}); err == nil ||
		!strings.Contains(err.Error(), "no classes.dex") {
		t.Errorf("a split alone: %v", err)
	}
}

// zipOf is an archive of alternating names and contents.
func zipOf(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i := 0; i < len(pairs); i += 2 {
		e, err := w.Create(pairs[i])
		if err != nil {
			t.Fatal(err)
		}
		e.Write([]byte(pairs[i+1]))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// central is the offset of the directory record of an entry.
func central(t *testing.T, b []byte, name string) int {
	t.Helper()
	for at := 0; ; at++ {
		i := bytes.Index(b[at:], []byte("PK\x01\x02"))
		if i < 0 {
			t.Fatalf("no entry %s", name)
		}
		at += i
		if n := int(binary.LittleEndian.Uint16(b[at+28:])); string(b[at+46:at+46+n]) == name {
			return at
		}
	}
}

func goodAPK() *inputtest.APK {
	apk := inputtest.New(inputtest.Manifest("com.acme"), bytes.Repeat([]byte("dex\n035\x00"), 100))
	apk.AddLayout("main", elem("View"))
	return apk
}

// Each gives one line with file, entry where there is one, and reason.
func TestBadInput(t *testing.T) {
	xml := string(inputtest.XML(inputtest.Manifest("com.acme")))
	edit := func(name string, f func(b []byte, at int)) func(*testing.T) []byte {
		return func(t *testing.T) []byte {
			b := goodAPK().Bytes()
			f(b, central(t, b, name))
			return b
		}
	}
	zipped := func(pairs ...string) func(*testing.T) []byte {
		return func(t *testing.T) []byte { return zipOf(t, pairs...) }
	}
	tests := []struct {
		name  string
		bytes func(*testing.T) []byte
		want  string // after the path
	}{
		{"empty", func(*testing.T) []byte { return nil }, ": is empty; expected an APK (a zip archive)"},
		{"text", func(*testing.T) []byte { return []byte("hello, world\n") },
			`: offset 0x0: starts with "hell", not with a zip header; expected an APK (a zip archive)`},
		{"truncated", func(*testing.T) []byte { b := goodAPK().Bytes(); return b[:len(b)/2] },
			": the zip directory is missing or damaged (truncated or incomplete file?): not a valid zip file"},
		{"empty zip", zipped(), ": has no AndroidManifest.xml; expected an APK"},
		{"no dex", zipped("AndroidManifest.xml", xml), ": has no classes.dex; expected an APK with bytecode"},
		{"no manifest", zipped("classes.dex", "dex"), ": has no AndroidManifest.xml; expected an APK"},
		{"bundle", zipped("BundleConfig.pb", "", "base/dex/classes.dex", ""),
			": is an app bundle (it holds BundleConfig.pb); expected an APK, which bundletool or the assemble task builds"},
		{"aar", zipped("AndroidManifest.xml", "<manifest/>", "classes.jar", ""), ": is an AAR (it holds classes.jar); expected an APK"},
		{"jar", zipped("com/acme/A.class", "x"), ": is a JAR (it holds com/acme/A.class); expected an APK"},
		{"text manifest", zipped("AndroidManifest.xml", "<manifest package='a'/>", "classes.dex", "x"),
			"!AndroidManifest.xml: offset 0x0: starts with chunk 0x6d3c, expected binary XML (0x0003)"},
		{"empty manifest", zipped("AndroidManifest.xml", "", "classes.dex", "x"),
			"!AndroidManifest.xml: offset 0x0: a chunk header needs 8 bytes, 0 are left"},
		{"manifest of another root", zipped("AndroidManifest.xml", string(inputtest.XML(elem("menu"))), "classes.dex", "x"),
			"!AndroidManifest.xml: offset 0x0: the root element is <menu>, expected <manifest>"},
		{"manifest without package", zipped("AndroidManifest.xml", string(inputtest.XML(elem("manifest"))), "classes.dex", "x"),
			"!AndroidManifest.xml: offset 0x0: <manifest> has no package attribute"},
		{"long package", zipped("AndroidManifest.xml", string(inputtest.XML(inputtest.Manifest(strings.Repeat("a", 300)))), "classes.dex",
			"x"), "!AndroidManifest.xml: offset 0x0: the package name has 300 bytes, at most 255 are installable"},
		{"wild resource table", zipped("AndroidManifest.xml", xml, "classes.dex", "x", "resources.arsc",
			"\x02\x00\x0c\x00\x0c\x00\x00\x10\x01\x00\x00\x00"),
			"!resources.arsc: offset 0x0: chunk 0x0002 claims 268435468 bytes, 12 are left"},
		{"duplicate entry", zipped("AndroidManifest.xml", xml, "classes.dex", "x", "classes.dex", "y"),
			"!classes.dex: the archive has two entries of this name; an APK has one"},
		{"encrypted", edit("classes.dex", func(b []byte, at int) { b[at+8] |= 1 }),
			"!classes.dex: the entry is encrypted; an APK holds plain entries"},
		{"method", edit("classes.dex", func(b []byte, at int) { b[at+10] = 12 }),
			"!classes.dex: unknown compression method 12; an APK uses 0 (stored) and 8 (deflate)"},
		{"checksum", edit("classes.dex", func(b []byte, at int) { b[at+16]++ }), "!classes.dex: checksum error"},
		{"claims less", edit("classes.dex", func(b []byte, at int) { put32(b, at+24, 799) }),
			"!classes.dex: unpacks to more than the claimed 799 bytes"},
		{"claims more", edit("classes.dex", func(b []byte, at int) { put32(b, at+24, 801) }),
			"!classes.dex: ends before the claimed 801 bytes"},
		{"claims much more", edit("classes.dex", func(b []byte, at int) { put32(b, at+24, 0xf0000000) }),
			"bytes cannot unpack to the claimed 4026531840 bytes"},
		{"stored size", edit("classes.dex", func(b []byte, at int) { b[at+10] = 0 }), "!classes.dex: a stored entry of "},
		{"wild offset", edit("classes.dex", func(b []byte, at int) { put32(b, at+42, 0x7fffffff) }), "!classes.dex: "},
		{"wild directory", func(t *testing.T) []byte {
			b := goodAPK().Bytes()
			end := bytes.LastIndex(b, []byte("PK\x05\x06"))
			put32(b, end+12, 0xfffffff0)
			return b
		}, ": the zip directory is missing or damaged"},
		{"wild base", func(t *testing.T) []byte {
			b := goodAPK().Bytes()
			put32(b, bytes.LastIndex(b, []byte("PK\x05\x06"))+16, 0xfffffff0)
			return b
		}, "!resources.arsc: cannot be read, the archive is damaged: negative offset"},
		{"bomb", func(t *testing.T) []byte {
			return zipOf(t, "AndroidManifest.xml", xml, "classes.dex", strings.Repeat("\x00", 17<<20))
		}, "!classes.dex: unpacking it would take more than 16 MiB in total, the limit for an archive of this size (zip bomb?)"},
		{"bomb in parts", func(t *testing.T) []byte {
			mib9 := strings.Repeat("\x00", 9<<20)
			return zipOf(t, "AndroidManifest.xml", xml, "classes.dex", mib9, "classes2.dex", mib9)
		}, "!classes2.dex: unpacking it would take more than 16 MiB in total, the limit for an archive of this size (zip bomb?)"},
		{"name with newline", zipped("a\nb.class", ""), `: is a JAR (it holds a\nb.class); expected an APK`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "app.apk")
			if err := os.WriteFile(path, tt.bytes(t), 0o666); err != nil {
				t.Fatal(err)
			}
			checkOpenError(t, path, tt.want)
		})
	}
}

func checkOpenError(t *testing.T, path, want string) {
	t.Helper()
	_, err := Open(context.Background(), []string{path}, Options{})
	if err == nil {
		t.Fatal("no error")
	}
	got := err.Error()
	if !strings.HasPrefix(got, path) || !strings.Contains(got, want) || strings.Contains(got, "\n") {
		t.Errorf("got  %q\nwant %q", got, path+want)
	}
}

func TestBadPath(t *testing.T) {
	dir := t.TempDir()
	checkOpenError(t, filepath.Join(dir, "none.apk"), ": no such file; name an APK file")
	checkOpenError(t, dir, ": is a directory; name the APK file inside it")
	path := goodAPK().Write(t, "app.apk")
	if _, err := Open(context.Background(), []string{path, path}, Options{}); err == nil ||
		!strings.Contains(err.Error(), "is named twice") {
		t.Errorf("one APK twice: %v", err)
	}
	if _, err := Open(context.Background(), nil, Options{}); err == nil {
		t.Error("no paths: no error")
	}
	if _, err := Open(context.Background(), []string{"x"}, Options{AppPackages: []string{".*"}}); err == nil ||
		!strings.Contains(err.Error(), `".*" names no package`) {
		t.Errorf("empty app package: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, []string{goodAPK().Write(t, "a.apk")}, Options{}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// A bomb is refused before it is unpacked, and what nobody reads never is.
func TestBombAllocatesLittle(t *testing.T) {
	xml := string(inputtest.XML(inputtest.Manifest("com.acme")))
	path := filepath.Join(t.TempDir(), "a.apk")
	if err := os.WriteFile(path, zipOf(t, "AndroidManifest.xml", xml, "classes.dex", strings.Repeat("\x00", 40<<20)), 0o666); err != nil {
		t.Fatal(err)
	}
	if n := allocated(func() { Open(context.Background(), []string{path}, Options{}) }); n > 4<<20 {
		t.Errorf("allocated %d bytes", n)
	}
	if err := os.WriteFile(path, zipOf(t, "AndroidManifest.xml", xml, "classes.dex", "dex", "assets/big", strings.Repeat("\x00", 40<<20)),
		0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), []string{path}, Options{}); err != nil {
		t.Errorf("an entry that is not read: %v", err)
	}
}

// The same bytes give the same bundle.
func TestDeterministic(t *testing.T) {
	path := goodAPK().Write(t, "a.apk")
	if d := cmp.Diff(open(t, path), open(t, path), cmpopts.IgnoreUnexported(Bundle{}, Manifest{})); d != "" {
		t.Error(d)
	}
}
