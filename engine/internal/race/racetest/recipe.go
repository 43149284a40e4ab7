package racetest

import (
	"fmt"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// statement writes one statement; every time the same.
type statement func(b *code)

// recipe is what a callback does.
type recipe []statement

func (o *owner) run(b *code, r recipe) {
	for _, s := range r {
		b.line()
		s(b)
	}
}

// recipe draws n statements.
func (o *owner) recipe(n int) recipe {
	r := make(recipe, n)
	for i := range r {
		r[i] = o.statement(2)
	}
	return r
}

// near is one of the owner's recipes, one time in three with a statement changed, left
// out or added.
func (o *owner) near() recipe {
	a := o.app
	r := slices.Clone(pick(a, o.recipes))
	at := a.rng.IntN(len(r))
	switch a.rng.IntN(6) {
	case 0:
		r[at] = o.statement(2)
	case 1:
		r = slices.Delete(r, at, at+1)
	case 2:
		r = slices.Insert(r, at, o.statement(2))
	}
	return r
}

// leaf is a recipe that makes nothing else run, or nearly one.
func (o *owner) leaf() recipe {
	if o.app.oneIn(4) {
		return o.near()
	}
	o.quiet = true
	defer func() { o.quiet = false }()
	recipes := o.recipes
	o.recipes = o.leaves
	defer func() { o.recipes = recipes }()
	return o.near()
}

// any is a place of the owner, or of Global.
func (o *owner) any(of func(o *owner) []place) place {
	if o.app.oneIn(o.app.focus) {
		o = o.app.global
	}
	places := of(o)
	if !o.app.oneIn(o.app.focus) {
		return places[0]
	}
	return pick(o.app, places)
}

func items(o *owner) []place  { return o.items }
func counts(o *owner) []place { return o.counts }
func flags(o *owner) []place  { return o.flags }
func locks(o *owner) []place  { return o.locks }
func lists(o *owner) []place  { return o.lists }
func maps(o *owner) []place   { return o.maps }

// statement draws a statement; depth bounds what may enclose others.
func (o *owner) statement(depth int) statement {
	a := o.app
	n := a.rng.IntN(100)
	if o.app.oneIn(2) {
		n = 10 * a.way("statement", 10)
	}
	switch {
	case n < 18:
		return o.use()
	case n < 34:
		return o.change()
	case n < 42:
		return o.number()
	case n < 53:
		return o.container()
	case n < 63:
		return o.cause()
	case depth == 0:
		return o.use()
	case n < 72:
		return o.inLock(depth)
	case n < 82:
		return o.ifFlag(depth)
	case n < 86:
		return o.helper(depth)
	case n < 89:
		return o.caught(depth)
	case n < 95:
		return o.query(depth)
	}
	return o.fresh()
}

// use dereferences what a place holds: as it is, tested in one of several ways, or set
// before.
func (o *owner) use() statement {
	a := o.app
	p, how := o.any(items), a.way("use", 10)
	holder := pick(a, o.holders)
	call := "invoke-virtual {v1}, " + a.item + "->go()V"
	lock := o.any(locks)
	return func(b *code) {
		switch how {
		case 0: // the very value
			b.load("v1", p).skip(func(after string) { b.addf("if-eqz v1, %s", after).add(call) })
		case 1: // the field, which is read again
			b.load("v1", p).skip(func(after string) { b.addf("if-eqz v1, %s", after).load("v1", p).add(call) })
		case 2: // ahead of a lock
			b.load("v1", p).skip(func(after string) {
				b.addf("if-eqz v1, %s", after)
				b.locked(func(r string) { b.load(r, lock) }, func() { b.load("v1", p).add(call) })
			})
		case 3: // in a lock
			b.locked(func(r string) { b.load(r, lock) }, func() {
				b.load("v1", p).skip(func(after string) { b.addf("if-eqz v1, %s", after).load("v1", p).add(call) })
			})
		case 4: // set before
			b.make("v1", a.item).store("v1", p).load("v1", p).add(call)
		case 5: // by a method that others call as well
			b.load("v1", holder).addf("invoke-virtual {v1}, %s->use()V", a.holder)
		default:
			b.load("v1", p).add(call)
		}
	}
}

// plainUse uses what a place holds as it is.
func (o *owner) plainUse() statement {
	a := o.app
	p := o.any(items)
	return func(b *code) { b.load("v1", p).addf("invoke-virtual {v1}, %s->go()V", a.item) }
}

// change stores something, null, or what may be either, into a place.
func (o *owner) change() statement {
	a := o.app
	p, how := o.any(items), a.way("change", 14)
	from := o.any(items)
	count := o.any(counts)
	flag, set := o.any(flags), a.rng.IntN(2)
	holder, lock := pick(a, o.holders), o.any(locks)
	return func(b *code) {
		switch how {
		case 6, 7: // by a method that others call as well
			b.add("const/4 v1, 0")
			if how == 7 {
				b.make("v1", a.item)
			}
			b.load("v2", holder).addf("invoke-virtual {v2, v1}, %s->set(%s)V", a.holder, a.item)
		case 8: // in a lock
			b.locked(func(r string) { b.load(r, lock) }, func() { b.add("const/4 v1, 0").store("v1", p) })
		case 4: // with a flag that says so
			b.add("const/4 v1, 0").store("v1", p).line().addf("const/4 v1, %d", set).store("v1", flag)
		case 5: // only sometimes
			b.load("v1", count).skip(func(after string) { b.addf("if-eqz v1, %s", after).add("const/4 v1, 0").store("v1", p) })
		case 0:
			b.make("v1", a.item).store("v1", p)
		case 1: // free, then set again
			b.add("const/4 v1, 0").store("v1", p).line().make("v1", a.item).store("v1", p)
		case 2:
			b.load("v1", count).addf("invoke-static {v1}, %s->maybe(I)%s", a.item, a.item).add("move-result-object v1").store("v1", p)
		case 3:
			b.load("v1", from).store("v1", p)
		default:
			b.add("const/4 v1, 0").store("v1", p)
		}
	}
}

// number reads, sets or increments a count, or sets a flag.
func (o *owner) number() statement {
	a := o.app
	p, flag, how, k := o.any(counts), o.any(flags), a.way("number", 7), a.rng.IntN(2)
	other := o.any(counts)
	return func(b *code) {
		switch how {
		case 0:
			b.addf("const/4 v1, %d", k).store("v1", p)
		case 1:
			b.load("v1", p).add("add-int/lit8 v1, v1, 1").store("v1", p)
		case 2:
			b.load("v1", p).store("v1", other)
		case 3: // written before it is read
			b.addf("const/4 v1, %d", k+2).store("v1", p).line().load("v1", p).store("v1", other)
		case 4: // goes into a test only
			b.load("v1", p).skip(func(after string) { b.addf("if-eqz v1, %s", after).add("nop") })
		default:
			b.addf("const/4 v1, %d", k).store("v1", flag)
		}
	}
}

// container changes a list or a map, uses what is in it, or makes another one.
func (o *owner) container() statement {
	a := o.app
	l, m, how, other := o.any(lists), o.any(maps), a.way("container", 14), a.global.lists[0]
	in := func(b *code, p place, method string) *code {
		return b.load("v1", p).add(`const-string v2, "k"`).addf("invoke-virtual {v1, v2}, %s->%s(%s)%s", p.typ, method, object, object)
	}
	used := func(b *code) {
		b.add("move-result-object v1").addf("check-cast v1, %s", a.item).addf("invoke-virtual {v1}, %s->go()V", a.item)
	}
	return func(b *code) {
		switch how {
		case 0:
			b.load("v1", l).make("v2", a.item).addf("invoke-virtual {v1, v2}, %s->add(%s)Z", list, object)
		case 1:
			b.load("v1", l).addf("invoke-virtual {v1}, %s->clear()V", list)
		case 2:
			used(b.load("v1", l).add("const/4 v2, 0").addf("invoke-virtual {v1, v2}, %s->get(I)%s", list, object))
		case 3:
			b.load("v1", l).add("const/4 v2, 0").addf("invoke-virtual {v1, v2}, %s->remove(I)%s", list, object)
		case 4:
			b.load("v1", l).addf("invoke-virtual {v1}, %s->size()I", list).add("move-result v1")
		case 5: // the very one in two fields
			b.load("v1", l).store("v1", other)
		case 6:
			b.load("v1", m).add(`const-string v2, "k"`).make("v3", a.item)
			b.addf("invoke-virtual {v1, v2, v3}, %s->put(%s%s)%s", hash, object, object, object)
		case 7, 8:
			in(b, m, "remove")
		case 9, 10:
			used(in(b, m, "get"))
		case 11: // another one before
			b.make("v1", hash).store("v1", m).line()
			used(in(b, m, "get"))
		case 12: // another one after
			in(b, m, "remove").line().make("v1", hash).store("v1", m)
		default:
			b.load("v1", l).addf("invoke-virtual {v1}, %s->clear()V", list).line().make("v1", list).store("v1", l)
		}
	}
}

// cause makes something else run, ends it or waits for it.
func (o *owner) cause() statement {
	a := o.app
	if o.quiet {
		return o.change()
	}
	j, how, delay := pick(a, o.jobs), a.rng.IntN(16), 10*a.rng.IntN(2)
	handlers, serial, kept := o.own("handler", handler), o.own("serial", executor), o.own("thread", thread)
	job := func(b *code) {
		if how%2 == 0 {
			b.load("v2", j.kept)
			return
		}
		b.addf("new-instance v2, %s", j.desc).addf("invoke-direct {v2, v0}, %s-><init>(%s)V", j.desc, o.desc)
	}
	return func(b *code) {
		switch how {
		case 0, 1:
			job(b)
			b.load("v1", handlers).addf("invoke-virtual {v1, v2}, %s->post(%s)Z", handler, runnable)
		case 2, 3:
			job(b)
			b.load("v1", handlers).addf("const-wide/16 v3, %d", delay)
			b.addf("invoke-virtual {v1, v2, v3, v4}, %s->postDelayed(%sJ)Z", handler, runnable)
		case 4, 5:
			job(b)
			b.load("v1", handlers).addf("invoke-virtual {v1, v2}, %s->postAtFrontOfQueue(%s)Z", handler, runnable)
		case 6:
			job(b)
			b.load("v1", handlers).addf("invoke-virtual {v1, v2}, %s->removeCallbacks(%s)V", handler, runnable)
		case 7, 8:
			job(b)
			b.addf("new-instance v1, %s", thread).addf("invoke-direct {v1, v2}, %s-><init>(%s)V", thread, runnable)
			b.addf("invoke-virtual {v1}, %s->start()V", thread)
		case 9: // and waits for it
			job(b)
			b.addf("new-instance v1, %s", thread).addf("invoke-direct {v1, v2}, %s-><init>(%s)V", thread, runnable)
			b.store("v1", kept).addf("invoke-virtual {v1}, %s->start()V", thread).line().addf("invoke-virtual {v1}, %s->join()V", thread)
		case 10: // waits for one that may be another
			b.load("v1", kept).addf("invoke-virtual {v1}, %s->join()V", thread)
		case 11, 12:
			job(b)
			b.load("v1", serial).addf("invoke-interface {v1, v2}, %s->execute(%s)V", executor, runnable)
		case 13, 14:
			if len(o.tasks) == 0 {
				job(b)
				b.addf("invoke-interface {v2}, %s->run()V", runnable)
				return
			}
			desc := o.tasks[0]
			b.addf("new-instance v2, %s", desc).addf("invoke-direct {v2, v0}, %s-><init>(%s)V", desc, o.desc)
			b.add("const/4 v3, 0").addf("invoke-virtual {v2, v3}, %s->execute([%s)%s", desc, object, task)
		default:
			b.load("v1", handlers).addf("const/4 v2, %d", delay/10).addf("invoke-virtual {v1, v2}, %s->sendEmptyMessage(I)Z", handler)
		}
	}
}

// inLock encloses statements in a synchronized block.
func (o *owner) inLock(depth int) statement {
	lock := o.any(locks)
	body := o.enclosed(depth)
	class := o.app.oneIn(4)
	return func(b *code) {
		b.locked(func(r string) {
			if class {
				b.addf("const-class %s, %s", r, o.app.global.desc)
			} else {
				b.load(r, lock)
			}
		}, func() { o.run(b, body) })
	}
}

func (o *owner) enclosed(depth int) recipe {
	r := make(recipe, 1+o.app.rng.IntN(2))
	for i := range r {
		r[i] = o.statement(depth - 1)
	}
	return r
}

// ifFlag runs statements while a flag is set, or while it is not; then it may set it, or
// clear it.
func (o *owner) ifFlag(depth int) statement {
	a := o.app
	flag, body, op, then := o.any(flags), o.enclosed(depth), "if-eqz", a.rng.IntN(3)
	if a.oneIn(2) {
		op = "if-nez"
	}
	return func(b *code) {
		b.load("v1", flag).skip(func(after string) {
			b.addf("%s v1, %s", op, after)
			if then > 0 {
				b.addf("const/4 v1, %d", then-1).store("v1", flag)
			}
			o.run(b, body)
		})
	}
}

// helper moves statements into a method of the owner.
func (o *owner) helper(depth int) statement {
	body, access, name := o.enclosed(depth), uint32(dex.AccPublic), fmt.Sprintf("help%d", o.helpers)
	o.helpers++
	if o.app.oneIn(4) {
		access |= dex.AccSynchronized
	}
	b := newCode(o.class, name, "()V", access).add("move-object v0, p0")
	o.run(b, body)
	o.returns(b, "")
	return func(b *code) { b.addf("invoke-virtual {v0}, %s->%s()V", o.desc, name) }
}

// caught catches what statements throw.
func (o *owner) caught(depth int) statement {
	body := o.enclosed(depth)
	class := pick(o.app, []string{"Ljava/lang/NullPointerException;", "Ljava/lang/RuntimeException;", "Ljava/lang/IllegalStateException;"})
	return func(b *code) { b.caught(class, func() { o.run(b, body) }) }
}

// query asks the framework before it runs statements.
func (o *owner) query(depth int) statement {
	body := append(recipe{o.plainUse()}, o.enclosed(depth)...)
	name := map[string]string{activity.name: pick(o.app, []string{"isDestroyed", "hasWindowFocus"}), fragment.name: "isAdded"}[o.kind.name]
	if name == "" {
		return func(b *code) { o.run(b, body) }
	}
	op := "if-eqz"
	if name == "isDestroyed" {
		op = "if-nez"
	}
	return func(b *code) {
		b.addf("invoke-virtual {v0}, %s->%s()Z", o.desc, name).add("move-result v1").skip(func(after string) {
			b.addf("%s v1, %s", op, after)
			o.run(b, body)
		})
	}
}

// fresh works on a new holder, which it may show to others before or after.
func (o *owner) fresh() statement {
	a := o.app
	h, how := pick(a, o.holders), a.rng.IntN(3)
	held := place{class: a.holder, name: "held", typ: a.item}
	return func(b *code) {
		b.make("v2", a.holder)
		if how == 0 {
			b.store("v2", h)
		}
		b.add("const/4 v1, 0").addf("iput-object v1, v2, %s", held).line().make("v1", a.item).addf("iput-object v1, v2, %s", held)
		b.line().addf("iget-object v1, v2, %s", held).addf("invoke-virtual {v1}, %s->go()V", a.item)
		if how == 1 {
			b.store("v2", h)
		}
	}
}
