// Package racetest writes random small apps for tests of package race: activities,
// services, receivers and fragments, with clicks, posts, messages, threads, tasks and
// executors that use, free, set, count and test fields and containers, in and out of
// locks and tests. What a callback does is drawn from a few recipes, as it is or with
// one statement changed, so that many callbacks are alike and some nearly so.
//
// The same seed gives the same app. Apps of different names share no class.
package racetest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
)

// Descriptors of classes of the platform.
const (
	object   = "Ljava/lang/Object;"
	runnable = "Ljava/lang/Runnable;"
	thread   = "Ljava/lang/Thread;"
	handler  = "Landroid/os/Handler;"
	message  = "Landroid/os/Message;"
	looper   = "Landroid/os/Looper;"
	view     = "Landroid/view/View;"
	bundle   = "Landroid/os/Bundle;"
	context  = "Landroid/content/Context;"
	intent   = "Landroid/content/Intent;"
	task     = "Landroid/os/AsyncTask;"
	executor = "Ljava/util/concurrent/ExecutorService;"
	list     = "Ljava/util/ArrayList;"
	hash     = "Ljava/util/HashMap;"
)

// App is a random app.
type App struct {
	Components []string // dotted names of those that its manifest would list

	path    string // of its classes: Lcom/example/name/
	rng     *rand.Rand
	dex     *dextest.Dex
	ids     int // of its next view
	item    string
	holder  string
	global  *owner
	owners  []*owner
	focus   int  // few places or many: the share of Global's
	late    bool // callbacks alone make holders
	ways    map[string][]int
	classes int
}

// New is the app of a seed with the classes of package com.example.name; apps of
// different numbers have different views.
func New(seed uint64, name string, number int) *App {
	a := &App{path: "Lcom/example/" + name + "/", rng: rand.New(rand.NewPCG(seed, 1)), ids: 0x7f080000 + number<<12}
	a.item, a.holder = a.path+"Item;", a.path+"Holder;"
	if a.oneIn(3) {
		a.holder = "Llib/" + name + "/Holder;" // a dependency's
	}
	a.focus, a.late = 2+a.rng.IntN(6), a.oneIn(3)
	kinds := []kind{activity}
	for _, k := range []kind{activity, service, receiver, fragment} {
		if a.rng.IntN(3) == 0 {
			kinds = append(kinds, k)
		}
	}
	for i, k := range kinds {
		o := &owner{app: a, kind: k, name: fmt.Sprintf("%s%d", k.name, i)}
		o.desc = a.path + o.name + ";"
		a.owners = append(a.owners, o)
		if k.name != fragment.name {
			a.Components = append(a.Components, "com.example."+name+"."+o.name)
		}
	}
	return a
}

// kind is a kind of component: its class, and the callbacks of its lifecycle.
type kind struct {
	name, super string
	first       callback
	others      []callback
}

// callback is a method that the platform calls; result is what it returns.
type callback struct{ name, proto, result string }

var (
	activity = kind{"Screen", "Landroid/app/Activity;", callback{"onCreate", "(" + bundle + ")V", ""}, []callback{
		{"onStart", "()V", ""}, {"onResume", "()V", ""}, {"onPause", "()V", ""}, {"onStop", "()V", ""}, {"onDestroy", "()V", ""},
	}}
	service = kind{"Worker", "Landroid/app/Service;", callback{"onCreate", "()V", ""}, []callback{
		{"onStartCommand", "(" + intent + "II)I", "int"}, {"onDestroy", "()V", ""},
	}}
	receiver = kind{"Listener", "Landroid/content/BroadcastReceiver;", callback{"onReceive", "(" + context + intent + ")V", ""}, nil}
	fragment = kind{"Part", "Landroid/app/Fragment;", callback{"onCreate", "(" + bundle + ")V", ""}, []callback{
		{"onResume", "()V", ""}, {"onPause", "()V", ""}, {"onDestroyView", "()V", ""}, {"onDetach", "()V", ""},
	}}
)

// way draws one of n variants of a statement. An app has but few of them, so that its
// callbacks have much in common.
func (a *App) way(of string, n int) int {
	if a.ways[of] == nil {
		if a.ways == nil {
			a.ways = map[string][]int{}
		}
		a.ways[of] = a.rng.Perm(n)[:3]
	}
	return pick(a, a.ways[of])
}

// oneIn reports true once in n times.
func (a *App) oneIn(n int) bool { return a.rng.IntN(n) == 0 }

func pick[T any](a *App, list []T) T { return list[a.rng.IntN(len(list))] }

func (a *App) class(desc, super string, interfaces ...string) *dextest.Class {
	name := strings.TrimSuffix(desc[strings.LastIndexByte(desc, '/')+1:], ";")
	return a.dex.Class(desc, super, dex.AccPublic, interfaces...).Source(name + ".java")
}

// numbered names the next class.
func (a *App) numbered(stem string) string {
	a.classes++
	return fmt.Sprintf("%s%s%d;", a.path, stem, a.classes)
}

// Fill writes the app into a dex file.
func (a *App) Fill(d *dextest.Dex) {
	a.dex = d
	item := a.class(a.item, object)
	item.Field("next", a.item, 0)
	a.construct(item, object)
	newCode(item, "go", "()V", dex.AccPublic).add("return-void").end()
	none := newCode(item, "maybe", "(I)"+a.item, dex.AccPublic|dex.AccStatic)
	none.add("const/4 v1, 0").add("if-eqz p0, :none").make("v1", a.item).add(":none").add("return-object v1").end()
	holder := a.class(a.holder, object)
	holder.Field("held", a.item, 0)
	holder.Field("count", "I", 0)
	a.construct(holder, object)
	held := place{class: a.holder, name: "held", typ: a.item}
	newCode(holder, "use", "()V", dex.AccPublic).addf("iget-object v1, p0, %s", held).
		addf("invoke-virtual {v1}, %s->go()V", a.item).add("return-void").end()
	newCode(holder, "set", "("+a.item+")V", dex.AccPublic).addf("iput-object p1, p0, %s", held).add("return-void").end()

	a.global = &owner{app: a, desc: a.path + "Global;", name: "Global"}
	a.global.class = a.class(a.global.desc, object)
	a.global.fields(dex.AccStatic)
	for _, o := range a.owners {
		o.class = a.class(o.desc, o.kind.super)
		o.fields(0)
	}
	for _, o := range a.owners {
		o.write()
	}
	a.global.initialise()
}

// construct adds a constructor that does nothing else.
func (a *App) construct(c *dextest.Class, super string) {
	newCode(c, "<init>", "()V", dex.AccPublic).addf("invoke-direct {p0}, %s-><init>()V", super).add("return-void").end()
}
