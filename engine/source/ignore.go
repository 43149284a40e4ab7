package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

const (
	commentMark    = "eventraces:ignore"
	annotationName = "IgnoreEventRace"
)

// ignore is a suppression as it stands in a file.
type ignore struct {
	by       string // "comment" or "annotation"
	line     int    // where it stands
	rules    []finding.RuleID
	because  string
	from, to int    // lines whose accesses it covers
	field    string // the field whose races an annotation covers, or ""
	problem  string // why it is not honoured, or ""
	used     bool
}

// ignoresIn finds the suppressions of a file.
func ignoresIn(src string, kotlin bool) []*ignore {
	if !strings.Contains(src, commentMark) && !strings.Contains(src, annotationName) {
		return nil
	}
	tokens := lex(src, kotlin)
	var out []*ignore
	for i, t := range tokens {
		switch {
		case t.kind == comment:
			if ig := fromComment(tokens, i); ig != nil {
				out = append(out, ig)
			}
		case t.kind == word && t.text == annotationName && annotates(tokens, i):
			out = append(out, fromAnnotation(tokens, i, kotlin))
		}
	}
	return out
}

// fromComment reads `// eventraces:ignore RULE[, RULE]... because REASON`. Behind
// code it covers its own line, alone the next line with code.
func fromComment(tokens []token, i int) *ignore {
	t := tokens[i]
	body := strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(t.text, "/*! \t"), "*/"))
	rest, ok := strings.CutPrefix(body, commentMark)
	if !ok || rest != "" && !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\t") {
		return nil
	}
	ig := &ignore{by: "comment", line: t.line}
	rules, because, _ := strings.Cut(" "+strings.Join(strings.Fields(rest), " ")+" ", " because ")
	for r := range strings.FieldsFuncSeq(rules, func(r rune) bool { return r == ' ' || r == ',' }) {
		ig.rules = append(ig.rules, finding.RuleID(r))
	}
	ig.because = strings.TrimSpace(because)
	ig.check("// " + commentMark + " RULE because REASON")
	for j := i - 1; j >= 0 && tokens[j].last == t.line; j-- {
		if tokens[j].kind != comment {
			ig.from, ig.to = t.line, t.line
			return ig
		}
	}
	for _, next := range tokens[i+1:] {
		if next.kind != comment {
			ig.from, ig.to = next.line, next.line
			break
		}
	}
	return ig
}

// check says what is wrong with it.
func (ig *ignore) check(form string) {
	switch {
	case len(ig.rules) == 0:
		ig.problem = "names no rule: write " + form
	case ig.because == "":
		ig.problem = "gives no reason: write " + form
	}
	for _, r := range ig.rules {
		if _, ok := finding.RuleByID(r); !ok {
			ig.problem = fmt.Sprintf("names the unknown rule %q; the rules are %s", r, finding.RuleNames())
		}
	}
}

// annotates: the word is the name of an annotation, perhaps behind its package
// and a use-site target.
func annotates(tokens []token, i int) bool {
	for j := i - 1; j >= 0; j-- {
		switch t := tokens[j]; {
		case t.kind == mark && t.text == "@":
			return true
		case t.kind == mark && (t.text == "." || t.text == ":"), t.kind == word && tokens[j+1].kind == mark:
		default:
			return false
		}
	}
	return false
}

// fromAnnotation reads @IgnoreEventRace(rule = "...", because = "..."). It covers
// the declaration that follows.
func fromAnnotation(tokens []token, i int, kotlin bool) *ignore {
	ig := &ignore{by: "annotation", line: tokens[i].line, from: tokens[i].line}
	rest := code(tokens[i+1:])
	if len(rest) > 0 && rest[0].text == "(" {
		end := closing(rest, 0)
		ig.arguments(rest[1:end])
		rest = rest[min(end+1, len(rest)):]
	}
	ig.check(`@` + annotationName + `(rule = "RULE", because = "REASON")`)
	name, isField, last := declaration(rest, kotlin)
	if isField {
		ig.field = name
	}
	ig.to = max(ig.from, last)
	return ig
}

