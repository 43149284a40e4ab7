package hb

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// loader is a click that loads in the background and shows the result.
func loader() (*world, ActionID, ActionID, ActionID) {
	w := newWorld()
	serial := w.AddQueue(Queue{Name: "serial", Kind: QueueSerial, Scope: ScopeProcess})
	create, click := w.life("onCreate", cbCreate), w.click("onClick")
	bg, post := w.on(serial, KindTask, "doInBackground"), w.message("onPostExecute")
	w.do(create, Post, post, after(20))
	w.do(click, Start, bg)
	w.do(bg, Post, post, atEnd)
	return w, click, bg, post
}

func TestPrint(t *testing.T) {
	w, _, _, _ := loader()
	var out bytes.Buffer
	if err := w.build(t).Print(&out); err != nil {
		t.Fatal(err)
	}
	const want = `action 1 onCreate: queue main, in Main, once for each Main
  before 2 onClick [lifecycle, same instance]
  before 3 doInBackground [transitivity, same instance]
  before 4 onPostExecute [one looper runs one action at a time, same instance]
action 2 onClick: queue main, in Main, many for each Main
  starts before 3 doInBackground [cause before run, same cause]
action 3 doInBackground: queue serial, in Main, once for each onClick
action 4 onPostExecute: queue main, in Main, many for each Main
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	var again bytes.Buffer
	Build(&w.Model).Print(&again)
	if again.String() != want {
		t.Error("a second build prints differently")
	}
}

func TestExplainAndWhy(t *testing.T) {
	w, click, bg, post := loader()
	g := w.build(t)
	var steps []string
	for _, s := range g.Explain(1, bg, SameInstance) {
		steps = append(steps, fmt.Sprintf("%s<%s: %s", w.Actions[s.From].Name, w.Actions[s.To].Name, s.Rule))
	}
	if got, want := strings.Join(steps, ", "), "onCreate<onClick: lifecycle, onClick<doInBackground: cause before run"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, c := range []struct {
		a, b ActionID
		rel  Relation
		want string
	}{
		{1, bg, SameInstance, ""},
		{click, bg, SameCause, "onClick causes the other, but runs on after that; onClick is caused by the platform; " +
			"doInBackground is caused by onClick; not known to run on one looper"},
		{bg, post, SameCause, "both belong to one Main, which does not order them; doInBackground is caused by onClick; " +
			"onPostExecute is caused by onCreate after 20 ms or doInBackground; not known to run on one looper"},
		{click, click, SameInstance, "two runs of one action"},
	} {
		if got := g.Why(c.a, c.b, c.rel); got != c.want {
			t.Errorf("Why(%s, %s): got %q", w.Actions[c.a].Name, w.Actions[c.b].Name, got)
		}
	}
}
