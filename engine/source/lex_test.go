package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// shown writes tokens as kind:text, with lines where they are not 1.
func shown(tokens []token) string {
	var out []string
	for _, t := range tokens {
		s := t.text
		switch t.kind {
		case text:
			s = fmt.Sprintf("%q", t.text)
			if t.template {
				s += "$"
			}
		case comment:
			s = "<" + strings.ReplaceAll(t.text, "\n", "|") + ">"
		case word:
			if t.quoted {
				s = "`" + s + "`"
			}
		}
		if t.line != 1 || t.last != 1 {
			s += fmt.Sprintf("@%d", t.line)
			if t.last != t.line {
				s += fmt.Sprintf("-%d", t.last)
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestLex(t *testing.T) {
	const both, java, kotlin = "both", "java", "kotlin"
	tests := []struct{ language, src, want string }{
		{both, "", ``},
		{both, "int a1 = $b_c;", `int a1 = $b_c ;`},
		{both, "a // b /* c\nd", `a <// b /* c> d@2`},
		{both, "a // b", `a <// b>`},
		{both, "/* a\n b */ c", `</* a| b */>@1-2 c@2`},
		{both, "/** a **/ /**/ b", `</** a **/> </**/> b`},
		{both, "/*/ a */ b", `</*/ a */> b`},
		{java, "/* /* */ b", `</* /* */> b`},
		{kotlin, "/* /* */ b */ c", `</* /* */ b */> c`},
		{kotlin, "/* /* /**/ */ b", `</* /* /**/ */ b>`},
		{both, "/* a\nb", `</* a|b>@1-2`},
		{both, `"a // b" c`, `"a // b" c`},
		{both, `"a /* b" c`, `"a /* b" c`},
		{both, `"a\"b\\" c`, `"a\\\"b\\\\" c`},
		{both, "\"a\nb", `"a" b@2`},
		{both, "\"a\\\nb", `"a\\" b@2`},
		{both, `"a`, `"a"`},
		{both, `"a\`, `"a\\"`},
		{both, `"" + ""`, `"" + ""`},
		{both, `'"' a '\'' b '\\' c "`, `a b c ""`},
		{both, "'\\u0022' a", `a`},
		{both, "'a\nb", `a b@2`},
		{both, "don't \"x\"", "don t \"x\""},
		{java, "\"\"\"\n a \"b\" \\\"\"\" c\n\"\"\" d", `"\n a \"b\" \\\"\"\" c\n"@1-3 d@3`},
		{java, "\"\"\"\n a", `"\n a"@1-2`},
		{java, `"${"}" + a`, `"${" } " + a"`}, // no templates
		{java, "a ` b `", "a ` b `"},
		{kotlin, `"""a\""" b`, `"a\\" b`},
		{kotlin, `"""a"b"""" c`, `"a\"b\"" c`},
		{kotlin, `"""""" c`, `"" c`},
		{kotlin, "\"\"\"// a\n/* b\"\"\" c", `"// a\n/* b"@1-2 c@2`},
		{kotlin, `"$a" b`, `"$a"$ b`},
		{kotlin, `"$" + "5$ $5 \$a"`, `"$" + "5$ $5 \\$a"`},
		{kotlin, `"a${b}c" d`, `"a${b}c"$ b d`},
		{kotlin, `"${"}"}" d`, `"${\"}\"}"$ "}" d`},
		{kotlin, `"${ f { "${ g { '}' } }" } }" d`, `"${ f { \"${ g { '}' } }\" } }"$ f { "${ g { '}' } }"$ g { } } d`},
		{kotlin, "\"${\nb // }\n}\" d", `"${\nb // }\n}"$@1-3 b@2 <// }>@2 d@3`},
		{kotlin, `"${ a`, `"${ a"$ a`},
		{kotlin, `"""${ "a" }"b" """ d`, `"${ \"a\" }\"b\" "$ "a" d`},
		{kotlin, `$$"${a} $${b}" d`, `$$ "${a} $${b}"$ b d`},
		{kotlin, `$$"{"`, `$$ "{"`},
		{kotlin, "`a b` `in`", "`a b` `in`"},
		{kotlin, "`a\nb", "` a b@2"},
		{kotlin, "a@ b return@a", `a @ b return @ a`},
		{kotlin, "a!!?.b ?: c", `a ! ! ? . b ? : c`},
		{both, "List<Map<String, A[]>> x", `List < Map < String , A [ ] > > x`},
		{both, `@A(b = "c", d = {1, 2}) e`, `@ A ( b = "c" , d = { 1 , 2 } ) e`},
		{both, "\ufeffa", `a`},
		{both, "#!/usr/bin/env x // y\na", `<#!/usr/bin/env x // y> a@2`},
		{both, "caf\u00e9 \u4e16 \U0001F600 \xff a", "caf\u00e9 \u4e16 \U0001F600 \xff a"},
		{both, "a\r\n\f\tb", `a b@2`},
	}
	for _, test := range tests {
		for _, l := range []string{java, kotlin} {
			if test.language != l && test.language != both {
				continue
			}
			if got := shown(lex(test.src, l == kotlin)); got != test.want {
				t.Errorf("%s %q:\n got %s\nwant %s", l, test.src, got, test.want)
			}
		}
	}
}

func TestConstant(t *testing.T) {
	for src, want := range map[string]string{
		`a`: `a`, `a\"b`: `a"b`, `a\\nb`: `a\nb`, `a\nb`: `a b`, `\u0041\uu0042c`: `ABc`, `\u00`: `\u00`, `\`: `\`, `\$a`: `$a`, "a\\\nb": "ab", `\é`: `é`,
	} {
		if got := (&token{text: src, escapes: true}).constant(); got != want {
			t.Errorf("%s is %q, want %q", src, got, want)
		}
	}
	if got := (&token{text: `a\n`}).constant(); got != `a\n` {
		t.Errorf("raw: %q", got)
	}
}

// hostile sources would take the time of their length squared, or a deep stack,
// if something were read again and again.
var hostile = []string{
	`"${`, "\"\"\"${", "{", "(", "[", ")", "}", "([{}", "/*", "//", "'\\'", "'", "`", "\"", "\"\"\"", "\\", "$", "$$\"",
	"@IgnoreEventRace ", "@IgnoreEventRace(", "@IgnoreEventRaces(@IgnoreEventRace(rule=", "IgnoreEventRace.", "@IgnoreEventRace{", "@[IgnoreEventRace ",
	"class a ", "class a{", "class a(", "class a<", "record a(", "a.", "@a.", "@a ", "@", "<", "a=", "a,", "@IgnoreEventRace val a ", "@IgnoreEventRace fun a.",
	"@IgnoreEventRace int a,", "class a{@IgnoreEventRace ", "// eventraces:ignore\n", "/* eventraces:ignore */", "/* eventraces:ignore\n", "package a.", "\n", "\r", "+\"a\"",
	"@IgnoreEventRace(\"a\\n\"+\"", "val a\nget\n", "@IgnoreEventRace val a\n@b ", "@file:JvmName(\"",
}

func TestHostileSources(t *testing.T) {
	const size = 100_000
	for _, kotlin := range []bool{false, true} {
		for _, part := range hostile {
			src := strings.Repeat(part, size/len(part)) + annotationName + commentMark
			begun := time.Now()
			ignoresIn("A.kt", src, kotlin)
			if took := time.Since(begun); took > 3*time.Second {
				t.Errorf("%q, Kotlin %v: took %v", part, kotlin, took)
			}
		}
	}
}

func FuzzIgnores(f *testing.F) {
	for _, part := range hostile {
		f.Add("@IgnoreEventRace(rule = \"stale-read\", because = \"x\")\n"+part+"\n// eventraces:ignore stale-read because y\n"+part, true)
	}
	f.Add("package a.b\r\nclass A {\r\n@field:IgnoreEventRace(\"stale-read\", \"x\") private var b = run { 1 }\r\n}", true)
	f.Add("package a.b;\nclass A { @Override @IgnoreEventRace(rule = \"stale-read\", because = \"a\" + \"b\")\nvoid c() {\n}\n}", false)
	f.Fuzz(func(t *testing.T, src string, kotlin bool) {
		tokens := lex(src, kotlin)
		lines := int32(strings.Count(src, "\n") + 1)
		line := int32(1)
		for i, tok := range tokens {
			if tok.line < line || tok.last < tok.line || tok.last > lines {
				t.Fatalf("token %d %q is on lines %d to %d, after %d, of %d", i, tok.text, tok.line, tok.last, line, lines)
			}
			line = tok.line
		}
		a := ignoresIn("A.kt", src, kotlin)
		if a == nil {
			return
		}
		most := strings.Count(strings.ReplaceAll(src, "\r\n", "\n"), "\n") + strings.Count(strings.ReplaceAll(src, "\r\n", "\n"), "\r") + 1
		for _, ig := range a.ignores {
			if ig.line < 1 || ig.line > most || ig.to < ig.from || ig.to > most || ig.from < 0 {
				t.Errorf("on line %d covers %d to %d of %d", ig.line, ig.from, ig.to, most)
			}
			if ig.Problem == "" && (len(ig.Rules) == 0 || ig.Because == "") {
				t.Errorf("on line %d counts without rule or reason", ig.line)
			}
		}
		if !slices.IsSortedFunc(a.ignores, func(a, b *ignore) int { return a.line - b.line }) {
			t.Error("not in the order of lines")
		}
	})
}
