package racetest

import (
	"fmt"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
)

// owner is a class whose fields callbacks touch: a component, or Global with static
// fields alone.
type owner struct {
	app        *App
	kind       kind
	name, desc string
	class      *dextest.Class
	items      []place // fields that hold an item
	counts     []place
	flags      []place
	lists      []place // of containers
	maps       []place
	locks      []place
	holders    []place
	jobs       []job // runnables of the owner
	tasks      []string
	helpers    int
	messages   string // class of the handler that it has
	recipes    []recipe
	leaves     []recipe // that make nothing else run
	quiet      bool     // what is drawn makes nothing else run
}

// place is a field; through, if it has a name, holds the object that has it.
type place struct {
	class, name, typ string
	static           bool
	through          *place
}

func (p place) String() string { return p.class + "->" + p.name + ":" + p.typ }

// job is a runnable of an owner, which it keeps in a field.
type job struct {
	desc string
	kept place
}

// field declares a field and is its place.
func (o *owner) field(name, typ string, access uint32) place {
	o.class.Field(name, typ, access)
	return place{class: o.desc, name: name, typ: typ, static: access&dex.AccStatic != 0}
}

// fields declares what callbacks touch.
func (o *owner) fields(access uint32) {
	a := o.app
	for i := range 1 + a.rng.IntN(2) {
		volatile := uint32(0)
		if a.oneIn(8) {
			volatile = dex.AccVolatile
		}
		o.items = append(o.items, o.field(fmt.Sprintf("item%d", i), a.item, access|volatile))
	}
	for i := range 1 + a.rng.IntN(2) {
		o.counts = append(o.counts, o.field(fmt.Sprintf("count%d", i), "I", access))
		o.flags = append(o.flags, o.field(fmt.Sprintf("flag%d", i), "Z", access))
	}
	o.lists = append(o.lists, o.field("list", list, access))
	o.maps = append(o.maps, o.field("map", hash, access))
	o.locks = append(o.locks, o.field("lock0", object, access|dex.AccFinal), o.field("lock1", object, access|dex.AccFinal))
	for i := range 2 {
		h := o.field(fmt.Sprintf("holder%d", i), a.holder, access)
		o.holders = append(o.holders, h)
		o.items = append(o.items, place{class: a.holder, name: "held", typ: a.item, through: &h})
		o.counts = append(o.counts, place{class: a.holder, name: "count", typ: "I", through: &h})
	}
}

// load puts what a place holds into a register; v0 is the owner.
func (b *code) load(register string, p place) *code { return b.get(register, p, "v5") }

// get is load; by may be overwritten.
func (b *code) get(register string, p place, by string) *code {
	op := map[string]string{"I": "", "Z": "-boolean"}
	suffix, known := op[p.typ]
	if !known {
		suffix = "-object"
	}
	switch {
	case p.static:
		return b.addf("sget%s %s, %s", suffix, register, p)
	case p.through != nil:
		return b.load(by, *p.through).addf("iget%s %s, %s, %s", suffix, register, by, p)
	}
	return b.addf("iget%s %s, v0, %s", suffix, register, p)
}

// store is the other way round; v5 may be overwritten.
func (b *code) store(register string, p place) *code {
	suffix := "-object"
	switch p.typ {
	case "I":
		suffix = ""
	case "Z":
		suffix = "-boolean"
	}
	switch {
	case p.static:
		return b.addf("sput%s %s, %s", suffix, register, p)
	case p.through != nil:
		return b.load("v5", *p.through).addf("iput%s %s, v5, %s", suffix, register, p)
	}
	return b.addf("iput%s %s, v0, %s", suffix, register, p)
}

// setUp gives fields their first values: those of constructors in one, else those
// of the first callback.
func (o *owner) setUp(b *code, constructing bool) {
	a := o.app
	if constructing {
		for _, l := range o.locks {
			b.line().make("v1", object).store("v1", l)
		}
		for _, l := range o.lists {
			b.line().make("v1", list).store("v1", l)
		}
		b.line().make("v1", hash).store("v1", o.maps[0])
		for i, h := range o.holders {
			if i == 0 || !a.oneIn(3) {
				b.line().make("v1", a.holder)
			}
			if !a.late {
				b.store("v1", h) // sometimes one object in both
			}
		}
	}
	for _, p := range o.items {
		if a.oneIn(3) {
			b.line().make("v1", a.item).store("v1", p)
		}
	}
}

