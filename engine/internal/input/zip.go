package input

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	// What may be unpacked from one archive: real dex and resource files
	// shrink to a half or a fifth, deflate cannot do better than 1032:1.
	unpackBase  = 16 << 20
	unpackTimes = 16

	deflateMaxRatio = 1032
)

// archive is a zip file opened for bounded reading.
type archive struct {
	path    string
	closer  io.Closer
	entries []*zip.File
	byName  map[string]*zip.File
	budget  uint64 // uncompressed bytes that may still be read
	limit   uint64 // what budget started from
}

// openArchive opens the zip file at path and reads its directory only.
func openArchive(path string) (*archive, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Offset: -1, Reason: openReason(err)}
	}
	a, err := archiveOf(path, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	a.closer = f
	return a, nil
}

func archiveOf(path string, f *os.File) (*archive, error) {
	st, err := f.Stat()
	switch {
	case err != nil:
		return nil, &Error{File: path, Offset: -1, Reason: openReason(err)}
	case st.IsDir():
		return nil, &Error{File: path, Offset: -1, Reason: "is a directory; name the APK file inside it"}
	case !st.Mode().IsRegular():
		return nil, &Error{File: path, Offset: -1, Reason: "is not a regular file; name an APK file"}
	}
	return newArchive(path, f, st.Size())
}

func newArchive(path string, r io.ReaderAt, size int64) (*archive, error) {
	a := &archive{path: path, closer: io.NopCloser(nil)}
	return a, a.readDirectory(r, size)
}

func (a *archive) Close() error { return a.closer.Close() }

// readDirectory reads the central directory and refuses what Android would
// not install or would read in another way than we do.
func (a *archive) readDirectory(r io.ReaderAt, size int64) error {
	zr, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		if err := a.sniff(r, size); err != nil {
			return err
		}
		return &Error{File: a.path, Offset: -1, Reason: "the zip directory is missing or damaged (truncated or incomplete file?): " + plain(err)}
	}
	a.limit = unpackBase + unpackTimes*uint64(size)
	a.budget = a.limit
	a.entries = zr.File
	a.byName = make(map[string]*zip.File, len(zr.File))
	for _, f := range zr.File {
		if a.byName[f.Name] != nil {
			return &Error{File: a.path, Entry: f.Name, Offset: -1, Reason: "the archive has two entries of this name; an APK has one"}
		}
		a.byName[f.Name] = f
	}
	return nil
}

// sniff tells a file that never was a zip archive from a damaged one.
func (a *archive) sniff(r io.ReaderAt, size int64) error {
	if size == 0 {
		return &Error{File: a.path, Offset: -1, Reason: "is empty; expected an APK (a zip archive)"}
	}
	var head [4]byte
	n, err := r.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		return &Error{File: a.path, Offset: -1, Reason: plain(err)}
	}
	switch string(head[:n]) {
	case "PK\x03\x04", "PK\x05\x06":
		return nil
	}
	return &Error{File: a.path, Offset: 0, Reason: fmt.Sprintf("starts with %q, not with a zip header; expected an APK (a zip archive)", head[:n])}
}

// read unpacks one entry. The size in the directory must be the true one, the
// checksum must match, and all reads together stay inside the budget.
func (a *archive) read(f *zip.File) ([]byte, error) {
	fail := func(format string, args ...any) ([]byte, error) {
		return nil, &Error{File: a.path, Entry: f.Name, Offset: -1, Reason: fmt.Sprintf(format, args...)}
	}
	size, packed := f.UncompressedSize64, f.CompressedSize64
	if f.Flags&1 != 0 {
		return fail("the entry is encrypted; an APK holds plain entries")
	}
	switch f.Method {
	case zip.Store:
		if size != packed {
			return fail("a stored entry of %d bytes claims %d bytes", packed, size)
		}
	case zip.Deflate:
		if size/deflateMaxRatio > packed {
			return fail("%d packed bytes cannot unpack to the claimed %d bytes", packed, size)
		}
	default:
		return fail("unknown compression method %d; an APK uses 0 (stored) and 8 (deflate)", f.Method)
	}
	if size > a.budget {
		return fail("unpacking it would take more than %d MiB in total, the limit for an archive of this size (zip bomb?)", a.limit>>20)
	}
	a.budget -= size
	r, err := f.Open()
	if err != nil {
		return fail("cannot be read, the archive is damaged: %s", plain(err))
	}
	defer r.Close()
	data, err := readExactly(r, size)
	if err != nil {
		return fail("%s", plain(err))
	}
	return data, nil
}

// readExactly reads size bytes and the end after them, which also verifies the
// checksum.
func readExactly(r io.Reader, size uint64) ([]byte, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(r, data)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	more := 0
	for more == 0 && err == nil {
		more, err = r.Read(make([]byte, 1))
	}
	switch {
	case more > 0 || errors.Is(err, zip.ErrFormat):
		return nil, fmt.Errorf("unpacks to more than the claimed %d bytes", size)
	case err == io.ErrUnexpectedEOF:
		return nil, fmt.Errorf("ends before the claimed %d bytes", size)
	case err == io.EOF:
		return data, nil
	}
	return nil, err
}

// openReason says in one line why a path cannot be opened.
func openReason(err error) string {
	if errors.Is(err, os.ErrNotExist) {
		return "no such file; name an APK file"
	}
	return plain(err)
}

// plain is err's text on one line, without the package prefixes of the readers.
func plain(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err // the caller names the path
	}
	s := strings.Join(strings.Fields(err.Error()), " ")
	for _, p := range []string{"zip: ", "flate: ", "androidbinary: "} {
		s = strings.TrimPrefix(s, p)
	}
	return s
}
