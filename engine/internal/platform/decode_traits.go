package platform

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// queue reads the kind of queue that the objects of a class are: a word, or a
// mapping that also says whether it keeps the order of what falls due together.
func (d *decoder) queue(c *ClassModel, p pair) {
	kind := p.val
	if p.val.kind == mapNode {
		if !d.mapping(p.val, "queue", "kind", "fifo") {
			return
		}
		k := p.val.get("kind")
		if k == nil {
			d.errorf(p.line, "queue: needs kind")
			return
		}
		kind = *k
		if f := p.val.get("fifo"); f != nil {
			c.NoFIFO = !lookup(d, f.line, "fifo", f.text, map[string]bool{"true": true, "false": false})
		}
	}
	c.Queue = lookup(d, p.line, "queue", kind.text, queueKinds)
}

// trait reads one of the keys that speak of the objects of a class as such.
func (d *decoder) trait(c *ClassModel, p pair) {
	switch p.key {
	case "stateless":
		c.Stateless = d.said(p)
	case "serialized":
		if d.said(p) {
			d.models.Serialized = listed(d.models.Serialized, c.Name)
		}
	case "logs":
		c.Logs = d.said(p)
	case "complete":
		c.Complete = d.said(p)
	case "main":
		if d.said(p) {
			d.mainLooper(c, p.line)
		}
	case "blocked":
		c.Blocked = d.bound(p.val)
	case "units":
		c.Units = d.units(p.val)
	case "sends":
		c.Sends = d.patterns(p.val)
		d.models.Senders = listed(d.models.Senders, c.Name)
	}
}

// said reads a key whose only value is true.
func (d *decoder) said(p pair) bool {
	return lookup(d, p.line, p.key, p.val.text, map[string]bool{"true": true})
}

// listed adds a name to a sorted list.
func listed(names []string, name string) []string {
	i, found := slices.BinarySearch(names, name)
	if found {
		return names
	}
	return slices.Insert(names, i, name)
}

func (d *decoder) mainLooper(c *ClassModel, line int) {
	if old := d.models.MainLooper; old != "" && old != c.Name && !d.extra {
		d.errorf(line, "main: is already %s", old)
	}
	d.models.MainLooper = c.Name
}

var traitKeys = []string{"stateless", "serialized", "logs", "complete", "main", "blocked", "units", "sends"}

// bound reads "argN OP NUMBER".
func (d *decoder) bound(n node) *Bound {
	words := strings.Fields(n.text)
	if len(words) == 3 && boundOps[words[1]] != nil {
		arg, err := parsePlace(words[0], d.names.class)
		number, bad := strconv.ParseInt(words[2], 10, 64)
		if err == nil && bad == nil && arg.Base == Arg && len(arg.Slots) == 0 {
			return &Bound{Arg: arg.Index, Op: words[1], Number: number, Pos: Pos{d.file, n.line}}
		}
	}
	d.errorf(n.line, "blocked %q: want argN, one of <, <=, >, >=, ==, and a number", n.text)
	return nil
}

// units reads the lengths of constants in nanoseconds.
func (d *decoder) units(n node) map[string]int64 {
	out := map[string]int64{}
	if n.kind != mapNode {
		d.errorf(n.line, "units: want constant: nanoseconds")
		return out
	}
	for _, p := range n.pairs {
		length, err := strconv.ParseInt(strings.ReplaceAll(p.val.text, "_", ""), 10, 64)
		if err != nil || length <= 0 || !isWord(p.key) {
			d.errorf(p.line, "units %s: want a constant and nanoseconds, not %q", p.key, p.val.text)
			continue
		}
		out[p.key] = length
	}
	return out
}

// patterns reads method names, the last letter of which may be *.
func (d *decoder) patterns(n node) []string {
	var out []string
	for _, item := range n.list() {
		if !isWord(strings.TrimSuffix(item.text, "*")) {
			d.errorf(item.line, "sends %q: want method names, * last for all that begin so", item.text)
			continue
		}
		out = append(out, item.text)
	}
	return out
}

var packageKeys = []string{"calls", "called", "constructors"}

// pkg reads what holds of a package and all below it.
func (d *decoder) pkg(p pair) {
	if !isClassName(p.key) {
		d.errorf(p.line, "%q is no package", p.key)
		return
	}
	if !d.mapping(p.val, p.key, packageKeys...) {
		return
	}
	out := Package{Name: p.key, Pos: Pos{d.file, p.line}}
	atOnce, plain := map[string]bool{"at once": true}, map[string]bool{"plain": true}
	for _, q := range p.val.pairs {
		switch q.key {
		case "calls":
			out.CallsAtOnce = lookup(d, q.line, q.key, q.val.text, atOnce)
		case "called":
			out.CalledAtOnce = lookup(d, q.line, q.key, q.val.text, atOnce)
		case "constructors":
			out.PlainConstructors = lookup(d, q.line, q.key, q.val.text, plain)
		}
	}
	d.addPackage(out)
}

func (d *decoder) addPackage(p Package) {
	have := d.models.Packages
	for i, old := range have {
		if old.Name != p.Name {
			continue
		}
		if !d.extra || old.Pos.File == d.file {
			d.errorf(p.Pos.Line, "duplicate package %s, first at %s:%d", p.Name, old.Pos.File, old.Pos.Line)
		}
		have[i] = p
		return
	}
	have = append(have, p)
	sort.Slice(have, func(i, j int) bool { return have[i].Name < have[j].Name })
	d.models.Packages = have
}
