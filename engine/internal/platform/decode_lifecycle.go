package platform

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
)

var sources = map[string]Source{"manifest": FromManifest, "driven": Driven, "allocated": Allocated}
var instances = map[string]Instances{"many": Many, "one": One, "one at a time": OneAtATime, "each": Each}

// maxOptional bounds the optional callbacks of one transition, as each
// doubles the spelled-out transitions.
const maxOptional = 4

var lifecycleKeys = []string{
	"kind", "source", "instances", "made", "states", "transitions", "passing", "gui", "events", "others", "predicates", "finished", "within",
}

// lifecycle reads one automaton.
func (d *decoder) lifecycle(p pair) {
	base, err := d.names.class(p.key)
	if err != nil {
		d.errorf(p.line, "%v", err)
		return
	}
	if !d.mapping(p.val, base, lifecycleKeys...) {
		return
	}
	l := &Lifecycle{Base: base, Pos: Pos{d.file, p.line}}
	for _, need := range []string{"kind", "source", "states"} {
		if p.val.get(need) == nil {
			d.errorf(p.line, "lifecycle %s: needs %s", base, need)
			return
		}
	}
	l.Kind = p.val.get("kind").text
	l.Source = lookup(d, p.line, "source", p.val.get("source").text, sources)
	if n := p.val.get("instances"); n != nil {
		l.Instances = lookup(d, n.line, "instances", n.text, instances)
	}
	if n := p.val.get("made"); n != nil {
		l.Made = d.constructors(*n)
	}
	for _, n := range p.val.get("states").list() {
		if !isWord(n.text) || l.State(n.text) >= 0 {
			d.errorf(n.line, "bad or duplicate state %q", n.text)
		}
		l.States = append(l.States, n.text)
	}
	d.lifecycleBody(l, p.val)
	d.addLifecycle(l)
}

// constructors reads "<init>(Type, *)" texts.
func (d *decoder) constructors(n node) []Constructor {
	var out []Constructor
	for _, item := range n.list() {
		name, params, open, err := d.names.method(item.text)
		if err == nil && name != "<init>" {
			err = fmt.Errorf("made %q: want <init>(Type, Type), with * for any further parameters", item.text)
		}
		if err != nil {
			d.errorf(item.line, "%v", err)
			continue
		}
		out = append(out, Constructor{Params: params, Open: open})
	}
	return out
}

func (d *decoder) lifecycleBody(l *Lifecycle, body node) {
	var optional []int // callbacks of transitions
	for _, p := range body.pairs {
		switch p.key {
		case "transitions":
			for _, n := range p.val.list() {
				optional = append(optional, d.transition(l, n)...)
			}
		case "passing":
			l.Passing = d.states(l, p.val)
		case "gui":
			l.GUI = d.states(l, p.val)
		case "events":
			for _, n := range p.val.list() {
				d.event(l, n)
			}
		case "others":
			for _, n := range p.val.list() {
				d.others(l, n)
			}
		case "predicates":
			d.predicates(l, p.val)
		case "finished":
			d.finished(l, p.val)
		case "within":
			d.within(l, p.val)
		}
	}
	l.deliver(optional)
}

// deliver: an event that a transition may deliver has its cause there too, is as
// rare, and answers the same.
func (l *Lifecycle) deliver(optional []int) {
	for _, c := range optional {
		for _, e := range l.Events {
			in, event := &l.Callbacks[c], &l.Callbacks[e.Call]
			if reflect.DeepEqual(in.Callback, event.Callback) {
				in.Cause, in.Rare, in.Pending = event.Cause, event.Rare, event.Pending
			}
		}
	}
}

func (d *decoder) addLifecycle(l *Lifecycle) {
	ls := d.models.Lifecycles
	for i, old := range ls {
		if old.Base == l.Base {
			if !d.extra {
				d.errorf(l.Pos.Line, "duplicate lifecycle of %s, first at %s:%d", l.Base, old.Pos.File, old.Pos.Line)
			}
			ls[i] = l
			return
		}
	}
	d.models.Lifecycles = append(ls, l)
	sort.Slice(d.models.Lifecycles, func(i, j int) bool { return d.models.Lifecycles[i].Base < d.models.Lifecycles[j].Base })
}