// initialise writes the static initialiser.
func (o *owner) initialise() {
	b := newCode(o.class, "<clinit>", "()V", dex.AccStatic|dex.AccConstructor)
	o.setUp(b, true)
	b.add("return-void").end()
}

// write writes the methods of a component.
func (o *owner) write() {
	a := o.app
	b := newCode(o.class, "<init>", "()V", dex.AccPublic)
	b.addf("invoke-direct {p0}, %s-><init>()V", o.kind.super).add("move-object v0, p0")
	o.setUp(b, true)
	b.add("return-void").end()

	o.declare()
	for range 1 + a.rng.IntN(3) {
		o.recipes = append(o.recipes, o.recipe(1+a.rng.IntN(4)))
	}
	o.quiet = true
	for range 1 + a.rng.IntN(3) {
		o.leaves = append(o.leaves, o.recipe(1+a.rng.IntN(3)))
	}
	o.quiet = false
	o.writeJobs()
	first := newCode(o.class, o.kind.first.name, o.kind.first.proto, dex.AccPublic).add("move-object v0, p0")
	o.begin(first)
	if a.oneIn(3) {
		o.run(first, o.near())
	}
	first.add("return-void").end()
	for _, c := range o.kind.others {
		if a.oneIn(2) {
			continue
		}
		b := newCode(o.class, c.name, c.proto, dex.AccPublic).add("move-object v0, p0")
		o.run(b, o.leaf())
		o.returns(b, c.result)
	}
}

func (o *owner) returns(b *code, result string) {
	switch result {
	case "int":
		b.add("const/4 v1, 1").add("return v1").end()
	default:
		b.add("return-void").end()
	}
}

// declare declares the handler, the jobs and the tasks of a component.
func (o *owner) declare() {
	a := o.app
	o.messages = handler
	if a.oneIn(2) {
		o.messages = a.path + o.name + "Messages;"
	}
	for i := range 1 + a.rng.IntN(4) {
		desc := a.numbered("Job")
		o.jobs = append(o.jobs, job{desc, o.field(fmt.Sprintf("job%d", i), runnable, 0)})
	}
	for range a.rng.IntN(2) {
		o.tasks = append(o.tasks, a.numbered("Task"))
	}
	o.field("handler", handler, 0)
	o.field("thread", thread, 0)
	o.field("serial", executor, 0)
}

func (o *owner) own(name, typ string) place { return place{class: o.desc, name: name, typ: typ} }

// begin writes what the first callback of a component does: it makes its handler, jobs
// and executor, and registers clicks.
func (o *owner) begin(b *code) {
	a := o.app
	b.line().addf("invoke-static {}, %s->getMainLooper()%s", looper, looper).add("move-result-object v2")
	b.addf("new-instance v1, %s", o.messages)
	if o.messages == handler {
		b.addf("invoke-direct {v1, v2}, %s-><init>(%s)V", handler, looper)
	} else {
		b.addf("invoke-direct {v1, v0}, %s-><init>(%s)V", o.messages, o.desc)
	}
	b.store("v1", o.own("handler", handler))
	made := "newSingleThreadExecutor"
	if a.oneIn(2) {
		made = "newCachedThreadPool"
	}
	b.line().addf("invoke-static {}, Ljava/util/concurrent/Executors;->%s()%s", made, executor).add("move-result-object v1")
	b.store("v1", o.own("serial", executor))
	for _, j := range o.jobs {
		b.line().addf("new-instance v1, %s", j.desc).addf("invoke-direct {v1, v0}, %s-><init>(%s)V", j.desc, o.desc)
		b.store("v1", j.kept)
	}
	o.setUp(b, false)
	if o.kind.name == activity.name {
		for range 2 + a.rng.IntN(6) {
			o.click(b)
		}
		for _, p := range a.owners {
			if p.kind.name == fragment.name && a.oneIn(2) {
				o.attach(b, p)
			}
		}
	}
}

