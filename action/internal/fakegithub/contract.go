package fakegithub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/eventraces/eventraces/internal/fetch"
)

// GitHub's own descriptions of its interfaces, as Octokit publishes them.
var (
	openAPI = fetch.Package{Name: "@octokit/openapi", Version: "23.0.2"}
	graphQL = fetch.Package{Name: "@octokit/graphql-schema", Version: "15.26.1"}
)

// openAPISums are those of the descriptions of github.com and of an Enterprise
// Server.
var openAPISums = map[string]string{
	"api.github.com": "829b4bebb19a53133289f7b0bc819f4f1118115821db2ca9f25e9ee995a7da2a",
	"ghes-3.19":      "8c852cf1bde4d40ee19dffd9cdd18650bfad09f9dd0cd5039b9d775056104139",
}

const graphQLSum = "3c62d0526d133cee53221c89de9b455ade24db78b9e7ad56d642c4c15bce2654"

var (
	cloud  = sync.OnceValues(func() (*openapi3.T, error) { return describe("api.github.com") })
	server = sync.OnceValues(func() (*openapi3.T, error) { return describe("ghes-3.19") })

	graphSchema = sync.OnceValues(func() (*ast.Schema, error) {
		file, err := graphQL.File(context.Background(), "package/schema.graphql", graphQLSum)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		return readSchema(string(text))
	})
)

// readSchema reads the schema. As published it has some fields twice, which is
// not allowed; the first ones count.
func readSchema(text string) (*ast.Schema, error) {
	doc, err := parser.ParseSchemas(validator.Prelude, &ast.Source{Name: "schema.graphql", Input: text})
	if err != nil {
		return nil, err
	}
	for _, d := range doc.Definitions {
		seen := map[string]bool{}
		d.Fields = slices.DeleteFunc(d.Fields, func(f *ast.FieldDefinition) bool {
			again := seen[f.Name]
			seen[f.Name] = true
			return again
		})
	}
	return validator.ValidateSchemaDocument(doc)
}

// Contract fetches GitHub's descriptions, or says why requests will go
// unchecked. It is done once in a process.
func Contract() error {
	_, err := cloud()
	_, err2 := graphSchema()
	return errors.Join(err, err2)
}

// describe reads our operations, and what they refer to, out of a description.
func describe(name string) (*openapi3.T, error) {
	file, err := openAPI.File(context.Background(), "package/generated/"+name+".json", openAPISums[name])
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	small, err := cut(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return openapi3.NewLoader().LoadFromData(small)
}

// part is a JSON object that is read only where it is needed.
type part = map[string]json.RawMessage

// cut reduces a description to our operations and the components that they
// reach: whole it takes seconds to read.
func cut(text []byte) ([]byte, error) {
	var whole, allPaths, kinds part
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	if err := errors.Join(json.Unmarshal(whole["paths"], &allPaths), json.Unmarshal(whole["components"], &kinds)); err != nil {
		return nil, err
	}
	all := map[string]part{}
	paths, components := map[string]object{}, map[string]object{}
	var follow func(v any) error
	follow = func(v any) error {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				if err := follow(e); err != nil {
					return err
				}
			}
		case object:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				if err := follow(v[key]); err != nil {
					return err
				}
			}
			ref, ok := v["$ref"].(string)
			if !ok {
				return nil
			}
			steps := strings.Split(ref, "/") // #/components/schemas/x
			if len(steps) != 4 || steps[1] != "components" {
				return fmt.Errorf("unexpected reference %s", ref)
			}
			kind, name := steps[2], steps[3]
			if _, ok := components[kind][name]; ok {
				return nil
			}
			if all[kind] == nil {
				var of part
				if err := json.Unmarshal(kinds[kind], &of); err != nil {
					return err
				}
				all[kind], components[kind] = of, object{}
			}
			var target any
			if err := json.Unmarshal(all[kind][name], &target); err != nil {
				return fmt.Errorf("%s: %w", ref, err)
			}
			components[kind][name] = target
			return follow(target)
		}
		return nil
	}
	for _, op := range operations {
		var methods part
		if err := json.Unmarshal(allPaths[op.path], &methods); err != nil {
			return nil, fmt.Errorf("%s: %w", op.path, err)
		}
		var described any
		if err := json.Unmarshal(methods[strings.ToLower(op.method)], &described); err != nil {
			return nil, fmt.Errorf("%s %s: %w", op.method, op.path, err)
		}
		if err := follow(described); err != nil {
			return nil, err
		}
		if paths[op.path] == nil {
			paths[op.path] = object{}
		}
		paths[op.path][strings.ToLower(op.method)] = described
	}
	return json.Marshal(object{
		"openapi": "3.0.3", "info": object{"title": "GitHub", "version": "1"}, "paths": paths, "components": components,
	})
}

