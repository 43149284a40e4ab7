package expect

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	// A comment that opens with one of our words is a mark, and must then be one in full: a slip of the pen is an
	// error and never an expectation less.
	markRE  = regexp.MustCompile(`(?:^|\s)//\s*((?:races?|silent|safe|unlisted)\b.*)$`)
	labelRE = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)
)

// Parse reads the marks of every .java and .kt file below dir, which is a source root.
func Parse(dir string) (*Set, error) {
	p := parser{set: Set{Unlisted: map[string]string{}}, labels: map[string]*half{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isSource(path) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		p.file(filepath.ToSlash(name), text)
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.finish()
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return &p.set, nil
}

func isSource(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".java" || ext == ".kt"
}

// half is a label whose lines are being collected.
type half struct {
	race   Race
	lines  []Pos
	itself bool
}

type parser struct {
	set    Set
	labels map[string]*half
	errs   []error
}

func (p *parser) errorf(at Pos, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...)))
}

func (p *parser) file(name string, text []byte) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		if m := markRE.FindStringSubmatch(lines.Text()); m != nil {
			p.mark(Pos{name, n}, m[1])
		}
	}
	if err := lines.Err(); err != nil {
		p.errorf(Pos{name, 0}, "%v", err)
	}
}

func (p *parser) mark(at Pos, text string) {
	text, reason, hasReason := cutReason(text)
	if hasReason && reason == "" {
		p.errorf(at, "a reason must follow %q", "because")
		return
	}
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case (word == "silent" || word == "safe") && rest == "":
		p.set.Silent = append(p.set.Silent, Silence{at, reason, word == "safe"})
	case word == "unlisted:":
		p.unlisted(at, rest, reason)
	case word == "race:":
		for _, pair := range strings.Split(rest, ";") {
			p.pair(at, strings.Fields(pair), reason)
		}
	default:
		p.errorf(at, "no mark: %q; want silent, safe, unlisted: PRIORITY or race: RULE PRIORITY LABEL", text)
	}
}

func cutReason(text string) (mark, reason string, found bool) {
	text = strings.TrimSpace(text)
	if mark, ok := strings.CutSuffix(text, " because"); ok {
		return mark, "", true
	}
	mark, reason, found = strings.Cut(text, " because ")
	return strings.TrimSpace(mark), strings.TrimSpace(reason), found
}

func (p *parser) unlisted(at Pos, priority, reason string) {
	switch {
	case priority != "medium":
		// Low findings need no mark anywhere, and a high one needs its mark everywhere.
		p.errorf(at, "only medium findings can be unlisted, not %q", priority)
	case reason == "":
		p.errorf(at, "unlisted needs a reason: unlisted: medium because ...")
	default:
		p.set.Unlisted[at.File] = priority
	}
}

func (p *parser) pair(at Pos, words []string, reason string) {
	itself := len(words) == 4 && words[3] == "itself"
	if len(words) != 3 && !itself {
		p.errorf(at, "race has %d words; want RULE PRIORITY LABEL [itself]", len(words))
		return
	}
	rule, priorities, label := words[0], strings.Split(words[1], "|"), words[2]
	if !rules[rule] {
		p.errorf(at, "unknown rule %q", rule)
		return
	}
	for _, pr := range priorities {
		if rank[pr] == 0 {
			p.errorf(at, "unknown priority %q", pr)
			return
		}
	}
	if !labelRE.MatchString(label) {
		p.errorf(at, "bad label %q", label)
		return
	}
	race := Race{Label: label, Rule: rule, Priorities: priorities, Known: knownOf(label), Reason: reason}
	if race.Known != Right && reason == "" {
		p.errorf(at, "%s needs a reason: ... because ...", label)
		return
	}
	h := p.labels[label]
	if h == nil {
		h = &half{race: race, itself: itself}
		p.labels[label] = h
	} else if h.race.Rule != rule || !slices.Equal(h.race.Priorities, priorities) {
		p.errorf(at, "label %s has another rule or priority at %s", label, h.lines[0])
		return
	}
	h.lines = append(h.lines, at)
}

func knownOf(label string) Known {
	switch {
	case strings.HasPrefix(label, "FP_"):
		return FalsePositive
	case strings.HasPrefix(label, "FN_"):
		return FalseNegative
	}
	return Right
}

// finish pairs the lines of each label and checks what only the whole tells.
func (p *parser) finish() {
	silent := map[Pos]bool{}
	for _, s := range p.set.Silent {
		silent[s.Pos] = true
	}
	slices.SortFunc(p.set.Silent, func(a, b Silence) int { return comparePos(a.Pos, b.Pos) })
	for _, label := range slices.Sorted(maps.Keys(p.labels)) {
		h := p.labels[label]
		slices.SortFunc(h.lines, comparePos)
		switch {
		case h.itself && len(h.lines) != 1:
			p.errorf(h.lines[0], "label %s races with itself but stands on %d lines", label, len(h.lines))
			continue
		case !h.itself && len(h.lines) != 2:
			p.errorf(h.lines[0], "label %s stands on %d lines, not two (a line that races with itself says so: %s itself)",
				label, len(h.lines), label)
			continue
		}
		h.race.A, h.race.B = h.lines[0], h.lines[len(h.lines)-1]
		for _, at := range h.lines {
			if silent[at] {
				p.errorf(at, "line is silent and in race %s", label)
			}
		}
		p.set.Races = append(p.set.Races, h.race)
	}
}

func comparePos(a, b Pos) int {
	switch {
	case a.before(b):
		return -1
	case b.before(a):
		return 1
	}
	return 0
}
