package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// meter shows on one line of a terminal how far the run is; elsewhere it is
// silent, so that logs hold results only.
type meter struct {
	mu    sync.Mutex
	w     io.Writer // nil: nobody watches
	next  time.Time // the line is not drawn again before
	drawn bool
}

// redraw is how often the line may change; faster than this nobody reads it.
const redraw = 100 * time.Millisecond

func (p *program) newMeter(quiet bool) *meter {
	if quiet || !terminal(p.stderr) || p.getenv("TERM") == "dumb" {
		return &meter{}
	}
	// A run that ends at once needs no progress.
	return &meter{w: p.stderr, next: time.Now().Add(redraw)}
}

// show draws the line; it may be called from several goroutines.
func (m *meter) show(stage string, done, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.w == nil {
		return
	}
	now := time.Now()
	if now.Before(m.next) {
		return
	}
	m.next = now.Add(redraw)
	m.drawn = true
	if total > 0 {
		fmt.Fprintf(m.w, "\r\x1b[K%s %d/%d", stage, done, total)
	} else {
		fmt.Fprintf(m.w, "\r\x1b[K%s", stage)
	}
}

// clear takes the line away for good, so that what follows starts on a clean one:
// a run that was interrupted may still report how far it is.
func (m *meter) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.drawn {
		fmt.Fprint(m.w, "\r\x1b[K")
	}
	m.w = nil
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored says whether text may use colours: on a terminal that nobody asked to
// stay plain.
func (p *program) colored() bool {
	return terminal(p.stdout) && p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb"
}
