// Package action is the GitHub Action: what action.yml asks for and answers.
package action

// InputSpec is one input of action.yml, which hands it on in a variable INPUT_NAME,
// in capitals and with underscores.
type InputSpec struct{ Name, Default string }

// InputSpecs are all inputs, in the order of action.yml.
var InputSpecs = []InputSpec{
	{"build-outputs", ""},
	{"mapping", ""},
	{"source-roots", "."},
	{"baseline", "eventraces-baseline.txt"},
	{"fail-on", "new"},
	{"upload", "all"},
	{"comment", "on"},
	{"category", ""},
	{"findings", ""},
	{"args", ""},
	{"token", "${{ github.token }}"},
}

// OutputNames are all outputs of action.yml, in its order.
var OutputNames = []string{"status", "counts", "new-findings", "sarif-file", "findings-file"}
