package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

const (
	commentMark    = "eventraces:ignore"
	annotationName = "IgnoreEventRace"
	containerName  = "IgnoreEventRaces"

	byComment    = "comment"
	byAnnotation = "annotation"
)

// ignore is a suppression as it stands in a file.
type ignore struct {
	finding.Ignore
	line     int // where it stands
	from, to int // lines whose accesses it covers; none if from is 0

	// What an annotation covers besides.
	class  string   // the type it stands on, or that declares the fields; see place
	exact  bool     // class is known to the last part
	isType bool     // fields of the class
	fields []string // these fields of it
}

// annotated is a file with suppressions in it.
type annotated struct {
	repo    string // its path in the repository
	guess   string // the path of its package and its name
	pkg     string
	facade  string // the class of what stands at the top level, in Kotlin
	ignores []*ignore
	types   map[string]bool // at its top level
	tooLong bool            // it was not read
}

// ignoresIn finds the suppressions of a file; it is nil if there are none.
func ignoresIn(file, src string, kotlin bool) *annotated {
	if !strings.Contains(src, commentMark) && !strings.Contains(src, annotationName) {
		return nil
	}
	src = strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n")
	tokens := lex(src, kotlin)
	code := slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == comment })
	o := newOutline(code, kotlin)
	a := &annotated{pkg: packageName(code), types: map[string]bool{}}
	next, last := 0, int32(0) // code token, and line of code
	for _, t := range tokens {
		if t.kind == comment {
			a.ignores = append(a.ignores, o.fromComment(t, last == t.line, next)...)
			continue
		}
		next++
		last = max(last, t.last)
	}
	o.walk(func(i int, around []place) {
		if d, ok := o.bodies[i]; ok && len(around) == 1 {
			a.types[d.names[0]] = true
		}
		if o.word(i) == annotationName {
			if ig := o.fromAnnotation(i, around); ig != nil {
				a.ignores = append(a.ignores, ig)
			}
		}
	})
	if len(a.ignores) == 0 {
		return nil
	}
	if kotlin {
		a.facade = o.facadeOf(file)
		a.types[a.facade] = true
	}
	slices.SortStableFunc(a.ignores, func(a, b *ignore) int { return a.line - b.line })
	return a
}

// behindWords is our comment in another one: // TODO x // eventraces:ignore. One
// that is commented out, or only named, is none.
var behindWords = regexp.MustCompile(`[^/\s].*//[/!\s]*` + commentMark)

// fromComment reads `// eventraces:ignore RULE[, RULE]... because REASON`, in a
// block comment one of each line. Behind code it covers its own line, alone the
// next line with code; next is the token there.
func (o *outline) fromComment(t token, behind bool, next int) []*ignore {
	body, block := strings.CutPrefix(t.text, "/*")
	if block {
		body = strings.TrimSuffix(body, "*/")
	}
	var out []*ignore
	line := int(t.line)
	for s := range strings.SplitSeq(body, "\n") {
		s = strings.TrimSpace(s)
		if block {
			s = strings.TrimLeft(s, "*! \t")
		} else {
			s = strings.TrimLeft(strings.TrimLeft(s, "/!"), " \t")
		}
		rest, ok := strings.CutPrefix(s, commentMark)
		if !ok && behindWords.MatchString(s) {
			ig := &ignore{line: line}
			ig.By, ig.Problem = byComment, "stands behind other words of a comment: write it in a comment of its own"
			out = append(out, ig)
		} else if ok {
			ig := &ignore{Ignore: finding.Ignore{By: byComment}, line: line}
			ig.readComment(rest)
			if at := o.afterAnnotations(next); behind && line == int(t.line) {
				ig.from, ig.to = line, line
			} else if at < len(o.tokens) {
				ig.from, ig.to = int(o.tokens[at].line), int(o.tokens[at].line)
			}
			out = append(out, ig)
		}
		line++
	}
	return out
}

// afterAnnotations: a line of annotations only has no access.
func (o *outline) afterAnnotations(i int) int {
	for n := 0; o.isAnnotation(i) && n < 20; n++ {
		i = o.afterAnnotation(i)
	}
	return i
}

func (ig *ignore) readComment(rest string) {
	if rest != "" && !strings.ContainsAny(rest[:1], " \t") {
		ig.Problem = "is not of the form " + finding.CommentForm
		return
	}
	rules, because, _ := strings.Cut(" "+strings.Join(strings.Fields(rest), " ")+" ", " because ")
	for r := range strings.FieldsFuncSeq(rules, func(r rune) bool { return r == ' ' || r == ',' }) {
		ig.Rules = append(ig.Rules, finding.RuleID(r))
	}
	ig.Because = strings.TrimSpace(because)
	ig.Check(finding.CommentForm)
}

