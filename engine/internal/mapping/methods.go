package mapping

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// plan is what the mapping says about the methods of a class of the build.
type plan struct {
	a        *applier
	class    *class
	written  map[string][]*original     // by residual name
	declared map[string]map[string]bool // residual prototypes, by residual name
	made     map[*frame]bool            // methods that the shrinker has made: it says so once
	found    map[originalKey]*original
	top      uint32          // the first line of its own methods, 0 if unknown
	taken    map[string]bool // names that methods of the class have got, with their prototypes
}

// originalKey is a method of the source with what it has become.
type originalKey struct {
	residual string
	frame    *frame
}

// original is a method of the source that has become one of the class, and its
// code.
type original struct {
	frame   *frame
	proto   string // residual
	ranges  []stretch
	bridged *frame // the method that this one only bridges to, nil if it is none
}

// stretch is a range of lines with the method that they come from.
type stretch struct {
	ir.Range
	frame *frame
}

// plan arranges the lines of a class. Lines of one range follow each other, from
// the innermost inlined method to the method itself.
func (a *applier) plan(k *class) *plan {
	p := &plan{a: a, class: k, written: map[string][]*original{}, declared: map[string]map[string]bool{}, made: map[*frame]bool{}, found: map[originalKey]*original{}, taken: map[string]bool{}}
	for i := range k.lines {
		x := &k.lines[i]
		if x.made {
			p.made[x.frame] = true
		}
		if first := x.original.first; x.frame.class == "" && first > 0 && (p.top == 0 || first < p.top) {
			p.top = first
		}
	}
	for i := 0; i < len(k.lines); {
		end := i + 1
		for end < len(k.lines) && inside(&k.lines[end-1], &k.lines[end]) {
			end++
		}
		p.add(k.lines[i:end])
		i = end
	}
	return p
}

// inside: the code of x was inlined into what y names.
func inside(x, y *line) bool {
	return x.residual == y.residual && x.minified.form == ranged && x.minified == y.minified && y.original.form == single
}

func (p *plan) add(lines []line) {
	outer := &lines[len(lines)-1]
	key := originalKey{outer.residual, outer.frame}
	o := p.found[key]
	if o == nil {
		o = &original{frame: outer.frame, proto: p.a.m.prototype(outer.frame)}
		p.found[key], p.written[outer.residual] = o, append(p.written[outer.residual], o)
	}
	if outer.signature != "" {
		o.proto = outer.signature
	}
	if len(lines) > 1 && p.bridges(outer, lines[len(lines)-2].frame) {
		o.bridged = lines[len(lines)-2].frame
	}
	if s, ok := p.stretch(lines); ok {
		o.ranges = append(o.ranges, s)
	}
}

// bridges: x is a bridge of the compiler into which f was inlined: a method of its
// name and other types, and a line before all others of the class.
func (p *plan) bridges(x *line, f *frame) bool {
	if f.class != "" || f.name != x.frame.name || f.params == x.frame.params || len(params(f)) != len(params(x.frame)) {
		return false
	}
	return x.original.first <= p.top
}

// stretch is the innermost method that somebody wrote, with no frame if none is:
// accessors are none, for their code counts as that of the call.
func (p *plan) stretch(lines []line) (s stretch, ok bool) {
	x := &lines[len(lines)-1]
	for i := range lines {
		if f := lines[i].frame; !p.made[f] && !ir.AccessorName(f.name) {
			x, s.frame = &lines[i], f
			break
		}
	}
	s.First, s.Last = x.minified.first, x.minified.last
	switch {
	case x.minified.form == absent && x.original.form == absent:
		return s, false
	case x.minified.form == absent: // all there is
		s.First, s.Last, s.Fixed = 0, math.MaxUint32, true
		if x.original.first == x.original.last {
			s.Line = x.original.first
		}
	case x.original.form == absent:
		s.Line = s.First
	case x.original.first == x.original.last:
		s.Line, s.Fixed = x.original.first, true
	case x.original.last-x.original.first == s.Last-s.First:
		s.Line = x.original.first
	}
	if s.frame == nil {
		s.Line = 0
	}
	return s, true
}

// declare notes a method of the build.
func (p *plan) declare(name, proto string) {
	if p.declared[name] == nil {
		p.declared[name] = map[string]bool{}
	}
	p.declared[name][proto] = true
}

// moved: the method is one of another class.
func (p *plan) moved(name, proto string) bool {
	o := p.pick(name, proto)
	return o != nil && o.frame.class != ""
}

// method gives the name of a declared method, and what else the source says of it.
// Those that have moved must come last, for a name that is taken they do not get.
func (p *plan) method(name, proto string) (string, *ir.Source) {
	list := p.written[name]
	if len(list) == 0 {
		return name, nil
	}
	s := &ir.Source{}
	o := p.pick(name, proto)
	written := name
	if o != nil && !strings.HasPrefix(name, "<") {
		written = o.frame.name
		changed := p.a.m.prototype(o.frame) != proto || p.taken[written+proto]
		if changed && written != name {
			written += "$" + name
		}
		switch as := (ir.Written{Name: o.frame.name, Params: params(o.frame)}); {
		case o.bridged != nil:
			s.Written = &ir.Written{Name: o.bridged.name, Params: params(o.bridged)}
		case p.a.m.named(o.frame.class):
			as.Class = o.frame.class
			s.Written = &as
		case changed:
			s.Written = &as
		}
	}
	p.taken[written+proto] = true
	var all []stretch
	for _, x := range list {
		if x == o || x.proto == proto || !p.declared[name][x.proto] {
			all = append(all, x.ranges...)
		}
	}
	slices.SortStableFunc(all, func(x, y stretch) int { return cmp.Compare(x.First, y.First) })
	for _, x := range all {
		if n := len(s.Ranges); n > 0 && x.First <= s.Ranges[n-1].Last {
			continue
		}
		if x.frame != nil && (x.frame.class != "" || o == nil || x.frame != o.frame && x.frame != o.bridged) {
			x.Frame = p.a.frame(p.class, x.frame)
		}
		s.Ranges = append(s.Ranges, x.Range)
	}
	if s.Written == nil && len(s.Ranges) == 0 {
		return written, nil
	}
	return written, s
}

// pick finds the method of the source that a method of the build is. A method of
// another class, which the shrinker has merged into this one, will do; but not what
// stands in the place of a method that only the shrinker knows.
func (p *plan) pick(name, proto string) *original {
	list := p.written[name]
	own := func(o *original) bool { return o.frame.class == "" }
	for _, o := range list {
		if own(o) && o.proto == proto {
			return o
		}
	}
	if len(p.declared[name]) == 1 {
		if i := slices.IndexFunc(list, own); i >= 0 {
			return list[i]
		}
	}
	for _, o := range list {
		_, lambda := ir.LambdaHome(o.frame.name)
		if o.proto == proto && !p.class.made && !lambda && !strings.HasPrefix(o.frame.name, "<") && !ir.AccessorName(o.frame.name) {
			return o
		}
	}
	return nil
}

// frame gives a method of the source its number.
func (a *applier) frame(k *class, f *frame) ir.FrameID {
	key := frameIn{f, nil}
	if f.class == "" {
		key.class = k
	}
	id, ok := a.frames[key]
	if !ok {
		out := ir.Frame{Class: cmp.Or(f.class, k.name), Name: f.name, Params: params(f)}
		out.File = cmp.Or(a.m.files[out.Class], a.m.files[ir.Outermost(out.Class)])
		a.sources.Frames = append(a.sources.Frames, out)
		id = ir.FrameID(len(a.sources.Frames))
		a.frames[key] = id
	}
	return id
}
