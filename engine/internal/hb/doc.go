// Package hb computes static happens-before over a neutral model of threads,
// queues, actions and ordered operations (SIERRA section 4, ER Catcher section
// 3.4, CAFA section 3.3). The model is built from bytecode or from a recorded
// trace; this package knows neither.
//
// # What is ordered
//
// An action is static, a run is one execution of it. Every run of an action
// that is no root has exactly one cause: one execution of one Post, Start or
// Register point in one run of another action. Following causes upwards gives
// the chain of a run; it ends in the component instance, or else the process,
// whose platform callback started it. The cause graph over actions has
// dominators: x dominates a if every chain of a passes x. The nearest run of
// a dominator on a chain is well defined, so two runs of a and b either share
// the run of their nearest common dominator (they are of the same cause) or
// they do not.
//
// An order a < b is a must fact: in every execution, for every two related
// runs, the run of a has ended before the run of b starts, if both exist. The
// relation says which pairs of runs are meant, see Relation.
//
// Package race asks Order about two sites, and Unordered about the sites of all
// runs that share an object; nothing outside this package decides an order.
//
// # The rules
//
// Each has a function of its own. Must orders of runs, found by the closure:
//
//	rule                 function, file            source
//	invocation           invocation, rules.go      SIERRA rule 1; CAFA send and listener rules
//	last step            covered, rules.go         AsyncTask: onPostExecute after doInBackground
//	one at a time        oneAtATime, rules.go      CAFA atomicity; android.os.Looper
//	lifecycle            lifecycle, rules.go       SIERRA rules 2 and 3
//	process start        processStart, rules.go    Application.onCreate, ContentProvider.onCreate
//	first in, first out  queueOrder, queue.go      SIERRA rules 4 to 6; CAFA queue rule 1
//	at the front         frontOrder, queue.go      CAFA queue rules 2 to 4
//	cancel, unregister   cancelled, queue.go       Handler.removeCallbacks, on the callback's looper
//	join                 joins1, join.go           Thread.join, Future.get
//	all causes           cover, cover.go           SIERRA rule 6; of a cycle, the causes that enter it
//	transitivity         middle, join.go           over a middle run that is sure and in scope
//
// Orders of sites, and of runs by what they are:
//
//	inside a run         inOrder, queue.go         dominance, by Intra
//	ahead of a post      leadsTo, query.go         SIERRA rule 1 at points
//	behind a join        joinedAt, join.go         Thread.join, Future.get
//	await                awaited, await.go         java.util.concurrent, memory consistency properties
//	host                 hostedBefore, hosted.go   Fragment: the lifecycle of its host
//
// Runs in the order of their causes, whichever comes first:
//
//	events               events, delivery.go       the main looper delivers input and lifecycle
//	one source           oneSource, delivery.go    callbacks of one object, one after the other
//	series               inSeries, periodic.go     ScheduledExecutorService, Timer; a run posts the next
//	steady chains        decide, causeorder.go     CAFA queue rule 1, step by step
//	next callback        ranBeforeNext, causeorder.go ActivityThread: a post without delay has run
//
// What may be expected to have run, or cannot meet at all; no must orders:
//
//	first run            FirstBefore, first.go     SIERRA figures 5 and 6
//	protocol             byProtocol, earlier.go    SurfaceHolder.Callback and the like, in the models
//	first posts          postedFirst, earlier.go   SIERRA rules 4 to 6, for the first run of each
//	lifecycle walk       earlierInLife, earlier.go SIERRA rule 2
//	birth                KnownAfter, birth.go      an instance is known by its first callback or later
//	process              OneProcess, process.go    manifest attribute android:process
//	descent              Descends, descent.go      what shares an object of one run descends from it
//
// # Approximation
//
// Orders are under-approximated: what is not proved is not ordered. An unknown
// delay, queue or cause orders nothing, several causes leave what all of them
// imply, and transitivity passes only through actions that must have run. The
// model is trusted: a point that the builder left out would make orders too
// strong.
//
// # Cost
//
// Bit rows over actions and a work list of facts: memory of A*A/4 bytes plus
// about 24 bytes for each order found, time near to the number of orders times
// the few actions guaranteed by each one. 3,000 actions in one component take
// well under a second.
package hb
