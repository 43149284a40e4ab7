// Package patch reads the unified diffs that GitHub gives of single files (the
// patch of a changed file: hunks without a file header) and answers the two
// questions that review comments need: which lines of the new file lie inside a
// hunk, since GitHub refuses comments elsewhere, and which line of the old file a
// line of the new one is, since a checkout of a pull request has the lines of the
// merge commit, and comments want those of its head.
//
// It reads no file and runs no diff of its own; what a patch leaves out (large
// and binary files have none) has no answer. Cost: linear in the patch.
package patch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Hunks are those of one file, in order.
type Hunks []Hunk

// Hunk is a changed stretch with the unchanged lines around it.
type Hunk struct {
	old, new stretch
	lines    []Kind // of the hunk: each line once
}

// stretch is the lines from first on; first counts from 1. Of an empty stretch
// first is the line before it.
type stretch struct{ first, n int }

// Kind is what a line of a hunk is.
type Kind byte

const (
	Outside Kind = 0   // of no hunk
	Context Kind = ' ' // in both files
	Added   Kind = '+' // in the new file only
	removed Kind = '-'
)

var header = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// Parse reads the hunks of one file.
func Parse(text string) (Hunks, error) {
	var hunks Hunks
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if m := header.FindStringSubmatch(line); m != nil {
			h := Hunk{old: stretchOf(m[1], m[2]), new: stretchOf(m[3], m[4])}
			if err := hunks.complete(); err != nil {
				return nil, fmt.Errorf("line %d of the patch: %w", n, err)
			}
			if len(hunks) > 0 && h.new.first < hunks[len(hunks)-1].new.end() {
				return nil, fmt.Errorf("line %d of the patch: the hunk begins before the last one ends", n)
			}
			hunks = append(hunks, h)
			continue
		}
		if len(hunks) == 0 {
			return nil, fmt.Errorf("line %d of the patch stands before the first hunk", n)
		}
		h := &hunks[len(hunks)-1]
		switch {
		case line == "": // an empty line of context that lost its space
			h.lines = append(h.lines, Context)
		case line[0] == '+', line[0] == '-', line[0] == ' ':
			h.lines = append(h.lines, Kind(line[0]))
		case line[0] == '\\': // "\ No newline at end of file"
		default:
			return nil, fmt.Errorf("line %d of the patch begins with %q", n, line[0])
		}
	}
	if err := hunks.complete(); err != nil {
		return nil, fmt.Errorf("end of the patch: %w", err)
	}
	return hunks, nil
}

func stretchOf(first, n string) stretch {
	s := stretch{number(first), 1}
	if n != "" {
		s.n = number(n)
	}
	return s
}

// number of at most nine digits.
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// end is the line after the stretch.
func (s stretch) end() int {
	if s.n == 0 {
		return s.first + 1
	}
	return s.first + s.n
}

// begin is the first line at or after which the stretch stands.
func (s stretch) begin() int { return s.end() - s.n }

// complete: the last hunk has the lines that its header tells.
func (hs Hunks) complete() error {
	if len(hs) == 0 {
		return nil
	}
	h := &hs[len(hs)-1]
	was, is := 0, 0
	for _, k := range h.lines {
		if k != Added {
			was++
		}
		if k != removed {
			is++
		}
	}
	if was != h.old.n || is != h.new.n {
		return fmt.Errorf("the hunk has %d old and %d new lines, its header says %d and %d", was, is, h.old.n, h.new.n)
	}
	return nil
}

// At says what a line of the new file is to the patch.
func (hs Hunks) At(line int) Kind {
	for i := range hs {
		h := &hs[i]
		if line < h.new.begin() || line >= h.new.end() {
			continue
		}
		at := h.new.begin()
		for _, k := range h.lines {
			if k == removed {
				continue
			}
			if at == line {
				return k
			}
			at++
		}
	}
	return Outside
}

// Old is the line of the old file that a line of the new one is; it has none if
// the patch adds it.
func (hs Hunks) Old(line int) (int, bool) {
	shift := 0 // from new to old, after the hunks before the line
	for i := range hs {
		h := &hs[i]
		if line < h.new.begin() {
			break
		}
		if line >= h.new.end() {
			shift = h.old.end() - h.new.end()
			continue
		}
		was, is := h.old.begin(), h.new.begin()
		for _, k := range h.lines {
			if is == line && k != removed {
				return was, k == Context
			}
			if k != Added {
				was++
			}
			if k != removed {
				is++
			}
		}
	}
	return line + shift, true
}
