package githubtest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/action/internal/githubtest"
)

// recorder is a test whose failures are wanted.
type recorder struct {
	testing.TB
	errors  []string
	cleanup []func()
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Cleanup(f func()) { r.cleanup = append(r.cleanup, f) }

// finish ends the recorded test and gives its failures.
func (r *recorder) finish() []string {
	for _, f := range r.cleanup {
		f()
	}
	return r.errors
}

func get(t *testing.T, gh *githubtest.Server, path string) {
	t.Helper()
	req, err := http.NewRequest("GET", gh.URL()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	req.Header.Set("Authorization", "token t0ken")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

func TestMistakesFailTheTest(t *testing.T) {
	for _, c := range []struct {
		name, path string
		script     func(*githubtest.Server)
		want       string // "": the test passes
	}{
		{"well", "/repos/octo/app/pulls/7", nil, ""},
		{"answered as scripted", "/repos/octo/app/pulls/7", func(gh *githubtest.Server) { gh.On("GET", "/repos/*/*/pulls/7").TooMany(1) }, ""},
		{"unknown call", "/repos/octo/app/forks", nil, "GitHub: GET /repos/octo/app/forks: not among the calls"},
		{"not as scripted", "/repos/octo/app/pulls/7", func(gh *githubtest.Server) { gh.On("POST", "/graphql").TooMany(1) }, "it did not happen: POST /graphql"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &recorder{TB: t}
			gh := githubtest.New(r)
			gh.Token("t0ken", githubtest.Actions(githubtest.Documented))
			repo := gh.Repo("octo/app")
			repo.Branch("main", githubtest.SHA("base"))
			repo.PullRequest(githubtest.PR{Number: 7, Head: githubtest.Ref{Ref: "topic", SHA: githubtest.SHA("head")}})
			if c.script != nil {
				c.script(gh)
			}
			get(t, gh, c.path)
			got := strings.Join(r.finish(), "\n")
			if !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("failures are %q, want %q", got, c.want)
			}
		})
	}
}
