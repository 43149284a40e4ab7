package finding

import "strings"

// FactID is the frozen name of a fact.
type FactID string

// What the priority of a race rests on.
const (
	// Whose code it is.
	FactAppCode        FactID = "app-code"
	FactAppField       FactID = "app-field"
	FactPlatformChange FactID = "platform-change"
	FactDependencyCode FactID = "dependency-code"

	// How it ends.
	FactUseFree       FactID = "use-free"
	FactAnyElement    FactID = "any-element"
	FactMaybeNull     FactID = "maybe-null"
	FactUseBeforeInit FactID = "use-before-init"
	FactCrash         FactID = "crash"
	FactLostUpdate    FactID = "lost-update"
	FactTolerated     FactID = "tolerated"
	FactVolatile      FactID = "volatile"
	FactFlag          FactID = "flag"
	FactCounted       FactID = "counted"
	FactRounds        FactID = "rounds"
	FactInputs        FactID = "inputs"
	FactState         FactID = "state"

	// Whether it is one location.
	FactMustAlias FactID = "must-alias"
	FactMayAlias  FactID = "may-alias"

	// On which threads it happens.
	FactOneLooper     FactID = "one-looper"
	FactThreads       FactID = "threads"
	FactUnknownThread FactID = "unknown-thread"

	// What may keep the two sides apart, or the harm away.
	FactTwoInstances FactID = "two-instances"
	FactAlwaysNull   FactID = "always-null"
	FactFlagGuarded  FactID = "flag-guarded"
	FactTogether     FactID = "together"
	FactJoined       FactID = "joined"
	FactTakenOut     FactID = "taken-out"
	FactOnce         FactID = "once"
	FactUserOrder    FactID = "user-order"
	FactCaught       FactID = "caught"
	FactRare         FactID = "rare"
	FactOwnProcess   FactID = "own-process"

	// What is not known, or comes together.
	FactSchedule       FactID = "schedule"
	FactNotShown       FactID = "not-shown"
	FactUnusual        FactID = "unusual"
	FactSeveralMissing FactID = "several-missing"
)

// FactRecord is everything there is to say about a fact, once: the outputs and
// the page in docs are made from it.
type FactRecord struct {
	ID    FactID
	Rule  RuleID   // the one rule of which this record speaks; "" for all that have no record of their own
	Text  string   // what outputs say; {} stands for what the fact is about
	Limit Priority // the highest priority of a race with this fact; 0 limits nothing
	Doc   string   // when the fact is stated, and why it limits
}

