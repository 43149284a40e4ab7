package report

import (
	"context"
	"os"
	"sync"
)

// Pending knows the files that outputs are written to before they are put in
// place, so that a program that is interrupted can take them away. A nil Pending
// knows none and drops none. It may be used by several goroutines.
type Pending struct {
	mu      sync.Mutex
	files   map[string]*os.File
	dropped bool
}

// Drop removes all pending files. From now on no output is put in place.
func (p *Pending) Drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropped = true
	for name, f := range p.files {
		f.Close() // first: where files are locked, an open one cannot be removed
		os.Remove(name)
	}
	p.files = nil
}

// err is not nil when outputs are no longer put in place.
func (p *Pending) err() error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dropped {
		return context.Canceled
	}
	return nil
}

// create makes a file that is pending.
func (p *Pending) create(dir, pattern string) (*os.File, error) {
	if p == nil {
		return os.CreateTemp(dir, pattern)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dropped {
		return nil, context.Canceled
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	if p.files == nil {
		p.files = map[string]*os.File{}
	}
	p.files[f.Name()] = f
	return f, nil
}

// place renames a pending file to its target.
func (p *Pending) place(name, target string) error {
	if p == nil {
		return os.Rename(name, target)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dropped {
		return context.Canceled
	}
	err := os.Rename(name, target)
	if err == nil {
		delete(p.files, name)
	}
	return err
}

// remove removes a pending file that will not be put in place.
func (p *Pending) remove(name string) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.files, name)
	}
	os.Remove(name)
}