// states reads state names; the result is sorted.
func (d *decoder) states(l *Lifecycle, n node) []int {
	var out []int
	for _, item := range n.list() {
		if s := d.state(l, item.line, item.text); s >= 0 {
			out = append(out, s)
		}
	}
	sort.Ints(out)
	return out
}

func (d *decoder) state(l *Lifecycle, line int, name string) int {
	s := l.State(strings.TrimSpace(name))
	if s < 0 {
		d.errorf(line, "unknown state %q, want one of %s", strings.TrimSpace(name), strings.Join(l.States, ", "))
	}
	return s
}

// lifeCalls reads the callbacks of a transition or event and what they share.
// A "?" after a callback makes it optional.
func (d *decoder) lifeCalls(l *Lifecycle, n node, cause Cause) (calls []int, optional []bool) {
	proto := LifeCallback{Cause: cause, Pos: Pos{d.file, n.line}}
	var e Effect
	for _, p := range n.pairs {
		switch p.key {
		case "on":
			proto.On = d.place(p.val)
		case "then":
			proto.Then = d.effects(p.val)
		case "pending":
			proto.Pending = lookup(d, p.line, p.key, p.val.text, map[string]bool{"true": true, "false": false})
		case "cause", "rare", "crash", "threads", "target", "device":
			d.option(&e, p)
		}
	}
	proto.Rare, proto.Crash, proto.Threads, proto.SDK = e.Rare, e.Crash, e.Threads, e.SDK
	if e.Cause != NoCause {
		proto.Cause = e.Cause
	}
	call := n.get("call")
	if call == nil {
		return nil, nil
	}
	for _, item := range call.list() {
		text, opt := strings.CutSuffix(item.text, "?")
		cb, err := d.names.callback(text, Place{Base: This})
		if err != nil || cb.Target.Base != This || len(cb.Target.Slots) > 0 && proto.On.Zero() {
			d.errorf(item.line, "bad callback %q of a lifecycle: want method(args) of the object", item.text)
			continue
		}
		c := proto
		c.Callback, c.Pos.Line = cb, item.line
		calls = append(calls, len(l.Callbacks))
		optional = append(optional, opt)
		l.Callbacks = append(l.Callbacks, c)
	}
	return calls, optional
}

// transition reads one, and gives its optional callbacks.
func (d *decoder) transition(l *Lifecycle, n node) (opt []int) {
	if !d.mapping(n, "transition", "move", "call", "by", "boot", "on", "then", "rare", "crash", "threads", "target", "device") {
		return nil
	}
	move := n.get("move")
	if move == nil {
		d.errorf(n.line, "transition: needs move: from -> to")
		return nil
	}
	from, to, ok := strings.Cut(move.text, "->")
	if !ok {
		d.errorf(move.line, "move %q: want from -> to", move.text)
		return nil
	}
	t := Transition{From: d.state(l, move.line, from), To: d.state(l, move.line, to), By: ByLifecycle, Pos: Pos{d.file, n.line}}
	if t.From < 0 || t.To < 0 {
		return nil
	}
	if v := n.get("by"); v != nil {
		t.By = lookup(d, v.line, "by", v.text, causes)
	}
	if v := n.get("rare"); v != nil {
		t.Rare = v.text == "true"
	}
	if v := n.get("boot"); v != nil {
		b, err := strconv.Atoi(v.text)
		if err != nil || b < 1 || b > 9 {
			d.errorf(v.line, "boot %q: want 1 to 9", v.text)
		}
		t.Boot = b
	}
	calls, optional := d.lifeCalls(l, n, ByLifecycle)
	if len(calls) > 0 {
		t.SDK = l.Callbacks[calls[0]].SDK
	}
	d.spellOut(l, t, calls, optional)
	for i, c := range calls {
		if optional[i] {
			opt = append(opt, c)
		}
	}
	return opt
}

