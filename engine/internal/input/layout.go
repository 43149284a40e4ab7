package input

import "strings"

// The names of classes in this file are rules of the file format: what a short name
// in a layout stands for, and which elements hold another layout or a fragment.

// viewPackages are the classes that android.view.LayoutInflater finds outside
// android.widget under their short names.
var viewPackages = map[string]string{
	"View": "android.view.", "ViewStub": "android.view.", "ViewGroup": "android.view.",
	"SurfaceView": "android.view.", "TextureView": "android.view.",
	"WebView":          "android.webkit.",
	"MediaRouteButton": "android.app.", "FragmentBreadCrumbs": "android.app.",
}

// ViewBase is the class that every element of a layout is, or extends.
const ViewBase = "android.view.View"

func viewClass(name string) string {
	if strings.Contains(name, ".") {
		return name
	}
	if p, ok := viewPackages[name]; ok {
		return p + name
	}
	return "android.widget." + name
}

// readViews reads the views of a layout. <requestFocus>, <tag> and <data> are
// no views, and neither is anything below them.
func readViews(elements []element) []View {
	return readTree(elements, func(e *element, v *View) bool {
		switch e.name {
		case "requestFocus", "tag", "data":
			return false
		case "include":
			v.Include = refOf(e.nsAttr("", "layout"))
		case "merge", "layout":
		case "fragment":
			v.Fragment = fragmentClass(e)
		case "view":
			v.Class = e.nsAttr("", "class")
			if v.Class != "" {
				v.Class = viewClass(v.Class)
			}
		case "blink":
			v.Class = "android.widget.FrameLayout" // what the platform's BlinkLayout is to code
		default:
			v.Class = viewClass(e.name)
			switch v.Class {
			case "android.view.ViewStub", "androidx.appcompat.widget.ViewStubCompat":
				v.Include = refOf(e.attr("layout"))
			case "androidx.fragment.app.FragmentContainerView":
				v.Fragment = fragmentClass(e)
			}
		}
		return true
	})
}

func fragmentClass(e *element) string {
	if c := e.attr("name"); c != "" && refOf(c) == 0 {
		return c
	}
	return e.nsAttr("", "class")
}

// readMenu reads <item> and <group>; nested <menu> elements are kept so that
// submenus have their item as an ancestor.
func readMenu(elements []element) []View {
	return readTree(elements, func(e *element, v *View) bool {
		for _, ns := range []string{androidNS, appNS} {
			for _, a := range []string{"actionViewClass", "actionProviderClass"} {
				if c := e.nsAttr(ns, a); c != "" && v.Action == "" {
					v.Action = c
				}
			}
		}
		return e.name == "menu" || e.name == "group" || e.name == "item"
	})
}

// readPreferences reads a preference screen. A short name is taken to be in
// android.preference; the AndroidX inflater would look in androidx.preference,
// which only the class that inflates the file can tell.
func readPreferences(elements []element) []View {
	return readTree(elements, func(e *element, v *View) bool {
		switch e.name {
		case "intent", "extra":
			return false
		}
		v.Class = e.name
		if !strings.Contains(e.name, ".") {
			v.Class = "android.preference." + e.name
		}
		v.Fragment = e.attr("fragment")
		return true
	})
}

// readTree keeps the elements that classify accepts and whose parents are kept.
func readTree(elements []element, classify func(*element, *View) bool) []View {
	var views []View
	kept := make([]int, len(elements)) // index in views, or -1
	for i := range elements {
		e := &elements[i]
		v := View{Tag: e.name, Parent: -1, ID: refOf(e.attr("id")), OnClick: e.attr("onClick")}
		kept[i] = -1
		if e.parent >= 0 {
			if v.Parent = kept[e.parent]; v.Parent < 0 {
				continue
			}
		}
		if !classify(e, &v) {
			continue
		}
		kept[i] = len(views)
		views = append(views, v)
	}
	return views
}