// attach adds a fragment to an activity.
func (o *owner) attach(b *code, p *owner) {
	const manager, transaction = "Landroid/app/FragmentManager;", "Landroid/app/FragmentTransaction;"
	b.line().addf("invoke-virtual {v0}, %s->getFragmentManager()%s", o.desc, manager).add("move-result-object v1")
	b.addf("invoke-virtual {v1}, %s->beginTransaction()%s", manager, transaction).add("move-result-object v1").make("v2", p.desc)
	b.add("const/4 v3, 1").addf("invoke-virtual {v1, v3, v2}, %s->add(ILandroid/app/Fragment;)%s", transaction, transaction)
	b.addf("invoke-virtual {v1}, %s->commit()I", transaction)
}

// click registers a listener on a view of its own.
func (o *owner) click(b *code) {
	a := o.app
	name, proto, result := "onClick", "("+view+")V", ""
	if a.oneIn(5) {
		name, proto, result = "onLongClick", "("+view+")Z", "int"
	}
	listener := "Landroid/view/View$O" + name[1:] + "Listener;"
	desc := a.numbered("Click")
	body := o.inner(o.inherit(desc, object, listener), desc, name, proto)
	o.run(body, o.leaf())
	o.returns(body, result)
	b.line().addf("const v1, %#x", a.ids).addf("invoke-virtual {v0, v1}, %s->findViewById(I)%s", o.desc, view).add("move-result-object v1")
	b.addf("new-instance v2, %s", desc).addf("invoke-direct {v2, v0}, %s-><init>(%s)V", desc, o.desc)
	b.addf("invoke-virtual {v1, v2}, %s->setO%sListener(%s)V", view, name[1:], listener)
	a.ids++
}

// inherit adds a class that holds the component in the field outer.
func (o *owner) inherit(desc, super string, interfaces ...string) *dextest.Class {
	c := o.app.class(desc, super, interfaces...)
	c.Field("outer", o.desc, dex.AccFinal)
	k := newCode(c, "<init>", "("+o.desc+")V", dex.AccPublic)
	if super == handler {
		k.addf("invoke-static {}, %s->getMainLooper()%s", looper, looper).add("move-result-object v1")
		k.addf("invoke-direct {p0, v1}, %s-><init>(%s)V", handler, looper)
	} else {
		k.addf("invoke-direct {p0}, %s-><init>()V", super)
	}
	k.addf("iput-object p1, p0, %s->outer:%s", desc, o.desc).add("return-void").end()
	return c
}

// inner begins a method of such a class.
func (o *owner) inner(c *dextest.Class, desc, name, proto string) *code {
	return newCode(c, name, proto, dex.AccPublic).addf("iget-object v0, p0, %s->outer:%s", desc, o.desc)
}

// writeJobs writes the runnables, the tasks and the handler.
func (o *owner) writeJobs() {
	for _, j := range o.jobs {
		b := o.inner(o.inherit(j.desc, object, runnable), j.desc, "run", "()V")
		o.run(b, o.near())
		o.returns(b, "")
	}
	for _, desc := range o.tasks {
		c := o.inherit(desc, task)
		b := o.inner(c, desc, "doInBackground", "(["+object+")"+object)
		o.run(b, o.near())
		b.add("const/4 v1, 0").add("return-object v1").end()
		b = o.inner(c, desc, "onPostExecute", "("+object+")V")
		o.run(b, o.near())
		o.returns(b, "")
	}
	if o.messages != handler {
		b := o.inner(o.inherit(o.messages, handler), o.messages, "handleMessage", "("+message+")V")
		b.addf("iget v1, p1, %s->what:I", message).skip(func(after string) {
			b.addf("if-eqz v1, %s", after)
			o.run(b, o.near())
		})
		o.run(b, o.near())
		o.returns(b, "")
	}
}
