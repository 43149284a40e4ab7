package dex

import (
	"encoding/binary"
	"fmt"
)

// Error says where in which file something is wrong, and what.
type Error struct {
	File   string
	Off    uint32
	Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: offset 0x%x: %s", e.File, e.Off, e.Reason)
}

// cursor reads forward through data and remembers the first failure: after it
// every read gives zero and leaves the position alone, so a caller may check
// once after a group of reads, as long as its loops are bounded otherwise.
type cursor struct {
	data   []byte
	pos    int
	reason string
}

func (c *cursor) failed() bool { return c.reason != "" }

func (c *cursor) fail(reason string) {
	if c.reason == "" {
		c.reason = reason
	}
}

func (c *cursor) failf(format string, args ...any) {
	if c.reason == "" {
		c.reason = fmt.Sprintf(format, args...)
	}
}

// left is how many bytes are still unread.
func (c *cursor) left() int { return len(c.data) - c.pos }

func (c *cursor) err(file string) error {
	if c.reason == "" {
		return nil
	}
	return &Error{File: file, Off: uint32(c.pos), Reason: c.reason}
}

func (c *cursor) u8() uint8 {
	if c.reason != "" || c.pos >= len(c.data) {
		c.fail("item runs past the end of the file")
		return 0
	}
	b := c.data[c.pos]
	c.pos++
	return b
}

func (c *cursor) u16() uint16 {
	if c.reason != "" || c.left() < 2 {
		c.fail("item runs past the end of the file")
		return 0
	}
	v := binary.LittleEndian.Uint16(c.data[c.pos:])
	c.pos += 2
	return v
}

func (c *cursor) u32() uint32 {
	if c.reason != "" || c.left() < 4 {
		c.fail("item runs past the end of the file")
		return 0
	}
	v := binary.LittleEndian.Uint32(c.data[c.pos:])
	c.pos += 4
	return v
}

// uleb reads an unsigned LEB128 number of at most five bytes.
func (c *cursor) uleb() uint32 {
	if c.pos < len(c.data) && c.data[c.pos] < 0x80 && c.reason == "" {
		c.pos++
		return uint32(c.data[c.pos-1])
	}
	v, _ := c.leb()
	return v
}

// ulebp1 reads an unsigned LEB128 number stored plus one; -1 becomes NoIndex.
func (c *cursor) ulebp1() uint32 { return c.uleb() - 1 }

// sleb reads a signed LEB128 number of at most five bytes.
func (c *cursor) sleb() int32 {
	v, bits := c.leb()
	if bits < 32 {
		return int32(v<<(32-bits)) >> (32 - bits)
	}
	return int32(v)
}

func (c *cursor) leb() (v uint32, bits uint) {
	start := c.pos
	for bits = 0; bits < 35; bits += 7 {
		b := c.u8()
		v |= uint32(b&0x7f) << bits
		if b < 0x80 {
			return v, bits + 7
		}
	}
	c.pos = start
	c.fail("LEB128 number is longer than five bytes")
	return 0, 32
}
