package dex

import (
	"encoding/binary"
	"unsafe"
)

// littleEndian tells whether this machine stores numbers as dex files do.
var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()

// units gives b, of even length, as 16-bit numbers: a view of the same memory
// where byte order and alignment allow it, which is nearly always, else a copy.
func units(b []byte) []uint16 {
	n := len(b) / 2
	if n == 0 {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	if littleEndian && uintptr(p)%2 == 0 {
		return unsafe.Slice((*uint16)(p), n)
	}
	out := make([]uint16, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return out
}

// unitBytes is the opposite of units.
func unitBytes(u []uint16) []byte {
	if len(u) == 0 {
		return nil
	}
	if littleEndian {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(u))), 2*len(u))
	}
	out := make([]byte, 2*len(u))
	for i, x := range u {
		binary.LittleEndian.PutUint16(out[2*i:], x)
	}
	return out
}
