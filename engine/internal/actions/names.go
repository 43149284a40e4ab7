package actions

import "github.com/eventraces/eventraces/engine/internal/pointsto"

// className is the class of an object, "" for arrays.
func (s *Set) className(o pointsto.Obj) string {
	return s.PT.Prog.Classes[s.PT.Object(o).Class].Name
}

// supers gives the names of the direct supertypes of a class.
func (s *Set) supers(name string) []string {
	p := s.PT.Prog
	c := &p.Classes[p.Lookup(name)]
	var out []string
	if c.Super != 0 {
		out = append(out, p.Classes[c.Super].Name)
	}
	for _, i := range c.Interfaces {
		out = append(out, p.Classes[i].Name)
	}
	return out
}
