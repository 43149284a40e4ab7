package hb

// The platform delivers events one after the other, in the order in which they
// happen. The cause of such a run is its delivery, so two of them are always in
// the order of their causes, though nothing says which comes first.

// delivery holds for each action whether it is an event of the main looper, and
// whether its source delivers one callback at a time.
type delivery struct {
	event  []bool
	source []SourceID // 0 if the callbacks of the source may overlap
}

func newDelivery(m *Model) delivery {
	d := delivery{event: make([]bool, len(m.Actions)), source: make([]SourceID, len(m.Actions))}
	for i := 1; i < len(m.Actions); i++ {
		a := &m.Actions[i]
		if a.Queue <= 0 || int(a.Queue) >= len(m.Queues) {
			continue
		}
		q := &m.Queues[a.Queue]
		switch a.Kind {
		case KindLifecycle, KindGUI, KindProcess:
			d.event[i] = q.Main
		}
		if q.Kind == QueueLooper || q.Kind == QueueSerial {
			d.source[i] = a.Source
		}
	}
	return d
}

// events reports whether both actions are events of the user or of lifecycles,
// which the main looper delivers in the order in which they happen (SIERRA
// section 4.1; android.os.Looper; Activity, "Activity Lifecycle").
func (d *delivery) events(a, b ActionID) bool { return d.event[a] && d.event[b] }

// oneSource reports whether both actions are callbacks of one object, of its
// lifecycle or of one registration, that run on one queue which runs one at a
// time: the object's platform side calls them one after the other.
func (d *delivery) oneSource(m *Model, a, b ActionID) bool {
	return d.source[a] != 0 && d.source[a] == d.source[b] && m.Actions[a].Queue == m.Actions[b].Queue
}
