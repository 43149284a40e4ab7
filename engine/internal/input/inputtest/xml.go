package inputtest

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Namespaces of attributes.
const (
	Android = "http://schemas.android.com/apk/res/android"
	ResAuto = "http://schemas.android.com/apk/res-auto"
)

// Node is an XML element.
type Node struct {
	Name     string
	Attrs    []Attr
	Children []*Node
}

// Attr is an attribute. Value is a string, an int, a bool or a Ref.
type Attr struct {
	Space string // namespace, or empty
	Name  string
	Value any
}

// Ref is a reference to a resource.
type Ref uint32

// E is an element; items are its attributes (Attr) and children (*Node).
func E(name string, items ...any) *Node {
	n := &Node{Name: name}
	for _, it := range items {
		switch it := it.(type) {
		case Attr:
			n.Attrs = append(n.Attrs, it)
		case *Node:
			n.Children = append(n.Children, it)
		default:
			panic(fmt.Sprintf("inputtest: %T is neither Attr nor *Node", it))
		}
	}
	return n
}

// A is an attribute android:name.
func A(name string, value any) Attr { return Attr{Android, name, value} }

// App is an attribute app:name.
func App(name string, value any) Attr { return Attr{ResAuto, name, value} }

// Plain is an attribute without a namespace.
func Plain(name string, value any) Attr { return Attr{"", name, value} }

// XML is the binary XML of a document. The root declares both namespaces.
func XML(root *Node) []byte { return XMLOptions{}.Write(root) }

// XMLOptions are variations that builds produce.
type XMLOptions struct {
	UTF8  bool // strings as UTF-8 instead of UTF-16
	NoRaw bool // string values only as typed values, without raw text
}

// Write is the binary XML of a document.
func (o XMLOptions) Write(root *Node) []byte {
	w := xmlWriter{XMLOptions: o}
	w.strings.UTF8 = o.UTF8
	// androidbinary takes string 0 as a prefix for "not found"; real files
	// have attribute names first.
	w.strings.ref("name")
	namespaces := []struct{ prefix, uri string }{{"android", Android}, {"app", ResAuto}}
	for _, ns := range namespaces {
		w.node(0x0100, w.strings.ref(ns.prefix), w.strings.ref(ns.uri))
	}
	w.element(root)
	for i := len(namespaces) - 1; i >= 0; i-- {
		w.node(0x0101, w.strings.ref(namespaces[i].prefix), w.strings.ref(namespaces[i].uri))
	}
	return chunk(0x0003, 8, append(w.strings.bytes(), w.body...))
}

type xmlWriter struct {
	XMLOptions
	strings stringPool
	body    []byte
}

const none = 0xffffffff

// node appends a node chunk with the given words after its header.
func (w *xmlWriter) node(kind uint16, words ...uint32) {
	head := u32s(1, none) // line, comment
	w.body = append(w.body, chunk(kind, 16, append(head, u32s(words...)...))...)
}

func (w *xmlWriter) element(n *Node) {
	words := []uint32{none, w.strings.ref(n.Name), 20 | 20<<16, uint32(len(n.Attrs)), 0}
	for _, a := range n.Attrs {
		space := uint32(none)
		if a.Space != "" {
			space = w.strings.ref(a.Space)
		}
		name := w.strings.ref(a.Name)
		kind, data := typed(a.Value, &w.strings)
		raw := uint32(none)
		if kind == 0x03 && !w.NoRaw {
			raw = data
		}
		words = append(words, space, name, raw, 8|uint32(kind)<<24, data)
	}
	w.node(0x0102, words...)
	for _, c := range n.Children {
		w.element(c)
	}
	w.node(0x0103, none, w.strings.ref(n.Name))
}

// typed is the type and data of a Res_value.
func typed(v any, strings *stringPool) (byte, uint32) {
	switch v := v.(type) {
	case string:
		return 0x03, strings.ref(v)
	case Ref:
		return 0x01, uint32(v)
	case int:
		return 0x10, uint32(v)
	case bool:
		if v {
			return 0x12, math.MaxUint32
		}
		return 0x12, 0
	}
	panic(fmt.Sprintf("inputtest: a resource value cannot be a %T", v))
}

// chunk puts a chunk header before body; header is the size of the header,
// the rest of which body begins with.
func chunk(kind, header uint16, body []byte) []byte {
	b := make([]byte, 8, 8+len(body))
	binary.LittleEndian.PutUint16(b, kind)
	binary.LittleEndian.PutUint16(b[2:], header)
	binary.LittleEndian.PutUint32(b[4:], uint32(8+len(body)))
	return append(b, body...)
}

func u32s(words ...uint32) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func u16s(words ...uint16) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint16(b, w)
	}
	return b
}
