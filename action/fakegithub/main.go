// Command fakegithub serves a GitHub of its own for dry runs of the Action by
// hand: it takes comments, reviews and SARIF as GitHub does, writes one line for
// each request and each mistake to the standard error, and shows what it holds at
// /_state. Interrupted, it writes the same to the standard output.
//
//	go run ./action/fakegithub -addr 127.0.0.1:8787 -state state.json
//
// Then GITHUB_API_URL is http://127.0.0.1:8787, GITHUB_GRAPHQL_URL the same with
// /graphql. The form of the state, in and out, is State of package
// action/internal/fakegithub; action/fakegithub/testdata has an example. It is
// all kept in memory, and lost at the end.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"

	"github.com/eventraces/eventraces/action/internal/fakegithub"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "fakegithub:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, and then writes the state.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("fakegithub", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8787", "address to serve at")
	file := flags.String("state", "", "JSON `file` with repositories, pull requests and tokens to begin with")
	seen := flags.String("seen", "", "`file` for what people would see, written at the end")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: there are only flags", flags.Arg(0))
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("-addr: %w", err)
	}
	defer listener.Close()
	gh := fakegithub.NewServer("http://" + listener.Addr().String())
	if err := load(gh, *file); err != nil {
		return fmt.Errorf("-state: %w", err)
	}
	if err := fakegithub.Contract(); err != nil {
		fmt.Fprintf(stderr, "requests are not checked against GitHub's descriptions: %v\n", err)
	}
	gh.Violation = func(text string) { fmt.Fprintf(stderr, "MISTAKE %s\n", text) }
	gh.Answered = func(c fakegithub.Call) {
		query := ""
		if len(c.Query) > 0 {
			query = "?" + c.Query.Encode()
		}
		fmt.Fprintf(stderr, "%d %s %s%s (%d bytes)\n", c.Status, c.Method, c.Path, query, len(c.Body))
	}
	mux := http.NewServeMux()
	mux.Handle("/", gh)
	mux.HandleFunc("GET /_state", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		write(w, gh)
	})
	fmt.Fprintf(stderr, "GITHUB_API_URL=%s GITHUB_GRAPHQL_URL=%s\n", gh.URL(), gh.GraphQLURL())
	server := &http.Server{Handler: mux}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err = <-served:
		return err
	case <-ctx.Done():
	}
	server.Close()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	if *seen != "" {
		if err := os.WriteFile(*seen, []byte(markdown(gh.State())), 0o644); err != nil {
			return fmt.Errorf("-seen: %w", err)
		}
	}
	return write(stdout, gh)
}

// markdown is what people would see of pull requests and code scanning.
func markdown(state fakegithub.State) string {
	var b strings.Builder
	for _, repo := range state.Repos {
		for _, pull := range repo.Pulls {
			fmt.Fprintf(&b, "# %s, pull request %d\n", repo.Name, pull.Number)
			for _, c := range pull.Comments {
				fmt.Fprintf(&b, "\n## Comment by %s\n\n%s\n", c.Author, c.Body)
			}
			for _, r := range pull.Reviews {
				fmt.Fprintf(&b, "\n## Review by %s\n\n%s\n", r.Author, r.Body)
			}
			for _, t := range pull.Threads {
				for _, c := range t.Comments {
					fmt.Fprintf(&b, "\n## On %s:%d by %s\n\n%s\n", t.Path, t.Line, c.Author, c.Body)
				}
			}
		}
		for _, a := range repo.Analyses {
			fmt.Fprintf(&b, "\n# %s, code scanning\n\n%s for %s at %s: results %d\n", repo.Name, a.Category, a.Ref, a.Commit, a.Results)
		}
	}
	return b.String()
}

// load reads the state to begin with; without a file there is nothing.
func load(gh *fakegithub.Server, file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var state fakegithub.State
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&state); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := gh.Load(state); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func write(w io.Writer, gh *fakegithub.Server) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(gh.State())
}
