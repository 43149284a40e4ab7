package pointsto

import "github.com/eventraces/eventraces/engine/internal/input"

// bundleResources answers the analysis' questions about layouts, menus and
// preferences from those of a bundle.
type bundleResources struct {
	bundle *input.Bundle
	byID   map[uint32][]*input.Layout // layouts, menus and preferences
	views  map[uint32]string          // class of each view id
}

// ResourcesOf are the resources of a bundle.
func ResourcesOf(b *input.Bundle) Resources {
	r := &bundleResources{bundle: b, byID: map[uint32][]*input.Layout{}, views: map[uint32]string{}}
	for _, list := range [][]input.Layout{b.Layouts, b.Menus, b.Preferences} {
		for i := range list {
			l := &list[i]
			r.byID[l.ID] = append(r.byID[l.ID], l)
			for _, v := range l.Views {
				r.noteView(v)
			}
		}
	}
	return r
}

// noteView remembers the class of a view; layouts that disagree leave View.
func (r *bundleResources) noteView(v input.View) {
	if v.ID == 0 || v.Class == "" {
		return
	}
	if old, ok := r.views[v.ID]; ok && old != v.Class {
		r.views[v.ID] = input.ViewBase
		return
	}
	r.views[v.ID] = v.Class
}

// View gives name and class of the view with an id.
func (r *bundleResources) View(id uint32) (name, class string) {
	return r.bundle.ResourceName(id), r.views[id]
}

// Inflated lists the objects of a layout and of those that it includes.
func (r *bundleResources) Inflated(id uint32) []Inflated {
	return r.inflated(id, map[uint32]bool{})
}

func (r *bundleResources) inflated(id uint32, seen map[uint32]bool) []Inflated {
	if seen[id] {
		return nil
	}
	seen[id] = true
	var out []Inflated
	for _, l := range r.byID[id] {
		for _, v := range l.Views {
			class := v.Class
			switch {
			case v.Fragment != "":
				class = v.Fragment
			case class == "" && v.Include == 0 && v.Action == "" && v.OnClick == "":
				continue
			case class == "":
				class = input.ViewBase
			case v.ID != 0:
				class = r.views[v.ID]
			}
			if v.Include == 0 || v.Class != "" {
				out = append(out, Inflated{Class: class, ID: v.ID, Name: r.bundle.ResourceName(v.ID), OnClick: v.OnClick})
			}
			if v.Include != 0 {
				out = append(out, r.inflated(v.Include, seen)...)
			}
		}
	}
	return out
}
