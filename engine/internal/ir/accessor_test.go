package ir_test

import (
	"fmt"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// TestAccessors: a call of an accessor is what it does, at the line of the call
// and for its handlers; what is more than that, or other in the caller, stays a
// call.
func TestAccessors(t *testing.T) {
	const made = ir.AccStatic | ir.AccSynthetic
	accessors := []struct {
		name, proto string
		flags       uint32
		registers   int
		code        string
		call, want  string
	}{
		{"-$$Nest$fgetx", "(Lt/A;)I", made, 1, "iget p0, p0, Lt/A;->x:I\nreturn p0",
			"invoke-static {p0}, %s\nmove-result v0\nreturn v0", "param:7 getfield:7 return:7 "},
		{"access$008", "(Lt/A;)I", made, 3, "iget v0, p0, Lt/A;->x:I\nadd-int/lit8 v1, v0, 1\niput v1, p0, Lt/A;->x:I\nreturn v0",
			"invoke-static {p0}, %s\nmove-result v0\nreturn v0", "param:7 getfield:7 const:7 binary:7 putfield:7 return:7 "},
		{"-$$Nest$fputl", "(Lt/A;J)V", made, 3, "iput-wide p1, p0, Lt/A;->l:J\nreturn-void",
			"const-wide/16 v0, 5\ninvoke-static {p0, v0, v1}, %s\nconst/4 v0, 1\nreturn v0", "param:7 const:7 putfield:7 const:7 return:7 "},
		{"access$100", "(Lt/A;I)I", made, 2, "invoke-direct {p0, p1}, Lt/A;->m(I)I\nmove-result p0\nreturn p0",
			"const/4 v0, 3\ninvoke-static {p0, v0}, %s\nmove-result v0\nreturn v0", "param:7 const:7 invoke direct m:7 return:7 "},
		{"access$200", "(Lt/A;)I", made, 1, "invoke-super {p0}, Ljava/lang/Object;->hashCode()I\nmove-result p0\nreturn p0",
			"invoke-static {p0}, %s\nmove-result v0\nreturn v0", "param:7 invoke static access$200:7 return:7 "},
		{"access$300", "(Lt/A;)I", made, 1, "if-eqz p0, :no\niget p0, p0, Lt/A;->x:I\nreturn p0\n:no\nconst/4 p0, 0\nreturn p0",
			"invoke-static {p0}, %s\nmove-result v0\nreturn v0", "param:7 invoke static access$300:7 return:7 "},
		{"access$400", "(Lt/A;)I", ir.AccStatic, 1, "iget p0, p0, Lt/A;->x:I\nreturn p0",
			"invoke-static {p0}, %s\nmove-result v0\nreturn v0", "param:7 invoke static access$400:7 return:7 "},
		{"access$500", "(Lt/A;)I", made, 1, "invoke-static {p0}, Lt/A;->access$500(Lt/A;)I\nmove-result p0\nreturn p0",
			"invoke-static {p0}, %s\nmove-result v0\nreturn v0", "param:7 invoke static access$500:7 return:7 "},
		{"access$600", "(Lt/A;)I", made, 2, "iget v1, p0, Lt/A;->x:I\nreturn v0",
			"invoke-static {p0}, %s\nmove-result v0\nreturn v0", "param:7 invoke static access$600:7 return:7 "},
	}
	p, errs := program(t, nil, func(d *dextest.Dex) {
		c := d.Class("Lt/A;", objectDesc, 0).Field("x", "I", 0).Field("l", "J", 0)
		c.Method("m", "(I)I", ir.AccPrivate).Asm(2, "return p1")
		callers := d.Class("Lt/B;", objectDesc, 0)
		for _, a := range accessors {
			c.Method(a.name, a.proto, a.flags).Asm(a.registers, a.code)
			call := fmt.Sprintf(a.call, "Lt/A;->"+a.name+a.proto)
			callers.Method("of_"+a.name, "(Lt/A;)I", ir.AccStatic).Asm(3, ".line 7\n"+call)
			callers.Method("in_"+a.name, "(Lt/A;)I", ir.AccStatic).Asm(3, ":from\n"+call+"\n:to\nmove-exception v1\nthrow v1\n.catchall :from :to :to")
		}
	})
	noErrors(t, errs)
	want := map[string]string{}
	for _, a := range accessors {
		want["of_"+a.name] = a.want
	}
	for _, m := range p.Classes[p.Lookup("t.B")].Methods {
		name := p.Selectors[p.Methods[m].Sel].Name
		b, err := p.Lift(m)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := b.Check(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got := ""
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			got += b.Op[v].String()
			if b.Op[v] == ir.OpInvoke {
				got += fmt.Sprintf(" %s %s", b.Sub[v], p.Selectors[p.Methods[b.Aux[v]].Sel].Name)
			}
			got += fmt.Sprintf(":%d ", b.Line(v))
		}
		if w, ok := want[name]; ok && got != w {
			t.Errorf("%s: %q, want %q", name, got, w)
		}
	}
}
