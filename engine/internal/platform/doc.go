// Package platform holds what the engine knows of Android and Java, as data:
// an index of the platform's classes (names, hierarchy, access flags, no
// code) and models of what its methods do to slots, queues and registrations
// (ER Catcher section 3.1, its concurrency summaries), with the
// lifecycles of components as automata (SIERRA section 3.2), and with traits of
// classes and packages: which are values, which are units of time, which call back
// at once. No other package names an API.
//
// The schema of the model files is in docs/models.md; they are checked when
// read, and every error names file and line.
//
// What no model names falls under a general rule of the callers: an app
// object passed to a platform method may have its overriding methods called
// later on the main looper. Models under-approximate where they leave out
// effects nobody races on, and over-approximate where they merge (a container
// has one content, whatever the key).
//
// Cost: the index is inflated once (tens of milliseconds at most) and its
// classes are decoded when asked for; the model files are parsed once.
package platform
