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
//	steady chains        find, causeorder.go       CAFA queue rule 1, step by step
//	next callback        ranBeforeNext, causeorder.go ActivityThread: a post without delay has run
//
// What may be expected to have run, or cannot meet at all; no must orders:
//
//	first run            FirstBefore, first.go     SIERRA figures 5 and 6
//	protocol             byProtocol, earlier.go    SurfaceHolder.Callback and the like, in the models
//	first posts          postedFirst, earlier.go   SIERRA rules 4 to 6, for the first run of each
//	lifecycle walk       earlierInLife, earlier.go SIERRA rule 2
//	birth                AfterBirth, birth.go      what works on a component's instance comes after its birth
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
// # How orders are found
//
// Orders are rows of bits, but no plain transitive closure and no vector clock:
// either would order too much. An order with nearest common dominator w speaks
// of runs that share the run of w, so x < y and y < z give x < z only if a run of
// y is sure to exist, because x's or z's run guarantees one, and if the other of
// the two orders still holds for runs that share no more than that run of y
// shares with its guarantor.
//
// For one y and one z, the x to which the second condition is denied lie below one
// node of the dominator tree: the highest that can run again below what y and z
// share, on the way down to y. So what is before y, without what is below that
// node, is before z: a row of words, not a pair (passDown, passUp). A middle y
// is passed over if another middle has all of its row already, so a row is joined
// about once for each direct edge.
//
// The rules for causes (cover) are likewise stated once for a pair (covers) and
// once for all actions at a time: for each cause of b, what has ended before it
// is one row, and what is posted before it on one queue is looked up by who posts
// it; the several causes of b leave what is in all their rows. Cycles of causes
// count as one: what enters them is looked at, not what goes round.
//
// Columns, what is before an action, are made along the causes, rows against
// them, and again where something that they are made from has grown, which
// cancellations, joins and lifecycles can do against the causes. Two orders that
// contradict each other mean that the two actions never both run; the first one
// found stays.
//
// No reason is kept. If someone asks, the orders are found once more and noted
// with their reasons (see journal): each rests on earlier ones, so explanations
// end. If an order follows from several rules, the first that finds it is named.
//
// What queries read is made by Build and does not change later, so that they may
// be asked from several goroutines.
//
// # Cost
//
// For n actions: seven square matrices of bits while building, 88 MB for 10,000
// actions, of which four stay, and two more in the worst case for the order of
// causes. Time is n/64 words for each edge of the cause graph and each action
// that an action guarantees directly, a few times over, and a few instructions for each
// order found. Quadratic beyond that, with a small factor, are
//   - actions on one queue that nothing orders: for each post to the queue, each
//     such action is asked whether its posts come earlier;
//   - posts by one action to one queue: Intra is asked for each two of them, once
//     if each of the posted actions has one cause;
//   - what is posted at the front of a queue: each is compared with each post to
//     the queue, in each round;
//   - cancellations: each with all causes of what it cancels, in each round;
//   - the order of causes: each two actions posted to one queue with one delay;
//   - an action that many others posted by the same action lead to: it has a list
//     of the points that do.
//
// Explain and Print take as much time again as Build, and about 50 bytes for each
// order. 6,000 posts in a chain, 18 million orders, take about a second;
// BenchmarkShapes has more.
package hb
