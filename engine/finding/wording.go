package finding

import (
	"fmt"
	"strings"
)

// Failure is what is known of the way in which a race ends.
type Failure struct {
	Crash string    // the exception that the schedule leads to, "" if none is known
	At    *Position // the first place that fails, nil if it is the line of the anchor
	Leads Leads
}

// Leads says whether the run of one side makes that of the other run.
type Leads int

const (
	Apart  Leads = iota
	Within       // one makes the other run, and neither side waits for the other
	ToUse        // the free makes the use run, which always comes after it
	ToFree       // the use makes the free run, which always comes after it
)

// Describe is DescribeFailure where no more than the exception is known.
func (r *Race) Describe(crash string) { r.DescribeFailure(Failure{Crash: crash}) }

// DescribeFailure writes what goes wrong and how to fix it, from the rule, the
// sides and the way it ends. It orients the race first. Texts that the engine has
// set already stay.
func (r *Race) DescribeFailure(how Failure) {
	r.Orient()
	if r.Wrong == "" {
		r.Wrong = r.wrong(how)
	}
	if r.Fix == "" {
		rule, _ := RuleByID(r.Rule)
		r.Fix = rule.Fix
	}
}

func (r *Race) wrong(how Failure) string {
	crash := exception(how.Crash)
	first, second := &r.Sides[0].Access, &r.Sides[1].Access
	a, b := first.Entry.Short(), second.Entry.Short()
	again := first.Entry.String() == second.Entry.String()
	switch {
	case again:
		b = "another run of it"
	case a == b:
		if a, b = first.Entry.middle(), second.Entry.middle(); a == b {
			b = "the other " + b
		}
	}
	field := r.Field.Short()
	switch r.Rule {
	case UseAfterFree:
		if again {
			return fmt.Sprintf("An earlier run of %s may leave %s %s for a later one: %s.",
				a, field, r.Field.freed(), r.fails(orElse(crash, r.Field.crash()), how))
		}
		comes := fmt.Sprintf("If %s comes first, %s", b, a)
		switch {
		case HasFact(r.Facts, FactTwoInstances):
			comes = fmt.Sprintf("If %s of another instance comes first, %s", b, a)
		case how.Leads == Within:
			comes = fmt.Sprintf("If %s runs before %s gets to %s, that", second.Spot(), a, first.Spot())
		case how.Leads == ToUse:
			comes = fmt.Sprintf("%s, to which %s leads,", a, b)
		case how.Leads == ToFree:
			comes = fmt.Sprintf("If %s comes before a later run of %s, that", b, a)
		}
		return fmt.Sprintf("%s finds %s %s: %s.", comes, field, r.Field.freed(), r.fails(orElse(crash, r.Field.crash()), how))
	case UseBeforeInit:
		comes := "comes"
		if how.Leads == Within {
			comes = "gets to " + first.Spot()
		}
		return fmt.Sprintf("If %s %s before %s has set %s, that is still null: %s.",
			a, comes, b, field, r.fails(orElse(crash, "a NullPointerException"), how))
	case UnorderedWrite:
		if again {
			return fmt.Sprintf("Two runs of %s write %s, and whichever comes last decides what stays%s.", a, field, ending(crash))
		}
		return fmt.Sprintf("%s and %s both write %s, and whichever comes last decides what stays%s.", a, b, field, ending(crash))
	case StaleRead:
		return fmt.Sprintf("%s sees %s before or after %s has changed it, depending on timing%s.", a, field, b, ending(crash))
	default:
		if again && first.Thread == second.Thread {
			return fmt.Sprintf("Two runs of %s (%s) may touch %s at the same time without a common lock%s.", a, first.Thread, field, ending(crash))
		}
		return fmt.Sprintf("%s (%s) and %s (%s) may touch %s at the same time without a common lock%s.",
			a, first.Thread, b, second.Thread, field, ending(crash))
	}
}

// fails says where the exception is thrown.
func (r *Race) fails(crash string, how Failure) string {
	read := r.Sides[0].Access.Spot()
	if how.At == nil || how.At.Spot() == read {
		return crash + " at " + read
	}
	return fmt.Sprintf("%s at %s, where the value read at %s is used", crash, how.At.Spot(), read)
}