// facts in the order of the page.
var facts = []FactRecord{
	{
		ID: FactAppCode, Text: "both accesses are in app code",
		Doc: "Both accesses stand in classes of the app, so that its developers can mend the race.",
	},
	{
		ID: FactAppField, Text: "the field is declared by an app class",
		Doc: "An access stands in a dependency, but the field is the app's own.",
	},
	{
		ID: FactPlatformChange, Text: "the system itself makes one of the changes, to a component of the app",
		Doc: "A model says that the platform changes the component by itself, such as the window of an activity that it destroys; " +
			"the other access is the app's.",
	},
	{
		ID: FactDependencyCode, Text: "one of the accesses is in a dependency", Limit: Medium,
		Doc: "Neither the field nor both of the accesses are the app's: to mend it may take a change of the dependency.",
	},

	{
		ID: FactUseFree, Text: "nothing tests the value between the free and the use",
		Doc: "The use dereferences what the free has left, and no test stands between the two.",
	},
	{
		ID: FactAnyElement, Text: "the element that is used may not be the one that is removed", Limit: Medium,
		Doc: "One side removes an element from a container or an array, the other uses one of it. Elements are not told apart.",
	},
	{
		ID: FactMaybeNull, Text: "the store that frees may also store a value: only some results are null", Limit: Medium,
		Doc: "What is stored is null on some paths only, such as the result of a call that returns null if it finds nothing.",
	},
	{
		ID: FactUseBeforeInit, Text: "nothing tests the value before the use",
		Doc: "The use dereferences the null that the field holds before its first write, and no test stands before it.",
	},
	{
		ID: FactCrash, Text: "ends in {}",
		Doc: "A model names the exception in which the wrong order, or the overlap, ends.",
	},
	{
		ID: FactLostUpdate, Text: "both sides read, change and write back without a common lock",
		Doc: "What each side writes is computed from what it has read of the same location: one of two updates is lost when they overlap.",
	},
	{
		ID: FactTolerated, Text: "the reading side bears the null that the other side writes", Limit: Low,
		Doc: "The only value written is null, and the reading side never dereferences what it reads without a test.",
	},
	{
		ID: FactVolatile, Text: "the field is volatile: made for being shared", Limit: Low,
		Doc: "The developer has declared that threads share the field, and no crash or lost update is known.",
	},
	{
		ID: FactFlag, Text: "the value read only decides a branch", Limit: Low,
		Doc: "A stale value of a flag takes another branch, which the app has to bear in one of the two orders anyway.",
	},
	{
		ID: FactCounted, Text: "the number of elements that is read is only logged, or the bound of a place", Limit: Low,
		Doc: "The size of a container is one number, which no change leaves half made: it is at worst old. What is done only at a certain size " +
			"may be done twice or never, which this does not speak of.",
	},
	{
		ID: FactRounds, Text: "within one round the order is fixed; only a late result of an earlier round can come in between", Limit: Low,
		Doc: "The runs that stem from one cause are in order; it takes two causes, such as two clicks, for the two to meet.",
	},
	{
		ID: FactInputs, Text: "both sides are events from outside, which come in the order they come", Limit: Low,
		Doc: "The user and the system run both sides. There is no request of the app whose result could come too late.",
	},
	{
		ID: FactState, Text: "the state that is seen depends on timing; no crash is known", Limit: Medium,
		Doc: "The race changes what is stored or seen, and nothing tells whether that does harm.",
	},

	{
		ID: FactMustAlias, Text: "both sides touch the same object",
		Doc: "The location is static, or both sides reach one object for sure: one for each component instance, or for the process.",
	},
	{
		ID: FactMayAlias, Text: "the two sides may touch different objects", Limit: Medium,
		Doc: "An abstract object stands for several real ones, or several abstract objects are possible.",
	},
	{
		ID: FactMayAlias, Rule: UseBeforeInit, Limit: Low,
		Text: "the two sides may touch different objects, so one need not wait for the other",
		Doc:  "Where each object has its own first write, the write of another one says nothing about the use.",
	},

	{
		ID: FactOneLooper, Text: "both sides run on one looper, one after the other, in no fixed order",
		Doc: "The sides never overlap; only their order is open.",
	},
	{
		ID: FactThreads, Text: "the sides run on different threads",
		Doc: "The sides may overlap.",
	},
	{
		ID: FactUnknownThread, Text: "it is not known on which thread one of the sides runs", Limit: Medium,
		Doc: "No model and no looper of the app tells the queue of an action: it may be the one of the other side.",
	},

	{
		ID: FactTwoInstances, Text: "one instance frees what another one still uses",
		Doc: "Within one instance of the component no schedule fails; the location is of the process, so that another instance uses it.",
	},
	{
		ID: FactAlwaysNull, Text: "every schedule frees before this use: a plain null bug", Limit: Low,
		Doc: "No schedule was found in which the use sees a live value: timing is not what makes it fail.",
	},
	{
		ID: FactFlagGuarded, Limit: Medium,
		Text: "the use runs only if {} allows it, which the other side changes; whether that always keeps them apart is not proved",
		Doc:  "A field, such as a flag, is tested before the use, and the other side stores the value that keeps the use from running.",
	},
	{
		ID: FactTogether, Limit: Medium,
		Text: "the use runs only if another field has a value that is always written together with this one; only what is called between the two stores could find them differ",
		Doc: "On one looper two private fields of an object are set in one run and cleared in one run, and the other one is tested before the use. " +
			"Between the stores the platform is called, which may call the app back. Where it is not called, there is no race.",
	},
	{
		ID: FactJoined, Limit: Medium,
		Text: "the side that frees first waits for the end of a thread or task that may be the one of the use",
		Doc:  "That it is the very one is not known, or the order would say so.",
	},
	{
		ID: FactTakenOut, Limit: Medium,
		Text: "the side that frees first takes a listener of the other side out of a collection; whether that ends its calls is not proved",
		Doc:  "The app keeps listeners of its own in a collection, and no model says that removal ends their calls.",
	},
	{
		ID: FactOnce, Limit: Medium,
		Text: "in order within one run, and a second run may not get there, since the first has set {}",
		Doc:  "It takes a second run of one side, which a field that the first run sets may keep from the access.",
	},
	{
		ID: FactUserOrder, Text: "it is the user who decides which of the two comes first", Limit: Medium,
		Doc: "Both sides of a use before the first write are inputs: what a screen shows may leave the user only one order.",
	},
	{
		ID: FactCaught, Text: "the exception is caught in {}", Limit: Low,
		Doc: "On every way out of the use a handler takes the exception and does not throw it on.",
	},
	{
		ID: FactRare, Text: "one of the callbacks comes rarely",
		Doc: "The model of the callback calls it rare, such as one for low memory. It is told, and limits nothing.",
	},
	{
		ID: FactOwnProcess, Text: "one of the callbacks tells that the app's own process has ended", Limit: Medium,
		Doc: "A connection to a service of another process is lost when that process ends. A service that the app runs in the process of its client takes the client with it.",
	},

	{
		ID: FactUnusual, Text: "only an unusual schedule fails", Limit: Medium,
		Doc: "A schedule fails, but none along the nearest causes: a component takes a way that few instances take, or something has to come between.",
	},
	{
		ID: FactSchedule, Text: "the search for a failing schedule reached its limit", Limit: Medium,
		Doc: "Whether the race can show was not searched to the end.",
	},
	{
		ID: FactNotShown, Text: "no schedule could be put together that shows it", Limit: Medium,
		Doc: "A race is high only with a schedule in which each run has its cause before it, each component has been created, " +
			"and no order is violated.",
	},
	{
		ID: FactSeveralMissing, Text: "more than one of the conditions for high is not met", Limit: Low,
		Doc: "A race of medium priority lacks one of what high needs. This one has two or more facts that limit it to medium.",
	},
}

// Facts are the records of all facts, in the order of the table. The caller must
// not change them.
func Facts() []FactRecord { return facts }

// NewFact states a fact of a race of a rule; about fills the places of its text.
func NewFact(id FactID, rule RuleID, about ...string) Fact {
	found, ok := factsByRule[ruledFact{id, rule}]
	if !ok {
		found, ok = factsByRule[ruledFact{id, ""}]
	}
	if !ok {
		panic("finding: fact " + string(id) + " has no record")
	}
	text := found.Text
	for _, a := range about {
		text = strings.Replace(text, "{}", a, 1)
	}
	return Fact{Name: id, Text: text, Limit: found.Limit}
}

type ruledFact struct {
	id   FactID
	rule RuleID
}

var factsByRule = func() map[ruledFact]*FactRecord {
	by := make(map[ruledFact]*FactRecord, len(facts))
	for i := range facts {
		by[ruledFact{facts[i].ID, facts[i].Rule}] = &facts[i]
	}
	return by
}()

// HasFact reports whether a fact is among others.
func HasFact(facts []Fact, id FactID) bool {
	for _, f := range facts {
		if f.Name == id {
			return true
		}
	}
	return false
}
