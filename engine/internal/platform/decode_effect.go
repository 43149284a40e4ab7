package platform

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// form is how the value of an effect key is written when it is not a mapping.
type form uint8

const (
	flowForm  form = iota // from -> to
	placeForm             // a place
	callForm              // a callback
	mapForm               // always a mapping
)

// effectKinds lists the effects by the key they are written with, and the
// further keys each may have.
var effectKinds = map[string]struct {
	kind EffectKind
	form form
	keys string // besides those of the form and the common ones
}{
	"copy":       {Copy, flowForm, ""},
	"load":       {Load, flowForm, "crash threads key sized"},
	"store":      {Store, flowForm, "crash threads key sized keeps"},
	"test":       {Test, flowForm, "not"},
	"read":       {Read, placeForm, "crash threads key word"},
	"write":      {Write, placeForm, "crash threads key keeps"},
	"free":       {Free, placeForm, "crash threads key"},
	"use":        {Use, placeForm, "crash threads key"},
	"deref":      {Deref, placeForm, ""},
	"join":       {Join, placeForm, ""},
	"await":      {Await, placeForm, ""},
	"signal":     {Signal, placeForm, ""},
	"acquire":    {Acquire, placeForm, "shared"},
	"release":    {Release, placeForm, ""},
	"finish":     {Finish, placeForm, "what kept"},
	"reached":    {Reached, placeForm, "what"},
	"drive":      {Drive, placeForm, "host"},
	"call":       {Call, callForm, "result then sure"},
	"post":       {Post, callForm, "result then do name on via handle code token delay unit front repeat inline cause rare owner active crash threads"},
	"start":      {Start, callForm, "result then do name on via handle repeat delay unit cause rare owner active"},
	"register":   {Register, callForm, "result then do name on via handle code in once inline cause rare lost owner active crash threads"},
	"unregister": {Unregister, mapForm, "via handle code in"},
	"cancel":     {Cancel, mapForm, "on via handle code token"},
	"queue":      {Queue, placeForm, "kind workers"},
	"component":  {StartComponent, placeForm, "what to delay via handle rare brings"},
	"inflate":    {Inflate, flowForm, "what host"},
	"find":       {Find, flowForm, "what host"},
	"create":     {Create, flowForm, "host"},
	"suspend":    {Suspend, mapForm, "on delay unit handle"},
}

const commonKeys = "when target device"

var formKeys = map[form]string{flowForm: "flow", placeForm: "place", callForm: "call", mapForm: ""}

var queueKinds = map[string]QueueKind{
	"looper": Looper, "serial": Serial, "parallel": Parallel, "thread": Thread, "direct": Direct,
}

var causes = map[string]Cause{
	"gui": ByGUI, "system": BySystem, "lifecycle": ByLifecycle, "message": ByMessage, "task": ByTask,
}

// effects reads a mapping of effects, or a list of such mappings.
func (d *decoder) effects(n node) []Effect {
	var out []Effect
	if n.kind == scalarNode && (n.text == "none" || n.text == "") {
		if n.text == "" {
			d.errorf(n.line, "no effects: write none")
		}
		return nil
	}
	for _, item := range n.list() {
		if item.kind != mapNode {
			d.errorf(item.line, "want effects, as kind: what")
			continue
		}
		for _, p := range item.pairs {
			out = append(out, d.effect(p)...)
		}
	}
	return out
}

// effect reads one entry "kind: value"; a list of values or of callbacks
// gives several effects.
func (d *decoder) effect(p pair) []Effect {
	k, ok := effectKinds[p.key]
	if !ok {
		d.errorf(p.line, "unknown effect %q, want one of %s", p.key, effectNames())
		return nil
	}
	var out []Effect
	for _, v := range p.val.list() {
		e := Effect{Kind: k.kind, Pos: Pos{d.file, v.line}, Delay: Delay{Known: true, Arg: -1, Unit: -1}}
		switch {
		case v.kind == mapNode:
			out = append(out, d.effectMap(e, p.key, v)...)
		case v.kind == scalarNode && k.form != mapForm:
			out = append(out, d.main(e, k.form, v)...)
		case v.kind == scalarNode && (k.kind == Cancel || k.kind == Unregister):
			e.Handle = d.place(v)
			out = append(out, e)
		default:
			d.errorf(v.line, "%s: want a mapping", p.key)
		}
	}
	for i := range out {
		d.complete(&out[i], p.key)
	}
	return out
}