// described gives the description of a request's operation; nil if there is no
// description to be had.
func (q *request) described() *openapi3filter.RequestValidationInput {
	get := cloud
	if q.enterprise {
		get = server
	}
	doc, err := get()
	if err != nil {
		return nil
	}
	item := doc.Paths.Value(q.op.path)
	return &openapi3filter.RequestValidationInput{
		Request: q.http, PathParams: q.params, QueryParams: q.Query,
		Route: &routers.Route{
			Spec: doc, Path: q.op.path, PathItem: item, Method: q.op.method, Operation: item.GetOperation(q.op.method),
		},
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
}

// checkRequest says what in a request is against the description. GitHub takes
// no notice of members and parameters that it does not know; for us they are
// mistakes.
func checkRequest(q *request) error {
	in := q.described()
	if in == nil {
		return nil
	}
	if err := openapi3filter.ValidateRequest(q.http.Context(), in); err != nil {
		return brief(err)
	}
	op := in.Route.Operation
	for _, name := range slices.Sorted(maps.Keys(q.Query)) {
		if op.Parameters.GetByInAndName("query", name) == nil {
			return fmt.Errorf("parameter %q is not in the description", name)
		}
	}
	if op.RequestBody == nil {
		if q.Body != "" {
			return errors.New("there is a body, the description has none")
		}
		return nil
	}
	var body any
	if err := json.Unmarshal([]byte(q.Body), &body); err != nil {
		return err
	}
	if media := op.RequestBody.Value.Content.Get("application/json"); media != nil {
		return strange(body, media.Schema.Value, "body")
	}
	return nil
}

// strange finds members that the schema does not name.
func strange(v any, schema *openapi3.Schema, at string) error {
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			if schema.Items != nil {
				if err := strange(e, schema.Items.Value, fmt.Sprintf("%s[%d]", at, i)); err != nil {
					return err
				}
			}
		}
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			member := schema.Properties[name]
			if member == nil {
				return fmt.Errorf("%s.%s is not in the description", at, name)
			}
			if err := strange(v[name], member.Value, at+"."+name); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkResponse says what in an answer of ours is against the description.
// Errors have many forms; raw files none.
func checkResponse(q *request, a response) error {
	if a.status >= http.StatusBadRequest {
		return nil
	}
	in := q.described()
	if in == nil {
		return nil
	}
	if in.Route.Operation.Responses.Status(a.status) == nil {
		return fmt.Errorf("status %d is not in the description", a.status)
	}
	if _, raw := a.body.([]byte); raw || a.body == nil {
		return nil
	}
	return brief(openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: a.status,
		Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
		Body:   io.NopCloser(bytes.NewReader(encode(a.body))),
	}))
}

// brief leaves the schema and the value out of an error.
func brief(err error) error {
	if err == nil {
		return nil
	}
	what := ""
	var request *openapi3filter.RequestError
	if errors.As(err, &request) && request.Parameter != nil {
		what = "parameter " + request.Parameter.Name + ": "
	}
	var reason *openapi3.SchemaError
	if errors.As(err, &reason) {
		return fmt.Errorf("%s/%s: %s", what, strings.Join(reason.JSONPointer(), "/"), reason.Reason)
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(line)
}
