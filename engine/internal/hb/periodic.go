package hb

// periodic finds actions whose runs are one series: those of one periodic task
// (ScheduledExecutorService.scheduleAtFixedRate: executions "will not
// concurrently execute"; java.util.Timer has one thread), and those of a chain in
// which each run posts the next one.
type periodic struct {
	series []series // by action
}

// series is how the runs of an action come about. first is what begins it: the
// action that schedules a periodic task, or that posts the first run of a chain;
// 0 if the runs are no series. A run of a chain may overlap the rest of the one
// that has posted it, unless apart says that it cannot.
type series struct {
	first ActionID
	apart bool
}

func newPeriodic(m *Model, made [][]PointID) periodic {
	p := periodic{series: make([]series, len(m.Actions))}
	for i := range p.series {
		p.series[i] = seriesOf(m, ActionID(i), made[i])
	}
	return p
}

func seriesOf(m *Model, a ActionID, made []PointID) series {
	if len(made) == 1 {
		if p := &m.Points[made[0]]; p.Kind == Post && p.Repeat && !p.Loop && p.Action != a {
			return series{p.Action, true}
		}
	}
	var s series
	own := 0
	for _, id := range made {
		p := &m.Points[id]
		switch {
		case p.Kind != Post || p.Repeat || p.Loop:
			return series{}
		case p.Action == a:
			own++
			s.apart = p.AtEnd
		case s.first != 0:
			return series{}
		default:
			s.first = p.Action
		}
	}
	if own != 1 {
		return series{}
	}
	return s
}

// inSeries reports whether the runs of a that share the run of w are one series,
// one after the other: what begins it runs once for each run of w.
func (g *Graph) inSeries(a ActionID, w node) bool {
	s := g.o.series[a]
	x := g.c.action(a)
	return s.first != 0 && g.c.single(g.c.action(s.first), w) && (s.apart || g.c.oneAtATime(x, x, w))
}
