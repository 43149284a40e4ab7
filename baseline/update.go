package baseline

import (
	"fmt"
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
)

// All, given to Update, accepts every open race.
const All = "all"

// Changes are what Update did to a baseline.
type Changes struct {
	Created  bool
	Accepted []finding.Accepted // new lines
	Raised   []finding.Accepted // accepted again at a higher priority
	Lowered  []finding.Accepted // the race is less grave now
	Renamed  []finding.Accepted // same race, new names
	Reworded []finding.Accepted // accepted before, with another reason
	Pruned   []finding.Accepted // gone
	Kept     []finding.Accepted // gone, as far as a partial run can tell, and so not pruned
	Unknown  []finding.Accepted // open and not accepted by this call
}

// Update is the next state of a baseline after a run that was compared with it
// alone. Lines of races that are gone are pruned, unless part of the app was not
// looked at; lines of races that are less grave now are lowered, so that what was
// gained stays; names follow the app. Of the open races only those that accept
// names are added: ids, or All. Without a file yet and with nothing named, all
// are. Reasons stay; because is the reason of what is added, and of what accept
// names by its id.
func Update(old *File, run *finding.Run, accept []string, because string) (*File, *Changes, error) {
	ch := &Changes{Created: old.Missing}
	next := &File{Name: old.Name, Comments: old.Comments}
	wanted, err := wantedOf(run, accept)
	if err != nil {
		return nil, nil, err
	}
	all := slices.Contains(accept, All) || old.Missing && len(accept) == 0
	number := map[string]int{}
	for _, l := range old.Lines {
		number[l.ID] = l.Number
	}
	run.EachRace(func(r *finding.Race) {
		a := finding.AcceptedOf(r)
		take := all || wanted[r.ID]
		switch {
		case r.Accepted != nil:
			a = ch.follow(r, a, take)
			if because != "" && because != a.Reason && (wanted[r.ID] || a.Priority > r.Accepted.Priority) {
				a.Reason = because
				ch.Reworded = append(ch.Reworded, a)
			}
			next.Lines = append(next.Lines, Line{a, number[r.Accepted.ID]})
		case r.Suppressed != nil:
		case take:
			a.Reason = because
			ch.Accepted = append(ch.Accepted, a)
			next.Lines = append(next.Lines, Line{a, 0})
		default:
			ch.Unknown = append(ch.Unknown, a)
		}
	})
	if run.Partial() {
		ch.Kept = run.Baseline.Gone
		for _, a := range ch.Kept {
			next.Lines = append(next.Lines, Line{a, number[a.ID]})
		}
	} else {
		ch.Pruned = run.Baseline.Gone
	}
	next.number()
	for _, list := range [][]finding.Accepted{ch.Accepted, ch.Raised, ch.Lowered, ch.Renamed, ch.Reworded, ch.Unknown} {
		slices.SortFunc(list, compareAccepted)
	}
	return next, ch, nil
}

// follow is the line of a race that the baseline has: a is what would be written
// of the race today.
func (ch *Changes) follow(r *finding.Race, a finding.Accepted, take bool) finding.Accepted {
	was := r.Accepted
	a.Reason = was.Reason
	oldBase, _ := finding.SplitID(was.ID)
	newBase, _ := finding.SplitID(a.ID)
	switch {
	case a.Priority > was.Priority && take:
		ch.Raised = append(ch.Raised, a)
	case a.Priority > was.Priority:
		ch.Unknown = append(ch.Unknown, a)
		a.Priority = was.Priority
	case a.Priority < was.Priority && len(r.Limited) > 0:
		a.Priority = was.Priority // it is lower only as far as the search got
	case a.Priority < was.Priority:
		ch.Lowered = append(ch.Lowered, a)
	case oldBase != newBase:
		ch.Renamed = append(ch.Renamed, a)
	}
	return a
}

// wantedOf checks the ids that are to be accepted: each must name a race that is
// there.
func wantedOf(run *finding.Run, accept []string) (map[string]bool, error) {
	wanted := map[string]bool{}
	for _, id := range accept {
		if id != All {
			wanted[id] = false
		}
	}
	suppressed := map[string]string{}
	run.EachRace(func(r *finding.Race) {
		if _, ok := wanted[r.ID]; ok {
			wanted[r.ID] = true
		}
		if r.Suppressed != nil {
			suppressed[r.ID] = r.Suppressed.Where
		}
	})
	for _, id := range accept {
		switch {
		case id != All && suppressed[id] != "":
			return nil, fmt.Errorf("--accept %s: the source suppresses this race already, at %s", id, suppressed[id])
		case id == All || wanted[id]:
		case !finding.IsID(id):
			return nil, fmt.Errorf("--accept %q: want %q or an id such as edaaf6b50528ad97", id, All)
		default:
			return nil, fmt.Errorf("--accept %s: this run has no race of that id", id)
		}
	}
	return wanted, nil
}
