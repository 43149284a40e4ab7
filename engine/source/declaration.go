package source

import "strings"

type declarationKind uint8

const (
	aType declarationKind = iota + 1
	aMethod
	aField // or property, or enum constant
)

// declaration is what an annotation stands on.
type declaration struct {
	kind      declarationKind
	names     []string // of the type or the fields
	companion bool
	params    int // the bracket that opens the header's parameters, or -1
	body      int // the bracket that opens the body, or -1
	last      int32
}

// declaration reads the declaration that begins at i, which stands at p. After
// its annotations, Java ends it at a brace or a semicolon; Kotlin where a line
// ends and the next one cannot belong to it.
func (o *outline) declaration(i int, p place) declaration {
	r := declarationReader{outline: o, at: i, p: p, d: declaration{params: -1, body: -1}}
	r.inParens = p.open >= 0 && o.is(p.open, "(")
	if o.kotlin {
		r.kotlinDeclaration()
	} else {
		r.javaDeclaration()
	}
	return r.d
}

// afterAnnotation is the index behind the annotation at i, which is an @.
func (o *outline) afterAnnotation(i int) int {
	at := i
	for i++; i < len(o.tokens) && i < at+longestHeader; i += 2 {
		if o.is(i, "[") { // @[A B], @field:[A B]
			return o.behind(i)
		}
		if !o.is(i+1, ".") && !(o.kotlin && i == at+1 && o.is(i+1, ":")) {
			break
		}
	}
	if i++; o.is(i, "(") {
		return o.behind(i)
	}
	return min(i, len(o.tokens))
}

// isAnnotation: an annotation begins, not the declaration of one.
func (o *outline) isAnnotation(i int) bool {
	return o.is(i, "@") && (o.isName(i+1) && o.word(i+1) != "interface" || o.is(i+1, "["))
}

type declarationReader struct {
	*outline
	at       int
	p        place
	d        declaration
	inParens bool // among parameters
	steps    int
}

// more: there are tokens left, of which at is the next.
func (r *declarationReader) more() bool {
	r.steps++
	return r.at < len(r.tokens) && r.steps <= longestHeader
}

// to takes all tokens before i.
func (r *declarationReader) to(i int) {
	i = min(i, len(r.tokens))
	if i > r.at {
		// Of what is in brackets the last token ends last.
		r.d.last = max(r.d.last, r.tokens[r.at].last, r.tokens[i-1].last)
		r.at = i
	}
}

// skip takes the token, or what is in the brackets it opens.
func (r *declarationReader) skip() {
	if r.isOneOf(r.at, "([{") {
		r.to(r.behind(r.at))
	} else {
		r.to(r.at + 1)
	}
}

// angles takes type arguments.
func (r *declarationReader) angles() {
	for depth := 0; r.more(); {
		switch {
		case r.isOneOf(r.at, ";})]"):
			return
		case r.is(r.at, "<"):
			depth++
		case r.is(r.at, ">") && !r.is(r.at-1, "-"):
			depth--
		}
		if r.skip(); depth <= 0 {
			return
		}
	}
}

func (r *declarationReader) takeBody() {
	r.d.body = r.at
	r.skip()
}

func (r *declarationReader) javaDeclaration() {
	name, words := "", 0
	for r.more() {
		switch {
		case r.isAnnotation(r.at):
			r.to(r.afterAnnotation(r.at))
		case r.is(r.at, "@"):
			r.skip() // of @interface
		case r.d.kind == 0 && r.beginsType(r.at):
			r.d.kind = aType
			if r.isName(r.at + 1) {
				r.d.names = []string{r.tokens[r.at+1].text}
			}
			r.to(r.at + 2)
		case r.d.kind == 0 && r.tokens[r.at].kind == word:
			name = r.tokens[r.at].text
			words++
			r.skip()
		case r.is(r.at, "<"):
			r.angles()
		case r.d.kind == 0 && words == 1 && r.isOneOf(r.at, "({,;}") && !r.constructs(name):
			r.d.kind, r.d.names = aField, []string{name}
			r.enumConstant()
			return
		case r.is(r.at, "("):
			if r.d.kind == 0 {
				r.d.kind = aMethod
			} else if r.d.kind == aType && r.d.params < 0 {
				r.d.params = r.at
			}
			r.skip()
		case r.is(r.at, "{"):
			r.takeBody()
			return
		case r.d.kind == 0 && r.isOneOf(r.at, "=,;)"):
			r.d.kind, r.d.names = aField, []string{name}
			r.declarators()
			return
		case r.is(r.at, ";"):
			r.skip()
			return
		case r.isOneOf(r.at, ")]}"):
			return
		default:
			r.skip()
		}
	}
}

// constructs: what has this name and no type is a constructor.
func (r *declarationReader) constructs(name string) bool {
	return name == r.p.class[strings.LastIndexByte(r.p.class, '$')+1:] || !r.p.exact
}

func (r *declarationReader) enumConstant() {
	if r.is(r.at, "(") {
		r.skip()
	}
	if r.is(r.at, "{") {
		r.skip()
	}
}

// declarators takes what is behind the first name of fields: int a = 1, b, c[];
func (r *declarationReader) declarators() {
	for r.more() {
		switch {
		case r.is(r.at, ";"):
			r.skip()
			return
		case r.isOneOf(r.at, ")]}"), r.inParens && r.is(r.at, ","):
			return
		case r.is(r.at, ",") && r.isName(r.at+1) && r.isOneOf(r.at+2, "=,;["):
			r.d.names = append(r.d.names, r.tokens[r.at+1].text)
			r.to(r.at + 2)
		default:
			r.skip()
		}
	}
}