// freed says in what state the free left the location.
func (f Field) freed() string {
	switch f.Content {
	case Array, Container:
		return "without the element"
	case Resource:
		return "closed or released"
	case Kept:
		return "gone"
	default:
		return "null"
	}
}

func (f Field) crash() string {
	switch f.Content {
	case Array, Container:
		return "a failure"
	case Resource, Kept:
		return "an exception of the closed resource"
	default:
		return "a NullPointerException"
	}
}

// exception shortens pkg.Class: message, so that it reads inside a sentence:
// Class ("message"); and pkg.Class, or what else there is.
func exception(crash string) string {
	if class, rest, ok := strings.Cut(crash, ", or "); ok {
		return exception(class) + ", or " + rest
	}
	class, message, ok := strings.Cut(crash, ": ")
	if strings.Contains(class, " ") || !strings.Contains(class, ".") {
		return crash
	}
	if class = innermost(class); ok {
		class += ` ("` + message + `")`
	}
	return class
}

func ending(crash string) string {
	if crash == "" {
		return ""
	}
	return "; this can end in " + crash
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Short is the field without its package: Main$Loader.field, or Runnable.field in
// Main.onCreate.
func (f Field) Short() string { return f.Owner() + "." + f.Name + f.within() }

// Owner is the class that declares the field, without its package.
func (f Field) Owner() string {
	if implements, _, ok := splitNested(f.Class); ok {
		return innermost(implements)
	}
	return simple(f.Class)
}

func (f Field) within() string {
	if _, enclosing, ok := splitNested(f.Class); ok {
		return " in " + simpleMember(enclosing)
	}
	return ""
}

func (c Callback) label(params string) string {
	kind, enclosing, nested := splitNested(c.Class)
	if !nested {
		return simple(c.Class) + "." + c.Name + params
	}
	return innermost(kind) + "." + c.Name + params + " in " + simpleMember(enclosing)
}

// Short is the callback without its package and parameters, for people.
func (c Callback) Short() string { return c.label("") }

// middle is short with the parameters, to tell overloads apart.
func (c Callback) middle() string {
	params := make([]string, len(c.Params))
	for i, p := range c.Params {
		params[i] = simple(p)
	}
	return c.label("(" + strings.Join(params, ", ") + ")")
}

// splitNested gives of a name that Nested made the type, and the outermost method
// or field that it stands in: of com.example.Main.onCreate(android.os.Bundle)$java.lang.Runnable#1
// java.lang.Runnable and com.example.Main.onCreate.
func splitNested(class string) (implements, enclosing string, ok bool) {
	enclosing, implements, _, ok = Unnest(class)
	enclosing, _, _ = strings.Cut(enclosing, "(")
	return implements, enclosing, ok
}

// simple drops the package of a dotted class name; of a nested one it keeps the
// type and the enclosing method.
func simple(class string) string {
	if implements, enclosing, ok := splitNested(class); ok {
		return innermost(implements) + " in " + simpleMember(enclosing)
	}
	return class[strings.LastIndexByte(class, '.')+1:]
}

// innermost is the class's name without its package and outer classes:
// OnClickListener.
func innermost(class string) string {
	return class[strings.LastIndexAny(class, ".$")+1:]
}

// simpleMember drops the package of pkg.Class.member; of a constructor it leaves
// the class.
func simpleMember(s string) string {
	dot := strings.LastIndexByte(s, '.')
	if dot < 0 {
		return s
	}
	if strings.HasPrefix(s[dot:], ".<") { // a constructor or initialiser
		return simple(s[:dot])
	}
	return simple(s[:dot]) + s[dot:]
}

// Short is the method without package and parameters: Main$1.run, or Runnable.run
// in Main.onCreate.
func (m Method) Short() string { return Callback(m).Short() }

// Place is path:line as far as they are known.
func (p Position) Place() string { return p.place(p.File) }

// Spot is the same with the file's name only.
func (p Position) Spot() string { return p.place(p.File[strings.LastIndexByte(p.File, '/')+1:]) }

func (p Position) place(file string) string {
	switch {
	case file == "":
		return p.Method.Short()
	case p.Line == 0:
		return file
	default:
		return fmt.Sprintf("%s:%d", file, p.Line)
	}
}
