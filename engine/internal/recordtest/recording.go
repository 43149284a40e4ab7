// Package recordtest reads recordings of what Android's own framework calls in which order
// (engine/testdata/recorded), and compares them with the automata of the models: every recorded sequence of an
// instance's callbacks must be a walk of its automaton, and no order that package hb draws from the automata and
// from posts may be contradicted by a recorded one.
//
// A recording shows what can happen, never what cannot; so this finds orders that are claimed wrongly, not those
// that are missing. Cost: states of an automaton times callbacks of an instance.
package recordtest

import (
	"fmt"
	"strconv"
	"strings"
)

// Recording is one scenario.
type Recording struct {
	Title  string
	Target int                 // API level that the app targets
	Types  map[string][]string // by recorded class: its nearest supertypes of others, dotted binary names
	Runs   []*Run              // in the order in which they begin
	Posts  []Post
}

// Instance is an object of a recorded class.
type Instance struct {
	Class  string
	Number int // from 1, in the order in which its class's objects first showed
}

func (i Instance) String() string { return fmt.Sprintf("%s %d", i.Class, i.Number) }

// Run is one execution of a callback of an instance, or of what was posted by a name.
type Run struct {
	Instance          // zero for what was posted
	Name     string   // of the callback or of the post
	Params   []string // simple type names
	Thread   string
	Begin    int  // line
	End      int  // line
	In       *Run // the run that it is nested in, nil if it is outermost on its thread
}

func (r *Run) String() string {
	if r.Class == "" {
		return r.Name
	}
	return r.Name + "(" + strings.Join(r.Params, ",") + ")"
}

// Post says that a run, or the scenario itself, has posted something by a name.
type Post struct {
	Name   string
	By     *Run // nil: the scenario
	Looper string
	Delay  int64  // milliseconds
	How    string // "", front, async, idle, inline
	Line   int
}

// Parse reads a recording. The format is described in engine/testdata/recorded/README.md.
func Parse(text string) (*Recording, error) {
	p := &parser{out: &Recording{Types: map[string][]string{}}, open: map[string][]*Run{}}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if err := p.line(i+1, line); err != nil {
			return nil, fmt.Errorf("line %d: %q: %w", i+1, line, err)
		}
	}
	for thread, runs := range p.open {
		if len(runs) > 0 {
			return nil, fmt.Errorf("%s has not ended on %s", runs[0], thread)
		}
	}
	if p.out.Target == 0 {
		return nil, fmt.Errorf("the title names no target SDK")
	}
	return p.out, nil
}

type parser struct {
	out  *Recording
	open map[string][]*Run // by thread: what has begun, outermost first
}

func (p *parser) line(n int, line string) error {
	if text, ok := strings.CutPrefix(line, "# "); ok {
		if n == 1 {
			title, target, _ := strings.Cut(text, "; target SDK ")
			p.out.Title = title
			p.out.Target, _ = strconv.Atoi(target)
		}
		return nil
	}
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "type":
		words := strings.Fields(rest)
		if len(words) < 2 {
			return fmt.Errorf("want type NAME SUPERTYPE...")
		}
		p.out.Types[words[0]] = words[1:]
		return nil
	case "server":
		return nil // told for the reader
	}
	thread, did, ok := cutVerb(line)
	if !ok {
		return fmt.Errorf("want THREAD begin, end or post")
	}
	verb, rest, _ = strings.Cut(did, " ")
	switch verb {
	case "begin":
		return p.begin(n, thread, rest)
	case "end":
		return p.end(n, thread, rest)
	case "post":
		return p.post(n, thread, rest)
	}
	return nil // a note for the reader
}

// cutVerb parts the name of a thread, which may hold spaces, from what it does.
func cutVerb(line string) (thread, did string, ok bool) {
	at := -1
	for _, verb := range []string{"begin", "end", "post", "call", "cancel", "barrier", "unbarrier", "unbind", "unregister"} {
		if i := strings.Index(line, " "+verb+" "); i > 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 {
		return "", "", false
	}
	return line[:at], line[at+1:], true
}

func (p *parser) begin(n int, thread, text string) error {
	r := &Run{Thread: thread, Begin: n}
	if name, ok := strings.CutPrefix(text, "run "); ok {
		r.Name = name
	} else if err := r.callback(text); err != nil {
		return err
	}
	if open := p.open[thread]; len(open) > 0 {
		r.In = open[len(open)-1]
	}
	if r.Class != "" && p.out.Types[r.Class] == nil {
		return fmt.Errorf("no type line of %s", r.Class)
	}
	p.open[thread] = append(p.open[thread], r)
	p.out.Runs = append(p.out.Runs, r)
	return nil
}

// callback reads "CLASS NUMBER METHOD(TYPE,TYPE)".
func (r *Run) callback(text string) error {
	class, rest, _ := strings.Cut(text, " ")
	number, method, _ := strings.Cut(rest, " ")
	name, params, ok := strings.Cut(strings.TrimSuffix(method, ")"), "(")
	num, err := strconv.Atoi(number)
	if err != nil || !ok {
		return fmt.Errorf("want CLASS NUMBER METHOD(TYPES)")
	}
	r.Instance, r.Name = Instance{class, num}, name
	if params != "" {
		r.Params = strings.Split(params, ",")
	}
	return nil
}

func (p *parser) end(n int, thread, text string) error {
	open := p.open[thread]
	if len(open) == 0 {
		return fmt.Errorf("nothing has begun on %s", thread)
	}
	r := open[len(open)-1]
	want := "run " + r.Name
	if r.Class != "" {
		want = r.Instance.String() + " " + r.String()
	}
	if text != want {
		return fmt.Errorf("want the end of %s", want)
	}
	r.End = n
	p.open[thread] = open[:len(open)-1]
	return nil
}

// post reads "NAME on LOOPER delay MS [HOW]".
func (p *parser) post(n int, thread, text string) error {
	name, rest, ok := strings.Cut(text, " on ")
	if i := strings.LastIndex(text, " on "); ok {
		name, rest = text[:i], text[i+len(" on "):]
	}
	words := strings.Fields(rest)
	if !ok || len(words) < 3 || words[1] != "delay" {
		return fmt.Errorf("want NAME on LOOPER delay MS")
	}
	delay, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil {
		return err
	}
	post := Post{Name: name, Looper: words[0], Delay: delay, How: strings.Join(words[3:], " "), Line: n}
	if open := p.open[thread]; len(open) > 0 {
		post.By = open[len(open)-1]
	}
	p.out.Posts = append(p.out.Posts, post)
	return nil
}
