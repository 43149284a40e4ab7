// Command release builds the programs of a release, one for each platform, with
// their checksums, the licences of all that they are made of, and the release.txt by which the Action knows them. The bytes
// depend on the sources, the version and the toolchain only: not on the machine,
// the folder or the time, and not on release.txt, so that it can be committed
// after the build.
//
//	release -version 1.2.3 -out DIR         writes DIR
//	release -version 1.2.3 -out DIR -check  builds again and compares with DIR
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
)

// toolchain is the Go that releases are built with, whichever one runs this.
const toolchain = "go1.26.8"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stderr, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, log io.Writer, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(log)
	r := release{root: ".", toolchain: toolchain, platforms: platforms, log: log}
	flags.StringVar(&r.version, "version", "", "version of the release, such as 1.2.3 or 1.2.3-rc.1")
	out := flags.String("out", "dist", "folder of the release")
	check := flags.Bool("check", false, "compare the folder with a fresh build; write nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("argument %q is not understood; there are flags only", flags.Arg(0))
	}
	if err := validVersion(r.version); err != nil {
		return err
	}
	if *check {
		return r.check(ctx, *out)
	}
	return r.write(ctx, *out)
}

// A version by semver.org, without build metadata, which tags cannot tell apart.
var versionForm = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(-(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?$`)

func validVersion(v string) error {
	if !versionForm.MatchString(v) {
		return fmt.Errorf("-version %q is none; want one such as 1.2.3 or 1.2.3-rc.1", v)
	}
	return nil
}
