package input

import (
	"encoding/binary"
	"unicode/utf8"
)

const (
	maxXML        = 4 << 20 // largest binary XML file we read; real manifests stay below 1 MiB
	maxNamespaces = 100     // open at once; real files open fewer than ten

	nodeHeaderSize = 16
	attrExtSize    = 20
	attrSize       = 20

	typeReference = 0x01
	typeString    = 0x03
)

// checkXML checks a binary XML file against the bytes present before
// androidbinary sees it, which trusts every count it reads: string and style
// counts and string lengths are allocated before they are read, attribute
// offsets wrap around, an attribute size of zero repeats one attribute 65535
// times, and each attribute may repeat one large string. After the check the
// text it produces is at most 16 times the file plus 64 KiB.
//
// It also settles in place what the library would lose: a typed string without
// raw text is given its text, a typed value with raw text loses the text, so
// that references come out as ids.
func checkXML(data []byte) error {
	if len(data) > maxXML {
		return bad(0, "binary XML of %d bytes; the limit is %d", len(data), maxXML)
	}
	root, err := readRoot(data, chunkXML, "binary XML")
	if err != nil {
		return err
	}
	x := xmlCheck{budget: 16*len(data) + 64<<10}
	for at := root.header; at < len(root.data); {
		c, err := readChunk(data, at, len(root.data))
		if err != nil {
			return err
		}
		if err := x.chunk(c); err != nil {
			return err
		}
		at += len(c.data)
	}
	if x.elements == 0 {
		return bad(0, "binary XML without an element")
	}
	if len(x.open) > 0 {
		return bad(len(root.data), "ends inside element <%s>", oneLine(x.strings.get(x.open[len(x.open)-1])))
	}
	return nil
}

type namespace struct{ prefix, uri uint32 }

// xmlCheck is the state of the walk over the chunks of one file.
type xmlCheck struct {
	strings  *pool
	scopes   []namespace
	pending  []namespace // declared since the last start element, ended or not
	open     []uint32
	elements int
	budget   int   // bytes of text the library may still produce
	printed  []int // size of each string as attribute text; zero: not yet known
}

func (x *xmlCheck) chunk(c chunk) error {
	switch c.kind {
	case chunkPool:
		if x.strings != nil {
			return bad(c.at, "a second string pool; binary XML has one")
		}
		p, err := readPool(c)
		x.strings = p
		return err
	case chunkStartNS, chunkEndNS:
		return x.namespace(c)
	case chunkStartElement:
		return x.start(c)
	case chunkEndElement:
		return x.end(c)
	}
	return nil // text, resource map and unknown chunks are not read by anybody
}

func (x *xmlCheck) spend(at, n int) error {
	if x.budget -= n; x.budget < 0 {
		return bad(at, "the XML unpacks to more than 16 times the file (repeated strings?)")
	}
	return nil
}

// node checks that a node chunk has its 16-byte header and ext bytes after it.
func node(c chunk, ext int) error {
	if c.header < nodeHeaderSize || c.header+ext > len(c.data) {
		return bad(c.at, "XML node of %d bytes with a header of %d; expected %d and %d more", len(c.data), c.header, nodeHeaderSize, ext)
	}
	return nil
}

func (x *xmlCheck) ref(at int, ref uint32, what string) error {
	if !x.strings.has(ref) {
		return bad(at, "%s refers to string %d, the pool has %d", what, ref, x.count())
	}
	return nil
}

func (x *xmlCheck) count() int {
	if x.strings == nil {
		return 0
	}
	return x.strings.count
}

// name checks an element, attribute or prefix name: the library prints it
// unquoted, so anything but name characters could forge markup.
func (x *xmlCheck) name(at int, ref uint32, what string) error {
	if err := x.ref(at, ref, what); err != nil {
		return err
	}
	s := x.strings.get(ref)
	if s == "" {
		return bad(at, "%s is empty", what)
	}
	for _, r := range s {
		if r < 0x80 && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' || r == '.') {
			return bad(at, "%s \"%s\" has a character that XML does not allow in names", what, oneLine(s))
		}
	}
	return nil
}

