package action

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/eventraces/eventraces/action/internal/workflow"
	"github.com/eventraces/eventraces/baseline"
	"github.com/eventraces/eventraces/engine/finding"
)

// InputSpec is an input of the Action; action.yml and the page in docs name the
// same.
type InputSpec struct{ Name, Default string }

// InputSpecs are all inputs. action.yml hands them on in variables INPUT_NAME, in
// capitals and with underscores.
var InputSpecs = []InputSpec{
	{"build-outputs", ""},
	{"mapping", ""},
	{"source-roots", "."},
	{"baseline", baseline.DefaultName},
	{"fail-on", string(finding.FailOnNew)},
	{"upload", uploadAll},
	{"comment", "on"},
	{"category", ""},
	{"findings", ""},
	{"args", ""},
	{"token", "${{ github.token }}"},
}

// OutputNames are the outputs of the Action.
var OutputNames = []string{outputStatus, outputCounts, outputNew, outputSARIF, outputFindings}

const (
	outputStatus   = "status"
	outputCounts   = "counts"
	outputNew      = "new-findings"
	outputSARIF    = "sarif-file"
	outputFindings = "findings-file"
)

const (
	uploadAll = "all"
	uploadNew = "new-only"
	uploadOff = "off"
)

// inputs are those of one run.
type inputs struct {
	builds      []string // files
	mapping     string
	sourceRoots []string
	baseline    string // with slashes, from the repository's root
	failOn      finding.FailOn
	upload      string
	comment     bool
	category    string
	findings    []string // files; publish mode if there are any
	args        []string
	token       string
}

// publishes: the run analyses nothing, it publishes findings of other jobs.
func (in *inputs) publishes() bool { return len(in.findings) > 0 }

// readInputs reads and checks all inputs; the error names all that are wrong.
func readInputs(r *workflow.Runner) (*inputs, error) {
	var wrong []error
	complain := func(name, format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("input "+name+": "+format, args...))
	}
	text := func(name string) string {
		if s := r.Input(name); s != "" {
			return s
		}
		for _, spec := range InputSpecs {
			if spec.Name == name && !strings.HasPrefix(spec.Default, "${{") {
				return spec.Default
			}
		}
		return ""
	}
	choice := func(name string, choices ...string) string {
		s := text(name)
		if !slices.Contains(choices, s) {
			complain(name, "%q, want one of %s", s, strings.Join(choices, ", "))
		}
		return s
	}
	in := &inputs{
		mapping:  text("mapping"),
		baseline: path.Clean(filepath.ToSlash(text("baseline"))),
		failOn:   finding.FailOn(choice("fail-on", finding.FailOns()...)),
		upload:   choice("upload", uploadAll, uploadNew, uploadOff),
		comment:  choice("comment", "on", "off") == "on",
		category: text("category"),
		args:     r.Lines("args"),
		token:    text("token"),
	}
	if !fs.ValidPath(in.baseline) || in.baseline == "." {
		complain("baseline", "%q, want a path inside the repository, such as %s", in.baseline, baseline.DefaultName)
	}
	if in.category != "" && !finding.IsCategory(in.category) {
		complain("category", "%q, want letters, digits, dots, dashes and underscores, at most 60", in.category)
	}
	if in.sourceRoots = r.Lines("source-roots"); len(in.sourceRoots) == 0 {
		in.sourceRoots = []string{"."}
	}
	for _, dir := range in.sourceRoots {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			complain("source-roots", "%q is no folder", dir)
		}
	}
	if in.mapping != "" {
		if info, err := os.Stat(in.mapping); err != nil || info.IsDir() {
			complain("mapping", "%q is no file", in.mapping)
		}
	}
	var err error
	if in.builds, err = files(r.Lines("build-outputs")); err != nil {
		complain("build-outputs", "%v", err)
	}
	if in.findings, err = files(r.Lines("findings")); err != nil {
		complain("findings", "%v", err)
	}
	switch builds, findings := len(r.Lines("build-outputs")) > 0, len(r.Lines("findings")) > 0; {
	case !builds && !findings:
		complain("build-outputs", "is empty; name the APK that the build made, such as app/build/outputs/apk/debug/*.apk")
	case builds && findings:
		complain("findings", "is set beside build-outputs; a step either analyses a build or publishes findings")
	}
	return in, errors.Join(wrong...)
}

// files are the files that patterns match, each once, in the order of the
// patterns. ** stands for any folders.
func files(patterns []string) ([]string, error) {
	var out []string
	for _, p := range patterns {
		matches, err := doublestar.FilepathGlob(filepath.ToSlash(p), doublestar.WithFilesOnly(), doublestar.WithNoFollow())
		if err != nil {
			return nil, fmt.Errorf("%q is no pattern", p)
		}
		slices.Sort(matches)
		n := 0
		for _, m := range matches {
			info, err := os.Lstat(m)
			if err != nil || !info.Mode().IsRegular() {
				continue // a link may lead anywhere
			}
			n++
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
		if n == 0 {
			return nil, fmt.Errorf("%q matches no file", p)
		}
	}
	return out, nil
}
