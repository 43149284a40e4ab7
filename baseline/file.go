// Package baseline keeps the races that a team has accepted, in a text file made
// to be committed, and compares a run with it: what is new, worse than accepted,
// unchanged or gone.
//
// A race is the same race if its id is (see finding.Race): set difference, never
// "lines in the diff". Equal ids count: a second equal race needs a second line.
// Races whose classes or methods were renamed since are recognised in a second
// pass (see rename.go), only where the old name is gone from the app, so that a
// new race is not taken for an old one; where two answers are possible there is
// none, and the race is new.
//
// Cost: linear in races and lines, but for what neither has its id in the other;
// these are compared by field and callbacks.
package baseline

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/eventraces/eventraces/engine/finding"
)

// DefaultName is what documents and messages call the file.
const DefaultName = "eventraces-baseline.txt"

const (
	version = 1
	header  = "# eventraces-baseline v1, ids " + finding.IDVersion
	about   = "# One accepted race a line: rule, field, both callbacks, priority, id, # reason. Written by\n" +
		"# `eventraces baseline`; only the reasons are for hands. Merge it by union (.gitattributes: merge=union)."
)

// longest bounds what is read; a line is under 1 KB, so this is far more than any
// app has.
const longest = 64 << 20

// File is a stored baseline.
type File struct {
	Name     string // as given
	Label    string // how messages and runs name it; "" for the last part of Name
	Missing  bool   // there is no such file: it accepts nothing
	Lines    []Line // in the order of the file
	Comments []string
	Notes    []Note // what does not count, or not twice
	Source   []byte // as it was read
}

// Line is an accepted race with its place in the file.
type Line struct {
	finding.Accepted
	Number int // from 1; 0 if it is not in the file yet
}

// Note is about a line of the file.
type Note struct {
	Line int
	Text string
}

// Read reads a baseline. A file that does not exist is one that accepts nothing;
// a damaged one is an error that names its first bad line.
func Read(name string) (*File, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &File{Name: name, Missing: true}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, longest+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	if len(data) > longest {
		return nil, fmt.Errorf("%s: larger than %d MiB, which no baseline is", name, longest>>20)
	}
	return Parse(name, data)
}

// reason is a file error without the name, which the message has already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

var headerLine = regexp.MustCompile(`^# eventraces-baseline v([0-9]+)(?:, ids (\S+))?$`)

// Parse reads the text of a baseline: a header, then lines in any order. Line
// ends may be LF or CRLF, and what a merge by union does (repeated lines, a
// repeated header) is no damage.
func Parse(name string, data []byte) (*File, error) {
	out := &File{Name: name, Source: data}
	text := string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	seen := map[string]int{} // id to the index of its line
	headed, n := false, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "\ufeff")
		if err := checkLine(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if n == 1 || strings.HasPrefix(line, "# eventraces-baseline ") {
			if err := checkHeader(line); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			headed = true
			continue
		}
		switch line = strings.TrimSpace(line); {
		case line == "":
		case strings.HasPrefix(line, "#"):
			line = oneLine(line)
			if !slices.Contains(strings.Split(about, "\n"), line) && !slices.Contains(out.Comments, line) {
				out.Comments = append(out.Comments, line)
			}
		default:
			a, err := parseLine(line)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			out.add(Line{a, n}, seen)
		}
	}
	if !headed {
		return nil, fmt.Errorf("%s:1: the file is empty; a baseline begins with %q", name, header)
	}
	return out, nil
}

func checkHeader(line string) error {
	m := headerLine.FindStringSubmatch(line)
	switch {
	case m == nil:
		return fmt.Errorf("this is no baseline: it must begin with %q", header)
	case m[1] != strconv.Itoa(version):
		return fmt.Errorf("version %s of the format; this program reads version %d", m[1], version)
	case m[2] != "" && m[2] != finding.IDVersion:
		return fmt.Errorf("ids of recipe %s; this program makes %s: create the baseline anew", m[2], finding.IDVersion)
	}
	return nil
}

// checkLine finds what no line may be, whatever is on it.
func checkLine(line string) error {
	for _, marker := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if strings.HasPrefix(line, marker) {
			return fmt.Errorf("a merge conflict that is not resolved (%s); keep the lines of both sides", marker)
		}
	}
	if strings.ContainsRune(line, 0) {
		return errors.New("a zero byte: is this a text file in UTF-8?")
	}
	return nil
}

