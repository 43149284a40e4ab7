package ir

import (
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// Nesting says where the source declares a nested class: in a class, and for a
// local or anonymous class also in a method, which may be only a reference. It
// reads the file again at each call; ids are 0 for what the file does not say.
func (p *Program) Nesting(c ClassID) (outer ClassID, method MethodID) {
	u, def := p.definition(c)
	if def == nil {
		return 0, 0
	}
	list, err := u.file.ClassAnnotations(def)
	if err != nil {
		return 0, 0 // damaged annotations say nothing
	}
	n := u.file.Nesting(list)
	if n.EnclosingClass != dex.NoIndex {
		outer = p.Types[u.types[n.EnclosingClass]].Class
	}
	if n.EnclosingMethod != dex.NoIndex {
		method = u.methods[n.EnclosingMethod]
	}
	return outer, method
}

// lambdaPrefix begins the names of the classes that old versions of D8 make of
// lambdas: com.example.-$$Lambda$Main$hash.
const lambdaPrefix = "-$$Lambda$"

// Outermost is the name of the top-level class whose source a class comes from.
func Outermost(class string) string {
	dot := strings.LastIndexByte(class, '.') + 1
	simple := strings.TrimPrefix(class[dot:], lambdaPrefix)
	if i := strings.IndexByte(simple, '$'); i > 0 {
		simple = simple[:i]
	}
	return class[:dot] + simple
}

// LambdaHome is the method in which the body of a lambda stands, by the name
// that a compiler gave the body: m of lambda$m$0 and m$lambda$0. ok is false for
// methods that are none.
func LambdaHome(body string) (method string, ok bool) {
	before, after, ok := strings.Cut(body, "lambda$")
	if !ok {
		return "", false
	}
	if before = strings.Trim(before, "$-"); before != "" && before != "r8" && before != "private" {
		return before, true
	}
	after, _, _ = strings.Cut(after, "$")
	switch after {
	case "new":
		return "<init>", true
	case "static":
		return "<clinit>", true
	case "":
		return "lambda", true
	}
	return after, true
}

// definition finds the definition of a class in a dex file.
func (p *Program) definition(c ClassID) (*unit, *dex.ClassDef) {
	if int(c) >= len(p.defs) || p.defs[c].unit == 0 {
		return nil, nil
	}
	u := p.units[p.defs[c].unit-1]
	return u, &u.file.Classes[p.defs[c].class]
}
