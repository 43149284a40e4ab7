// Package pointsto computes, in one fixed point, the call graph of an app, what
// its variables and fields may point to, and the ways in which the platform
// comes to run its code (SIERRA section 3.3).
//
// # What it computes
//
// Solve takes the program in SSA form, the platform models, the components of
// the manifest and the layouts, and gives a Result:
//
//   - functions: methods under a context, as far as they are reached;
//   - calls between them, those included that a modelled platform method makes;
//   - abstract objects and, for every reference-typed value, field, static field
//     and platform slot, the set of objects that it may hold;
//   - arms: the posts, starts, registrations and lifecycle callbacks that make
//     code of the app run. Package actions makes actions of them;
//   - effect sites: where in the code each effect of a model happens, for the
//     later stages to evaluate its places.
//
// The harness of a component (SIERRA section 3.2) is its lifecycle automaton in
// the models: each callback that the component's class overrides is an arm on
// the component's one object. What runs may arm more; nothing is reached that no
// arm leads to.
//
// # How
//
// Constraints are inclusions between variables (copies, with a type filter for
// casts) and watchers, which are told each new object of a variable: loads,
// stores, virtual calls, callbacks, inflation. They are generated when a function
// is first reached and solved by difference propagation in topological order;
// variables on a cycle of copies are merged. Objects are numbered so that a block
// of 64 has one type: a filter looks at a block once.
//
// A method has a context of its own for each app object that the platform calls
// it back on, and so has what it calls on its own receiver. A method that several
// components inherit has one for each of them, whoever calls it, so that a listener
// which a common superclass makes is one for each component. A constructor that is
// called under a context, a closure made there and the body of a lambda made there
// keep it apart too, or all that such objects have captured would be one. All else has
// one context. Objects made under a context are told
// apart by it, up to a fixed depth. Of classes that make one another in so many ways
// that contexts would be a power of the places, no object has one: see crowds.
//
// A call with more than manyCallees callees shares them with the other such calls of
// the same method: see share.
//
// A method that tests a number in a final field of its receiver, as the classes do
// that shrinkers make of several, has constraints for those of its blocks only that
// some receiver may run. So an object that makes another one of its class with
// another number is not taken to make itself. Where objects of the class may be made
// out of sight, by reflection, from a file, by the framework or by code that only
// native code calls, the whole method has constraints.
//
// # Approximations
//
// Over-approximates: a call may reach the method of every object in its
// receiver's set; an array or container is one content; flow inside a method is
// what SSA form tells; a method without model and code may return any of its
// arguments and calls back, at once or later, the overriding methods of app
// objects passed to it (the general rule); an object from out of
// sight may be of any subtype of its declared type.
//
// Under-approximates: reflection other than a class constant passed to a model,
// native code, and what strings name are not followed; objects that methods out
// of sight keep and hand out later are joined only where a model names the slot;
// strings, boxed numbers and arrays of numbers out of sight are no objects. An
// inner class is taken to be made by the code that we see unless its own package
// makes it elsewhere or code names it. A summarised dependency method (the library
// cut) keeps nothing.
//
// # Cost
//
// Inclusion-based: cubic in the worst case, close to linear in the reached code
// in practice. Memory is a few words for each variable and the sets' 64-bit
// words, which unchanged sets share.
package pointsto