func effectNames() string {
	names := make([]string, 0, len(effectKinds))
	for n := range effectKinds {
		names = append(names, n)
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}

// main reads the value that every form has: the flow, place or callback.
func (d *decoder) main(e Effect, f form, v node) []Effect {
	switch f {
	case flowForm:
		from, to, ok := strings.Cut(v.text, "->")
		if !ok {
			d.errorf(v.line, "%q: want from -> to", v.text)
			return nil
		}
		e.From = d.placeText(v.line, from)
		e.To = d.placeText(v.line, to)
	case placeForm:
		e.Place = d.place(v)
	case callForm:
		cb, err := d.names.callback(v.text, Place{})
		if err != nil {
			d.errorf(v.line, "%v", err)
			return nil
		}
		e.Callback = cb
	}
	return []Effect{e}
}

func (d *decoder) effectMap(e Effect, key string, v node) []Effect {
	k := effectKinds[key]
	allowed := strings.Fields(formKeys[k.form] + " " + k.keys + " " + commonKeys)
	if !d.mapping(v, key, allowed...) {
		return nil
	}
	for _, p := range v.pairs {
		if p.key != formKeys[k.form] && slices.Contains(allowed, p.key) {
			d.option(&e, p)
		}
	}
	if k.form == mapForm {
		return []Effect{e}
	}
	value := v.get(formKeys[k.form])
	if value == nil {
		if e.Do == nil {
			d.errorf(v.line, "%s: needs %s", key, formKeys[k.form])
			return nil
		}
		return []Effect{e}
	}
	if e.Do != nil {
		d.errorf(v.line, "%s: has both call and do", key)
	}
	var out []Effect
	for _, item := range value.list() {
		if item.kind != scalarNode {
			d.errorf(item.line, "%s: want one value", formKeys[k.form])
			continue
		}
		out = append(out, d.main(e, k.form, item)...)
	}
	for i := range out {
		out[i].Callback.Result = e.Callback.Result
	}
	return out
}

// option reads one further key of an effect.
func (d *decoder) option(e *Effect, p pair) {
	switch p.key {
	case "then":
		e.Then = d.effects(p.val)
		return
	case "do":
		e.Do = d.effects(p.val)
		return
	case "on":
		e.On = d.places(p.val, "|")
		return
	case "result":
		e.Callback.Result = d.places(p.val, ",")
		return
	case "brings":
		for _, item := range p.val.list() {
			if text, ok := d.scalar(item, p.key); ok {
				e.Brings = append(e.Brings, text)
			}
		}
		return
	}
	if places := d.placeOption(e, p.key); places != nil {
		*places = d.place(p.val)
		return
	}
	text, ok := d.scalar(p.val, p.key)
	if !ok {
		return
	}
	switch p.key {
	case "name":
		e.Name = text
	case "crash":
		e.Crash = text
	case "what":
		e.What = text
	case "active":
		e.Active = text
	case "delay", "unit":
		d.delay(e, p.key, text, p.line)
	case "kind":
		e.Queue = lookup(d, p.line, "kind", text, queueKinds)
	case "cause":
		e.Cause = lookup(d, p.line, "cause", text, causes)
	case "threads":
		e.Threads = lookup(d, p.line, "threads", text, map[string]Threads{"any": AnyThreads, "other": OtherThreads})
	case "when":
		e.When = lookup(d, p.line, "when", text, map[string]string{"true": "true", "false": "false"})
	case "target", "device":
		d.sdk(&e.SDK, p.key, text, p.line)
	default:
		d.flag(e, p.key, text, p.line)
	}
}

func (d *decoder) placeOption(e *Effect, key string) *Place {
	switch key {
	case "via":
		return &e.Via
	case "handle":
		return &e.Handle
	case "code":
		return &e.Code
	case "token":
		return &e.Token
	case "in":
		return &e.In
	case "kept":
		return &e.Kept
	case "lost":
		return &e.Lost
	case "owner":
		return &e.Owner
	case "host":
		return &e.Host
	case "to":
		return &e.To
	case "workers":
		return &e.Workers
	case "key":
		return &e.Key
	}
	return nil
}

func (d *decoder) flag(e *Effect, key, text string, line int) {
	on := lookup(d, line, key, text, map[string]bool{"true": true, "false": false})
	switch key {
	case "front":
		e.Front = on
	case "repeat":
		e.Repeat = on
	case "once":
		e.Once = on
	case "inline":
		e.Inline = on
	case "sure":
		e.Sure = on
	case "rare":
		e.Rare = on
	case "shared":
		e.Shared = on
	case "not":
		e.Not = on
	case "word":
		e.Word = on
	case "sized":
		e.Sized = on
	case "keeps":
		e.Keeps = on
	}
}

func (d *decoder) delay(e *Effect, key, text string, line int) {
	arg := -1
	if n, ok := strings.CutPrefix(text, "arg"); ok {
		i, err := strconv.Atoi(n)
		if err != nil || i < 0 {
			d.errorf(line, "%s %q: want an argument", key, text)
			return
		}
		arg = i
	}
	if key == "unit" {
		e.Delay.Unit = arg
		return
	}
	e.Delay.Arg, e.Delay.Known = arg, false
	if arg >= 0 || text == "unknown" {
		return
	}
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ms < 0 {
		d.errorf(line, "delay %q: want milliseconds, argN or unknown", text)
		return
	}
	e.Delay.MS, e.Delay.Known = ms, true
}

// sdk reads a range of API levels: "13..", "..12", "11..13" or "21".
func (d *decoder) sdk(s *SDK, key, text string, line int) {
	lo, hi, ranged := strings.Cut(text, "..")
	if !ranged {
		hi = lo
	}
	var r Range
	for _, x := range []struct {
		text string
		to   *int
	}{{lo, &r.Lo}, {hi, &r.Hi}} {
		if x.text == "" {
			continue
		}
		n, err := strconv.Atoi(x.text)
		if err != nil || n < 1 || n > 10000 {
			d.errorf(line, "%s %q: want API levels, as 13.. or ..12", key, text)
			return
		}
		*x.to = n
	}
	if key == "target" {
		s.Target = r
	} else {
		s.Device = r
	}
}

// lookup finds a word in a table, or reports the choices.
func lookup[T any](d *decoder, line int, key, text string, table map[string]T) T {
	v, ok := table[text]
	if !ok {
		words := make([]string, 0, len(table))
		for w := range table {
			words = append(words, w)
		}
		sort.Strings(words)
		d.errorf(line, "%s %q: want one of %s", key, text, strings.Join(words, ", "))
	}
	return v
}

// complete fills defaults and checks what an effect cannot do without.
func (d *decoder) complete(e *Effect, key string) {
	bad := func(text string) { d.errorf(e.Pos.Line, "%s: %s", key, text) }
	switch e.Kind {
	case Post:
		if len(e.On) == 0 {
			bad("needs on")
		}
		if e.Cause == NoCause {
			e.Cause = ByMessage
		}
	case Start:
		if e.Cause == NoCause {
			e.Cause = ByTask
		}
	case Register:
		if len(e.On) == 0 {
			e.On = []Place{{Base: Main}}
		}
		if e.Cause == NoCause {
			e.Cause = BySystem
		}
	case Load:
		if len(e.From.Slots) == 0 {
			bad("reads no slot: use copy")
		}
	case Store:
		if len(e.To.Slots) == 0 {
			bad("writes no slot: use copy")
		}
	case Read, Write, Free, Use:
		if len(e.Place.Slots) == 0 {
			bad("needs a slot")
		}
	case Queue:
		if (e.Queue == NoQueue) == e.Workers.Zero() {
			bad("needs kind or workers")
		}
	case StartComponent, Inflate, Find, Reached:
		if e.What == "" {
			bad("needs what")
		}
	}
	if !e.Key.Zero() && (e.Key.Base != Arg || len(e.Key.Slots) > 0 || !e.inContent()) {
		bad("key: want an argument, and a location that ends in []")
	}
	if e.Do != nil && e.Name == "" {
		bad("do needs a name")
	}
	if e.Active != "" && e.Owner.Zero() {
		bad("active needs owner")
	}
}

// inContent reports whether the location of an access is what a container holds.
func (e *Effect) inContent() bool {
	at := e.Place
	switch e.Kind {
	case Load:
		at = e.From
	case Store:
		at = e.To
	}
	return len(at.Slots) > 0 && last(at.Slots) == "[]"
}
