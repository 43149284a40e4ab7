// Package growtest writes apps that grow: APKs whose number of classes, fields,
// accesses, actions or posts is a parameter, for measuring how the time of a run
// grows. What it writes is a valid app: a dex file of real instructions, a
// manifest, line numbers.
//
// Every shape comes in two kinds. In the racing kind each use that the shape
// multiplies may come after a free. In the silent kind the same accesses are
// ordered, or every use tests the value first, under a lock where the order of
// the runs could differ from that of their causes, and nothing races. So a run
// can be wrong in both directions.
//
// Cost: linear in the text of the methods that are written.
package growtest

import "slices"

// Shape is a family of apps with one size.
type Shape struct {
	Name  string
	Text  string // what there are Size of
	Full  int    // the size that a run must cope with
	build func(a *app, n int)
}

// Smallest is the least size of every shape.
const Smallest = 4

// APK is the app of a size, which is Smallest or more, in the racing kind or in the other.
func (s Shape) APK(size int, racing bool) []byte {
	a := newApp(racing)
	s.build(a, size)
	return a.bytes()
}

// General is an app of any parameters.
func General(p Params, racing bool) []byte {
	a := newApp(racing)
	general(a, p)
	return a.bytes()
}

// ByName finds a shape.
func ByName(name string) (Shape, bool) {
	i := slices.IndexFunc(Shapes, func(s Shape) bool { return s.Name == name })
	if i < 0 {
		return Shape{}, false
	}
	return Shapes[i], true
}

// Shapes are all shapes: first those in which one parameter of a general app
// grows, then those that stand for what has been slow.
var Shapes = []Shape{
	{"components", "activities with 4 callbacks each that touch 2 fields", 1000, func(a *app, n int) {
		general(a, Params{Components: n, Fields: 2 * n, Accesses: 3, Actions: 4 * n})
	}},
	{"fields", "fields, each with 10 accesses by 20 callbacks", 10000, func(a *app, n int) {
		general(a, Params{Components: 1, Fields: n, Accesses: 10, Actions: 20})
	}},
	{"accesses", "accesses of each of 100 fields, by 20 callbacks", 1000, func(a *app, n int) {
		general(a, Params{Components: 1, Fields: 100, Accesses: n, Actions: 20})
	}},
	{"actions", "callbacks, 100 in an activity, with 1,000 accesses of its 10 fields", 10000, func(a *app, n int) {
		screens := max(1, n/100)
		general(a, Params{Components: screens, Fields: 10 * screens, Accesses: 100, Actions: n})
	}},
	{"depth", "posts between each of 10 callbacks and its accesses", 1000, func(a *app, n int) {
		general(a, Params{Components: 1, Fields: 10, Accesses: 10, Actions: 10, Depth: n})
	}},
	{"interfaces", "classes of one interface that call it on each other", 5000, interfaces},
	{"flows", "objects that flow into as many fields and into each other", 1500, flows},
	{"shared", "fields that a tenth as many callbacks use and free", 2000, shared},
	{"listeners", "listeners that use or free one field", 5000, listeners},
	{"chain", "runnables, each posted by the one before", 6000, chain},
	{"thrice", "runnables that each post the next three times", 60, thrice},
	{"clique", "runnables that post each other, by one statement", 250, clique},
	{"sites", "runnables that post each other, each by statements of its own", 100, sites},
	{"later", "runnables that each post the eight that follow", 3000, later},
	{"threads", "thread bodies that start each other", 1500, threads},
}