func (ig *ignore) arguments(args []token) {
	name, place := "", []string{"rule", "because"}
	values := map[string]string{}
	for i, t := range args {
		switch {
		case t.kind == word && i+1 < len(args) && args[i+1].text == "=":
			name = t.text
		case t.kind == mark && t.text == ",":
			name = ""
		case t.kind == text:
			if name == "" && len(place) > 0 {
				name, place = place[0], place[1:]
			}
			values[name] += t.text
		}
	}
	if r := values["rule"]; r != "" {
		ig.rules = []finding.RuleID{finding.RuleID(r)}
	}
	ig.because = strings.TrimSpace(values["because"])
}

// code leaves out the comments.
func code(tokens []token) []token {
	return slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == comment })
}

// closing is the index of the bracket that closes the one at open, or the end.
func closing(tokens []token, open int) int {
	depth := 0
	for i := open; i < len(tokens); i++ {
		if tokens[i].kind != mark {
			continue
		}
		switch tokens[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return len(tokens)
}

// declaration finds out what the tokens begin with: the name, whether it is a
// field (or property), and its last line.
func declaration(tokens []token, kotlin bool) (name string, isField bool, last int) {
	named := false // the name is fixed
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if named && kotlin && i > 0 && t.line > tokens[i-1].last && !continues(tokens[i-1], t) {
			return name, isField, tokens[i-1].last
		}
		last = t.last
		switch {
		case t.kind == word && !named:
			switch t.text {
			case "class", "interface", "object", "enum", "record", "fun", "constructor", "init":
				named = true
			case "val", "var":
				named, isField = true, true
			}
			if named && i+1 < len(tokens) {
				name = tokens[i+1].text
			} else {
				name = t.text
			}
		case t.kind != mark:
		case t.text == "@": // another annotation
			for i+2 < len(tokens) && tokens[i+2].kind == mark && (tokens[i+2].text == "." || tokens[i+2].text == ":") {
				i += 2
			}
			if i++; i+1 < len(tokens) && tokens[i+1].text == "(" {
				i = closing(tokens, i+1)
			}
		case t.text == "{":
			return name, isField, lineAt(tokens, closing(tokens, i))
		case t.text == "(" || t.text == "[":
			if !kotlin && t.text == "(" {
				named = true
			}
			i = closing(tokens, i)
		case t.text == "=" && !kotlin && !named:
			named, isField = true, true
			i = statementEnd(tokens, i)
			return name, isField, lineAt(tokens, i)
		case t.text == "=" && kotlin:
			named = true
		case t.text == ";":
			return name, isField || !kotlin && !named, t.last
		case t.text == "}", t.text == ")":
			if !named && name == "" {
				continue // the end of a container annotation
			}
			return name, isField, last
		}
	}
	return name, isField, last
}

// statementEnd is the index of the semicolon that ends what begins at i.
func statementEnd(tokens []token, i int) int {
	for ; i < len(tokens); i++ {
		if tokens[i].kind != mark {
			continue
		}
		switch tokens[i].text {
		case "(", "[", "{":
			i = closing(tokens, i)
		case ";":
			return i
		}
	}
	return len(tokens)
}

func lineAt(tokens []token, i int) int {
	if len(tokens) == 0 {
		return 0
	}
	return tokens[min(i, len(tokens)-1)].last
}

// continues: a Kotlin declaration goes on after a line break between the tokens.
func continues(before, after token) bool {
	if before.kind == mark && !strings.Contains(")]}", before.text) {
		return true
	}
	if before.kind == word && (before.text == "by" || before.text == "return" || before.text == "val" || before.text == "var" || before.text == "fun") {
		return true
	}
	switch after.text {
	case ".", "?", "{", ":", "=", "-", "+", "where", "get", "set", "else":
		return after.kind != text
	}
	return false
}
