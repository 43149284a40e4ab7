package dex

import (
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// readStrings decodes string_ids. A malformed string is kept as "" and noted:
// most strings are constants or debug names, and losing one must not lose the
// classes.
func (f *File) readStrings(t table, b *budgets) error {
	f.stringOff = t.off
	f.Strings = make([]string, t.size)
	for i := range f.Strings {
		off := binary.LittleEndian.Uint32(f.data[int(t.off)+4*i:])
		s, used, reason := readString(f.data, off)
		if !b.text.spend(used) {
			return &Error{f.Name, off, "strings overlap: together they are larger than the file"}
		}
		if reason != "" {
			f.badString = append(f.badString, uint32(i))
		}
		f.Strings[i] = s
	}
	b.shared, b.sharedOff = f, t
	return nil
}

func (f *File) isBadString(i uint32) bool {
	_, found := slices.BinarySearch(f.badString, i)
	return found
}

func (f *File) stringError(i uint32) error {
	off := binary.LittleEndian.Uint32(f.data[f.stringOff+4*i:])
	_, _, reason := readString(f.data, off)
	return &Error{f.Name, off, reason}
}

// readString decodes the string_data_item at off; used is how many bytes it
// looked at. Plain ASCII shares the bytes of data.
func readString(data []byte, off uint32) (s string, used int, reason string) {
	if uint64(off) >= uint64(len(data)) {
		return "", 1, "string data lies outside the file"
	}
	c := cursor{data: data, pos: int(off)}
	units := c.uleb()
	if c.failed() {
		return "", 1, c.reason
	}
	if uint64(units) >= uint64(c.left()) {
		return "", 1, "string is longer than the rest of the file"
	}
	n := int(units)
	body := data[c.pos:]
	if body[n] == 0 && plainASCII(body[:n]) {
		return unsafe.String(unsafe.SliceData(body), n), n + 1, ""
	}
	s, used, reason = decodeMUTF8(body, n)
	return s, used + 1, reason
}

// plainASCII reports whether every byte is in 1..0x7f, eight at a time.
func plainASCII(b []byte) bool {
	const lo, hi = 0x0101010101010101, 0x8080808080808080
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		if ((x-lo)|x)&hi != 0 {
			return false
		}
		b = b[8:]
	}
	for _, x := range b {
		if x-1 >= 0x7f {
			return false
		}
	}
	return true
}

// decodeMUTF8 decodes modified UTF-8 up to the terminating zero, which must
// come after exactly units UTF-16 code units. A surrogate without its partner
// keeps its three bytes, so that two different strings never become equal.
func decodeMUTF8(b []byte, units int) (s string, used int, reason string) {
	n, reason := checkMUTF8(b, units)
	if reason != "" {
		return "", n, reason
	}
	out := make([]byte, 0, n)
	for i := 0; i < n; {
		u, w := mutf8Unit(b[i:])
		i += w
		if low, w2 := mutf8Unit(b[i:n]); w2 == 3 && utf16.IsSurrogate(rune(u)) {
			if r := utf16.DecodeRune(rune(u), rune(low)); r != utf8.RuneError {
				out = utf8.AppendRune(out, r)
				i += w2
				continue
			}
		}
		out = appendUnit(out, u)
	}
	return unsafe.String(unsafe.SliceData(out), len(out)), n + 1, ""
}

// checkMUTF8 gives the length before the terminating zero; decoded, no string
// is longer.
func checkMUTF8(b []byte, units int) (n int, reason string) {
	for n < len(b) && b[n] != 0 {
		_, w := mutf8Unit(b[n:])
		switch {
		case w == 0:
			return n, "string is not modified UTF-8"
		case units == 0:
			return n, "string is longer than it says"
		}
		units--
		n += w
	}
	switch {
	case n == len(b):
		return n, "string has no terminating zero"
	case units > 0:
		return n, "string is shorter than it says"
	}
	return n, ""
}

// mutf8Unit decodes one UTF-16 code unit; width 0 means malformed.
func mutf8Unit(b []byte) (unit uint16, width int) {
	switch {
	case len(b) >= 1 && b[0] < 0x80:
		return uint16(b[0]), 1
	case len(b) >= 2 && b[0]>>5 == 6 && b[1]>>6 == 2:
		return uint16(b[0]&0x1f)<<6 | uint16(b[1]&0x3f), 2
	case len(b) >= 3 && b[0]>>4 == 14 && b[1]>>6 == 2 && b[2]>>6 == 2:
		return uint16(b[0]&0xf)<<12 | uint16(b[1]&0x3f)<<6 | uint16(b[2]&0x3f), 3
	}
	return 0, 0
}

// appendUnit appends one code unit as UTF-8, a lone surrogate in the same three
// byte form.
func appendUnit(out []byte, u uint16) []byte {
	if utf16.IsSurrogate(rune(u)) {
		return append(out, 0xe0|byte(u>>12), 0x80|byte(u>>6&0x3f), 0x80|byte(u&0x3f))
	}
	return utf8.AppendRune(out, rune(u))
}

// validDescriptor reports whether s is a type descriptor, V included.
func validDescriptor(s string) bool {
	dims := 0
	for dims < len(s) && s[dims] == '[' {
		dims++
	}
	if dims > 255 || dims == len(s) {
		return false
	}
	s = s[dims:]
	switch s[0] {
	case 'Z', 'B', 'C', 'S', 'I', 'J', 'F', 'D':
		return len(s) == 1
	case 'V':
		return len(s) == 1 && dims == 0
	case 'L':
		return len(s) >= 3 && s[len(s)-1] == ';' && validBinaryName(s[1:len(s)-1])
	}
	return false
}

// validBinaryName accepts names with slashes between parts that are not empty.
func validBinaryName(s string) bool {
	part := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ';', '[', '.':
			return false
		case '/':
			if part == 0 {
				return false
			}
			part = 0
		default:
			part++
		}
	}
	return part > 0
}
