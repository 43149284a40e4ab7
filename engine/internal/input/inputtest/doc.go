// Package inputtest writes small APKs for tests: binary XML, resource tables
// and the zip around them, in memory. The writers know just what tests need;
// for the formats see Android's ResourceTypes.h. A fault a test wants is put
// in by changing the bytes they return.
package inputtest
