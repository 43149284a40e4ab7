package comment

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// What a picture shows at most.
const (
	nodesShown = 4 // events of a chain
	stepsShown = 8 // steps of a schedule
)

// chains is a flow chart of how both accesses come to run, a column for each, and
// nothing but a dotted line between them. Numbers are those of the order in which
// it fails. It is empty for a race that is told in brief.
func chains(r *finding.Race) string {
	if len(r.Sides[0].Events) == 0 || len(r.Sides[1].Events) == 0 {
		return ""
	}
	numbers := stepNumbers(r)
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, column := range []string{"a", "b"} {
		s := &r.Sides[i]
		nodes := eventNodes(s, numbers)
		fmt.Fprintf(&b, "  subgraph %s [\"%s\"]\n    direction TB\n", column, label(report.ThreadText(s.Access.Thread)))
		for n, text := range nodes {
			arrow := "-->"
			switch calls := len(s.Calls) - 1; {
			case n < len(nodes)-1 || calls < 1:
			case calls == 1:
				arrow = "-- calls -->"
			default:
				arrow = fmt.Sprintf("-- %d calls -->", calls)
			}
			fmt.Fprintf(&b, "    %s%d(\"%s\") %s %s%d\n", column, n, text, arrow, column, n+1)
		}
		fmt.Fprintf(&b, "    %s%d[\"%s\"]:::access\n  end\n", column, len(nodes), accessNode(r, i))
	}
	// With a circle at both ends: versions of Mermaid draw an arrow where a link is
	// to have none.
	b.WriteString("  a o-. nothing orders these .-o b\n")
	b.WriteString("  classDef access stroke:#cf222e,stroke-width:3px\n  style a fill:none\n  style b fill:none\n")
	return picture(b.String())
}

// picture is a block that GitHub draws.
func picture(text string) string { return "\n```mermaid\n" + text + "```\n" }

// accessNode is the text of an access: what it does, in which method if that is
// not the callback, and where.
func accessNode(r *finding.Race, i int) string {
	s := &r.Sides[i]
	text := label(does(r, i) + ": " + r.Field.Name)
	if len(s.Calls) > 1 {
		text += "<br/>" + label(report.MethodOf(s, s.Access.Method))
	}
	return text + "<br/>" + label(s.Access.Spot())
}

// eventNodes are the texts of the events of a side, those in the middle left out.
func eventNodes(s *finding.Side, numbers map[string]int) []string {
	var nodes []string
	for i := range s.Events {
		e := &s.Events[i]
		text := label(e.What)
		callback := finding.Callback{}
		switch {
		case e.Callback != nil:
			callback = finding.Callback(*e.Callback)
			text += "<br/>" + label(callback.Short())
		case i == len(s.Events)-1:
			callback = s.Access.Entry
		}
		if n := numbers[callback.String()]; n > 0 {
			text = fmt.Sprintf("%s %s", label(fmt.Sprintf("(%d)", n)), text)
		}
		nodes = append(nodes, text)
	}
	if n := len(nodes); n > nodesShown+1 {
		between := fmt.Sprintf("%d more events", n-nodesShown)
		nodes = append(append(nodes[:nodesShown/2:nodesShown/2], between), nodes[n-nodesShown/2:]...)
	}
	return nodes
}

// numbered are the steps that the pictures number. The making of an object is
// left out.
func numbered(s *finding.Schedule) []*finding.Step {
	var steps []*finding.Step
	for i := range s.Steps {
		if step := &s.Steps[i]; step.Callback == nil || !strings.HasPrefix(step.Callback.Name, "<") {
			steps = append(steps, step)
		}
	}
	return steps
}

// stepNumbers are the numbers, from 1, of the callbacks that come once.
func stepNumbers(r *finding.Race) map[string]int {
	numbers := map[string]int{}
	if r.Schedule == nil {
		return numbers
	}
	for i, step := range numbered(r.Schedule) {
		if step.Callback == nil {
			continue
		}
		name := step.Callback.String()
		if numbers[name] != 0 {
			numbers[name] = -1
		} else {
			numbers[name] = i + 1
		}
	}
	return numbers
}

// failing is a sequence diagram of the order in which the race fails, with a lane
// for each thread.
func failing(r *finding.Race) string {
	if r.Schedule == nil {
		return ""
	}
	steps := numbered(r.Schedule)
	if len(steps) == 0 {
		return ""
	}
	number := map[*finding.Step]int{}
	lanes := map[string]string{}
	var heads, b strings.Builder
	lane := func(thread string) string {
		if lanes[thread] == "" {
			lanes[thread] = fmt.Sprintf("t%d", len(lanes))
			fmt.Fprintf(&heads, "  participant %s as %s\n", lanes[thread], label(thread))
		}
		return lanes[thread]
	}
	b.WriteString("  autonumber\n")
	to := ""
	for i, s := range steps {
		number[s] = i + 1
		if gap := len(steps) - stepsShown; gap > 1 && i >= stepsShown/2 && i < stepsShown/2+gap {
			if i == stepsShown/2 {
				fmt.Fprintf(&b, "  Note over %s: %d more steps\n  autonumber %d\n", to, gap, i+gap+1)
			}
			continue
		}
		to = lane(s.Thread)
		from, text := "s", label(s.What)
		if text != "" {
			text += "<br/>"
		}
		text += label(stepName(s))
		if s.Cause > 0 {
			cause := &r.Schedule.Steps[s.Cause-1]
			if other := lanes[cause.Thread]; other != "" && other != to {
				from = other
			}
			if n := number[cause]; n > 0 {
				text += fmt.Sprintf("<br/>asked for in step %d", n)
			}
		}
		arrow := "->>"
		if i == len(steps)-1 {
			arrow = "-x"
		}
		fmt.Fprintf(&b, "  %s%s%s: %s\n", from, arrow, to, text)
	}
	if r.Schedule.Outcome != "" {
		fmt.Fprintf(&b, "  Note over %s: %s\n", to, label(outcome(r.Schedule.Outcome)))
	}
	return picture("%%{init: {\"sequence\": {\"mirrorActors\": false}}}%%\nsequenceDiagram\n  participant s as system or user\n" + heads.String() + b.String())
}

func stepName(s *finding.Step) string {
	name := s.Action
	if s.Callback != nil {
		name = s.Callback.Short()
	}
	if s.Until != nil {
		name += " as far as " + s.Until.Spot()
	}
	return name
}

// outcome is what a schedule ends in, without the package of an exception.
func outcome(s string) string {
	class, message, ok := strings.Cut(s, ": ")
	if !ok || strings.Contains(class, " ") {
		return s
	}
	return class[strings.LastIndexAny(class, ".$")+1:] + ": " + message
}
