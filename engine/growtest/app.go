package growtest

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/input/inputtest"
)

// Descriptors of the classes that all shapes share.
const (
	pkg      = "com.example.grow"
	path     = "Lcom/example/grow/"
	mainType = path + "Main;"
	itemType = path + "Item;" // what fields hold
	object   = "Ljava/lang/Object;"
	activity = "Landroid/app/Activity;"
	view     = "Landroid/view/View;"
	onClick  = "Landroid/view/View$OnClickListener;"
	runnable = "Ljava/lang/Runnable;"
	handler  = "Landroid/os/Handler;"
)

// perStep is how many elements one method sets up: methods of real apps are not
// as long as the largest of these apps would need.
const perStep = 250

// app is an app under construction. Its main activity sets everything up in
// onCreate.
type app struct {
	dex     *dextest.Dex
	racing  bool
	main    *screen
	screens []*screen
	made    map[string]int // classes by the stem of their name
	dotted  []string       // the names of the activities
}

// screen is an activity under construction.
type screen struct {
	class    *dextest.Class
	desc     string
	onCreate *code
	steps    int
}

func newApp(racing bool) *app {
	a := &app{dex: dextest.New(35), racing: racing, made: map[string]int{}}
	item := a.class(itemType, object)
	construct(item, object, "")
	item.Field("next", itemType, 0)
	newCode(item, "go", "()V", dex.AccPublic, 1).add("return-void").end()
	a.main = a.activity("Main")
	return a
}

func (a *app) class(desc, super string, interfaces ...string) *dextest.Class {
	name := desc[strings.LastIndexByte(desc, '/')+1:]
	return a.dex.Class(desc, super, dex.AccPublic, interfaces...).Source(strings.TrimSuffix(name, ";") + ".java")
}

// numbered names the next class of a stem: Click0, Click1 and so on.
func (a *app) numbered(stem string) string {
	n := a.made[stem]
	a.made[stem]++
	return fmt.Sprintf("%s%s%d;", path, stem, n)
}

