package input

import (
	"strconv"
	"strings"
)

// manifestReader turns the elements of AndroidManifest.xml into a Manifest.
// Only direct children of the elements that the platform reads count.
type manifestReader struct {
	elements []element
	table    *table // may be nil
	m        *Manifest
	process  string // process of <application>
	enabled  bool   // <application android:enabled>

	activities map[string]int // index of the first component with that class
	actions    map[actionOf]bool
	values     map[uint32]string // of references, so that all share one string
	names      map[string]string // composed names, for the same reason
}

// keep makes equal names one string: a hostile manifest may compose one long
// name for each of its components.
func (r *manifestReader) keep(name string) string {
	if k, ok := r.names[name]; ok {
		return k
	}
	r.names[name] = name
	return name
}

type actionOf struct {
	component int
	action    string
}

const maxPackage = 255 // it becomes a file name on the device

// readManifest reads a decoded manifest; table resolves its references.
func readManifest(elements []element, t *table) (*Manifest, error) {
	r := &manifestReader{
		elements: elements, table: t, m: new(Manifest),
		activities: make(map[string]int), actions: make(map[actionOf]bool),
		values: make(map[uint32]string), names: make(map[string]string),
	}
	root := &elements[0]
	if root.name != "manifest" {
		return nil, bad(0, "the root element is <%s>, expected <manifest>", oneLine(root.name))
	}
	if r.m.Package = root.nsAttr("", "package"); r.m.Package == "" {
		return nil, bad(0, "<manifest> has no package attribute")
	}
	if len(r.m.Package) > maxPackage {
		return nil, bad(0, "the package name has %d bytes, at most %d are installable", len(r.m.Package), maxPackage)
	}
	r.m.codeless = root.nsAttr("", "split") != ""
	r.sdks()
	r.application()
	r.instrumentations()
	return r.m, nil
}

// children calls f for each direct child of element i.
func (r *manifestReader) children(i int, f func(i int, e *element)) {
	for k := i + 1; k < len(r.elements) && r.elements[k].parent >= i; k++ {
		if r.elements[k].parent == i {
			f(k, &r.elements[k])
		}
	}
}

// attr is an android attribute, with a reference replaced by its value.
func (r *manifestReader) attr(e *element, name string) string {
	v := e.attr(name)
	id := refOf(v)
	if id == 0 || r.table == nil {
		return v
	}
	s, ok := r.values[id]
	if !ok {
		s = r.table.value(id)
		r.values[id] = s
	}
	return s
}

// flag is a boolean attribute; what cannot be resolved is def.
func (r *manifestReader) flag(e *element, name string, def bool) bool {
	switch v := r.attr(e, name); {
	case v == "true" || v == "1" || v == "-1" || v == "0xFFFFFFFF":
		return true
	case v == "false" || v == "0":
		return false
	}
	return def
}

// class is a class name attribute, completed as the platform does: ".Foo" and
// "Foo" are in the manifest's package.
func (r *manifestReader) class(e *element, attr string) string {
	name := strings.TrimSpace(r.attr(e, attr))
	switch {
	case name == "":
		return ""
	case name[0] == '.':
		return r.keep(r.m.Package + name)
	case !strings.Contains(name, "."):
		return r.keep(r.m.Package + "." + name)
	}
	return name
}

func (r *manifestReader) sdks() {
	r.m.MinSDK = 1
	target := ""
	r.children(0, func(_ int, e *element) {
		if e.name != "uses-sdk" {
			return
		}
		if n := sdkLevel(r.attr(e, "minSdkVersion")); n > 0 {
			r.m.MinSDK = n
		}
		if v := r.attr(e, "targetSdkVersion"); v != "" {
			target = v
		}
	})
	if r.m.TargetSDK = sdkLevel(target); r.m.TargetSDK < r.m.MinSDK {
		r.m.TargetSDK = r.m.MinSDK
	}
}

func (r *manifestReader) application() {
	seen := false
	r.children(0, func(i int, e *element) {
		if e.name != "application" || seen {
			return
		}
		seen = true // the platform takes the first and warns
		r.m.Application = r.class(e, "name")
		r.m.Debuggable = r.flag(e, "debuggable", false)
		r.process = r.processName(e, r.m.Package)
		r.enabled = r.flag(e, "enabled", true)
		r.m.codeless = r.m.codeless || !r.flag(e, "hasCode", true)
		r.children(i, func(k int, c *element) {
			if kind := componentKind(c.name); kind != 0 {
				r.component(kind, k, c)
			}
		})
		// An alias may come before its activity.
		r.children(i, func(k int, c *element) {
			if c.name == "activity-alias" {
				r.alias(k, c)
			}
		})
	})
}

