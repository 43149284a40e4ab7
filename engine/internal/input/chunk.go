package input

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// Chunk types of Android's binary resource formats (ResourceTypes.h).
const (
	chunkPool         = 0x0001
	chunkTable        = 0x0002
	chunkXML          = 0x0003
	chunkStartNS      = 0x0100
	chunkEndNS        = 0x0101
	chunkStartElement = 0x0102
	chunkEndElement   = 0x0103
	chunkPackage      = 0x0200
	chunkType         = 0x0201

	chunkHeaderSize = 8
	noRef           = 0xffffffff // a string reference that refers to nothing
)

// badData is a structural fault at an offset of one entry; the caller knows
// the names of file and entry.
type badData struct {
	offset int
	reason string
}

func (e *badData) Error() string { return fmt.Sprintf("offset %#x: %s", e.offset, e.reason) }

func bad(offset int, format string, args ...any) error {
	return &badData{offset, fmt.Sprintf(format, args...)}
}

// readRoot checks that data is one chunk of the given kind.
func readRoot(data []byte, kind uint16, what string) (chunk, error) {
	if len(data) >= 2 {
		if k := binary.LittleEndian.Uint16(data); k != kind {
			return chunk{}, bad(0, "starts with chunk %#04x, expected %s (%#04x)", k, what, kind)
		}
	}
	return readChunk(data, 0, len(data))
}

// chunk is a resource chunk whose header was checked: 8 <= header <= size, and
// the whole chunk lies inside data.
type chunk struct {
	kind   uint16
	header int // header size
	at     int // offset in the entry
	data   []byte
}

// readChunk checks the chunk header at offset at of data[:end].
func readChunk(data []byte, at, end int) (chunk, error) {
	if end-at < chunkHeaderSize {
		return chunk{}, bad(at, "a chunk header needs %d bytes, %d are left", chunkHeaderSize, end-at)
	}
	c := chunk{
		kind:   binary.LittleEndian.Uint16(data[at:]),
		header: int(binary.LittleEndian.Uint16(data[at+2:])),
		at:     at,
	}
	size := binary.LittleEndian.Uint32(data[at+4:])
	if uint64(size) > uint64(end-at) {
		return chunk{}, bad(at, "chunk %#04x claims %d bytes, %d are left", c.kind, size, end-at)
	}
	if c.header < chunkHeaderSize || c.header > int(size) {
		return chunk{}, bad(at, "chunk %#04x has a header of %d bytes in %d bytes", c.kind, c.header, size)
	}
	c.data = data[at : at+int(size)]
	return c, nil
}

// u16 and u32 read inside the chunk; the caller has checked the bounds.
func (c chunk) u16(off int) int    { return int(binary.LittleEndian.Uint16(c.data[off:])) }
func (c chunk) u32(off int) uint32 { return binary.LittleEndian.Uint32(c.data[off:]) }

// array checks that count items of width bytes lie at off, and is the offset
// after them.
func (c chunk) array(off int, count uint32, width int, what string) (int, error) {
	if off < 0 || off > len(c.data) || uint64(count)*uint64(width) > uint64(len(c.data)-off) {
		return 0, bad(c.at, "%d %s do not fit into the %d bytes of chunk %#04x", count, what, len(c.data), c.kind)
	}
	return off + int(count)*width, nil
}

// pool is a string pool all of whose strings were checked to lie inside it.
// Strings are decoded when asked for.
type pool struct {
	chunk
	count int
	utf8  bool
	start int // offset of the string data
	text  int // bytes that all strings take when decoded, at most
}

const poolHeaderSize = 28

