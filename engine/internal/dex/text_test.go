package dex

import (
	"bytes"
	"strings"
	"testing"
	"unsafe"
)

func TestReadString(t *testing.T) {
	for _, c := range []struct{ data, want, reason string }{
		{"\x00\x00", "", ""},
		{"\x05hello\x00", "hello", ""},
		{"\x0dmore than 8 b\x00", "more than 8 b", ""},
		{"\x03a\xc0\x80b\x00", "a\x00b", ""},
		{"\x02\xc3\xa9\xdf\xbf\x00", "\u00e9\u07ff", ""},
		{"\x02\xe2\x82\xac\xef\xbf\xbd\x00", "\u20ac\ufffd", ""},
		{"\x02\xed\xa0\xbd\xed\xb8\x80\x00", "\U0001F600", ""},
		{"\x03\xed\xa0\xbd\xed\xb8\x80x\x00", "\U0001F600x", ""},
		// Surrogates without partner, in the wrong order, or followed by text.
		{"\x01\xed\xa0\xbd\x00", "\xed\xa0\xbd", ""},
		{"\x02\xed\xb8\x80\xed\xa0\xbd\x00", "\xed\xb8\x80\xed\xa0\xbd", ""},
		{"\x02\xed\xa0\xbda\x00", "\xed\xa0\xbda", ""},
		{"\x02\xed\xa0\xbd\xe2\x82\xac\x00", "\xed\xa0\xbd\u20ac", ""},
		{"\x05hell\x00....", "", "string is shorter than it says"},
		{"\x04hello\x00", "", "string is longer than it says"},
		{"\x05hello", "", "string is longer than the rest of the file"},
		{"\x04hello", "", "string is longer than it says"},
		{"\x02\xc3\xa9\xc3\xa9", "", "string has no terminating zero"},
		{"\x02\xc3\xa9\xc3\x00", "", "string is not modified UTF-8"},
		{"\x02\xf0\x9f\x98\x80\x00", "", "string is not modified UTF-8"},
		{"\x01\x80\x00", "", "string is not modified UTF-8"},
		{"\x01\xe2\x82\x00", "", "string is not modified UTF-8"},
		{"\xff\xff\xff\xff\x0f\x00", "", "string is longer than the rest of the file"},
		{"\xff\xff\xff\xff\xff\x00", "", "LEB128 number is longer than five bytes"},
		{"", "", "string data lies outside the file"},
	} {
		// The same bytes at every alignment.
		for shift := range 8 {
			data := append(bytes.Repeat([]byte{'x'}, shift), c.data...)
			got, _, reason := readString(data, uint32(shift))
			if got != c.want || reason != c.reason {
				t.Errorf("%q: got %q, %q, want %q, %q", c.data, got, reason, c.want, c.reason)
			}
		}
	}
}

func TestASCIIStringsShareTheInput(t *testing.T) {
	data := []byte("\x05hello\x00")
	s, _, _ := readString(data, 0)
	if unsafe.StringData(s) != &data[1] {
		t.Error("the string is a copy")
	}
}

func TestPlainASCII(t *testing.T) {
	for n := range 20 {
		b := bytes.Repeat([]byte{'a'}, n)
		if !plainASCII(b) {
			t.Errorf("%d letters", n)
		}
		for i := range b {
			for _, c := range []byte{0, 0x80, 0xff, 1, 0x7f} {
				b[i] = c
				if got, want := plainASCII(b), c == 1 || c == 0x7f; got != want {
					t.Errorf("byte %#x at %d of %d: %t", c, i, n, got)
				}
			}
			b[i] = 'a'
		}
	}
}

func TestValidDescriptor(t *testing.T) {
	for _, s := range []string{"I", "V", "Z", "[I", "La;", "La/b/C$1;", "[[La/B;", "L-$$Lambda;", "L\u00e9/x;", strings.Repeat("[", 255) + "J"} {
		if !validDescriptor(s) {
			t.Errorf("%q is refused", s)
		}
	}
	for _, s := range []string{"", "[", "X", "II", "L;", "La", "La/;", "L/a;", "La//b;", "La.b;", "La;b;", "L[a;", "[V", "()", strings.Repeat("[", 256) + "J"} {
		if validDescriptor(s) {
			t.Errorf("%q is accepted", s)
		}
	}
}

func TestLEB128(t *testing.T) {
	for _, c := range []struct {
		data     string
		unsigned uint32
		signed   int32
	}{
		{"\x00", 0, 0},
		{"\x01", 1, 1},
		{"\x7f", 127, -1},
		{"\x80\x7f", 16256, -128},
		{"\xff\xff\xff\xff\x0f", 1<<32 - 1, -1},
		{"\x80\x80\x80\x80\x78", 1 << 31, -1 << 31},
		{"\xff\xff\xff\xff\x07", 1<<31 - 1, 1<<31 - 1},
	} {
		u := cursor{data: []byte(c.data)}
		if got := u.uleb(); got != c.unsigned || u.failed() || u.left() != 0 {
			t.Errorf("% x: unsigned %d %s, want %d", c.data, got, u.reason, c.unsigned)
		}
		s := cursor{data: []byte(c.data)}
		if got := s.sleb(); got != c.signed || s.failed() || s.left() != 0 {
			t.Errorf("% x: signed %d %s, want %d", c.data, got, s.reason, c.signed)
		}
	}
	for _, data := range []string{"", "\x80", "\x80\x80\x80\x80\x80", "\xff\xff\xff\xff\xff\x01"} {
		c := cursor{data: []byte(data)}
		if v := c.uleb(); v != 0 && !c.failed() || !c.failed() {
			t.Errorf("% x: read as %d", data, v)
		}
	}
}

// TestUnits compares the view with the copy that odd addresses need.
func TestUnits(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7}
	for start := range 2 {
		b := data[start : start+6]
		u := units(b)
		for i, x := range u {
			if want := uint16(b[2*i]) | uint16(b[2*i+1])<<8; x != want {
				t.Errorf("from %d: unit %d is %04x, want %04x", start, i, x, want)
			}
		}
		if !bytes.Equal(unitBytes(u), b) {
			t.Errorf("from %d: bytes %v, want %v", start, unitBytes(u), b)
		}
	}
	if units(nil) != nil || unitBytes(nil) != nil {
		t.Error("something from nothing")
	}
}
