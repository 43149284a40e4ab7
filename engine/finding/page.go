package finding

import "fmt"

// Block is a piece of the page of a rule: prose, then perhaps code. A block
// with a heading begins a section.
type Block struct {
	Heading string
	Text    string // one paragraph; "" if the heading says it all
	Code    string // whole lines; "" if there is none
	Lang    string // of the code: java, sh
}

// Page is everything that is shown of a rule below its id and title, for the
// page in docs and for eventraces explain.
func (r Rule) Page() []Block {
	return append([]Block{
		{Text: r.Short},
		{Heading: "What happens", Text: r.Full},
		{Heading: "How to fix it", Text: r.Fix},
	}, append(r.accepting(),
		Block{Heading: "Failing", Code: r.Failing, Lang: "java"},
		Block{Heading: "Fixed", Code: r.Fixed, Lang: "java"})...)
}

// accepting says how to keep a race without failing for it.
func (r Rule) accepting() []Block {
	return []Block{{
		Heading: "How to accept it",
		Text: "If a race does no harm, say so and say why: it then fails nothing, and stays in the outputs as accepted. " +
			"Either in a comment on the line above the access:",
		Code: fmt.Sprintf("// eventraces:ignore %s because REASON\n", r.ID), Lang: "java",
	}, {
		Text: "or in an annotation of the field, the method or the class, which also covers what is nested inside it " +
			"(the annotation is in annotations/eventraces-annotations.jar):",
		Code: fmt.Sprintf("@IgnoreEventRace(rule = %q, because = \"REASON\")\n", r.ID), Lang: "java",
	}, {
		Text: "or in the baseline, by the id that stands below the race:",
		Code: "eventraces baseline --out eventraces-baseline.txt --accept ID BUILD_OUTPUT...\n", Lang: "sh",
	}}
}
