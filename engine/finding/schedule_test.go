package finding

import "testing"

func TestScheduleShort(t *testing.T) {
	step := func(class, name, instance string) Step {
		return Step{Action: class + "." + name + "()", Callback: &Callback{Class: class, Name: name, Params: []string{}}, Instance: instance}
	}
	run := func(n int) Step {
		enclosing := Method{Class: "com.a.Main", Name: "onCreate", Params: []string{}}
		return step(Nested(enclosing, "java.lang.Runnable", n), "run", "")
	}
	once := func(name string) Step {
		s := step("com.a.Main", name, "com.a.Main 1")
		s.Once = true
		return s
	}
	second := func(name string) Step {
		s := once(name)
		s.Instance = "com.a.Main 2"
		return s
	}
	main := func(name string) Step { return step("com.a.Main", name, "com.a.Main 1") }
	for _, c := range []struct {
		want  string
		steps []Step
	}{
		{"", nil},
		{"", []Step{main("<init>"), main("onCreate")}},
		{"onCreate, onDestroy, then run", []Step{main("<init>"), main("onCreate"), main("onDestroy"), run(1)}},
		{"onStart, onStop, then onStart again", []Step{main("onStart"), main("onStop"), main("onStart")}},
		{"Runnable.run in Main.onCreate, then another Runnable.run in Main.onCreate", []Step{run(1), run(2)}},
		{"Main.onCreate, then Other.onResume", []Step{main("onCreate"), step("com.a.Other", "onResume", "com.a.Other 1")}},
		{"Main.onCreate, then Other.onCreate", []Step{main("onCreate"), step("com.a.Other", "onCreate", "com.a.Other 1")}},
		{"Main.onCreate, Main.onStart, Main.onCreate of a new instance, Main.onResume of the new instance, then Main.onDestroy",
			[]Step{once("onCreate"), main("onStart"), second("onCreate"), second("onResume"), once("onDestroy")}},
		{"onCreate, then onStart", []Step{once("onCreate"), main("onStart")}},
		{"no callback, then onStop", []Step{{Action: "no callback"}, main("onStop")}},
	} {
		if got := (&Schedule{Steps: c.steps}).Short(); got != c.want {
			t.Errorf("Short() = %q, want %q", got, c.want)
		}
	}
}

func TestShortOfNested(t *testing.T) {
	enclosing := Method{Class: "com.a.Main", Name: "onCreate", Params: []string{"android.os.Bundle"}}
	inner := Method{Class: Nested(enclosing, "android.view.View$OnClickListener", 2), Name: "onClick", Params: []string{"android.view.View"}}
	initialiser := Method{Class: "com.a.Main", Name: "<init>", Params: []string{}}
	for _, c := range []struct {
		method Method
		want   string
	}{
		{enclosing, "Main.onCreate"},
		{inner, "OnClickListener.onClick in Main.onCreate"},
		{Method{Class: Nested(inner, "java.lang.Runnable", 1), Name: "run"}, "Runnable.run in Main.onCreate"},
		{Method{Class: Nested(initialiser, "java.lang.Runnable", 1), Name: "run"}, "Runnable.run in Main"},
	} {
		if got := c.method.Short(); got != c.want {
			t.Errorf("%s is shown as %q, want %q", c.method, got, c.want)
		}
	}
}
