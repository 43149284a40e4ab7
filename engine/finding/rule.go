package finding

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"
)

// RuleID is the frozen name of a rule.
type RuleID string

const (
	UseAfterFree         RuleID = "use-after-free"
	UseBeforeInit        RuleID = "use-before-init"
	UnorderedWrite       RuleID = "unordered-write"
	StaleRead            RuleID = "stale-read"
	UnsynchronizedAccess RuleID = "unsynchronized-access"
)

// Classify decides the rule of a pair by the first that fits; priority facts have no say in it. unwritten says that one side uses the
// default null and the other is the first write; oneLooper, that both sides are
// known to run on one looper.
func Classify(a, b Kind, unwritten, oneLooper bool) RuleID {
	switch {
	case a == Free && b == Use || a == Use && b == Free:
		return UseAfterFree
	case unwritten:
		return UseBeforeInit
	case oneLooper && a.Changes() && b.Changes():
		return UnorderedWrite
	case oneLooper:
		return StaleRead
	default:
		return UnsynchronizedAccess
	}
}

// Rule is everything there is to say about a rule, once: explain, the SARIF
// rule table and the page in docs are made from it.
type Rule struct {
	ID      RuleID
	Name    string // for SARIF: the id in Pascal case
	Title   string // a few words
	Short   string // one sentence: what is wrong
	Full    string // a paragraph: when it happens and what it leads to
	Fix     string // how to fix it, the best way first
	Failing string // a small Java class with the race
	Fixed   string // the same class without it
}

// rules in the order in which Classify tries them; outputs keep this order.
var rules = []Rule{
	{
		ID:    UseAfterFree,
		Name:  "UseAfterFree",
		Title: "Used after it was freed",
		Short: "A callback may use a value after another callback has freed it.",
		Full: "One callback sets a field to null, removes it from a container, or closes the resource it holds; " +
			"another uses the value. Nothing makes the use come first: a message, a service, a timer or the user " +
			"may deliver it late. The app then fails with a NullPointerException or an exception of the closed " +
			"resource, on some devices, some of the time, and hardly ever in a test.",
		Fix: "End the later callback where the value is freed: unregister, unbind, remove the posted callbacks or " +
			"cancel the task on the callback's own looper before freeing. If it must stay possible, load the field " +
			"once into a local variable and test that variable before using it.",
	},
	{
		ID:    UseBeforeInit,
		Name:  "UseBeforeInit",
		Title: "Used before it was set",
		Short: "A callback may use a field before another callback has set it for the first time.",
		Full: "A field is null until one callback writes it; another callback uses it without a test. No constructor, " +
			"initialiser or earlier callback sets it, and nothing makes the first write come before the use: a fast " +
			"user, or a slow disk or network, is enough for a NullPointerException.",
		Fix: "Set the field before the other callback can happen: in the constructor or in onCreate, before the " +
			"listener is registered or the task is started. Or register the listener only once the value is there.",
	},
	{
		ID:    UnorderedWrite,
		Name:  "UnorderedWrite",
		Title: "Two writes in no fixed order",
		Short: "Two callbacks on one looper write the same field, and nothing says which comes last.",
		Full: "Both callbacks run on the same looper, one after the other, but in an order that depends on timing. " +
			"The value that stays is the one of whichever came last: a result may overwrite a newer choice, a " +
			"restored state a fresh one.",
		Fix: "Make one side wait for the other (start it from the other's callback), or cancel the older request " +
			"before the newer value is written, or test in the later callback whether its result is still wanted.",
	},
	{
		ID:    StaleRead,
		Name:  "StaleRead",
		Title: "Read and write in no fixed order",
		Short: "A callback reads a field that another callback on the same looper writes, and nothing says which comes first.",
		Full: "Both callbacks run on the same looper, but in an order that depends on timing: the read sees the old or " +
			"the new value. What is shown or decided from the old value is wrong and may stay so, because nothing " +
			"repeats the read after the write.",
		Fix: "Do what depends on the value where it arrives, after the write; or start the reading callback from the " +
			"writing one; or repeat the read when the value changes.",
	},
	{
		ID:    UnsynchronizedAccess,
		Name:  "UnsynchronizedAccess",
		Title: "Two threads without a common lock",
		Short: "Two threads may touch the same location at the same time, at least one of them writing.",
		Full: "The two sides are not known to run on one looper and hold no common lock. Updates may get lost, a " +
			"container may break or throw, and one thread may go on seeing an old value.",
		Fix: "Touch the location on one thread only: post the result to the main looper (Handler.post, " +
			"runOnUiThread, onPostExecute). Where two threads are needed, guard every access by one lock or use a " +
			"class made for it.",
	},
}

//go:embed rules
var examples embed.FS

var loadRules = sync.OnceValue(func() []Rule {
	loaded := make([]Rule, len(rules))
	for i, r := range rules {
		r.Failing, r.Fixed = example(r.ID, "Failing"), example(r.ID, "Fixed")
		loaded[i] = r
	}
	return loaded
})

func example(id RuleID, class string) string {
	b, err := examples.ReadFile(path.Join("rules", string(id), class+".java"))
	if err != nil {
		panic("finding: rule " + string(id) + " lacks its example: " + err.Error())
	}
	return string(b)
}

// Rules are all rules, in the order of the table. The caller must not change
// them.
func Rules() []Rule { return loadRules() }

// RuleByID finds the record of a rule.
func RuleByID(id RuleID) (Rule, bool) {
	i := ruleRank(id)
	if i == len(rules) {
		return Rule{}, false
	}
	return Rules()[i], true
}

// ParseRule reads the name of a rule.
func ParseRule(s string) (RuleID, error) {
	if ruleRank(RuleID(s)) == len(rules) {
		return "", fmt.Errorf("unknown rule %s; the rules are %s", quoted(s), RuleNames())
	}
	return RuleID(s), nil
}

// quoted is text from outside in a message: in quotes, and not longer than a
// rule could be.
func quoted(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return fmt.Sprintf("%q", s)
}

// RuleNames lists the rules for messages.
func RuleNames() string {
	names := make([]string, len(rules))
	for i := range rules {
		names[i] = string(rules[i].ID)
	}
	return strings.Join(names, ", ")
}

// ruleRank is the place of the rule in the table; unknown ones come last.
func ruleRank(id RuleID) int {
	for i := range rules {
		if rules[i].ID == id {
			return i
		}
	}
	return len(rules)
}
