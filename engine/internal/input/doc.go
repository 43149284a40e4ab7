// Package input opens build outputs of every kind and makes one Bundle of them:
// the bytecode, the manifest, the screens and the resource names, and which
// classes are the app's own.
//
// Today a build output is an APK. Dex files come in load order and unparsed;
// the decoder is package dex. The manifest and the files under res/ are binary
// XML, decoded by androidbinary behind our own check of every chunk's header,
// size, counts and offsets; resource tables are read by our own walk (see
// table for why). Zip entries are unpacked only when needed.
//
// Over-approximated: all configurations of a layout count, so a callback named
// only by a landscape layout is a callback; a disabled component that an
// enabled alias opens counts as enabled. Under-approximated: a short name in a
// preference file is taken to be the platform's (android.preference), and
// resources of dynamic features that are not given as build outputs are
// unknown. With several APKs that use one resource id for different things,
// as an app and its test APK do, ResourceName answers for the first.
//
// Cost: linear in the bytes read. What is unpacked from an APK, all entries
// together, is at most 16 MiB plus 16 times the APK's size; the zip directory
// takes ten times its size, a resource table at most 16 times its unpacked
// size; one XML file at a time, of at most 4 MiB, is decoded into at most 16
// times its size of text, which its tree triples. An input that would need
// more is refused by an Error before the memory is taken. Real APKs take two to
// four times their size.
package input
