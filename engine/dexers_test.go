package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/expect"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/internal/goldentest"
	"github.com/eventraces/eventraces/internal/realapps"
)

// TestDexersGiveEqualRaces builds one set of class files with D8 and with dx:
// the races must be the same, lambdas included, which D8 turns into classes.
func TestDexersGiveEqualRaces(t *testing.T) {
	apps := 0
	for _, root := range []string{"../examples", "testdata/fixtures"} {
		dirs, err := expect.Apps(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			apps++
			apk := filepath.Join(dir, filepath.Base(dir))
			d8, dx := races(t, apk+".apk"), races(t, apk+"-dx.apk")
			if diff := cmp.Diff(d8.lines(), dx.lines()); diff != "" {
				t.Errorf("%s: the races differ (-D8 +dx):\n%s", filepath.Base(dir), diff)
			}
		}
	}
	if apps < 5 {
		t.Fatalf("only %d apps were compared", apps)
	}
}

// built is one build of an app: its races by id, and what each method of the
// app does, accesses and calls in their order.
type built struct {
	races   map[string]*finding.Race
	methods map[string]string
}

func races(t *testing.T, apk string) *built {
	t.Helper()
	res, err := Check(t.Context(), Options{ToolVersion: "test", Inputs: []string{apk}})
	if err != nil {
		t.Fatal(err)
	}
	b := &built{races: map[string]*finding.Race{}}
	for i := range res.Run.Findings {
		for j := range res.Run.Findings[i].Races {
			r := &res.Run.Findings[i].Races[j]
			b.races[r.ID] = r
		}
	}
	return b
}

// lines name the races and what must be the same for them in each build: not
// only what is compared by machines, but what people read.
func (b *built) lines() []string {
	var lines []string
	for id, r := range b.races {
		lines = append(lines, fmt.Sprintf("%s %s %s %s: %s %s %s", id, r.Priority, r.Rule, r.Field, r.Wrong, r.Order, r.Fix))
		for i := range r.Sides {
			lines = append(lines, fmt.Sprintf("%s side %d: %s%s", id, i, eventTexts(&r.Sides[i]), r.Sides[i].Access.Place()))
		}
	}
	slices.Sort(lines)
	return lines
}

func eventTexts(s *finding.Side) string {
	text := ""
	for _, e := range s.Events {
		text += e.What + "; "
	}
	for _, c := range s.Calls {
		text += c.Method.String() + "; "
	}
	return text
}

// TestApiDemosAcrossBuilds compares one published app in six builds, by dx and
// four generations of D8. Between two of them, races may differ only where code
// differs; testdata/dexers.txt lists each difference with its cause.
func TestApiDemosAcrossBuilds(t *testing.T) {
	var before *built
	var beforeName string
	var report strings.Builder
	builds := 0
	for _, app := range realapps.All {
		if app.Package != "android-apidemos" || !strings.HasPrefix(app.Name, "apidemos-") {
			continue
		}
		builds++
		apk := app.Fetch(t)
		now := races(t, apk)
		now.methods = sequences(t, apk)
		if len(now.races) < 100 || len(now.methods) < 1000 {
			t.Fatalf("%s: only %d races in %d methods", app.Name, len(now.races), len(now.methods))
		}
		if before != nil {
			fmt.Fprintf(&report, "%s to %s: %d races, %d equal\n", beforeName, app.Name, len(now.races), equalRaces(before, now))
			for _, line := range compareBuilds(t, before, now) {
				fmt.Fprintf(&report, "  %s\n", line)
			}
		}
		before, beforeName = now, app.Name
	}
	if builds != 6 {
		t.Fatalf("%d builds were compared", builds)
	}
	goldentest.Compare(t, filepath.Join("testdata", "dexers.txt"), report.String())
}

func equalRaces(a, b *built) int {
	n := 0
	for id, r := range a.races {
		if s := b.races[id]; s != nil && s.Priority == r.Priority {
			n++
		}
	}
	return n
}

