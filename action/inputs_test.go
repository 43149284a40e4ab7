package action_test

import (
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

// All that is wrong is said at once, by the name of the input.
func TestBadInputs(t *testing.T) {
	w := newWorld(t)
	for name, value := range map[string]string{
		"INPUT_BUILD_OUTPUTS": "build/**/*.aab", "INPUT_FAIL_ON": "high", "INPUT_UPLOAD": "yes", "INPUT_COMMENT": "true",
		"INPUT_CATEGORY": "a/b", "INPUT_BASELINE": "../x", "INPUT_MAPPING": "mapping.txt", "INPUT_SOURCE_ROOTS": "src\nlib",
	} {
		w.env[name] = value
	}
	o := w.run()
	o.want(2, "failed")
	o.wantAnnotations("error eventraces: input fail-on: \"high\", want one of new, all, never%0A" +
		"input upload: \"yes\", want one of all, new-only, off%0A" +
		"input comment: \"true\", want one of on, off%0A" +
		"input baseline: \"../x\", want a path inside the repository, such as eventraces-baseline.txt%0A" +
		"input category: \"a/b\", want letters, digits, dots, dashes and underscores, at most 60%0A" +
		"input source-roots: \"lib\" is no folder%0A" +
		"input mapping: \"mapping.txt\" is no file%0A" +
		"input build-outputs: \"build/**/*.aab\" matches no file")
	if n := len(w.gh.Calls()); n > 0 {
		t.Errorf("%d calls", n)
	}
}

func TestInputsThatExcludeEachOther(t *testing.T) {
	w := newWorld(t)
	w.env["INPUT_FINDINGS"] = saved(t, unchanged)
	w.run().wantAnnotations("input findings: is set beside build-outputs; a step either analyses a build or publishes findings")
	w.env["INPUT_BUILD_OUTPUTS"], w.env["INPUT_FINDINGS"] = "", ""
	w.run().wantAnnotations("input build-outputs: is empty; name the APK that the build made")
	w = newWorld(t)
	w.env["INPUT_BUILD_OUTPUTS"] = "build/["
	w.run().wantAnnotations(`input build-outputs: "build/[" is no pattern`)
	w.env["INPUT_BUILD_OUTPUTS"], w.env["INPUT_TOKEN"] = "build/**/*.apk", ""
	w.run().wantAnnotations("input token: is empty; leave it out to use the token of the workflow")
}

func TestDamagedBaselines(t *testing.T) {
	w := newWorld(t)
	w.write("eventraces-baseline.txt", accepted+"<<<<<<< HEAD\n")
	o := w.run()
	o.want(2, "failed")
	o.wantAnnotations("error eventraces: eventraces-baseline.txt:2: ")
	w = newWorld(t)
	w.repo.File("main", "eventraces-baseline.txt", accepted+"nonsense\n")
	o = w.run()
	o.want(2, "failed")
	o.wantAnnotations("error eventraces: eventraces-baseline.txt of main:2: ")
}

// Outside of GitHub Actions there is one clear line.
func TestElsewhere(t *testing.T) {
	w := newWorld(t)
	w.env = map[string]string{"RUNNER_TEMP": t.TempDir()}
	o := w.run()
	if o.code != 2 {
		t.Errorf("exit code %d", o.code)
	}
	o.wantAnnotations("GITHUB_EVENT_NAME is not set: publish runs in a workflow of GitHub Actions; elsewhere, use check")
}

func TestStrict(t *testing.T) {
	w := newWorld(t)
	w.edit = func(run *finding.Run) {
		run.Notes = []finding.Notification{{Kind: finding.NoteBrokenClass, Text: "a class could not be read", Where: "com.example.Broken"}}
		run.Arrange(nil)
	}
	w.run().want(0, "clean")
	w.env["INPUT_ARGS"] = "--strict"
	o := w.run()
	o.want(3, "limited")
	contains(t, "summary", o.summary, "No new high event race found in the part that could be analysed")
}