func componentKind(name string) ComponentKind {
	switch name {
	case "activity":
		return Activity
	case "service":
		return Service
	case "receiver":
		return Receiver
	case "provider":
		return Provider
	}
	return 0
}

func (r *manifestReader) component(kind ComponentKind, i int, e *element) {
	c := Component{Kind: kind, Name: r.class(e, "name")}
	if c.Name == "" {
		return
	}
	if c.Process = r.processName(e, r.process); c.Process == r.process {
		c.Process = ""
	}
	c.Enabled = r.enabled && r.flag(e, "enabled", true)
	n := len(r.m.Components)
	r.m.Components = append(r.m.Components, c)
	if _, ok := r.activities[c.Name]; !ok && kind == Activity {
		r.activities[c.Name] = n
	}
	// Without the attribute, filters used to mean exported; a provider was
	// exported up to target SDK 16.
	def := r.filters(i, n) > 0
	if kind == Provider {
		def = r.m.TargetSDK < 17
	}
	r.m.Components[n].Exported = r.flag(e, "exported", def)
}

// alias adds to an activity what its alias opens: filters, export, enabling.
func (r *manifestReader) alias(i int, e *element) {
	n, ok := r.activities[r.class(e, "targetActivity")]
	if !ok || !r.enabled || !r.flag(e, "enabled", true) {
		return
	}
	filters := r.filters(i, n)
	c := &r.m.Components[n]
	c.Enabled = true
	c.Exported = c.Exported || r.flag(e, "exported", filters > 0)
}

// processName is android:process, inherited from def, with the package put
// before a private process.
func (r *manifestReader) processName(e *element, def string) string {
	p := r.attr(e, "process")
	switch {
	case p == "":
		return def
	case p[0] == ':':
		return r.keep(r.m.Package + p)
	}
	return p
}

// filters adds the actions of the intent filters of element i to a component
// and is the number of filters.
func (r *manifestReader) filters(i, component int) int {
	n := 0
	c := &r.m.Components[component]
	r.children(i, func(k int, f *element) {
		if f.name != "intent-filter" {
			return
		}
		n++
		main, launcher := false, false
		r.children(k, func(_ int, e *element) {
			name := r.attr(e, "name")
			switch {
			case e.name == "action" && name != "":
				if key := (actionOf{component, name}); !r.actions[key] {
					r.actions[key] = true
					c.Actions = append(c.Actions, name)
				}
				main = main || name == "android.intent.action.MAIN"
			case e.name == "category":
				launcher = launcher || name == "android.intent.category.LAUNCHER" || name == "android.intent.category.LEANBACK_LAUNCHER"
			}
		})
		c.Launcher = c.Launcher || main && launcher
	})
	return n
}

func (r *manifestReader) instrumentations() {
	r.children(0, func(_ int, e *element) {
		if e.name != "instrumentation" {
			return
		}
		if name := r.class(e, "name"); name != "" {
			r.m.Instrumentations = append(r.m.Instrumentations, Instrumentation{name, r.attr(e, "targetPackage")})
		}
	})
}

// sdkLevels are the codenames that builds against previews used, with the
// level that the preview became. The first letter alone is in use as well.
var sdkLevels = map[string]int{
	"cupcake": 3, "donut": 4, "eclair": 5, "eclairmr1": 7, "froyo": 8,
	"gingerbread": 9, "gingerbreadmr1": 10, "honeycomb": 11, "honeycombmr1": 12, "honeycombmr2": 13,
	"icecreamsandwich": 14, "icecreamsandwichmr1": 15, "jellybean": 16, "jellybeanmr1": 17, "jellybeanmr2": 18,
	"kitkat": 19, "kitkatwatch": 20, "l": 21, "lollipop": 21, "lollipopmr1": 22, "m": 23, "mnc": 23, "marshmallow": 23,
	"n": 24, "nougat": 24, "nmr1": 25, "o": 26, "oreo": 26, "omr1": 27, "p": 28, "pie": 28, "q": 29, "r": 30, "s": 31,
	"sv2": 32, "t": 33, "tiramisu": 33, "u": 34, "upsidedowncake": 34, "v": 35, "vanillaicecream": 35, "baklava": 36,
}

// sdkLevel reads an SDK version: a number or a codename ("IceCreamSandwich",
// "Tiramisu", "UpsideDownCake.fingerprint"). Zero if it is neither.
func sdkLevel(v string) int {
	if n, err := strconv.Atoi(v); err == nil {
		if n < 0 || n > 100000 {
			return 0
		}
		return n
	}
	name, _, _ := strings.Cut(strings.ToLower(v), ".")
	return sdkLevels[strings.ReplaceAll(name, "_", "")]
}
