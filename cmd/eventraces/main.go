// Command eventraces finds event-based races in the build outputs of Android
// apps.
//
// Exit codes: 0, nothing new at or above --min-priority; 1, something new; 2, no
// verdict (wrong usage, unreadable input, our own crash); 3, finished, but a
// limit was hit and --strict asks to know; 130 and 143, interrupted by Ctrl-C or
// SIGTERM. 1 wins over 3. The code never depends on the outputs that were asked
// for.
package main

import (
	"context"
	"os"
)

// version is set by the linker for releases.
var version = "0.1.0-dev"

func main() {
	ctx, stop := interruptible(context.Background())
	code := Run(ctx, os.Environ(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}