// compareBuilds lists the races that only one build has, or that differ in
// priority, with the method that differs; one without such a method fails.
func compareBuilds(t *testing.T, a, b *built) []string {
	t.Helper()
	var lines []string
	for id, r := range a.races {
		switch s := b.races[id]; {
		case s == nil:
			lines = append(lines, differs(t, "gone", r, a, b))
		case s.Priority != r.Priority:
			lines = append(lines, differs(t, fmt.Sprintf("%s, was %s", s.Priority, r.Priority), r, a, b))
		}
	}
	for id, r := range b.races {
		if a.races[id] == nil {
			lines = append(lines, differs(t, "new", r, a, b))
		}
	}
	slices.Sort(lines)
	return lines
}

func differs(t *testing.T, how string, r *finding.Race, a, b *built) string {
	t.Helper()
	x, y := r.Sides[0].Access, r.Sides[1].Access
	what := fmt.Sprintf("%s %s %s (%s in %s, %s in %s) %s", r.Rule, r.Field, r.ID, x.Kind, x.Method.Short(), y.Kind, y.Method.Short(), how)
	for _, m := range methodsOf(r) {
		switch before, now := a.methods[m], b.methods[m]; {
		case before == now:
		case before == "":
			return what + ": only the second has " + m
		case now == "":
			return what + ": only the first has " + m
		default:
			return what + ": the code differs in " + m
		}
	}
	// The declaring class decides too: what else writes the field.
	for _, m := range changedIn(r.Field.Class, a, b) {
		return what + ": the code of the field's class differs in " + m
	}
	t.Errorf("%s, but no method of it differs", what)
	return what + ": UNEXPLAINED"
}

// methodsOf are the methods a race is made of, each side's chain in its order.
func methodsOf(r *finding.Race) []string {
	var all []string
	for i := range r.Sides {
		s := &r.Sides[i]
		all = append(all, s.Access.Method.String())
		for _, c := range s.Calls {
			all = append(all, c.Method.String())
		}
		for _, e := range s.Events {
			if e.Site != nil {
				all = append(all, e.Site.Method.String())
			}
			if e.Callback != nil {
				all = append(all, e.Callback.String())
			}
		}
	}
	return all
}

func changedIn(class string, a, b *built) []string {
	var changed []string
	for m, before := range a.methods {
		if strings.HasPrefix(m, class+".") && b.methods[m] != before {
			changed = append(changed, m)
		}
	}
	for m := range b.methods {
		if strings.HasPrefix(m, class+".") && a.methods[m] == "" {
			changed = append(changed, m)
		}
	}
	slices.Sort(changed)
	return changed
}

// sequences gives for each method of the app's own code its accesses to fields
// and arrays and its calls, in the order of the code.
func sequences(t *testing.T, apk string) map[string]string {
	t.Helper()
	r := &run{Options: Options{Inputs: []string{apk}}}
	for _, stage := range []func(context.Context) error{r.read, r.lift} {
		if err := stage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	methods := map[string]string{}
	for m := range r.prog.Methods {
		d := &r.prog.Methods[m]
		if !d.HasCode || r.prog.Classes[d.Class].Origin != ir.App {
			continue
		}
		body, err := r.prog.Lift(ir.MethodID(m))
		if err != nil {
			t.Fatal(err)
		}
		methods[r.prog.MethodString(ir.MethodID(m))] = sequence(r.prog, body)
	}
	return methods
}

func sequence(p *ir.Program, b *ir.Body) string {
	s := "code"
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		switch b.Op[v] {
		case ir.OpGetField, ir.OpPutField, ir.OpGetStatic, ir.OpPutStatic:
			s += fmt.Sprintf(" %d %s;", b.Op[v], p.FieldString(ir.FieldID(b.Aux[v])))
		case ir.OpArrayGet, ir.OpArrayPut:
			s += fmt.Sprintf(" %d;", b.Op[v])
		case ir.OpInvoke:
			s += " " + p.MethodString(ir.MethodID(b.Aux[v])) + ";"
		}
	}
	return s
}
