package baseline

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

const head = header + "\n" + about + "\n"

// lines of three races, as a file holds them.
const (
	useLine = "use-after-free com.example.Main.player com.example.Main.onClick(android.view.View) com.example.Main.onDestroy() " +
		"high 0123456789abcdef"
	writeLine = "unordered-write com.example.Main.title com.example.Main.onClick(android.view.View) com.example.Main.onResume() " +
		"medium fedcba9876543210"
	readLine = "stale-read com.example.Main.title com.example.Main.onClick(android.view.View) com.example.Main.onResume() " +
		"low 00000000000000aa"
)

func parse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("b.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParseReadsWhatBytesWrites(t *testing.T) {
	text := head + readLine + "\n" + writeLine + " # seen on tablets only\n" + useLine + "\n"
	f := parse(t, text)
	if len(f.Lines) != 3 || len(f.Notes) != 0 {
		t.Fatalf("%d lines, notes %v", len(f.Lines), f.Notes)
	}
	if got := string(f.Bytes()); got != text {
		t.Errorf("written again:\n%s\nwant:\n%s", got, text)
	}
	l := f.Lines[1]
	if l.Rule != finding.UnorderedWrite || l.Field != "com.example.Main.title" || l.Priority != finding.Medium ||
		l.ID != "fedcba9876543210" || l.Reason != "seen on tablets only" || l.Number != 5 ||
		l.Callbacks != [2]string{"com.example.Main.onClick(android.view.View)", "com.example.Main.onResume()"} {
		t.Errorf("line is %+v", l)
	}
}