// spellOut adds the transition once for each choice of its optional calls.
func (d *decoder) spellOut(l *Lifecycle, t Transition, calls []int, optional []bool) {
	var opts []int
	for i, o := range optional {
		if o {
			opts = append(opts, i)
		}
	}
	if len(opts) > maxOptional {
		d.errorf(t.Pos.Line, "more than %d optional callbacks in one transition", maxOptional)
		return
	}
	for mask := 0; mask < 1<<len(opts); mask++ {
		skip := map[int]bool{}
		for b, i := range opts {
			skip[i] = mask&(1<<b) != 0
		}
		v := t
		for i, c := range calls {
			if !skip[i] {
				v.Calls = append(v.Calls, c)
			}
		}
		l.Transitions = append(l.Transitions, v)
	}
}

func (d *decoder) event(l *Lifecycle, n node) {
	if !d.mapping(n, "event", "in", "call", "on", "then", "pending", "cause", "rare", "crash", "threads", "target", "device") {
		return
	}
	in := n.get("in")
	if in == nil || n.get("call") == nil {
		d.errorf(n.line, "event: needs in and call")
		return
	}
	states := d.states(l, *in)
	calls, _ := d.lifeCalls(l, n, BySystem)
	for _, c := range calls {
		l.Events = append(l.Events, Event{Call: c, In: states})
	}
}

func (d *decoder) others(l *Lifecycle, n node) {
	if !d.mapping(n, "others", "prefix", "in", "cause") {
		return
	}
	if n.get("prefix") == nil || n.get("in") == nil {
		d.errorf(n.line, "others: needs prefix and in")
		return
	}
	o := Others{Prefix: n.get("prefix").text, In: d.states(l, *n.get("in")), Cause: BySystem}
	if c := n.get("cause"); c != nil {
		o.Cause = lookup(d, c.line, "cause", c.text, causes)
	}
	l.Others = append(l.Others, o)
}

func (d *decoder) predicates(l *Lifecycle, n node) {
	for _, p := range n.pairs {
		if !isWord(p.key) || !d.mapping(p.val, "predicate", "true", "false") {
			d.errorf(p.line, "predicate %q: want method: {true: states, false: states}", p.key)
			continue
		}
		q := Predicate{Name: p.key}
		if v := p.val.get("true"); v != nil {
			q.True = d.states(l, *v)
		}
		if v := p.val.get("false"); v != nil {
			q.False = d.states(l, *v)
		}
		l.Predicates = append(l.Predicates, q)
	}
}

// finished reads {never: [methods], after input: [methods]}.
func (d *decoder) finished(l *Lifecycle, n node) {
	if !d.mapping(n, "finished", "never", "after input") {
		return
	}
	for _, p := range n.pairs {
		for _, item := range p.val.list() {
			known := slices.ContainsFunc(l.Callbacks, func(c LifeCallback) bool { return c.Callback.Name == item.text })
			if !known {
				d.errorf(item.line, "finished: no callback is called %q", item.text)
			}
			l.Finished = append(l.Finished, Finished{Name: item.text, Input: p.key == "after input"})
		}
	}
}

// within reads {host: Class, state: [states of the host]}.
func (d *decoder) within(l *Lifecycle, n node) {
	for _, item := range n.list() {
		h := item.get("host")
		if h == nil {
			d.errorf(item.line, "within: needs host")
			continue
		}
		host, err := d.names.class(h.text)
		if err != nil {
			d.errorf(h.line, "%v", err)
		}
		for _, p := range item.pairs {
			if p.key == "host" {
				continue
			}
			w := Within{Host: host, State: d.state(l, p.line, p.key)}
			for _, s := range p.val.list() {
				w.Hosts = append(w.Hosts, s.text)
			}
			l.Within = append(l.Within, w)
		}
	}
}