// readPool checks a string pool: the counts, every string's offset and length,
// and that the strings do not overlap so much that decoding all of them takes
// more than four times the pool (an honest one: one and a half).
func readPool(c chunk) (*pool, error) {
	if c.kind != chunkPool {
		return nil, bad(c.at, "chunk %#04x, expected a string pool (0x0001)", c.kind)
	}
	// The header has no variable part, and androidbinary takes the offsets to
	// follow the 28 bytes whatever the header's size says.
	if c.header != poolHeaderSize {
		return nil, bad(c.at, "string pool header of %d bytes, expected %d", c.header, poolHeaderSize)
	}
	p := &pool{chunk: c, utf8: c.u32(16)&0x100 != 0}
	strings, styles := c.u32(8), c.u32(12)
	end, err := c.array(poolHeaderSize, strings, 4, "string offsets")
	if err != nil {
		return nil, err
	}
	if _, err := c.array(end, styles, 4, "style offsets"); err != nil {
		return nil, err
	}
	p.count = int(strings)
	if strings > 0 && uint64(c.u32(20)) > uint64(len(c.data)) {
		return nil, bad(c.at, "strings start at %d, beyond the %d bytes of the pool", c.u32(20), len(c.data))
	}
	p.start = int(c.u32(20))
	for i := range p.count {
		_, n, err := p.span(i)
		if err != nil {
			return nil, err
		}
		if !p.utf8 {
			n = n / 2 * 3
		}
		if p.text += n; p.text > 4*len(c.data) {
			return nil, bad(c.at, "the strings overlap: decoded they exceed four times the %d bytes of the pool", len(c.data))
		}
	}
	return p, p.checkStyles(end, styles)
}

// checkStyles bounds the style table; nobody reads the styles themselves.
func (p *pool) checkStyles(at int, count uint32) error {
	start := uint64(p.u32(24))
	for i := range int(count) {
		if off := start + uint64(p.u32(at+4*i)); off+8 > uint64(len(p.data)) {
			return bad(p.at+at+4*i, "style %d lies beyond the %d bytes of the pool", i, len(p.data))
		}
	}
	return nil
}

// span is the place of string i in the pool's bytes, without its length prefix.
func (p *pool) span(i int) (at, n int, err error) {
	slot := poolHeaderSize + 4*i
	off := uint64(p.start) + uint64(p.u32(slot))
	size := uint64(len(p.data))
	wild := bad(p.at+slot, "string %d lies beyond the %d bytes of the pool", i, size)
	if off+2 > size {
		return 0, 0, wild
	}
	at = int(off)
	if p.utf8 {
		at, n, err = p.prefix8(at)
	} else {
		at, n, err = p.prefix16(at)
	}
	if err != nil || uint64(at)+uint64(n) > size {
		return 0, 0, wild
	}
	return at, n, nil
}

var errShort = fmt.Errorf("short")

// prefix8 skips the length in UTF-16 units and reads the length in bytes.
func (p *pool) prefix8(at int) (int, int, error) {
	n := 0
	for range 2 {
		if at >= len(p.data) {
			return 0, 0, errShort
		}
		n = int(p.data[at])
		at++
		if n&0x80 != 0 {
			if at >= len(p.data) {
				return 0, 0, errShort
			}
			n = (n&0x7f)<<8 | int(p.data[at])
			at++
		}
	}
	return at, n, nil
}

func (p *pool) prefix16(at int) (int, int, error) {
	n := p.u16(at)
	at += 2
	if n&0x8000 != 0 {
		if at+2 > len(p.data) {
			return 0, 0, errShort
		}
		n = (n&0x7fff)<<16 | p.u16(at)
		at += 2
	}
	return at, 2 * n, nil
}

// has reports whether ref names a string.
func (p *pool) has(ref uint32) bool { return p != nil && uint64(ref) < uint64(p.count) }

// size is the most bytes string ref can take when decoded.
func (p *pool) size(ref uint32) int {
	_, n, err := p.span(int(ref))
	if err != nil {
		return 0
	}
	if !p.utf8 {
		n = n / 2 * 3
	}
	return n
}

// equal reports whether two references mean the same string.
func (p *pool) equal(a, b uint32) bool {
	if a == b || !p.has(a) || !p.has(b) {
		return a == b
	}
	at, n, _ := p.span(int(a))
	bt, m, _ := p.span(int(b))
	return bytes.Equal(p.data[at:at+n], p.data[bt:bt+m])
}

// get decodes string ref; a reference to nothing is the empty string.
func (p *pool) get(ref uint32) string {
	if !p.has(ref) {
		return ""
	}
	at, n, err := p.span(int(ref))
	if err != nil {
		return ""
	}
	if p.utf8 {
		b := p.data[at : at+n]
		if utf8.Valid(b) {
			return string(b)
		}
		return string([]rune(string(b))) // each bad byte becomes U+FFFD
	}
	units := make([]uint16, n/2)
	for i := range units {
		units[i] = uint16(p.u16(at + 2*i))
	}
	return string(utf16.Decode(units))
}
