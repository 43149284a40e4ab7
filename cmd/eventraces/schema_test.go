package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile("../../engine/report/testdata/schema/sarif-schema-2.1.0.json")
})

// fitsSchema says how SARIF departs from the schema of version 2.1.0.
func fitsSchema(log []byte) error {
	schema, err := sarifSchema()
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	if err != nil {
		return err
	}
	return schema.Validate(doc)
}

// checkSARIF checks the SARIF files that the arguments of a call name.
func checkSARIF(ts *testscript.TestScript, args []string) {
	for _, arg := range args {
		if !strings.HasSuffix(arg, ".sarif") {
			continue
		}
		log, err := os.ReadFile(ts.MkAbs(arg))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a call that writes none
		}
		ts.Check(err)
		if err := fitsSchema(log); err != nil {
			ts.Fatalf("%s: %v", arg, err)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	if fitsSchema([]byte(`{"version": "2.1.0", "runs": []}`)) != nil || fitsSchema([]byte(`{"version": "2.1.0"}`)) == nil {
		t.Error("the schema does not tell SARIF from what is none")
	}
}
