// Package dex reads Dalvik executable files, versions 035 to 041, from the
// bytes of one file.
//
// It is a pure decoder: Parse checks the header and the identifier tables and
// reads every class definition; Code and Annotations read one item on demand;
// Decode reads one instruction. Nothing is resolved, linked or verified beyond
// what a caller needs in order to index the tables without a check: after a
// successful Parse every index that a table holds is inside the table it
// refers to, and every descriptor in Types is well formed.
//
// It serves the input stage of SIERRA (section 3) and ER Catcher (section 3.1),
// both of which start from the bytecode of an APK. It neither over- nor
// under-approximates: what the file says is what the caller sees. Parse
// does not ask for the checksum, which Intact compares, nor for the signature
// (tools that patch an app do not always renew them). Left out on purpose are the
// hidden-API flags, and the names
// and ranges of local variables.
//
// Input is assumed hostile. Offsets and counts are checked against the bytes
// present, shared and overlapping items are paid for from a budget in proportion
// to the size of the file, nested values have a bounded depth. A class that
// cannot be read goes to File.Broken and the others stay readable.
//
// Cost: Parse is linear in the file, one or two milliseconds per megabyte, with
// a fixed number of allocations plus one for each class with static values. It
// takes about half the size of an ordinary file, and at most some twenty times
// the size of a hostile one. Strings of plain ASCII and instruction streams are
// views of the input, which must therefore not be changed afterwards. Code is
// linear in the method, annotations in the class.
package dex
