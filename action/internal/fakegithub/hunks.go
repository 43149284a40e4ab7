package fakegithub

import (
	"fmt"
	"strings"
)

// refuse says why GitHub takes no comment on a line of the pull request, "" if it
// does: the line must be in a hunk, as context or as changed on that side.
func (p *PullRequest) refuse(path string, line int, side string) string {
	for _, f := range p.Files {
		if f.Path != path {
			continue
		}
		if inHunk(f.Patch, line, side) {
			return ""
		}
		return "Line could not be resolved"
	}
	return "Path could not be resolved"
}

// inHunk reads a patch line by line.
func inHunk(patch string, line int, side string) bool {
	left, right := 0, 0 // number of the next line
	started := false
	for _, text := range strings.Split(patch, "\n") {
		if strings.HasPrefix(text, "@@") {
			left, right, started = hunkStart(text)
			continue
		}
		if !started || text == "" || text[0] == '\\' {
			continue
		}
		if text[0] != '+' {
			if side == "LEFT" && left == line {
				return true
			}
			left++
		}
		if text[0] != '-' {
			if side == "RIGHT" && right == line {
				return true
			}
			right++
		}
	}
	return false
}

// hunkStart reads "@@ -1,2 +3,4 @@", where counts of one may be left out.
func hunkStart(header string) (left, right int, ok bool) {
	fields := strings.Fields(header)
	if len(fields) < 3 {
		return 0, 0, false
	}
	_, err := fmt.Sscanf(fields[1], "-%d", &left)
	_, err2 := fmt.Sscanf(fields[2], "+%d", &right)
	return left, right, err == nil && err2 == nil
}

// changes counts the lines that a patch adds and deletes.
func changes(patch string) (added, deleted int) {
	for _, text := range strings.Split(patch, "\n") {
		switch {
		case strings.HasPrefix(text, "+"):
			added++
		case strings.HasPrefix(text, "-"):
			deleted++
		}
	}
	return added, deleted
}