// add keeps a line, or what a repeated one says beyond the first.
func (f *File) add(l Line, seen map[string]int) {
	i, again := seen[l.ID]
	if !again {
		seen[l.ID] = len(f.Lines)
		f.Lines = append(f.Lines, l)
		return
	}
	old := &f.Lines[i]
	f.Notes = append(f.Notes, Note{l.Number, fmt.Sprintf("repeats the race %s of line %d and counts once", l.ID, old.Number)})
	old.Priority = max(old.Priority, l.Priority)
	if l.Reason != "" && l.Reason != old.Reason {
		// A set of reasons: merged again, it stays the same.
		reasons := append(strings.Split(old.Reason, "; "), strings.Split(l.Reason, "; ")...)
		slices.Sort(reasons)
		reasons = slices.DeleteFunc(slices.Compact(reasons), func(r string) bool { return r == "" })
		old.Reason = strings.Join(reasons, "; ")
	}
}

func parseLine(line string) (finding.Accepted, error) {
	var a finding.Accepted
	var words [6]string
	rest := line
	for i := range words {
		if words[i], rest = cutWord(rest); words[i] == "" {
			return a, fmt.Errorf("%d of the 6 words RULE FIELD CALLBACK CALLBACK PRIORITY ID", i)
		}
	}
	var err error
	if a.Rule, err = finding.ParseRule(words[0]); err != nil {
		return a, err
	}
	for i := range words {
		words[i] = strings.ToValidUTF8(words[i], "\ufffd")
	}
	a.Field = unescape(words[1])
	a.Callbacks = [2]string{unescape(words[2]), unescape(words[3])}
	slices.Sort(a.Callbacks[:])
	if a.Priority, err = finding.ParsePriority(words[4]); err != nil {
		return a, err
	}
	if a.ID = words[5]; !finding.IsID(a.ID) {
		return a, fmt.Errorf("id %.60q: want 16 digits 0-9a-f, and #N for the Nth equal race", a.ID)
	}
	if reason, ok := strings.CutPrefix(rest, "#"); ok {
		a.Reason = oneLine(reason)
	} else if rest != "" {
		word, _ := cutWord(rest)
		return a, fmt.Errorf("%.60q after the id: a reason begins with #", word)
	}
	return a, nil
}

// cutWord parts a line after its first word.
func cutWord(s string) (word, rest string) {
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		return s, ""
	}
	return s[:end], strings.TrimSpace(s[end:])
}

// Bytes is the file as it is written: sorted, one line for each race, so that
// two branches merge by union and a diff shows what was accepted.
func (f *File) Bytes() []byte {
	lines := make([]string, 0, len(f.Lines))
	for _, l := range f.Lines {
		lines = append(lines, format(l.Accepted))
	}
	slices.Sort(lines)
	var b bytes.Buffer
	for _, line := range slices.Concat([]string{header, about}, f.Comments, lines) {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func format(a finding.Accepted) string {
	words := []string{string(a.Rule), escape(a.Field), escape(a.Callbacks[0]), escape(a.Callbacks[1]), a.Priority.String(), a.ID}
	if a.Reason != "" {
		words = append(words, "# "+oneLine(a.Reason))
	}
	return strings.Join(words, " ")
}

// number gives lines of equal races the numbers 1, 2, ...: in the order of
// their numbers so far.
func (f *File) number() {
	slices.SortStableFunc(f.Lines, func(a, b Line) int {
		x, n := finding.SplitID(a.ID)
		y, m := finding.SplitID(b.ID)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(n, m), cmp.Compare(a.Number, b.Number))
	})
	last, n := "", 0
	for i := range f.Lines {
		base, _ := finding.SplitID(f.Lines[i].ID)
		if base != last {
			last, n = base, 0
		}
		n++
		f.Lines[i].ID = finding.JoinID(base, n)
	}
}

// base is the name of the file for outputs, which hold no paths of a machine.
func (f *File) base() string { return cmp.Or(f.Label, filepath.Base(f.Name)) }

// place names a line of the file for messages.
func place(f *File, line int) string { return f.base() + ":" + strconv.Itoa(line) }
