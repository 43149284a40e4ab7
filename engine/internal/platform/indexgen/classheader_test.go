package main

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// classFile assembles a class file: a pool, then what is written with u2.
type classFile struct {
	pool []byte
	n    uint16
	rest []byte
}

func (c *classFile) utf8(s string) uint16 {
	c.pool = append(c.pool, 1)
	c.pool = binary.BigEndian.AppendUint16(c.pool, uint16(len(s)))
	c.pool = append(c.pool, s...)
	c.n++
	return c.n
}

func (c *classFile) class(s string) uint16 {
	name := c.utf8(s)
	c.pool = append(c.pool, 7)
	c.pool = binary.BigEndian.AppendUint16(c.pool, name)
	c.n++
	return c.n
}

func (c *classFile) u2(vs ...uint16) {
	for _, v := range vs {
		c.rest = binary.BigEndian.AppendUint16(c.rest, v)
	}
}

// mark writes an attribute with one annotation without elements.
func (c *classFile) mark(attribute uint16, typ string) {
	c.u2(attribute, 0, 6, 1, c.utf8(typ), 0)
}

func (c *classFile) bytes() []byte {
	out := []byte{0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61}
	out = binary.BigEndian.AppendUint16(out, c.n+1)
	return append(append(out, c.pool...), c.rest...)
}

// sample is a member class with a field, a constant, and methods of which a
// private, a hidden and a synthetic one are not for apps.
func sample() []byte {
	c := &classFile{}
	annotations, constant, inner := c.utf8("RuntimeInvisibleAnnotations"), c.utf8("ConstantValue"), c.utf8("InnerClasses")
	intDesc, void := c.utf8("I"), c.utf8("()V")
	this, outer, simple := c.class("a/B$C"), c.class("a/B"), c.utf8("C")
	c.u2(0x20|0x1, this, c.class("a/Super"), 1, c.class("a/I"))
	c.u2(2, 0x1, c.utf8("x"), intDesc, 0)
	c.u2(0x19, c.utf8("K"), intDesc, 1, constant, 0, 2, 0)
	c.u2(4, 0x4, c.utf8("seen"), void, 0)
	c.u2(0x2, c.utf8("secret"), void, 0)
	c.u2(0x1001, c.utf8("bridge"), void, 0)
	c.u2(0x1, c.utf8("hidden"), void, 1)
	c.mark(annotations, "Landroid/annotation/SystemApi;")
	c.u2(1, inner, 0, 10, 1, this, outer, simple, 0x9)
	return c.bytes()
}

func TestReadHeader(t *testing.T) {
	h, err := readHeader(sample())
	if err != nil {
		t.Fatal(err)
	}
	want := ir.ClassDecl{Name: "a.B$C", Super: "a.Super", Interfaces: []string{"a.I"}, Flags: 1,
		Fields:  []ir.FieldDecl{{Name: "x", Desc: "I", Flags: 1}},
		Methods: []ir.MethodDecl{{Name: "seen", Desc: "()V", Flags: 4}}}
	if d := cmp.Diff(want, h.decl); d != "" {
		t.Error(d)
	}
	if h.outer != "a.B" || h.inner != 9 || h.local || h.system {
		t.Errorf("nesting: %+v", h)
	}
}

// TestReadHeaderTruncated: every prefix is an error, none a panic.
func TestReadHeaderTruncated(t *testing.T) {
	data := sample()
	for n := range data {
		if _, err := readHeader(data[:n]); err == nil {
			t.Errorf("first %d of %d bytes pass", n, len(data))
		}
	}
}

// TestKeep: supertypes of what apps can name stay, however hidden.
func TestKeep(t *testing.T) {
	decl := func(name, super string, flags uint32) *header {
		return &header{decl: ir.ClassDecl{Name: name, Super: super, Flags: flags}}
	}
	all := map[string]*header{
		"android.a.Shown":            decl("android.a.Shown", "com.android.internal.Base", 1),
		"android.a.Hidden":           decl("android.a.Hidden", "", 0),
		"android.car.Car":            decl("android.car.Car", "", 1),
		"android.os.IThing":          {decl: ir.ClassDecl{Name: "android.os.IThing", Interfaces: []string{"android.os.IInterface"}, Flags: 0x601}},
		"com.android.internal.Base":  decl("com.android.internal.Base", "", 1),
		"com.android.internal.Other": decl("com.android.internal.Other", "", 1),
	}
	var got []string
	for _, d := range keep(all) {
		got = append(got, d.Name)
	}
	if d := cmp.Diff([]string{"android.a.Shown", "com.android.internal.Base"}, got); d != "" {
		t.Error(d)
	}
}
