package platform

import (
	"slices"
	"sort"
	"strings"
)

// decoder reads one model file into models.
type decoder struct {
	reader
	names  *names
	models *Models
	extra  bool // a user's file: may replace what is there
}

func (d *decoder) place(n node) Place {
	text, ok := d.scalar(n, "place")
	if !ok {
		return Place{}
	}
	return d.placeText(n.line, text)
}

func (d *decoder) placeText(line int, text string) Place {
	p, err := parsePlace(text, d.names.class)
	if err != nil {
		d.errorf(line, "%v", err)
	}
	return p
}

// places reads a list, or one text with a separator.
func (d *decoder) places(n node, sep string) []Place {
	var out []Place
	for _, item := range n.list() {
		text, ok := d.scalar(item, "place")
		if !ok {
			return nil
		}
		for _, t := range strings.Split(text, sep) {
			out = append(out, d.placeText(item.line, t))
		}
	}
	return out
}

// file reads a whole model file.
func (d *decoder) decodeFile(data []byte) {
	root := d.parseTree(data)
	if root == nil || !d.mapping(*root, "model file", "title", "imports", "packages", "classes", "lifecycles") {
		return
	}
	if t := root.get("title"); t == nil {
		d.errorf(root.line, "model file: needs a title")
	}
	if imps := root.get("imports"); imps != nil {
		for _, n := range imps.list() {
			if err := d.names.add(n.text); err != nil {
				d.errorf(n.line, "%v", err)
			}
		}
	}
	for _, part := range []struct {
		key  string
		read func(pair)
	}{{"packages", d.pkg}, {"classes", d.class}, {"lifecycles", d.lifecycle}} {
		n := root.get(part.key)
		if n == nil {
			continue
		}
		if n.kind != mapNode {
			d.errorf(n.line, "%s: want a mapping by name", part.key)
			continue
		}
		for _, p := range n.pairs {
			d.each(p, part.read)
		}
	}
}

// each runs read for an entry, or for each row of its "for".
func (d *decoder) each(p pair, read func(pair)) {
	rows := p.val.get("for")
	if rows == nil {
		read(p)
		return
	}
	for _, row := range rows.list() {
		vars := map[string]string{}
		if row.kind != mapNode {
			d.errorf(row.line, "for: want rows of NAME: text")
			continue
		}
		for _, v := range row.pairs {
			vars[v.key] = v.val.text
		}
		body := p.val.expand(vars)
		kept := body.pairs[:0:0]
		for _, q := range body.pairs {
			if q.key != "for" {
				kept = append(kept, q)
			}
		}
		body.pairs = kept
		key := node{text: p.key}.expand(vars).text
		read(pair{key, p.line, body})
	}
}

var classKeys = []string{"slots", "statics", "queue", "fluent", "methods", "order", "renew", "separate", "settled", "listeners"}

func (d *decoder) class(p pair) {
	name, err := d.names.class(p.key)
	if err != nil {
		d.errorf(p.line, "%v", err)
		return
	}
	if !d.mapping(p.val, name, slices.Concat(classKeys, traitKeys)...) {
		return
	}
	c := d.models.Classes[name]
	if c == nil {
		c = &ClassModel{Name: name, Pos: Pos{d.file, p.line}}
		d.models.Classes[name] = c
	}
	for _, q := range p.val.pairs {
		switch q.key {
		case "slots":
			c.Slots = d.slots(c.Slots, q.val)
		case "statics":
			c.Statics = d.slots(c.Statics, q.val)
		case "queue":
			d.queue(c, q)
		case "fluent":
			c.Fluent = lookup(d, q.line, "fluent", q.val.text, map[string]bool{"true": true})
		case "methods":
			d.methods(c, q.val)
		case "order":
			d.order(c, q.val)
		case "separate":
			d.separate(c, q.val)
		case "renew":
			d.renew(c, q.val)
		case "settled":
			d.settled(c, q.val)
		case "listeners":
			d.listeners(c, q.val)
		default:
			d.trait(c, q)
		}
	}
}

var slotKinds = map[string]SlotKind{
	"ref": RefSlot, "value": ValueSlot, "content": ContentSlot, "resource": ResourceSlot, "own": OwnSlot, "holder": HolderSlot,
}

