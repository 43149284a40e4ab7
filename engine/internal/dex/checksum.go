package dex

import (
	"encoding/binary"
	"hash/adler32"
)

// Intact says whether a dex file has the checksum that its header gives: the
// Adler-32 of all that follows it. Containers of version 41 have a header for
// each file in them; they count as intact if the first does. The reader does not
// need it: the file is read as it is.
func Intact(data []byte) bool {
	const checksum, rest, fileSize = 8, 12, 32
	if len(data) < fileSize+4 {
		return false
	}
	size := binary.LittleEndian.Uint32(data[fileSize:])
	if size < rest || uint64(size) > uint64(len(data)) {
		return false
	}
	return adler32.Checksum(data[rest:size]) == binary.LittleEndian.Uint32(data[checksum:])
}
