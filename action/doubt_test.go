package action_test

import (
	"testing"
)

func TestUploadThatIsLostAfterAnother(t *testing.T) {
	w := newWorld(t)
	w.edit = fixed
	w.run().want(0, "clean")
	w.edit = nil
	w.gh.On("POST", uploads).Fail(502, "Server Error")
	w.run().want(1, "races")
	a := w.repo.Analyses()
	if last := a[len(a)-1]; last.Results != 1 {
		t.Errorf("the last of %d analyses has %d results", len(a), last.Results)
	}
}
