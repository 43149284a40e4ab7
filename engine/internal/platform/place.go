package platform

import (
	"fmt"
	"strconv"
	"strings"
)

// Base is where a place begins.
type Base uint8

const (
	NoBase  Base = iota
	This         // the receiver of the modelled call
	Arg          // an argument, Index 0 is the first after the receiver
	Ret          // what the modelled call returns
	Static       // a static slot: Class#Slots[0]
	New          // an object of Class made by this call: one per call site and class
	Null         // null
	Const        // a constant: Text is true, false, a number, or a quoted string
	Main         // the main looper
	Current      // the looper of the thread that runs the call
	Binder       // the process's pool of binder threads
	Unknown      // "_": any value, any thread
	Result       // in then: what the callback returned
	It           // a variable of the modelled call, for objects that it makes
)

// Place names a value: a base and the slots to follow from it. The slot "[]"
// is the content of an array or container.
type Place struct {
	Base  Base
	Index int    // Arg
	Class string // Static, New: dotted binary name
	Text  string // Const
	Slots []string
}

// Zero reports whether no place was given.
func (p Place) Zero() bool { return p.Base == NoBase }

var placeWords = map[string]Base{
	"this": This, "ret": Ret, "null": Null, "main": Main, "current": Current,
	"binder": Binder, "_": Unknown, "result": Result, "it": It,
}

var baseText = map[Base]string{
	This: "this", Ret: "ret", Null: "null", Main: "main", Current: "current",
	Binder: "binder", Unknown: "_", Result: "result", It: "it",
}

// String gives the text the place is written as, with full class names.
func (p Place) String() string {
	var b strings.Builder
	slots := p.Slots
	switch p.Base {
	case NoBase:
		return ""
	case Arg:
		b.WriteString("arg" + strconv.Itoa(p.Index))
	case Static:
		b.WriteString(p.Class + "#" + slots[0])
		slots = slots[1:]
	case New:
		b.WriteString("new " + p.Class)
	case Const:
		b.WriteString(p.Text)
	default:
		b.WriteString(baseText[p.Base])
	}
	for _, s := range slots {
		b.WriteString("." + s)
	}
	return b.String()
}

// parsePlace reads a place. class turns a class name as written in the file
// into its full dotted name.
func parsePlace(text string, class func(string) (string, error)) (Place, error) {
	t := strings.TrimSpace(text)
	if t == "" {
		return Place{}, fmt.Errorf("empty place")
	}
	if name, ok := strings.CutPrefix(t, "new "); ok {
		c, err := class(strings.TrimSpace(name))
		return Place{Base: New, Class: c}, err
	}
	if isConst(t) {
		return Place{Base: Const, Text: t}, nil
	}
	if c, slots, ok := strings.Cut(t, "#"); ok {
		full, err := class(c)
		if err != nil {
			return Place{}, err
		}
		names, err := slotNames(slots, t)
		return Place{Base: Static, Class: full, Slots: names}, err
	}
	head, rest, more := strings.Cut(t, ".")
	p := Place{Base: placeWords[head]}
	if n, ok := strings.CutPrefix(head, "arg"); ok {
		i, err := strconv.Atoi(n)
		if err != nil || i < 0 || i > 255 || strconv.Itoa(i) != n {
			return Place{}, fmt.Errorf("bad place %q: no argument %q", t, head)
		}
		p = Place{Base: Arg, Index: i}
	}
	if p.Base == NoBase {
		return Place{}, fmt.Errorf("bad place %q: want this, argN, ret, it, result, main, current, binder, null, _, a constant, new Class or Class#slot, then .slot...", t)
	}
	if !more {
		return p, nil
	}
	if p.Base != This && p.Base != Arg && p.Base != Ret && p.Base != Result && p.Base != It {
		return Place{}, fmt.Errorf("bad place %q: %s has no slots", t, head)
	}
	names, err := slotNames(rest, t)
	p.Slots = names
	return p, err
}

func isConst(t string) bool {
	if t == "true" || t == "false" {
		return true
	}
	if len(t) >= 2 && t[0] == '\'' && t[len(t)-1] == '\'' {
		return true
	}
	_, err := strconv.ParseInt(t, 0, 64)
	return err == nil
}

func slotNames(text, whole string) ([]string, error) {
	names := strings.Split(text, ".")
	for _, n := range names {
		if n != "[]" && !isWord(n) {
			return nil, fmt.Errorf("bad place %q: %q is no slot name", whole, n)
		}
	}
	return names, nil
}

// isWord reports whether s is a plain identifier.
func isWord(s string) bool {
	for i, r := range s {
		letter := r == '_' || r == '$' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
