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
