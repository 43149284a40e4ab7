// Package mapping reads the mapping.txt that R8 and ProGuard write beside a
// shrunk build, and gives the dex files of that build the names, and their code
// the lines, of the source.
//
// # The file
//
// Read follows what R8 publishes for its retrace tool and what ProGuard has
// always written: a line per class, lines of its fields and methods below it,
// several lines with one range of numbers where methods were inlined, the inner
// one first. Of R8's comments it uses pg_map_id, sourceFile,
// residualsignature and synthesized; unknown ones are passed over. A line that is
// neither gives an error that names it.
//
// # What is restored
//
// Apply renames classes wherever the tables of the dex files name them, and
// fields and methods by the class that declares them, which a reference is
// resolved to through the class hierarchy. Strings and annotations stay. Lines
// are given by method, as ir.Source: the line, and the method that it was
// inlined from.
//
// # Limits
//
// What the shrinker has merged stays merged. Members that the mapping tells to be
// of another class have its name in ir.Written; what two classes share, such as a
// method that switches over a number, is of the class that is left. A method whose
// parameters or result the shrinker has changed keeps the changed ones; its name gets
// the short name as a suffix, so that it is never taken for another one, and
// ir.Written has what was written. The lines of code that R8 has moved into outlines
// are not restored. That a method is a bridge into which R8 has inlined what it leads
// to is told from names and lines.
//
// # Cost
//
// Both are linear, Read in the file and Apply in the tables of the dex files.
// What Read keeps is less than twice the size of the file.
package mapping