func (r *declarationReader) kotlinDeclaration() {
	for r.more() && r.d.kind == 0 {
		switch w := r.word(r.at); {
		case r.isAnnotation(r.at):
			r.to(r.afterAnnotation(r.at))
			continue
		case w == "fun" && r.word(r.at+1) == "interface", w == "companion":
			r.d.companion = w == "companion"
		case w == "class" || w == "interface" || w == "object":
			r.d.kind = aType
			r.d.companion = r.d.companion || r.isWord(r.at-1, "companion")
		case w == "fun" || w == "constructor" || w == "init", (w == "get" || w == "set") && !r.isName(r.at+1):
			r.d.kind = aMethod
		case w == "val" || w == "var":
			r.d.kind = aField
		case !r.isName(r.at):
			return
		case !r.isName(r.at+1) && !r.isAnnotation(r.at+1): // of an enum
			r.d.kind, r.d.names = aField, []string{r.tokens[r.at].text}
			r.skip()
			r.enumConstant()
			return
		}
		r.skip()
	}
	switch {
	case r.d.kind == aField:
		r.propertyName()
	case r.d.kind == aType && r.isName(r.at):
		r.d.names = []string{r.tokens[r.at].text}
		r.skip()
	case r.d.kind == aType && r.d.companion:
		r.d.names = []string{"Companion"}
	case r.word(r.at-1) == "fun":
		for r.more() && !r.isOneOf(r.at, "({=;})]") { // its type parameters, receiver and name
			r.skip()
		}
	}
	r.kotlinRest()
}

// propertyName takes <T> Receiver<T>.name.
func (r *declarationReader) propertyName() {
	for r.more() {
		switch {
		case r.isAnnotation(r.at):
			r.to(r.afterAnnotation(r.at))
		case r.is(r.at, "<"):
			r.angles()
		case r.isOneOf(r.at, "(?.") && len(r.d.names) == 0, r.isOneOf(r.at, "?."):
			r.skip()
		case r.isName(r.at) && (len(r.d.names) == 0 || r.is(r.at-1, ".")):
			r.d.names = []string{r.tokens[r.at].text}
			r.skip()
		default:
			return
		}
	}
}

// kotlinRest takes what is behind the name, up to the end.
func (r *declarationReader) kotlinRest() {
	value := false // behind = or by, where braces are lambdas
	for r.more() {
		if !r.inParens && r.tokens[r.at].line > r.d.last && !r.goesOn(value) {
			return
		}
		switch {
		case r.isAnnotation(r.at):
			r.to(r.afterAnnotation(r.at))
		case r.is(r.at, "{") && !value && r.d.kind != aField:
			if !r.inHeader() {
				r.takeBody()
			}
			return
		case r.is(r.at, "("):
			if r.d.params < 0 {
				r.d.params = r.at
			}
			r.skip()
		case r.is(r.at, "="), r.isWord(r.at, "by") && r.d.kind == aField:
			value = true
			r.skip()
		case r.is(r.at, "<") && !value:
			r.angles()
		case r.is(r.at, ";"):
			r.skip()
			return
		case r.isOneOf(r.at, ")]}"), r.inParens && r.is(r.at, ","):
			return
		default:
			r.skip()
		}
	}
}

// inHeader: the brace opens the body of a class, whose primary constructor the
// declaration is.
func (r *declarationReader) inHeader() bool {
	d, ok := r.bodies[r.at]
	return ok && r.d.kind == aMethod && d.params == r.d.params
}

// goesOn: a declaration goes on in the next line. value: it is in an expression.
func (r *declarationReader) goesOn(value bool) bool {
	if r.isOneOf(r.at-1, "=*/%&|,.:<") || r.is(r.at-1, ">") && r.is(r.at-2, "-") {
		return true
	}
	if r.isOneOf(r.at-1, "+-") && !r.is(r.at-2, r.tokens[r.at-1].text) {
		return true
	}
	if r.isWord(r.at-1, "by", "return", "throw", "else", "in", "is", "as", "and", "or", "xor", "shl", "shr", "ushr", "to", "until", "downTo", "step") {
		return true
	}
	if r.is(r.at-1, ")") && r.pairs[r.at-1] >= 0 && r.isWord(int(r.pairs[r.at-1])-1, "if", "while", "for") {
		return true
	}
	if r.isOneOf(r.at, ".?&|+-*/%=:") || r.isWord(r.at, "else", "where", "as", "is", "by", "catch", "finally") {
		return true
	}
	if !value && r.is(r.at, "{") {
		return true
	}
	if r.d.kind == aType && r.d.params < 0 && !value {
		return r.behindModifiers("constructor")
	}
	return r.d.kind == aField && r.behindModifiers("get", "set")
}

// behindModifiers: one of the words comes next, perhaps with annotations and
// modifiers before it.
func (r *declarationReader) behindModifiers(words ...string) bool {
	for i, n := r.at, 0; n < 20; n++ {
		switch {
		case r.isAnnotation(i):
			i = r.afterAnnotation(i)
		case r.isWord(i, "private", "protected", "internal", "public", "inline", "external"):
			i++
		default:
			return r.isWord(i, words...)
		}
	}
	return false
}
