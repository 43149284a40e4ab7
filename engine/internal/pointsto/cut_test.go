package pointsto_test

import (
	"testing"

	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
	"github.com/eventraces/eventraces/internal/realapps"
)

// The library cut's search agrees with plain propagation, in whatever order
// methods are asked for.
func TestLibraryCutSearch(t *testing.T) {
	app, ok := realapps.ByName("stfservice")
	if !ok {
		t.Fatal("no such app")
	}
	disagree, cut, all := pointsto.CutAgainstOracle(pointstotest.Open(t, app.Fetch(t)))
	for _, m := range disagree {
		t.Error("decided differently: ", m)
	}
	if cut < all/10 || cut > all*9/10 {
		t.Errorf("%d of %d methods are cut", cut, all)
	}
	t.Logf("%d of %d methods are cut", cut, all)
}
