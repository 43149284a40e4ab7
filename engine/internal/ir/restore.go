package ir

import (
	"slices"
	"sort"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// Source is a method of a shrunk build as its source has it.
type Source struct {
	// Name and Params are set if the shrinker has changed the signature: the
	// method is called something else here.
	Name   string
	Params []string // types in source form
	// Ranges are ascending and do not overlap. Without any, lines are what the
	// dex file says.
	Ranges []Range
}

// Range says where the lines First to Last of a dex file come from. A method
// without lines is numbered by code units.
type Range struct {
	First, Last uint32
	Line        uint32  // of First, 0 if unknown
	Fixed       bool    // Line is that of all, else they go on from it
	Frame       FrameID // the method that was inlined there, 0 if it is the method itself
}

// FrameID is an index in the frames that Restore was given, counted from 1.
type FrameID int32

// Frame is a method of the source whose code stands in another method.
type Frame struct {
	Class, Name string
	Params      []string // types in source form
	File        string   // SourceFile, "" if unknown
}

// Restore tells the program where its code stands in the source; of may give nil.
// It must follow Build at once: bodies that were lifted before do not change.
func (p *Program) Restore(frames []Frame, of func(f *dex.File, method uint32) *Source) {
	p.frames = frames
	p.sources = make([]*Source, len(p.Methods))
	for c := range p.defs {
		u, def := p.definition(ClassID(c))
		if def == nil {
			continue
		}
		for _, list := range [][]dex.EncodedMethod{def.Direct, def.Virtual} {
			for _, d := range list {
				if m := u.methods[d.Method]; p.Methods[m].Class == ClassID(c) && p.sources[m] == nil {
					p.sources[m] = of(u.file, d.Method)
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

// Written gives the name and the parameters, in source form, that a method has in
// the source. ok is false if they are those of the program.
func (p *Program) Written(m MethodID) (name string, params []string, ok bool) {
	if s := p.source(m); s != nil && s.Name != "" {
		return s.Name, s.Params, true
	}
	return "", nil, false
}

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
