// Package action is the GitHub Action: what action.yml asks for and answers.
package action

// InputSpec is one input of action.yml.
type InputSpec struct {
	Name    string // as workflows write it
	Default string // what an unset input stands for
	Env     string // the environment variable by which action.yml passes it on
}

// InputSpecs are all inputs, in the order of action.yml. The default of token is
// an expression there, for which "" stands here.
var InputSpecs = []InputSpec{
	{"build-outputs", "", "INPUT_BUILD_OUTPUTS"},
	{"mapping", "", "INPUT_MAPPING"},
	{"source-roots", ".", "INPUT_SOURCE_ROOTS"},
	{"baseline", "eventraces-baseline.txt", "INPUT_BASELINE"},
	{"fail-on", "new", "INPUT_FAIL_ON"},
	{"upload", "all", "INPUT_UPLOAD"},
	{"comment", "on", "INPUT_COMMENT"},
	{"category", "", "INPUT_CATEGORY"},
	{"findings", "", "INPUT_FINDINGS"},
	{"args", "", "INPUT_ARGS"},
	{"token", "", "INPUT_TOKEN"},
}

// OutputNames are all outputs of action.yml, in its order.
var OutputNames = []string{"status", "counts", "new-findings", "sarif-file", "findings-file"}
