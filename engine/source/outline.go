package source

import (
	"path"
	"slices"
	"strings"
)

// outline is the code of a file, without comments, with its brackets paired.
type outline struct {
	kotlin bool
	tokens []token
	pairs  []int32             // of a bracket: the other one; the end, or -1, if there is none
	bodies map[int]declaration // types, by the brackets that open their header and their body
	facade string              // the class of Kotlin's top level, or "" for the file's
}

// place is where in the types of its file a token stands.
type place struct {
	open   int    // the bracket around it
	class  string // the types around it: Main$Loader
	holder string // the class of fields declared there: of a companion's, the one around it
	exact  bool   // nothing else is around it, such as an anonymous class
}

var outermost = place{open: -1, exact: true}

// longestHeader bounds how many tokens, besides what is in brackets, a
// declaration may have before its extent is cut off: each is read for each of
// its annotations. longestClass does the same for names.
const (
	longestHeader = 1000
	longestClass  = 1000
)

func newOutline(tokens []token, kotlin bool) *outline {
	o := &outline{kotlin: kotlin, tokens: tokens, pairs: pairs(tokens), bodies: map[int]declaration{}}
	for i := range tokens {
		if name := o.fileAnnotation(i); name != "" {
			o.facade = name
		}
		if !o.beginsType(i) {
			continue
		}
		if d := o.declaration(i, outermost); d.kind == aType && len(d.names) > 0 {
			o.bodies[d.params], o.bodies[d.body] = d, d
		}
	}
	delete(o.bodies, -1)
	return o
}

// pairs finds the partners of brackets. What closes nothing is left alone; what
// is not closed ends with what is around it.
func pairs(tokens []token) []int32 {
	const openers, closers = "([{", ")]}"
	out := make([]int32, len(tokens))
	var stack []int
	var count [len(openers)]int
	for i, t := range tokens {
		if t.kind != mark {
			continue
		}
		if k := strings.Index(openers, t.text); k >= 0 {
			count[k]++
			stack = append(stack, i)
			out[i] = int32(len(tokens))
		} else if k := strings.Index(closers, t.text); k >= 0 {
			out[i] = -1
			for count[k] > 0 && out[i] < 0 {
				top := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				j := strings.Index(openers, tokens[top].text)
				count[j]--
				out[top] = int32(i)
				if j == k {
					out[i] = int32(top)
				}
			}
		}
	}
	return out
}

// is: the token is this punctuation.
func (o *outline) is(i int, text string) bool {
	return i >= 0 && i < len(o.tokens) && o.tokens[i].kind == mark && o.tokens[i].text == text
}

func (o *outline) isOneOf(i int, marks string) bool {
	return i >= 0 && i < len(o.tokens) && o.tokens[i].kind == mark && strings.Contains(marks, o.tokens[i].text)
}

// word is the token if it is a word that may be a keyword, else "".
func (o *outline) word(i int) string {
	if i < 0 || i >= len(o.tokens) || o.tokens[i].kind != word || o.tokens[i].quoted {
		return ""
	}
	return o.tokens[i].text
}

func (o *outline) isWord(i int, words ...string) bool {
	w := o.word(i)
	return w != "" && slices.Contains(words, w)
}

func (o *outline) isName(i int) bool {
	return i >= 0 && i < len(o.tokens) && o.tokens[i].kind == word
}

// behind is the index behind the bracket that closes the one at i.
func (o *outline) behind(i int) int { return min(int(o.pairs[i])+1, len(o.tokens)) }

// beginsType: the word declares a class or the like.
func (o *outline) beginsType(i int) bool {
	switch w := o.word(i); {
	case o.is(i-1, ".") || o.is(i-1, ":") && o.is(i-2, ":"):
		return false // Main.class, Main::class
	case w == "class" || w == "interface":
		return true
	case w == "object":
		return o.kotlin
	case w == "enum":
		return !o.kotlin
	case w == "record":
		return !o.kotlin && o.isName(i+1) && (o.is(i+2, "(") || o.is(i+2, "<"))
	}
	return false
}

// packageName reads the package of a file from its tokens.
func packageName(tokens []token) string {
	o := &outline{tokens: tokens, pairs: pairs(tokens)}
	for i := 0; i < len(tokens); i++ {
		switch {
		case o.isOneOf(i, "([{"):
			i = o.behind(i) - 1
		case o.isWord(i, "import", "class", "interface", "enum", "object", "fun", "val", "var"):
			return ""
		case o.isWord(i, "package"):
			var name []string
			for i++; o.isName(i) && (len(name) == 0 || tokens[i].line == tokens[i-1].line); i += 2 {
				name = append(name, tokens[i].text)
				if !o.is(i+1, ".") {
					break
				}
			}
			return strings.Join(name, ".")
		}
	}
	return ""
}

// fileAnnotation reads @file:JvmName("Name").
func (o *outline) fileAnnotation(i int) string {
	if o.kotlin && o.is(i, "@") && o.isWord(i+1, "file") && o.is(i+2, ":") && o.isWord(i+3, "JvmName") && o.is(i+4, "(") &&
		i+5 < len(o.tokens) && o.tokens[i+5].kind == text {
		return o.tokens[i+5].text
	}
	return ""
}

// facadeOf is the class that holds what a Kotlin file has at its top level.
func (o *outline) facadeOf(file string) string {
	if o.facade != "" {
		return o.facade
	}
	name := strings.TrimSuffix(path.Base(file), path.Ext(file)) + "Kt"
	return strings.ToUpper(name[:1]) + name[1:]
}

// walk visits each token with the place it stands in.
func (o *outline) walk(visit func(i int, around []place)) {
	around := []place{outermost}
	for i := range o.tokens {
		for len(around) > 1 && int(o.pairs[around[len(around)-1].open]) <= i {
			around = around[:len(around)-1]
		}
		visit(i, around)
		if o.isOneOf(i, "([{") {
			p := around[len(around)-1]
			d, named := o.bodies[i]
			p.open = i
			switch {
			case named && p.exact && len(p.class) < longestClass:
				outer := p.class
				p.class = p.inside(d)
				if p.holder = p.class; d.companion {
					p.holder = outer
				}
			case o.is(i, "{"):
				p.exact = false
			}
			around = append(around, p)
		}
	}
}

// inside is the class of a type that stands at p.
func (p place) inside(d declaration) string {
	if p.class == "" {
		return d.names[0]
	}
	return p.class + "$" + d.names[0]
}