// What hands, editors and merges do to the file is no damage.
func TestParseForgives(t *testing.T) {
	want := parse(t, head+useLine+" # why\n"+writeLine+"\n").Bytes()
	for name, text := range map[string]string{
		"CRLF":               strings.ReplaceAll(head+useLine+" # why\n"+writeLine+"\n", "\n", "\r\n"),
		"byte order mark":    "\ufeff" + head + useLine + " # why\n" + writeLine + "\n",
		"other order":        head + writeLine + "\n" + useLine + " # why\n",
		"no last line end":   head + writeLine + "\n" + useLine + " # why",
		"blank lines":        head + "\n" + writeLine + "\n  \n\t\n" + useLine + " # why\n\n",
		"mark in the middle": head + useLine + " # why\n\ufeff" + head + writeLine + "\n",
		"indented":           head + "   " + writeLine + "  \n\t" + useLine + "   #   why  \n",
		"tabs and spaces":    head + strings.ReplaceAll(useLine, " ", " \t ") + "\t#why\n" + writeLine + "\n",
		"header repeated":    head + useLine + " # why\n" + head + writeLine + "\n",
		"bare header":        header + "\n" + useLine + " # why\n" + writeLine + "\n",
		"header without ids": "# eventraces-baseline v1\n" + useLine + " # why\n" + writeLine + "\n",
		"callbacks swapped": head + strings.Replace(useLine, "com.example.Main.onClick(android.view.View) com.example.Main.onDestroy()",
			"com.example.Main.onDestroy() com.example.Main.onClick(android.view.View)", 1) + " # why\n" + writeLine + "\n",
	} {
		f, err := Parse("b.txt", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(f.Bytes(), want) || len(f.Notes) != 0 {
			t.Errorf("%s: reads as\n%swith notes %v", name, f.Bytes(), f.Notes)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":        {"", `b.txt:1: the file is empty; a baseline begins with "# eventraces-baseline v1`},
		"no header":    {useLine + "\n", "b.txt:1: this is no baseline: it must begin with"},
		"another file": {"<?xml version=\"1.0\"?>\n", "b.txt:1: this is no baseline"},
		"newer version": {"# eventraces-baseline v2, ids eventRace/v1\n",
			"b.txt:1: version 2 of the format; this program reads version 1"},
		"newer ids": {"# eventraces-baseline v1, ids eventRace/v2\n",
			"b.txt:1: ids of recipe eventRace/v2; this program makes eventRace/v1"},
		"second header": {head + useLine + "\n# eventraces-baseline v2, ids eventRace/v1\n", "b.txt:5: version 2"},
		"too few words": {head + "use-after-free com.example.Main.player high\n",
			"b.txt:4: 3 of the 6 words RULE FIELD CALLBACK CALLBACK PRIORITY ID"},
		"unknown rule": {head + strings.Replace(useLine, "use-after-free", "use-after-fre", 1) + "\n",
			`b.txt:4: unknown rule "use-after-fre"; the rules are use-after-free, use-before-init`},
		"wrong priority": {head + strings.Replace(useLine, " high ", " huge ", 1) + "\n",
			`b.txt:4: priority "huge" is not one of high, medium, low`},
		"short id":        {head + strings.TrimSuffix(useLine, "f") + "\n", `b.txt:4: id "0123456789abcde": want 16 digits 0-9a-f`},
		"number of id":    {head + useLine + "#0\n", `b.txt:4: id "0123456789abcdef#0"`},
		"reason unmarked": {head + useLine + " because\n", `b.txt:4: "because" after the id: a reason begins with #`},
		"conflict": {head + "<<<<<<< HEAD\n" + useLine + "\n=======\n" + writeLine + "\n>>>>>>> theirs\n",
			"b.txt:4: a merge conflict that is not resolved"},
		"conflict first": {"<<<<<<< HEAD\n" + head, "b.txt:1: a merge conflict that is not resolved"},
		"zero byte":      {head + "use-after-free\x00\n", "b.txt:4: a zero byte: is this a text file in UTF-8?"},
		"long word": {head + useLine + " " + strings.Repeat("x", 1<<20) + "\n",
			`b.txt:4: "` + strings.Repeat("x", 60) + `" after the id`},
		"conflict, rest": {head + useLine + "\n=======\n", "b.txt:5: a merge conflict"},
	} {
		_, err := Parse("b.txt", []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %s", name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error has several lines", name)
		}
	}
}

// Two branches that accept a race each give, merged by union, a file with both;
// what both have accepted counts once, at the higher priority, with both reasons.
func TestUnionMerge(t *testing.T) {
	ours := head + useLine + " # ours\n" + readLine + "\n"
	theirs := head + strings.Replace(useLine, " high ", " medium ", 1) + " # theirs\n" + writeLine + "\n"
	var merged []string
	for _, line := range strings.SplitAfter(ours+theirs, "\n") {
		if !slices.Contains(merged, line) {
			merged = append(merged, line)
		}
	}
	f := parse(t, strings.Join(merged, ""))
	want := head + readLine + "\n" + writeLine + "\n" + useLine + " # ours; theirs\n"
	if got := string(f.Bytes()); got != want {
		t.Errorf("merged:\n%s\nwant:\n%s", got, want)
	}
	if len(f.Notes) != 1 || f.Notes[0].Line != 6 || f.Notes[0].Text != "repeats the race 0123456789abcdef of line 4 and counts once" {
		t.Errorf("notes are %+v", f.Notes)
	}
}

// A second equal race is a line of its own.
func TestEqualRacesCount(t *testing.T) {
	f := parse(t, head+useLine+"\n"+useLine+"#2 # the other\n"+useLine+"\n")
	if len(f.Lines) != 2 || f.Lines[1].ID != "0123456789abcdef#2" || len(f.Notes) != 1 {
		t.Errorf("lines %+v, notes %+v", f.Lines, f.Notes)
	}
}

func TestCommentsStay(t *testing.T) {
	text := header + "\n" + about + "\n# Ask the player team before adding lines.\n" + useLine + "\n"
	if got := string(parse(t, text).Bytes()); got != text {
		t.Errorf("written again:\n%s", got)
	}
}

// Names come from the app and could hold anything; each stays one word of one
// line, and reads back.
func TestNamesAreOneWord(t *testing.T) {
	for _, name := range []string{
		"com.example.Main.`does this`", "a b", " ", "", "\t", "a\nb", "a\r\n# eventraces-baseline v9", "\x1b[31m",
		"\u202egpj", "\u2028", "\u200b", "\u0085",
		`\u0041`, `\`, `\\`, "\U000e0001", "\U0001f600", "caf\u00e9", "\u65e5\u672c", "# x", strings.Repeat("y", 100000), "\ufffd",
	} {
		f := &File{Lines: []Line{{Accepted: finding.Accepted{Rule: finding.StaleRead, Field: name, Callbacks: [2]string{name, name},
			Priority: finding.Low, ID: "00000000000000aa"}}}}
		b := f.Bytes()
		back, err := Parse("b.txt", b)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if len(back.Lines) != 1 || back.Lines[0].Field != name || back.Lines[0].Callbacks != [2]string{name, name} {
			t.Errorf("%q reads back as %+v", name, back.Lines)
		}
		for _, r := range string(b) {
			if r != '\n' && (r < ' ' || r == 0x7f || r == '\u202e' || r == '\u2028' || r == '\u200b' || r == '\u0085') {
				t.Errorf("%q: the file has %U", name, r)
			}
		}
	}
}

func TestReasonIsOneLine(t *testing.T) {
	a := finding.Accepted{Rule: finding.StaleRead, Field: "a.B.c", Callbacks: [2]string{"x", "y"}, Priority: finding.Low,
		ID:     "00000000000000aa",
		Reason: "first\r\n<<<<<<< HEAD\u2028second\x1b[0m"}
	if got := format(a); !strings.HasSuffix(got, "00000000000000aa # first <<<<<<< HEAD second [0m") {
		t.Errorf("line is %q", got)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	f, err := Read(filepath.Join(dir, "absent.txt"))
	if err != nil || !f.Missing {
		t.Errorf("missing file: %+v, %v", f, err)
	}
	if _, err := Read(dir); err == nil {
		t.Error("a folder is read")
	}
	name := filepath.Join(dir, "b.txt")
	if err := os.WriteFile(name, []byte(head+useLine+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if f, err := Read(name); err != nil || f.Missing || len(f.Lines) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head + useLine + " # why\n" + writeLine + "#2\n# comment\n"))
	f.Add([]byte("\ufeff" + head + strings.ReplaceAll(readLine, "Main", `\u0020\U000e0001\`) + "\r\n"))
	f.Add([]byte(head + "=======\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		one, err := Parse("b.txt", data)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "b.txt:") {
				t.Fatalf("error %q", err)
			}
			return
		}
		b := one.Bytes()
		two, err := Parse("b.txt", b)
		if err != nil {
			t.Fatalf("what was written is not read: %v\n%s", err, b)
		}
		if len(two.Lines) != len(one.Lines) || len(two.Notes) != 0 || !bytes.Equal(two.Bytes(), b) {
			t.Fatalf("written again it differs:\n%q\n%q", b, two.Bytes())
		}
	})
}
