package mapping

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// Fits tells by an error that the mapping is that of another build. renamed are
// the classes of the build, by their dotted names, that seem to have been renamed.
// R8 writes the id of the mapping into the build; without it, half of the renamed
// classes must stand in the mapping, and some class of the mapping in the build.
func (m *Mapping) Fits(files []*dex.File, classes, renamed []string) error {
	const right = "give the mapping.txt that was written with this build"
	if m.ID != "" {
		ids := mapIDs(files)
		for _, id := range ids {
			if strings.HasPrefix(m.ID, id) || strings.HasPrefix(id, m.ID) {
				return nil
			}
		}
		if len(ids) > 0 {
			return fmt.Errorf("%s: it is of another build: its pg_map_id is %.80s, that of this one %.80s; %s", m.Name, m.ID, ids[0], right)
		}
	}
	named := 0
	for _, c := range renamed {
		if m.classes[c] != nil {
			named++
		}
	}
	if 2*named < len(renamed) {
		return fmt.Errorf("%s: it is of another build: it names %d of the %d classes that seem to be renamed; %s", m.Name, named, len(renamed), right)
	}
	for _, c := range classes {
		if m.classes[c] != nil {
			return nil
		}
	}
	return fmt.Errorf("%s: it is of another build: none of its %d classes is in this one; %s", m.Name, len(m.classes), right)
}

// mapIDs are the ids of mappings that R8 has left in dex files.
func mapIDs(files []*dex.File) []string {
	var out []string
	for _, f := range files {
		for _, text := range f.Strings {
			mark, ok := strings.CutPrefix(text, "~~R8")
			if !ok {
				continue
			}
			var info struct {
				Backend string
				ID      string `json:"pg-map-id"`
			}
			if json.Unmarshal([]byte(mark), &info) == nil && info.ID != "" && info.Backend != "cf" { // else a library that was shrunk before
				out = append(out, info.ID)
			}
		}
	}
	return out
}
