package dex_test

import "encoding/binary"

func le32(b []byte, off int) uint32     { return binary.LittleEndian.Uint32(b[off:]) }
func put32(b []byte, off int, v uint32) { binary.LittleEndian.PutUint32(b[off:], v) }
func put16(b []byte, off int, v uint16) { binary.LittleEndian.PutUint16(b[off:], v) }
