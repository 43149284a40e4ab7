package input

import "fmt"

// Check verifies the invariants that Bundle promises; tests and fuzz targets
// call it.
func (b *Bundle) Check() error {
	if b.Manifest == nil || len(b.Manifests) == 0 || len(b.Dex) == 0 {
		return fmt.Errorf("bundle %s: %d manifests, %d dex files", b.Name, len(b.Manifests), len(b.Dex))
	}
	for _, m := range append([]*Manifest{b.Manifest}, b.Manifests...) {
		if err := m.check(); err != nil {
			return fmt.Errorf("manifest of %s: %w", m.File, err)
		}
	}
	for _, ls := range [][]Layout{b.Layouts, b.Menus, b.Preferences} {
		for i := range ls {
			if i > 0 && ls[i].ID < ls[i-1].ID {
				return fmt.Errorf("%s: not sorted by id", ls[i].File)
			}
			if err := ls[i].check(b); err != nil {
				return fmt.Errorf("%s: %w", ls[i].File, err)
			}
		}
	}
	return nil
}

func (m *Manifest) check() error {
	if m.Package == "" || m.MinSDK < 1 || m.TargetSDK < m.MinSDK {
		return fmt.Errorf("package %q, minSdk %d, targetSdk %d", m.Package, m.MinSDK, m.TargetSDK)
	}
	for _, c := range m.Components {
		if c.Name == "" || c.Kind < Activity || c.Kind > Provider {
			return fmt.Errorf("component %q of kind %v", c.Name, c.Kind)
		}
	}
	return nil
}

func (l *Layout) check(b *Bundle) error {
	if len(l.Views) == 0 || l.Views[0].Parent != -1 {
		return fmt.Errorf("%d views, no root", len(l.Views))
	}
	if b.ResourceName(l.ID) == "" {
		return fmt.Errorf("id %#x has no name", l.ID)
	}
	for i, v := range l.Views[1:] {
		if v.Parent < 0 || v.Parent > i {
			return fmt.Errorf("view %d has parent %d", i+1, v.Parent)
		}
	}
	return nil
}
