package comment

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// picture draws a race: how each access comes to run, side by side, and the
// order in which it fails, if one is known. It is empty for a race that is told
// in brief.
func picture(r *finding.Race) string {
	if len(r.Sides[0].Events) == 0 || len(r.Sides[1].Events) == 0 {
		return ""
	}
	text := "\n```mermaid\n" + chains(r) + "```\n"
	if order := failing(r); order != "" {
		text += "\n```mermaid\n" + order + "```\n"
	}
	return text
}

// nodesShown bounds the events of a chain that are drawn.
const nodesShown = 4

// chains is a flow chart: a column for each side, both of which end at the field.
func chains(r *finding.Race) string {
	var b strings.Builder
	b.WriteString("flowchart TB\n")
	for i, column := range []string{"a", "b"} {
		s := &r.Sides[i]
		nodes := eventNodes(s.Events)
		fmt.Fprintf(&b, "  subgraph %s [\"%s\"]\n    direction TB\n", column, label(report.ThreadText(s.Access.Thread)))
		for n, text := range nodes {
			fmt.Fprintf(&b, "    %s%d(\"%s\")\n", column, n, text)
			if n > 0 {
				fmt.Fprintf(&b, "    %s%d --> %s%d\n", column, n-1, column, n)
			}
		}
		n := len(nodes)
		fmt.Fprintf(&b, "    %s%d[\"%s<br/>%s\"]:::access\n    %s%d --> %s%d\n  end\n",
			column, n, label(does(r, i)+" "+r.Field.Name), label(s.Access.Spot()), column, n-1, column, n)
	}
	fmt.Fprintf(&b, "  a%d -. nothing orders these .- b%d\n", len(eventNodes(r.Sides[0].Events)), len(eventNodes(r.Sides[1].Events)))
	b.WriteString("  classDef access stroke-width:3px\n")
	return b.String()
}

// eventNodes are the texts of the events, those in the middle left out.
func eventNodes(events []finding.Event) []string {
	var nodes []string
	for i := range events {
		e := &events[i]
		text := label(e.What)
		if e.Callback != nil {
			text += "<br/>" + label(e.Callback.Short())
		}
		nodes = append(nodes, text)
	}
	if n := len(nodes); n > nodesShown+1 {
		between := fmt.Sprintf("%d more events", n-nodesShown)
		nodes = append(append(nodes[:nodesShown/2:nodesShown/2], between), nodes[n-nodesShown/2:]...)
	}
	return nodes
}

// stepsShown bounds the steps that are drawn.
const stepsShown = 8

// failing is a sequence diagram of the order in which the race fails, with a lane
// for each thread. What the making of an object does is left out.
func failing(r *finding.Race) string {
	if r.Schedule == nil {
		return ""
	}
	lanes := map[string]int{}
	var b, steps strings.Builder
	lane := func(thread string) int {
		n, ok := lanes[thread]
		if !ok {
			n = len(lanes)
			lanes[thread] = n
			fmt.Fprintf(&b, "  participant t%d as %s\n", n, label(thread))
		}
		return n
	}
	b.WriteString("sequenceDiagram\n  autonumber\n  actor s as system or user\n")
	var shown []*finding.Step
	for i := range r.Schedule.Steps {
		if s := &r.Schedule.Steps[i]; s.Callback == nil || !strings.HasPrefix(s.Callback.Name, "<") {
			shown = append(shown, s)
		}
	}
	last := 0
	for i, s := range shown {
		if n := len(shown); n > stepsShown+1 && i >= stepsShown/2 && i < n-stepsShown/2 {
			continue
		}
		to := lane(s.Thread)
		from := "s"
		if s.Cause > 0 {
			from = fmt.Sprintf("t%d", lane(r.Schedule.Steps[s.Cause-1].Thread))
		}
		does := s.Action
		if s.Callback != nil {
			does = s.Callback.Short()
		}
		arrow := "->>"
		if i == len(shown)-1 {
			arrow = "-x"
		}
		fmt.Fprintf(&steps, "  %s%st%d: %s<br/>%s\n", from, arrow, to, label(s.What), label(does))
		last = to
	}
	if len(shown) == 0 {
		return ""
	}
	return b.String() + steps.String() + fmt.Sprintf("  Note over t%d: %s\n", last, label(r.Schedule.Outcome))
}
