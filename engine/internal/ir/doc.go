// Package ir is the one form in which the engine reads code: a program of
// interned types, classes, fields and methods over all dex files, and per
// method an SSA body of flat 32-bit arrays.
//
// # What it computes
//
// Build interns everything the dex files name into one id space, asks the
// platform index for the classes that no dex file defines, and closes the class
// hierarchy. The result is read-only. Lift turns the bytecode of one method
// into a Body: it is pure, may run on many goroutines at once, and gives equal
// bytes every time, so a body can be dropped and lifted again. The SSA construction is that of Braun et
// al. (Simple and Efficient Construction of SSA Form, 2013) made pruned by a
// liveness pass.
//
// # The form
//
//   - A value is the index of its instruction; 0 is no value. Blocks are in
//     reverse postorder, block 0 is the entry and has no predecessors.
//   - A wide register pair is one value. Moves are gone. The result of a call
//     is the call.
//   - A call of an accessor that a compiler made for a private member is what the
//     accessor does: a field read, written or updated, or the call of the method.
//   - Constants that dex leaves untyped are typed by their uses; one that is
//     used both as a number and as a reference becomes two values.
//   - Exception edges exist only inside try ranges. There a block ends at each
//     instruction that may throw, its handler edges follow its normal edges in
//     the order in which the handlers are tried, and a handler sees the state
//     before that instruction's result.
//   - Every handler edge leads to a block with an OpCatch, to which nothing else
//     leads. Handler code that serves several types has one such block per type.
//   - Monitors, casts, bounds, class initialisation and handler order are kept:
//     the form can be executed.
//
// # Shrunk builds
//
// Restore adds what a mapping says of the source: lines, methods that were inlined,
// and names of members that the shrinker has moved or changed. Bodies then have the
// lines of the source, and the frame of what was inlined.
//
// # Approximations
//
// Code that no path reaches is dropped, and so are handlers of ranges in which
// nothing can throw. A method whose bytecode the Android verifier would refuse
// (a register read before it is written, a number used as a reference) gives an
// error and no body. Platform methods are interned only if some dex file names
// their selector: no other can be called or overridden by the program.
//
// # Cost
//
// Build is linear in the size of the dex tables. Lift is close to linear in the
// code units of a method; its scratch memory is reused between methods.
package ir
