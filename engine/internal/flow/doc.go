// Package flow computes facts inside an action: what a branch proves, which locks
// are held, what has been tested or written before an instruction, whether a new
// object has been shown to anybody, which nulls reach a store, where a value is
// dereferenced, and what a value may be in the runs of one action (the filters of
// CAFA section 4.3, on the call graph and points-to sets of SIERRA section 3).
//
// It is built from few parts, each of which exists once:
//
//   - Conditions say what an edge of a body proves of a value.
//   - Solve is the forward solver over the blocks of a body; its lattice is a
//     parameter. Locks and Live are instances.
//   - Changes summarises what a run does to a few locations, as a relation between their
//     values before and after it, with branches on them followed (SIERRA section 5).
//   - Feasible says whether the constants that calls pass let a run come to an instruction.
//   - Ways says how a run of an action comes to a function: every caller within the
//     action, entries, recursion and callers that are the platform told apart.
//   - table finds the least solution of facts of functions that depend on one
//     another: Nulls, Derefs, Values, and what Fresh asks of parameters.
//   - OwnBase says whether an object belongs to the instance of the run.
//   - Base is the symbolic name of an object inside a function; two equal ones are
//     one object for sure.
//
// Over-approximates: all paths through a body are feasible, but for Changes and Feasible, a
// callee does what any of its paths does. Under-approximates, since what is proved removes races: a value
// is tested, an object unshown, a lock held only if that is so on every path and in
// every caller within the action; what the platform calls back counts as a caller
// of which nothing is known.
//
// No walk has a bound on its depth: recursion adds nothing to a fact that holds on
// all other ways in, so each question is asked once per function.
//
// Cost: each fact is computed once and kept: conditions, uses and bases per body,
// locks per function, liveness per function and symbolic location, tests before a use
// per action and access. A walk over callers is linear in the calls of the action.
//
// Facts and all that hangs on it belong to one goroutine: the tables fill while
// questions are asked. Workers make one each, and an answer never depends on what was
// asked before. Accesses and Locks are complete when made and shared by all; Locks
// still asks actions.Set who owns a lock, as everything here asks it for order, so it is
// as safe for concurrent use as that is.
package flow
