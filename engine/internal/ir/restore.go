package ir

import (
	"slices"
	"sort"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// Sources is what is known of the source of dex files, by the indices of their
// methods and fields.
type Sources struct {
	Frames  []Frame
	Methods map[*dex.File]map[uint32]*Source
	Fields  map[*dex.File]map[uint32]*Written // of those that have moved
}

// Source is a method of a shrunk build as its source has it.
type Source struct {
	// Written is set if the shrinker has moved the method or changed its
	// signature: it is called something else here.
	Written *Written
	// Ranges are ascending and do not overlap. Without any, lines are what the
	// dex file says.
	Ranges []Range
}

// Written is a member as the source has it. Class is empty if it is the class that
// has it here; Params, types in source form, are those of a method.
type Written struct {
	Class, Name string
	Params      []string
}

// Range says where the lines First to Last of a dex file come from. A method
// without lines is numbered by code units.
type Range struct {
	First, Last uint32
	Line        uint32  // of First, 0 if unknown
	Fixed       bool    // Line is that of all, else they go on from it
	Frame       FrameID // the method that was inlined there, 0 if it is the method itself
}

// FrameID is an index in Sources.Frames, counted from 1.
type FrameID int32

// Frame is a method of the source whose code stands in another method.
type Frame struct {
	Class, Name string
	Params      []string // types in source form
	File        string   // SourceFile, "" if unknown
}

// Restore tells the program where its code stands in the source. It must follow
// Build at once: bodies that were lifted before do not change.
func (p *Program) Restore(s *Sources) {
	p.frames = s.Frames
	p.sources = make([]*Source, len(p.Methods))
	p.moved = make(map[FieldID]*Written)
	for c := range p.defs {
		u, def := p.definition(ClassID(c))
		if def == nil {
			continue
		}
		for _, list := range [][]dex.EncodedMethod{def.Direct, def.Virtual} {
			for _, d := range list {
				if m := u.methods[d.Method]; p.Methods[m].Class == ClassID(c) && p.sources[m] == nil {
					p.sources[m] = s.Methods[u.file][d.Method]
				}
			}
		}
		for _, list := range [][]dex.EncodedField{def.StaticFields, def.InstanceFields} {
			for _, d := range list {
				if f, w := u.fields[d.Field], s.Fields[u.file][d.Field]; w != nil && p.Fields[f].Class == ClassID(c) {
					p.moved[f] = w
				}
			}
		}
	}
}

// source is what Restore told of a method, nil if nothing.
func (p *Program) source(m MethodID) *Source {
	if int(m) >= len(p.sources) {
		return nil
	}
	return p.sources[m]
}

// Written is a method as the source has it; nil if that is as the program has it.
func (p *Program) Written(m MethodID) *Written {
	if s := p.source(m); s != nil {
		return s.Written
	}
	return nil
}

// WrittenField is a field as the source has it; nil if that is as the program has
// it.
func (p *Program) WrittenField(f FieldID) *Written { return p.moved[f] }

// Frame is the method of the source that v of the body stands in, nil if that is
// the method of the body.
func (p *Program) Frame(b *Body, v Value) *Frame {
	if l := b.lineAt(v); l != nil {
		return p.frame(l.Frame)
	}
	return nil
}

// Frames are the methods of the source that have been inlined into a method.
func (p *Program) Frames(m MethodID) []*Frame {
	s := p.source(m)
	if s == nil {
		return nil
	}
	var ids []FrameID
	for i := range s.Ranges {
		ids = append(ids, s.Ranges[i].Frame)
	}
	slices.Sort(ids)
	var out []*Frame
	for _, id := range slices.Compact(ids) {
		if f := p.frame(id); f != nil {
			out = append(out, f)
		}
	}
	return out
}

func (p *Program) frame(id FrameID) *Frame {
	if id <= 0 || int(id) > len(p.frames) {
		return nil
	}
	return &p.frames[id-1]
}

// position is the line of the source, 0 if unknown, and the method that was
// inlined there. Without a source lines are as they are.
func (s *Source) position(line uint32) (int32, FrameID) {
	frame := FrameID(0)
	if s != nil && len(s.Ranges) > 0 {
		i := sort.Search(len(s.Ranges), func(i int) bool { return s.Ranges[i].First > line }) - 1
		if i < 0 || s.Ranges[i].Last < line {
			return 0, 0
		}
		r := &s.Ranges[i]
		frame = r.Frame
		if r.Line == 0 || r.Fixed {
			line = r.Line
		} else {
			line += r.Line - r.First
		}
	}
	return int32(min(line, 1<<31-1)), frame
}