func (d *decoder) slots(have []Slot, n node) []Slot {
	if n.kind != mapNode {
		d.errorf(n.line, "slots: want name: kind")
		return have
	}
	for _, p := range n.pairs {
		if p.key != "[]" && !isWord(p.key) {
			d.errorf(p.line, "%q is no slot name", p.key)
			continue
		}
		word, cls, _ := strings.Cut(p.val.text, " ")
		cls, queue, queued := strings.Cut(cls, " ")
		s := Slot{Name: p.key, Kind: lookup(d, p.line, "slot kind", word, slotKinds), Pos: Pos{d.file, p.line}}
		if cls != "" {
			full, err := d.names.typ(cls)
			if err != nil {
				d.errorf(p.line, "%v", err)
			}
			s.Class = full
		}
		if queued {
			s.Queue = lookup(d, p.line, "queue", queue, queueKinds)
		}
		if (s.Kind == OwnSlot) && cls == "" || cls != "" && s.Kind != OwnSlot && s.Kind != RefSlot && s.Kind != HolderSlot && s.Kind != ContentSlot {
			d.errorf(p.line, "slot %s: own needs a class; value and resource have none", p.key)
		}
		if (p.key == "[]") != (s.Kind == ContentSlot) {
			d.errorf(p.line, "slot %s: the slot [], and no other, is content", p.key)
		}
		if old := findSlot(have, s.Name); old != nil {
			if !d.extra {
				d.errorf(p.line, "duplicate slot %s, first at %s:%d", s.Name, old.Pos.File, old.Pos.Line)
			}
			*old = s
			continue
		}
		have = append(have, s)
		sort.Slice(have, func(i, j int) bool { return have[i].Name < have[j].Name })
	}
	return have
}

// methods reads "signature; signature": effects.
func (d *decoder) methods(c *ClassModel, n node) {
	if n.kind != mapNode {
		d.errorf(n.line, "methods: want signature: effects")
		return
	}
	for _, p := range n.pairs {
		for _, sig := range strings.Split(p.key, ";") {
			effects := d.effects(p.val) // each its own: checks complete them by the signature's types
			name, params, open, err := d.names.method(strings.TrimSpace(sig))
			if err != nil {
				d.errorf(p.line, "%v", err)
				continue
			}
			d.addMethod(c, &Method{Class: c.Name, Name: name, Params: params, Open: open, Effects: effects, Pos: Pos{d.file, p.line}})
		}
	}
}

func (d *decoder) addMethod(c *ClassModel, m *Method) {
	for i, old := range c.Methods {
		if old.Signature() != m.Signature() {
			continue
		}
		if !d.extra || old.Pos.File == d.file {
			d.errorf(m.Pos.Line, "duplicate model of %s, first at %s:%d", m.Signature(), old.Pos.File, old.Pos.Line)
		}
		c.Methods[i] = m
		return
	}
	c.Methods = append(c.Methods, m)
}

// listeners reads the compact table of methods that do nothing but take a
// listener: set (replaces the one in a slot), add and remove.
func (d *decoder) listeners(c *ClassModel, n node) {
	if !d.mapping(n, "listeners", "set", "add", "remove", "cause", "rare", "on") {
		return
	}
	arg := Place{Base: Arg}
	e := Effect{Kind: Register, Callback: Callback{Target: arg, Name: "*", All: true, AnyArgs: true},
		On: []Place{{Base: Main}}, Handle: arg, Cause: ByGUI, Delay: Delay{Known: true, Arg: -1, Unit: -1}}
	for _, key := range []string{"cause", "rare", "on"} {
		if v := n.get(key); v != nil {
			d.option(&e, pair{key, v.line, *v})
		}
	}
	for _, p := range n.pairs {
		if p.key == "cause" || p.key == "rare" || p.key == "on" {
			continue
		}
		if p.val.kind != mapNode {
			d.errorf(p.line, "listeners %s: want method: Listener", p.key)
			continue
		}
		for _, q := range p.val.pairs {
			d.listener(c, p.key, q, e)
		}
	}
}

func (d *decoder) listener(c *ClassModel, how string, p pair, e Effect) {
	typ, err := d.names.class(p.val.text)
	if err != nil || !isWord(p.key) || p.key == "set" {
		d.errorf(p.line, "%s: want a method name and a listener type, not %q", p.key, p.val.text)
		return
	}
	pos := Pos{d.file, p.line}
	arg := e.Handle
	e.Pos, e.Callback.Type = pos, typ
	effects := []Effect{}
	switch how {
	case "set":
		slot := strings.TrimPrefix(p.key, "set")
		slot = strings.ToLower(slot[:1]) + slot[1:]
		if findSlot(c.Slots, slot) == nil {
			c.Slots = append(c.Slots, Slot{Name: slot, Class: typ, Pos: pos})
			sort.Slice(c.Slots, func(i, j int) bool { return c.Slots[i].Name < c.Slots[j].Name })
		}
		e.In = Place{Base: This, Slots: []string{slot}}
		e.Via = Place{Base: This}
		effects = append(effects, Effect{Kind: Copy, From: arg, To: e.In, Delay: e.Delay, Pos: pos}, e)
	case "add":
		e.Via = Place{Base: This}
		effects = append(effects, e)
	case "remove":
		effects = append(effects, Effect{Kind: Unregister, Via: Place{Base: This}, Handle: arg, Delay: e.Delay, Pos: pos})
	}
	d.addMethod(c, &Method{Class: c.Name, Name: p.key, Params: []string{typ}, Effects: effects, Pos: pos})
}
