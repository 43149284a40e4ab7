package main

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/eventraces/eventraces/engine/report"
)

// stages knows where the run is, for the report of a crash, and what each stage
// before has taken, for --timings. It may be used by several goroutines.
type stages struct {
	mu    sync.Mutex
	name  string
	began instant
	taken []stageTime
}

// instant is a moment, and what the process had used of the processor by then.
type instant struct {
	wall time.Time
	cpu  time.Duration
}

// stageTime is what a stage took, in seconds. Processor time is that of the
// whole process: the collector of garbage and all threads count; it is 0 where
// the system does not tell.
type stageTime struct {
	Stage string  `json:"stage"`
	Wall  float64 `json:"wall"`
	CPU   float64 `json:"cpu"`
}

// set begins a stage, which ends the one before.
func (s *stages) set(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name == s.name {
		return
	}
	now := instant{time.Now(), processorTime()}
	if s.name != "" {
		s.taken = append(s.taken, stageTime{s.name, now.wall.Sub(s.began.wall).Seconds(), (now.cpu - s.began.cpu).Seconds()})
	}
	s.name, s.began = name, now
}

func (s *stages) get() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

// write ends the current stage and writes what all of them took, as JSON. The
// times stand in this file alone: no other output may differ from run to run.
func (s *stages) write(out report.Output) error {
	s.set("writing the timings")
	s.mu.Lock()
	defer s.mu.Unlock()
	return out.Write(func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Stages []stageTime `json:"stages"`
		}{s.taken})
	})
}
