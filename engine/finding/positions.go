package finding

// EachPosition visits every place that the run names; visit may change it.
func (r *Run) EachPosition(visit func(*Position)) {
	r.EachRace(func(race *Race) { race.EachPosition(visit) })
}

// EachPosition visits every place that the race names; visit may change it.
func (r *Race) EachPosition(visit func(*Position)) {
	for i := range r.Sides {
		s := &r.Sides[i]
		visit(&s.Access.Position)
		for j := range s.Events {
			if s.Events[j].Site != nil {
				visit(s.Events[j].Site)
			}
		}
		for j := range s.Calls {
			visit(&s.Calls[j].Position)
		}
		for j := range s.Further {
			visit(&s.Further[j])
		}
	}
	if r.Schedule == nil {
		return
	}
	for i := range r.Schedule.Steps {
		step := &r.Schedule.Steps[i]
		if step.Until != nil {
			visit(step.Until)
		}
		for j := range step.Branches {
			visit(&step.Branches[j].At)
		}
	}
}
