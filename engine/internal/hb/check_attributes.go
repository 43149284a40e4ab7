package hb

import "fmt"

// checkAttributes finds sources, gates and hosts that do not exist.
func (m *Model) checkAttributes() error {
	for i := 1; i < len(m.Actions); i++ {
		a := &m.Actions[i]
		if a.Source < 0 || int(a.Source) >= max(len(m.Sources), 1) {
			return fmt.Errorf("hb: action %d (%s) names source %d of %d", i, a.Name, a.Source, len(m.Sources)-1)
		}
		for _, id := range a.Preceded {
			if !m.isAction(id) {
				return fmt.Errorf("hb: action %d (%s) is preceded by action %d of %d", i, a.Name, id, len(m.Actions)-1)
			}
		}
	}
	for i := 1; i < len(m.Points); i++ {
		for _, id := range m.Points[i].Gates {
			if id <= 0 || int(id) >= len(m.Gates) {
				return fmt.Errorf("hb: point %d names gate %d of %d", i, id, len(m.Gates)-1)
			}
		}
	}
	for i := 1; i < len(m.Components); i++ {
		c := &m.Components[i]
		if c.Host < 0 || int(c.Host) >= len(m.Components) {
			return fmt.Errorf("hb: component %d (%s) has host %d of %d", i, c.Name, c.Host, len(m.Components)-1)
		}
	}
	return nil
}
