package growtest

import (
	"fmt"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// interfaces: n classes of one interface that call it on each other, so that n
// calls have n targets each. Each class has a field, which its own call uses and
// which another callback frees.
func interfaces(a *app, n int) {
	node := path + "Node;"
	nodes := "[" + node
	c := a.dex.Class(node, object, dex.AccPublic|dex.AccInterface|dex.AccAbstract).Source("Node.java")
	c.Method("go", "("+node+"I)V", dex.AccPublic|dex.AccAbstract)
	c.Method("drop", "()V", dex.AccPublic|dex.AccAbstract)
	descs := make([]string, n)
	for i := range n {
		descs[i] = a.numbered("Node")
		held := place{descs[i], "held"}
		k := a.class(descs[i], object, node)
		k.Field(held.name, itemType, 0)
		construct(k, object, "new-instance v0, "+itemType+"\ninvoke-direct {v0}, "+itemType+"-><init>()V\niput-object v0, p0, "+held.String())
		b := newCode(k, "go", "("+node+"I)V", dex.AccPublic, 5)
		b.use("p0", held, !a.racing)
		done := b.label()
		b.line().addf("if-lez p2, %s", done)
		b.line().add("add-int/lit8 p2, p2, -1")
		b.addf("invoke-interface {p1, p0, p2}, %s->go(%sI)V", node, node)
		b.add(done).line().add("return-void").end()
		newCode(k, "drop", "()V", dex.AccPublic, 3).free("p0", held).add("return-void").end()
	}
	a.array(nodes, descs)
	load := func(b *code, index int) {
		b.line().addf("iget-object v1, v0, %s->all:%s", mainType, nodes).addf("const/16 v2, %d", index).add("aget-object v1, v1, v2")
	}
	a.click(func(b *code) {
		load(b, 0)
		b.add("move-object v3, v1")
		load(b, n-1)
		b.add("const/4 v2, 3").addf("invoke-interface {v3, v1, v2}, %s->go(%sI)V", node, node)
	})
	a.click(func(b *code) {
		load(b, 0)
		b.addf("invoke-interface {v1}, %s->drop()V", node)
	})
}

// array gives the main activity an array, all, with a new object of each class.
func (a *app) array(typ string, descs []string) {
	a.main.class.Field("all", typ, 0)
	a.main.onCreate.line().addf("const/16 v0, %d", len(descs)).addf("new-array v0, v0, %s", typ).
		addf("iput-object v0, p0, %s->all:%s", mainType, typ)
	a.main.inSteps(len(descs), func(b *code, i int) {
		b.line().addf("iget-object v0, p0, %s->all:%s", mainType, typ).addf("const/16 v1, %d", i)
		b.addf("new-instance v2, %s", descs[i])
		b.addf("invoke-direct {v2}, %s-><init>()V", descs[i])
		b.add("aput-object v2, v0, v1")
	})
}

// flows: n objects, each of which may be in any of n fields, and in a field of
// any of them. One callback uses all fields, one frees them.
func flows(a *app, n int) {
	places := a.fields(a.main, n)
	items := "[" + itemType
	a.array(items, slices.Repeat([]string{itemType}, n))
	a.main.inSteps(n, func(b *code, i int) {
		b.line().addf("iget-object v0, p0, %s->all:%s", mainType, items).addf("const/16 v1, %d", i)
		b.add("aget-object v2, v0, v1").addf("iput-object v2, p0, %s", places[i])
		b.line().addf("const/16 v1, %d", (i+1)%n)
		b.add("aget-object v3, v0, v1").addf("iput-object v3, v2, %s", place{itemType, "next"})
	})
	a.inParts(n, "useAll", func(b *code, i int) {
		b.use("p0", places[i], !a.racing)
		if i == 0 {
			b.throughNext(places[0], func() { b.use("v2", place{itemType, "next"}, !a.racing) })
		}
	})
	a.inParts(n, "freeAll", func(b *code, i int) {
		if i == 0 {
			b.throughNext(places[0], func() { b.free("v2", place{itemType, "next"}) })
		}
		b.free("p0", places[i])
	})
	a.click(func(b *code) { b.line().addf("invoke-virtual {v0}, %s->useAll()V", mainType) })
	a.click(func(b *code) { b.line().addf("invoke-virtual {v0}, %s->freeAll()V", mainType) })
}

// throughNext lets body use v2, the item that a place holds, if there is one.
func (b *code) throughNext(p place, body func()) {
	after := b.label()
	b.line().addf("iget-object v2, p0, %s", p).addf("if-eqz v2, %s", after)
	body()
	b.add(after)
}

// fields gives a screen n fields; fill sets them.
func (a *app) fields(s *screen, n int) []place {
	places := make([]place, n)
	for i := range places {
		places[i] = s.field(fmt.Sprintf("f%d", i))
	}
	return places
}

// inParts adds a method of the main activity that does something n times, in
// parts that it calls.
func (a *app) inParts(n int, name string, element func(b *code, i int)) {
	whole := newCode(a.main.class, name, "()V", dex.AccPublic, 1)
	for from := 0; from < n; from += perStep {
		part := fmt.Sprintf("%s%d", name, from/perStep)
		b := newCode(a.main.class, part, "()V", dex.AccPrivate, 4)
		for i := from; i < min(n, from+perStep); i++ {
			element(b, i)
		}
		b.add("return-void").end()
		whole.line().addf("invoke-direct {p0}, %s->%s()V", mainType, part)
	}
	whole.add("return-void").end()
}

// shared: n fields that n/10 callbacks use and free, all of them by the same two
// methods.
func shared(a *app, n int) {
	places := a.fields(a.main, n)
	a.main.fill(places...)
	a.inParts(n, "useAll", func(b *code, i int) { b.use("p0", places[i], !a.racing) })
	a.inParts(n, "freeAll", func(b *code, i int) { b.free("p0", places[i]) })
	a.clicks(a.main, max(2, n/10), func(b *code, _ int) {
		b.line().addf("invoke-virtual {v0}, %s->useAll()V", mainType)
		b.line().addf("invoke-virtual {v0}, %s->freeAll()V", mainType)
	})
}

// listeners: n listeners that use, or free, one field.
func listeners(a *app, n int) {
	item := a.main.field("item")
	a.main.fill(item)
	a.clicks(a.main, n, func(b *code, i int) {
		if i%2 == 0 {
			b.use("v0", item, !a.racing)
		} else {
			b.free("v0", item)
		}
	})
}

// runnables adds n runnables of the main activity, Job0 and so on, and is their
// descriptors. body writes what they run; its v0 is the activity and it may use v1
// to v5.
func (a *app) runnables(n int, body func(b *code, i int)) []string {
	descs := make([]string, n)
	for i := range descs {
		descs[i] = a.numbered("Job")
		b := callback(a.inner(a.main, descs[i], runnable), descs[i], a.main, "run", "()V")
		body(b, i)
		b.add("return-void").end()
	}
	return descs
}

// job is the descriptor of a runnable of the main activity.
func job(i int) string { return fmt.Sprintf("%sJob%d;", path, i) }

// touch makes an access of the main activity in code that is posted or runs on a
// thread: as it is in the racing kind, else under a lock that all accesses take.
func (a *app) touch(b *code, access func()) {
	if a.racing {
		access()
	} else {
		b.locked(access)
	}
}

// begin makes the first of some runnables run: a click posts it in the racing
// kind, so that other clicks may come before it, else onCreate does.
func (a *app) begin(post func(b *code)) {
	if a.racing {
		a.click(post)
		return
	}
	a.main.onCreate.line().add("move-object v0, p0")
	post(a.main.onCreate)
}

// postings is what the shapes of posts share: a handler, and a field that each of
// n runnables uses and a click frees. After its use a runnable does more.
func (a *app) postings(n int, more func(b *code, i int)) []string {
	item := a.main.field("item")
	a.main.fill(item)
	a.main.withHandler()
	a.click(func(b *code) { a.touch(b, func() { b.free("v0", item) }) })
	return a.runnables(n, func(b *code, i int) {
		a.touch(b, func() { b.use("v0", item, !a.racing) })
		more(b, i)
	})
}

// chain: n runnables, each posted by the one before. The last one frees what all
// use, which is in order, or a click does, which is not.
func chain(a *app, n int) {
	item := a.main.field("item")
	a.main.fill(item)
	a.main.withHandler()
	a.runnables(n, func(b *code, i int) {
		if i+1 < n || a.racing {
			b.use("v0", item, false)
		} else {
			b.free("v0", item)
		}
		if i+1 < n {
			b.postNew(a.main, job(i+1))
		}
	})
	a.begin(func(b *code) { b.postNew(a.main, job(0)) })
	if a.racing {
		a.click(func(b *code) { b.free("v0", item) })
	}
}

// thrice: n runnables that each post the next three times, a new object each time.
func thrice(a *app, n int) {
	a.postings(n, func(b *code, i int) {
		for range 3 {
			if i+1 < n {
				b.postNew(a.main, job(i+1))
			}
		}
	})
	a.begin(func(b *code) { b.postNew(a.main, job(0)) })
}

// later: n runnables that each post the eight that follow, by statements of their
// own.
func later(a *app, n int) {
	apart(a, n, func(i, j int) bool { return i < j && j <= i+8 })
}

// sites: n runnables that each post all others, by statements of their own, so
// that there are nearly n*n posts.
func sites(a *app, n int) {
	apart(a, n, func(i, j int) bool { return i != j })
}

// apart is what the shapes share whose runnables are made once, kept in a field
// each, and posted by a statement of each that posts them.
func apart(a *app, n int, next func(i, j int) bool) {
	post := func(b *code, j int) {
		b.line().addf("iget-object v1, v0, %s->handler:%s", mainType, handler).addf("iget-object v2, v0, %s->job%d:%s", mainType, j, runnable)
		b.addf("invoke-virtual {v1, v2}, %s->post(%s)Z", handler, runnable)
	}
	descs := a.postings(n, func(b *code, i int) {
		for j := range n {
			if next(i, j) {
				post(b, j)
			}
		}
	})
	for i := range descs {
		a.main.class.Field(fmt.Sprintf("job%d", i), runnable, 0)
	}
	a.main.inSteps(n, func(b *code, i int) {
		b.line().addf("new-instance v0, %s", descs[i])
		b.addf("invoke-direct {v0, p0}, %s-><init>(%s)V", descs[i], mainType)
		b.addf("iput-object v0, p0, %s->job%d:%s", mainType, i, runnable)
	})
	a.begin(func(b *code) { post(b, 0) })
}

// clique: n runnables in an array, of which each posts any, by one method that
// all call.
func clique(a *app, n int) {
	const jobs = "[" + runnable
	post := func(b *code, i int) {
		b.line().addf("const/16 v1, %d", i).addf("invoke-virtual {v0, v1}, %s->post(I)V", mainType)
	}
	descs := a.postings(n, func(b *code, i int) { post(b, (i+1)%n) })
	b := newCode(a.main.class, "post", "(I)V", dex.AccPublic, 4)
	b.addf("iget-object v0, p0, %s->all:%s", mainType, jobs).add("aget-object v0, v0, p1")
	b.addf("iget-object v1, p0, %s->handler:%s", mainType, handler)
	b.line().addf("invoke-virtual {v1, v0}, %s->post(%s)Z", handler, runnable).add("return-void").end()
	a.inArray(descs)
	a.begin(func(b *code) { post(b, 0) })
}

// inArray gives the main activity an array, all, with an object of each inner
// class.
func (a *app) inArray(descs []string) {
	const jobs = "[" + runnable
	a.main.class.Field("all", jobs, 0)
	a.main.onCreate.line().addf("const/16 v0, %d", len(descs)).addf("new-array v0, v0, %s", jobs).
		addf("iput-object v0, p0, %s->all:%s", mainType, jobs)
	a.main.inSteps(len(descs), func(b *code, i int) {
		b.line().addf("iget-object v0, p0, %s->all:%s", mainType, jobs).addf("const/16 v1, %d", i)
		b.addf("new-instance v2, %s", descs[i])
		b.addf("invoke-direct {v2, p0}, %s-><init>(%s)V", descs[i], mainType)
		b.add("aput-object v2, v0, v1")
	})
}

// threads: n thread bodies in an array, of which each starts any, by one method
// that all call. They use one field that a click frees, in no lock or under the
// lock that the click takes as well.
func threads(a *app, n int) {
	const bodies = "[" + runnable
	item := a.main.field("item")
	a.main.fill(item)
	start := func(b *code, i int) {
		b.line().addf("const/16 v1, %d", i).addf("invoke-virtual {v0, v1}, %s->start(I)V", mainType)
	}
	descs := a.runnables(n, func(b *code, i int) {
		a.touch(b, func() { b.use("v0", item, !a.racing) })
		start(b, (i+1)%n)
	})
	b := newCode(a.main.class, "start", "(I)V", dex.AccPublic, 4)
	b.addf("iget-object v0, p0, %s->all:%s", mainType, bodies).add("aget-object v0, v0, p1")
	b.line().add("new-instance v1, Ljava/lang/Thread;").addf("invoke-direct {v1, v0}, Ljava/lang/Thread;-><init>(%s)V", runnable)
	b.line().add("invoke-virtual {v1}, Ljava/lang/Thread;->start()V").add("return-void").end()
	a.inArray(descs)
	a.click(func(b *code) { start(b, 0) })
	a.click(func(b *code) { a.touch(b, func() { b.free("v0", item) }) })
}
