package input

import "fmt"

// Bundle is what one run analyses: the bytecode, the manifest and the screens
// of every build output named on the command line. It is read-only once Open
// has returned it, but for Rename.
type Bundle struct {
	Name        string      // base name of the first build output
	Dex         []DexFile   // in command-line order, inside an APK in load order
	Manifest    *Manifest   // all manifests merged; never nil
	Manifests   []*Manifest // one for each build output that has one
	Layouts     []Layout    // sorted by ID, then by file
	Menus       []Layout    // res/menu: View.Class is empty, View.ID is the item
	Preferences []Layout    // res/xml files whose root is a PreferenceScreen
	Problems    []Problem   // what was skipped; the rest of the bundle is sound

	appPackages []string
	artifacts   []artifact // published libraries that the archives name
	tables      []*table
}

// DexFile is one dex file and where it came from.
type DexFile struct {
	Name string // app.apk!classes2.dex
	Data []byte
}

// Problem is a part of the input that could not be used. It never stops the
// run; the findings say that it was skipped.
type Problem struct {
	File   string // path of the build output
	Entry  string // entry inside it, or empty
	Reason string
}

func (p Problem) String() string {
	if p.Entry == "" {
		return fmt.Sprintf("%s: %s", p.File, p.Reason)
	}
	return fmt.Sprintf("%s!%s: %s", p.File, p.Entry, p.Reason)
}

// Options is what the user may tell about the input.
type Options struct {
	AppPackages []string // --app-package: packages that are app code, whatever else says
}

// Manifest is AndroidManifest.xml with class names resolved.
type Manifest struct {
	File        string // the build output it was read from; the first one if merged
	Package     string // the application id, not necessarily a package with classes
	Application string // class name, or empty
	MinSDK      int    // 1 if the manifest does not say
	TargetSDK   int    // MinSDK if the manifest does not say
	Debuggable  bool
	Components  []Component // in document order

	// Instrumentations is not empty in a test APK.
	Instrumentations []Instrumentation

	codeless bool // a split, or android:hasCode is false: no bytecode expected
}

// ComponentKind tells the four kinds of component apart.
type ComponentKind uint8

const (
	Activity ComponentKind = iota + 1
	Service
	Receiver
	Provider
)

func (k ComponentKind) String() string {
	switch k {
	case Activity:
		return "activity"
	case Service:
		return "service"
	case Receiver:
		return "receiver"
	case Provider:
		return "provider"
	}
	return "unknown"
}

// Component is one declared component. An activity-alias is folded into the
// activity it names, so Name is always a class.
type Component struct {
	Kind     ComponentKind
	Name     string // class name, dotted
	Process  string // empty for the app's main process; ":p" is written out as "package:p"
	Exported bool
	Enabled  bool
	Actions  []string // of all its intent filters, in document order, no duplicates
	Launcher bool     // a filter has action MAIN and category LAUNCHER
}

// Instrumentation is an <instrumentation> element.
type Instrumentation struct {
	Name   string // class name
	Target string // package under test
}

// Layout is one compiled layout, menu or preference file. A resource with
// variants (land, v21, ...) has one Layout for each.
type Layout struct {
	ID    uint32
	Name  string // "layout/main"
	File  string // "res/layout-land/main.xml", as stored in the APK
	Views []View // in document order; a parent comes before its children
}

// View is one element of a layout, menu or preference file.
type View struct {
	Class    string // dotted class; empty for <include>, <merge>, <fragment> and menu items
	Tag      string // element name as written
	ID       uint32 // android:id, or zero
	Parent   int    // index into Layout.Views, -1 for the root
	OnClick  string // android:onClick: a method name of the hosting activity
	Include  uint32 // layout resource of <include> and of ViewStub's android:layout
	Fragment string // class of the fragment the element creates
	Action   string // menu items: class of actionViewClass or actionProviderClass
}

// ResourceName is "type/entry" for an id of the app's resource tables, or
// empty. With several build outputs the first that knows the id answers.
func (b *Bundle) ResourceName(id uint32) string {
	for _, t := range b.tables {
		if n := t.name(id); n != "" {
			return n
		}
	}
	return ""
}

// ID is the resource id of "type/entry" (also "@type/entry" and "@+id/entry"),
// or zero.
func (b *Bundle) ID(name string) uint32 {
	for _, t := range b.tables {
		if id := t.id(name); id != 0 {
			return id
		}
	}
	return 0
}

// Rename gives the classes that manifests and resources name other names: those
// of the source, where a shrinker has changed them.
func (b *Bundle) Rename(name func(class string) string) {
	for _, m := range append([]*Manifest{b.Manifest}, b.Manifests...) {
		m.Application = name(m.Application)
		for i := range m.Components {
			m.Components[i].Name = name(m.Components[i].Name)
		}
		for i := range m.Instrumentations {
			m.Instrumentations[i].Name = name(m.Instrumentations[i].Name)
		}
	}
	for _, list := range [][]Layout{b.Layouts, b.Menus, b.Preferences} {
		for i := range list {
			for j := range list[i].Views {
				v := &list[i].Views[j]
				v.Class, v.Fragment, v.Action = name(v.Class), name(v.Fragment), name(v.Action)
			}
		}
	}
}
