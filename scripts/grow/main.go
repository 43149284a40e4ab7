// Command grow writes an app of a given shape and size.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/eventraces/eventraces/engine/growtest"
)

func main() {
	shape := flag.String("shape", "", "shape")
	size := flag.Int("size", 0, "size")
	racing := flag.Bool("racing", false, "racing kind")
	out := flag.String("out", "app.apk", "APK to write")
	flag.Parse()
	s, ok := growtest.ByName(*shape)
	if !ok {
		fmt.Fprintln(os.Stderr, "grow: no shape", *shape)
		os.Exit(2)
	}
	if *size == 0 {
		*size = s.Full
	}
	if err := os.WriteFile(*out, s.APK(*size, *racing), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "grow:", err)
		os.Exit(1)
	}
}
