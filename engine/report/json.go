package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/eventraces/eventraces/engine/finding"
)

// JSON writes the run itself: the form that other tools, and later commands of
// ours, read back.
func JSON(w io.Writer, run *finding.Run) error {
	return encode(w, run, style{nulls: true, row: 3})
}

// escaped is JSON text with escapes for all characters that are not harmless. They
// stand in strings only, so the meaning stays.
func escaped(p []byte) []byte {
	var out []byte
	kept := 0
	for i := 0; i < len(p); {
		if c := p[i]; c < utf8.RuneSelf && c != 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(p[i:])
		if !harmless(r) {
			out = append(out, p[kept:i]...)
			for _, u := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, "\\u%04x", u)
			}
			kept = i + n
		}
		i += n
	}
	if kept == 0 {
		return p
	}
	return append(out, p[kept:]...)
}

// longestRun bounds a saved run: several times what the noisiest app known gives.
const longestRun = 1 << 30

// ReadJSON reads a run that JSON wrote, and checks it: it may have been made by
// another version, or by hand. An error is one line.
func ReadJSON(r io.Reader) (*finding.Run, error) {
	run, err := readJSON(r)
	if err != nil {
		return nil, errors.New(name(err.Error()))
	}
	return run, nil
}

func readJSON(r io.Reader) (*finding.Run, error) {
	limited := &io.LimitedReader{R: r, N: longestRun}
	var run finding.Run
	d := json.NewDecoder(limited)
	if err := d.Decode(&run); err != nil {
		if limited.N == 0 {
			return nil, fmt.Errorf("larger than %d MiB", longestRun>>20)
		}
		return nil, fmt.Errorf("not a run saved by check --json: %w", jsonReason(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a run saved by check --json: more follows after its end")
	}
	if err := run.Check(); err != nil {
		return nil, fmt.Errorf("not a run saved by check --json: %w", err)
	}
	return &run, nil
}

// jsonReason says what a decoder's error means for the file.
func jsonReason(err error) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is cut short")
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON at byte %d", syntax.Offset)
	case errors.As(err, &typ):
		return fmt.Errorf("%s at byte %d has the wrong type (%s)", cmp.Or(typ.Field, "all of it"), typ.Offset, typ.Value)
	}
	return err
}