// activity adds an activity that the manifest names.
func (a *app) activity(name string) *screen {
	s := &screen{desc: path + name + ";"}
	s.class = a.class(s.desc, activity)
	construct(s.class, activity, "")
	s.onCreate = newCode(s.class, "onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic, 6)
	s.onCreate.add("invoke-super {p0, p1}, " + activity + "->onCreate(Landroid/os/Bundle;)V")
	a.screens = append(a.screens, s)
	a.dotted = append(a.dotted, pkg+"."+name)
	return s
}

// construct adds a constructor that calls that of super and then runs more.
func construct(c *dextest.Class, super, more string) {
	k := newCode(c, "<init>", "()V", dex.AccPublic, 3)
	k.add("invoke-direct {p0}, " + super + "-><init>()V")
	k.add(more)
	k.add("return-void").end()
}

// field adds a field that onCreate sets to a new item.
func (s *screen) field(name string) place {
	s.class.Field(name, itemType, 0)
	return place{s.desc, name}
}

// fill sets fields to new items, a step for every so many.
func (s *screen) fill(places ...place) {
	s.inSteps(len(places), func(b *code, i int) {
		b.line().addf("new-instance v0, %s", itemType)
		b.addf("invoke-direct {v0}, %s-><init>()V", itemType)
		b.addf("iput-object v0, p0, %s", places[i])
	})
}

// inSteps writes what sets up n elements into methods that onCreate calls. The
// code may use v0 to v4.
func (s *screen) inSteps(n int, element func(b *code, i int)) {
	for from := 0; from < n; from += perStep {
		name := fmt.Sprintf("setUp%d", s.steps)
		s.steps++
		b := newCode(s.class, name, "()V", dex.AccPrivate, 6)
		for i := from; i < min(n, from+perStep); i++ {
			element(b, i)
		}
		b.add("return-void").end()
		s.onCreate.line().addf("invoke-direct {p0}, %s->%s()V", s.desc, name)
	}
}

// inner adds a class that implements an interface and holds the screen in the
// field outer; its constructor takes it.
func (a *app) inner(s *screen, desc string, interfaces ...string) *dextest.Class {
	c := a.class(desc, object, interfaces...)
	c.Field("outer", s.desc, dex.AccFinal)
	k := newCode(c, "<init>", "("+s.desc+")V", dex.AccPublic, 2)
	k.add("invoke-direct {p0}, " + object + "-><init>()V")
	k.addf("iput-object p1, p0, %s->outer:%s", desc, s.desc)
	k.add("return-void").end()
	return c
}

// callback starts the method of an inner class that the system calls; its v0 is
// the screen.
func callback(c *dextest.Class, desc string, s *screen, name, proto string) *code {
	params := strings.Count(proto, "L")
	b := newCode(c, name, proto, dex.AccPublic, 7+params)
	return b.addf("iget-object v0, p0, %s->outer:%s", desc, s.desc)
}

// clicks adds n listeners, each on a view of its own. body writes what a click
// does; its v0 is the screen and it may use v1 to v4.
func (a *app) clicks(s *screen, n int, body func(b *code, i int)) {
	descs := make([]string, n)
	first := a.made["Click"]
	for i := range n {
		descs[i] = a.numbered("Click")
		b := callback(a.inner(s, descs[i], onClick), descs[i], s, "onClick", "("+view+")V")
		body(b, i)
		b.add("return-void").end()
	}
	s.inSteps(n, func(b *code, i int) {
		b.line().addf("const v0, %#x", 0x7f080000+first+i)
		b.addf("invoke-virtual {p0, v0}, %s->findViewById(I)%s", s.desc, view)
		b.add("move-result-object v0")
		b.addf("new-instance v1, %s", descs[i])
		b.addf("invoke-direct {v1, p0}, %s-><init>(%s)V", descs[i], s.desc)
		b.addf("invoke-virtual {v0, v1}, %s->setOnClickListener(%s)V", view, onClick)
	})
}

// click adds one listener.
func (a *app) click(body func(b *code)) { a.clicks(a.main, 1, func(b *code, _ int) { body(b) }) }

// withHandler gives a screen a handler of the main looper in the field handler.
func (s *screen) withHandler() {
	s.class.Field("handler", handler, 0)
	s.onCreate.line().addf("new-instance v0, %s", handler)
	s.onCreate.addf("invoke-static {}, Landroid/os/Looper;->getMainLooper()Landroid/os/Looper;")
	s.onCreate.add("move-result-object v1")
	s.onCreate.addf("invoke-direct {v0, v1}, %s-><init>(Landroid/os/Looper;)V", handler)
	s.onCreate.addf("iput-object v0, p0, %s->handler:%s", s.desc, handler)
}

// postNew posts a new object of an inner class; v0 is the screen, v1 to v3 are
// overwritten.
func (b *code) postNew(s *screen, desc string) *code {
	b.line().addf("iget-object v1, v0, %s->handler:%s", s.desc, handler)
	b.addf("new-instance v2, %s", desc)
	b.addf("invoke-direct {v2, v0}, %s-><init>(%s)V", desc, s.desc)
	return b.addf("invoke-virtual {v1, v2}, %s->post(%s)Z", handler, runnable)
}

// bytes ends the app and is its APK.
func (a *app) bytes() []byte {
	var parts []any
	for i, s := range a.screens {
		s.onCreate.add("return-void").end()
		attrs := []any{inputtest.A("name", a.dotted[i]), inputtest.A("exported", true)}
		if i == 0 {
			attrs = append(attrs, inputtest.E("intent-filter",
				inputtest.E("action", inputtest.A("name", "android.intent.action.MAIN")),
				inputtest.E("category", inputtest.A("name", "android.intent.category.LAUNCHER"))))
		}
		parts = append(parts, inputtest.E("activity", attrs...))
	}
	return inputtest.New(inputtest.Manifest(pkg, parts...), a.dex.Bytes()).Bytes()
}
