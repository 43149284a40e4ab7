package main

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// Access flags of the class file format that decide what is kept.
const (
	accPublic    = 0x0001
	accPrivate   = 0x0002
	accProtected = 0x0004
	accSuper     = 0x0020
	accSynthetic = 0x1000
)

// header is what the generator needs of a class file.
type header struct {
	decl   ir.ClassDecl
	outer  string // enclosing class of a member class, dotted
	inner  uint32 // its access flags as a member class, if outer is set
	local  bool   // anonymous or local
	system bool   // annotated as not part of the public API
}

// hiddenMarks are annotations of members that apps cannot use.
var hiddenMarks = []string{
	"Landroid/annotation/SystemApi;",
	"Landroid/annotation/TestApi;",
	"Landroid/compat/annotation/UnsupportedAppUsage;",
}

// classReader walks a class file; it panics on bad data, which readHeader
// turns into an error (the input is a published jar, named by the caller).
type classReader struct {
	data []byte
	off  int
	utf8 map[int]string
	refs map[int]int // class index -> name index
}

func (r *classReader) u1() int { r.off++; return int(r.data[r.off-1]) }
func (r *classReader) u2() int { r.off += 2; return int(binary.BigEndian.Uint16(r.data[r.off-2:])) }
func (r *classReader) u4() int { r.off += 4; return int(binary.BigEndian.Uint32(r.data[r.off-4:])) }

func readHeader(data []byte) (h *header, err error) {
	r := &classReader{data: data, utf8: map[int]string{}, refs: map[int]int{}}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("offset %d: %v", r.off, p)
		}
	}()
	if r.u4() != 0xcafebabe {
		return nil, fmt.Errorf("offset 0: no class file")
	}
	r.off += 4
	r.pool()
	return r.class(), nil
}

func (r *classReader) pool() {
	n := r.u2()
	for i := 1; i < n; i++ {
		switch tag := r.u1(); tag {
		case 1:
			l := r.u2()
			r.utf8[i] = string(r.data[r.off : r.off+l])
			r.off += l
		case 7:
			r.refs[i] = r.u2()
		case 8, 16, 19, 20:
			r.off += 2
		case 15:
			r.off += 3
		case 3, 4, 9, 10, 11, 12, 17, 18:
			r.off += 4
		case 5, 6:
			r.off += 8
			i++
		default:
			panic(fmt.Sprintf("constant tag %d", tag))
		}
	}
}

func (r *classReader) name(i int) string {
	return strings.ReplaceAll(r.utf8[r.refs[i]], "/", ".")
}

func (r *classReader) class() *header {
	h := &header{}
	d := &h.decl
	d.Flags = uint32(r.u2()) &^ accSuper
	d.Name = r.name(r.u2())
	d.Super = r.name(r.u2())
	for n := r.u2(); n > 0; n-- {
		d.Interfaces = append(d.Interfaces, r.name(r.u2()))
	}
	for n := r.u2(); n > 0; n-- {
		f := ir.FieldDecl{Flags: uint32(r.u2()), Name: r.utf8[r.u2()], Desc: r.utf8[r.u2()]}
		hidden, constant := r.attributes(nil)
		if f.Flags&(accPublic|accProtected) != 0 && f.Flags&accSynthetic == 0 && !hidden && !constant {
			d.Fields = append(d.Fields, f)
		}
	}
	for n := r.u2(); n > 0; n-- {
		m := ir.MethodDecl{Flags: uint32(r.u2()), Name: r.utf8[r.u2()], Desc: r.utf8[r.u2()]}
		hidden, _ := r.attributes(nil)
		if m.Flags&(accPublic|accProtected) != 0 && m.Flags&accSynthetic == 0 && !hidden && m.Name != "<clinit>" {
			d.Methods = append(d.Methods, m)
		}
	}
	h.system, _ = r.attributes(h)
	return h
}

// attributes skips the attributes that follow and tells whether one is a
// hidden mark or a constant value; with a header it fills its nesting.
func (r *classReader) attributes(h *header) (hidden, constant bool) {
	for n := r.u2(); n > 0; n-- {
		name := r.utf8[r.u2()]
		end := r.u4() + r.off
		switch name {
		case "ConstantValue":
			constant = true
		case "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations":
			hidden = hidden || r.marked(end)
		case "EnclosingMethod":
			if h != nil {
				h.local = true
			}
		case "InnerClasses":
			if h != nil {
				r.inner(h)
			}
		}
		r.off = end
	}
	return hidden, constant
}

// marked looks for a hidden mark in an annotations attribute; annotations
// before it must be decoded to be skipped.
func (r *classReader) marked(end int) bool {
	for n := r.u2(); n > 0 && r.off < end; n-- {
		t := r.utf8[r.u2()]
		for _, m := range hiddenMarks {
			if t == m {
				return true
			}
		}
		for k := r.u2(); k > 0; k-- {
			r.off += 2
			r.element()
		}
	}
	return false
}

func (r *classReader) element() {
	switch tag := r.u1(); tag {
	case 'e':
		r.off += 4
	case '@':
		r.off += 2
		for k := r.u2(); k > 0; k-- {
			r.off += 2
			r.element()
		}
	case '[':
		for k := r.u2(); k > 0; k-- {
			r.element()
		}
	default:
		r.off += 2
	}
}

func (r *classReader) inner(h *header) {
	for n := r.u2(); n > 0; n-- {
		in, out, name, flags := r.name(r.u2()), r.u2(), r.u2(), uint32(r.u2())
		if in != h.decl.Name {
			continue
		}
		if out == 0 || name == 0 {
			h.local = true
			continue
		}
		h.outer, h.inner = r.name(out), flags
	}
}
