package hb

// periodic finds actions whose runs never compete with each other: those of one
// periodic task (ScheduledExecutorService.scheduleAtFixedRate: executions "will
// not concurrently execute"; java.util.Timer has one thread), and those of a
// chain in which each run posts the next one. first holds for each such action
// the action that begins the series, 0 for all others.
type periodic struct {
	first []ActionID
}

func newPeriodic(m *Model, made [][]PointID) periodic {
	p := periodic{first: make([]ActionID, len(m.Actions))}
	for i := range p.first {
		p.first[i] = seriesOf(m, ActionID(i), made[i])
	}
	return p
}

// seriesOf is the action that begins the series of a's runs: what schedules it
// once as a periodic task, or what posts the first of runs that each post one
// more. It is 0 if the runs of a are no series.
func seriesOf(m *Model, a ActionID, made []PointID) ActionID {
	if len(made) == 1 {
		if p := &m.Points[made[0]]; p.Kind == Post && p.Repeat && !p.Loop && p.Action != a {
			return p.Action
		}
	}
	own, first := 0, ActionID(0)
	for _, id := range made {
		p := &m.Points[id]
		switch {
		case p.Kind != Post || p.Repeat || p.Loop:
			return 0
		case p.Action == a:
			own++
		case first != 0:
			return 0
		default:
			first = p.Action
		}
	}
	if own != 1 {
		return 0
	}
	return first
}

// inSeries reports whether the runs of a that share the run of w are one
// series: what begins it runs once for each run of w.
func (g *Graph) inSeries(a ActionID, w node) bool {
	first := g.o.first[a]
	return first != 0 && g.c.single(g.c.action(first), w)
}