// annotates: the word at i names an annotation, perhaps with its package and a
// target.
func (o *outline) annotates(i int) (target string, ok bool) {
	const mostParts = 32 // of a package
	j := i - 1
	for n := 0; n < mostParts && o.is(j, ".") && o.isName(j-1); n++ {
		j -= 2
	}
	if o.is(j, ":") && o.is(j-2, "@") {
		return o.word(j - 1), true
	}
	return "", o.is(j, "@")
}

// fromAnnotation reads @IgnoreEventRace(rule = "...", because = "..."), alone, in
// its container or in a list of Kotlin. It covers the declaration that follows.
func (o *outline) fromAnnotation(i int, around []place) *ignore {
	target, ok := o.annotates(i)
	ig := &ignore{Ignore: finding.Ignore{By: byAnnotation}, line: int(o.tokens[i].line)}
	at := i + 1
	if o.is(at, "(") {
		ig.arguments(o.tokens[at+1 : min(int(o.pairs[at]), len(o.tokens), at+longestHeader)])
		at = o.behind(at)
	}
	const deepest = 3 // IgnoreEventRaces(value = arrayOf(...))
	for n := 1; n <= deepest && n < len(around); n++ {
		open := around[len(around)-n].open
		t, is := "", false
		switch {
		case o.is(open, "(") && o.word(open-1) == containerName:
			t, is = o.annotates(open - 1)
		case n == 1 && o.is(open, "[") && o.is(open-1, "@"):
			is = true
		case n == 1 && o.is(open, "[") && o.is(open-1, ":") && o.is(open-3, "@"):
			t, is = o.word(open-2), true
		}
		if is {
			target, ok, at, around = t, true, o.behind(open), around[:len(around)-n]
			break
		}
	}
	if !ok {
		return nil
	}
	ig.Check(finding.AnnotationForm)
	ig.cover(o, at, target, around[len(around)-1])
	return ig
}

// cover finds out what the declaration at i is, which stands at p. An annotation
// of a field covers the races on it, others what is between the lines.
func (ig *ignore) cover(o *outline, i int, target string, p place) {
	d := o.declaration(i, p)
	ig.class, ig.exact = p.holder, p.exact
	if d.kind == aField && target != "get" && target != "set" {
		ig.fields = d.names
		return
	}
	ig.from, ig.to = ig.line, max(ig.line, int(d.last))
	if d.kind == aType && len(d.names) > 0 && p.exact {
		ig.isType = true
		ig.class = p.inside(d)
	}
}

// arguments reads what is in the parentheses. Kotlin's may have no names.
func (ig *ignore) arguments(args []token) {
	values := map[string]string{}
	position := []string{"rule", "because"}
	for depth, begin, i := 0, 0, 0; i <= len(args); i++ {
		if i < len(args) {
			if args[i].kind == mark && strings.Contains("([{", args[i].text) {
				depth++
			} else if args[i].kind == mark && strings.Contains(")]}", args[i].text) {
				depth--
			}
			if depth > 0 || args[i].kind != mark || args[i].text != "," {
				continue
			}
		}
		arg := args[begin:i]
		begin = i + 1
		if len(arg) == 0 {
			continue
		}
		name := ""
		switch {
		case len(arg) > 1 && arg[0].kind == word && arg[1].kind == mark && arg[1].text == "=":
			name, arg = arg[0].text, arg[2:]
		case len(position) > 0:
			name, position = position[0], position[1:]
		}
		value, ok := constant(arg)
		if !ok && ig.Problem == "" && (name == "rule" || name == "because") {
			ig.Problem = fmt.Sprintf("does not give %s as a text in quotes, and constants are not looked up: write %s", name, finding.AnnotationForm)
		}
		values[name] = value
	}
	if r := strings.TrimSpace(values["rule"]); r != "" {
		ig.Rules = []finding.RuleID{finding.RuleID(r)}
	}
	ig.Because = strings.Join(strings.Fields(values["because"]), " ")
}

// constant joins texts: "a" + "b".
func constant(tokens []token) (string, bool) {
	var b strings.Builder
	for i := range tokens {
		t := &tokens[i]
		switch {
		case i%2 == 0 && t.kind == text && !t.template:
			b.WriteString(t.constant())
		case i%2 == 1 && t.kind == mark && t.text == "+":
		default:
			return "", false
		}
	}
	return b.String(), len(tokens)%2 == 1
}