func (x *xmlCheck) namespace(c chunk) error {
	if err := node(c, 8); err != nil {
		return err
	}
	ns := namespace{c.u32(c.header), c.u32(c.header + 4)}
	if c.kind == chunkEndNS {
		// The library removes the latest scope of this URI, if there is one.
		for i := len(x.scopes) - 1; i >= 0; i-- {
			if x.scopes[i].uri == ns.uri {
				x.scopes = append(x.scopes[:i], x.scopes[i+1:]...)
				break
			}
		}
		return nil
	}
	if err := x.name(c.at, ns.prefix, "namespace prefix"); err != nil {
		return err
	}
	if err := x.ref(c.at, ns.uri, "namespace"); err != nil {
		return err
	}
	if len(x.scopes) >= maxNamespaces || len(x.pending) >= maxNamespaces {
		return bad(c.at, "more than %d namespaces are open", maxNamespaces)
	}
	// The library prints pending declarations in map order: two for one prefix
	// would make the outcome depend on chance.
	for _, o := range x.pending {
		if o.uri != ns.uri && x.strings.equal(o.prefix, ns.prefix) {
			return bad(c.at, "prefix \"%s\" is declared twice on one element", oneLine(x.strings.get(ns.prefix)))
		}
	}
	x.scopes = append(x.scopes, ns)
	x.pending = append(x.pending, ns)
	return x.spend(c.at, 12+x.strings.size(ns.prefix)+x.textSize(ns.uri))
}

// qualified checks a namespace and a name and is the size they print as.
func (x *xmlCheck) qualified(at int, ns, name uint32, what string) (int, error) {
	if err := x.name(at, name, what); err != nil {
		return 0, err
	}
	n := x.strings.size(name)
	if ns == noRef {
		return n, nil
	}
	for i := len(x.scopes) - 1; i >= 0; i-- {
		if x.scopes[i].uri == ns {
			return n + 1 + x.strings.size(x.scopes[i].prefix), nil
		}
	}
	return 0, bad(at, "%s \"%s\" is in a namespace that is not declared", what, oneLine(x.strings.get(name)))
}

func (x *xmlCheck) start(c chunk) error {
	if err := node(c, attrExtSize); err != nil {
		return err
	}
	h := c.header
	n, err := x.qualified(c.at, c.u32(h), c.u32(h+4), "element name")
	if err != nil {
		return err
	}
	if x.elements > 0 && len(x.open) == 0 {
		return bad(c.at, "a second root element")
	}
	x.open = append(x.open, c.u32(h+4))
	x.elements++
	x.pending = x.pending[:0]
	if err := x.spend(c.at, 2*n+5); err != nil { // start and end tag
		return err
	}
	first, width, count := h+c.u16(h+8), c.u16(h+10), c.u16(h+12)
	if count == 0 {
		return nil
	}
	if width < attrSize || first > 0xffff || first+count*width > len(c.data) {
		return bad(c.at, "%d attributes of %d bytes at %d do not fit into the %d bytes of the element", count, width, first, len(c.data))
	}
	for i := range count {
		if err := x.attribute(c, first+i*width); err != nil {
			return err
		}
	}
	return nil
}

func (x *xmlCheck) attribute(c chunk, off int) error {
	at := c.at + off
	n, err := x.qualified(at, c.u32(off), c.u32(off+4), "attribute name")
	if err != nil {
		return err
	}
	raw, kind, value := c.u32(off+8), c.data[off+15], c.u32(off+16)
	switch {
	case kind == typeString && raw == noRef:
		raw = value
	case kind == typeReference:
		raw = noRef
	}
	binary.LittleEndian.PutUint32(c.data[off+8:], raw)
	n += 16 // =, quotes, a printed number
	if raw != noRef {
		if err := x.ref(at, raw, "attribute value"); err != nil {
			return err
		}
		n += x.textSize(raw)
	}
	return x.spend(at, n)
}

// textSize is the size of a string as the library escapes it: at most six
// times the string, mostly just the string. Each is measured once.
func (x *xmlCheck) textSize(ref uint32) int {
	if x.printed == nil {
		x.printed = make([]int, x.strings.count)
	}
	if x.printed[ref] == 0 {
		n := 1
		for _, r := range x.strings.get(ref) {
			switch {
			case r < ' ', r == '"', r == '\'', r == '&', r == '<', r == '>':
				n += 5
			default:
				n += utf8.RuneLen(r)
			}
		}
		x.printed[ref] = n
	}
	return x.printed[ref]
}

func (x *xmlCheck) end(c chunk) error {
	if err := node(c, 8); err != nil {
		return err
	}
	name := c.u32(c.header + 4)
	if len(x.open) == 0 {
		return bad(c.at, "an element ends that was not started")
	}
	if last := x.open[len(x.open)-1]; !x.strings.equal(last, name) {
		return bad(c.at, "element <%s> ends as </%s>", oneLine(x.strings.get(last)), oneLine(x.strings.get(name)))
	}
	x.open = x.open[:len(x.open)-1]
	_, err := x.qualified(c.at, c.u32(c.header), name, "element name")
	return err
}
