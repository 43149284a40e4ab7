package main

import (
	"archive/zip"
	"encoding/hex"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// Commands of the scripts that make inputs nobody would commit.

// truncate cuts a file after a number of bytes: truncate FROM TO BYTES.
func truncate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: truncate FROM TO BYTES")
	}
	b := []byte(ts.ReadFile(args[0]))
	n := number(ts, args[2])
	if n >= len(b) {
		ts.Fatalf("%s has only %d bytes", args[0], len(b))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b[:n], 0o644))
}

// edit copies a zip file; each further argument changes one entry:
// -NAME drops it, NAME@OFFSET=HEX overwrites its bytes from the offset on.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: edit FROM TO CHANGE...")
	}
	from, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer from.Close()
	out, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	to := zip.NewWriter(out)
	used := 0
	for _, f := range from.File {
		b := entryBytes(ts, f)
		drop := false
		for _, change := range args[2:] {
			name, patch, _ := strings.Cut(change, "@")
			switch {
			case change == "-"+f.Name:
				drop, used = true, used+1
			case name == f.Name:
				offset, bytes, _ := strings.Cut(patch, "=")
				with, err := hex.DecodeString(bytes)
				ts.Check(err)
				copy(b[number(ts, offset):], with)
				used++
			}
		}
		if drop {
			continue
		}
		w, err := to.Create(f.Name)
		ts.Check(err)
		_, err = w.Write(b)
		ts.Check(err)
	}
	ts.Check(to.Close())
	ts.Check(out.Close())
	if used != len(args)-2 {
		ts.Fatalf("only %d of the changes %v fit", used, args[2:])
	}
}

func entryBytes(ts *testscript.TestScript, f *zip.File) []byte {
	r, err := f.Open()
	ts.Check(err)
	defer r.Close()
	b, err := io.ReadAll(r)
	ts.Check(err)
	return b
}

// bomb copies a zip file and makes one entry zeros of a size in MiB:
// bomb FROM TO ENTRY MIB.
func bomb(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: bomb FROM TO ENTRY MIB")
	}
	from, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer from.Close()
	out, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	z := zip.NewWriter(out)
	for _, f := range from.File {
		w, err := z.Create(f.Name)
		ts.Check(err)
		if f.Name != args[2] {
			_, err = w.Write(entryBytes(ts, f))
			ts.Check(err)
			continue
		}
		zeros := make([]byte, 1<<20)
		for range number(ts, args[3]) {
			_, err := w.Write(zeros)
			ts.Check(err)
		}
	}
	ts.Check(z.Close())
	ts.Check(out.Close())
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.ParseInt(s, 0, 64)
	ts.Check(err)
	return int(n)
}
