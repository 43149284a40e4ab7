package tell

import (
	"slices"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/hb"
)

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"onClick": {"click"}, "onItemLongClick": {"item", "long", "click"}, "run": nil, "on": nil, "once": nil, "onURL": {"u", "r", "l"},
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("words(%s) = %q, want %q", name, got, want)
		}
	}
	for verb, want := range map[string]string{"create": "creates", "attach": "attaches", "pass": "passes", "stop": "stops"} {
		if got := does(verb); got != want {
			t.Errorf("does(%s) = %s, want %s", verb, got, want)
		}
	}
}

// Each sort of post, as its point says.
func TestPosts(t *testing.T) {
	teller := open(t)
	x := teller.action("Late.run")
	chain := teller.chain(x)
	last := chain[len(chain)-1]
	point := &teller.set.Model.Points[last.point]
	for _, c := range []struct {
		delay      hb.Delay
		front      bool
		kind       hb.ActionKind
		when, what string
	}{
		{hb.Delay{Known: true, MS: 500}, false, hb.KindMessage,
			"500 ms after Handler.postDelayed", "posted by Handler.postDelayed with a delay of 500 ms"},
		{hb.Delay{Known: true}, false, hb.KindMessage, "some time after Handler.postDelayed", "posted by Handler.postDelayed"},
		{hb.Delay{}, false, hb.KindMessage,
			"an unknown time after Handler.postDelayed", "posted by Handler.postDelayed with an unknown delay"},
		{hb.Delay{Known: true}, true, hb.KindMessage,
			"some time after Handler.postDelayed", "posted by Handler.postDelayed to the front of the queue"},
		{hb.Delay{Known: true}, false, hb.KindTask, "some time after Handler.postDelayed", "submitted by Handler.postDelayed"},
	} {
		point.Delay, point.Front, teller.set.Actions[x].Kind = c.delay, c.front, c.kind
		if when, what := teller.when(x), teller.what(last); when != c.when || what != c.what {
			t.Errorf("it runs %q, %q; want %q, %q", when, what, c.when, c.what)
		}
	}
}
