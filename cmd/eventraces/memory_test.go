//go:build linux

package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What a refused input may cost: the program and its tables, and then a multiple
// of the input.
const (
	memoryBase = 128 << 20
	memoryPer  = 64
)

func init() { programs["eventraces-peak"] = peakOfMain }

// peakOfMain runs the program, then tells its peak resident memory in KiB on the
// last line of stderr. The kernel's figure for a waited child would not do: it
// counts what the parent held when it forked.
func peakOfMain() {
	code := Run(context.Background(), os.Environ(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Fprintln(os.Stderr, strings.Fields(after)[0])
	os.Exit(code)
}

// TestHostileInputsStayInBounds measures whole processes on inputs that claim
// to be far larger than they are.
func TestHostileInputsStayInBounds(t *testing.T) {
	apk, err := os.ReadFile("../../examples/trackrecorder/trackrecorder.apk")
	if err != nil {
		t.Fatal(err)
	}
	huge := binary.LittleEndian.AppendUint32(nil, 0x7fffffff)
	cases := map[string][]byte{
		"string ids":       patched(t, apk, "classes.dex", 0x38, huge),
		"type ids":         patched(t, apk, "classes.dex", 0x40, huge),
		"proto ids":        patched(t, apk, "classes.dex", 0x48, huge),
		"field ids":        patched(t, apk, "classes.dex", 0x50, huge),
		"method ids":       patched(t, apk, "classes.dex", 0x58, huge),
		"class defs":       patched(t, apk, "classes.dex", 0x60, huge),
		"manifest strings": patched(t, apk, "AndroidManifest.xml", 0x10, huge),
		"manifest styles":  patched(t, apk, "AndroidManifest.xml", 0x14, huge),
		"resource package": patched(t, apk, "resources.arsc", 0x08, huge),
		"zip bomb":         patched(t, apk, "classes.dex", 0, make([]byte, 256<<20)),
	}
	program := linked(t, "eventraces-peak")
	for name, input := range cases {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "app.apk")
			if err := os.WriteFile(file, input, 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, "check", "--fail-on", "never", file)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			err := cmd.Run()
			lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
			// A damaged resource table costs names, not the verdict.
			if code := cmd.ProcessState.ExitCode(); code != exitFailed && code != exitClean || len(lines) > 2 {
				t.Errorf("%v: %s", err, stderr.Bytes())
			}
			peak, err := strconv.Atoi(lines[len(lines)-1])
			if err != nil {
				t.Fatalf("%s: %v", stderr.Bytes(), err)
			}
			if limit := memoryBase + memoryPer*len(input); peak<<10 > limit {
				t.Errorf("%d bytes of input cost %d MiB, more than %d MiB", len(input), peak>>10, limit>>20)
			}
			t.Logf("%d MiB; %s", peak>>10, lines[0])
		})
	}
}

// TestNoReadableClass: where no class can be read there is no verdict.
func TestNoReadableClass(t *testing.T) {
	apk, err := os.ReadFile("../../examples/trackrecorder/trackrecorder.apk")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(apk), int64(len(apk)))
	if err != nil {
		t.Fatal(err)
	}
	code, err := fs.ReadFile(archive, "classes.dex")
	if err != nil {
		t.Fatal(err)
	}
	count, defs := binary.LittleEndian.Uint32(code[0x60:]), binary.LittleEndian.Uint32(code[0x64:])
	for i := range count {
		binary.LittleEndian.PutUint32(code[defs+32*i+24:], 0x7fffffff) // class_data_off
	}
	file := filepath.Join(t.TempDir(), "app.apk")
	if err := os.WriteFile(file, patched(t, apk, "classes.dex", 0, code), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	got := Run(t.Context(), nil, nil, &stdout, &stderr, []string{"check", file})
	if got != exitFailed || stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "no class can be read: app.apk!classes.dex") {
		t.Errorf("exit code %d, stdout %q, stderr %q", got, &stdout, &stderr)
	}
}

// patched copies an APK and overwrites the bytes of one entry from an offset on;
// what does not fit makes the entry longer.
func patched(t *testing.T, apk []byte, entry string, offset int, with []byte) []byte {
	t.Helper()
	from, err := zip.NewReader(bytes.NewReader(apk), int64(len(apk)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	found := false
	for _, f := range from.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		data := content.Bytes()
		if f.Name == entry {
			found = true
			if end := offset + len(with); end > len(data) {
				data = append(data, make([]byte, end-len(data))...)
			}
			copy(data[offset:], with)
		}
		w, err := to.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if !found {
		t.Fatalf("the APK has no %s", entry)
	}
	return b.Bytes()
}
