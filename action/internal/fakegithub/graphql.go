package fakegithub

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// A small executor of GraphQL: it walks what a document selects, and asks a
// resolver for each field. Lists, aliases, fragments, directives and variables
// work for any field; the fields are in graph.go.

// node is an object of the graph.
type node struct {
	kind  string // name of the type
	value any
}

// graphError is an error of one field.
type graphError struct{ kind, message string }

func (e graphError) Error() string { return e.message }

// execution is one document being executed.
type execution struct {
	s         *Server
	q         *request
	fragments ast.FragmentDefinitionList
	variables map[string]any
	errors    []any
}

type graphBody struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

// isMutation says whether a document has mutations.
func isMutation(body string) bool {
	var b graphBody
	if json.Unmarshal([]byte(body), &b) != nil {
		return false
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: b.Query})
	return err == nil && slices.ContainsFunc(doc.Operations, func(o *ast.OperationDefinition) bool {
		return o.Operation == ast.Mutation
	})
}

// graphQL answers POST /graphql. It is called with the lock held.
func (s *Server) graphQL(q *request) response {
	if q.Method != http.MethodPost {
		s.violate("%s /graphql: the method is POST", q.Method)
		return fail(http.StatusNotFound, "Not Found")
	}
	b, bad := readBody[graphBody](q)
	if bad != nil {
		s.violate("POST /graphql: the body is not JSON of {query, variables}")
		return *bad
	}
	x := &execution{s: s, q: q}
	op, err := x.prepare(b)
	if err != nil {
		s.violate("POST /graphql: %v", err)
		return response{status: http.StatusOK, body: object{"errors": []any{object{"message": err.Error()}}}}
	}
	root := node{"Query", s}
	if op.Operation == ast.Mutation {
		root.kind = "Mutation"
	}
	answer := object{"data": x.object(op.SelectionSet, root, nil)}
	if len(x.errors) > 0 {
		answer["errors"] = x.errors
	}
	return response{status: http.StatusOK, body: answer}
}

// prepare reads and checks the document and its variables.
func (x *execution) prepare(b graphBody) (*ast.OperationDefinition, error) {
	if b.Query == "" {
		return nil, fmt.Errorf("A query attribute must be specified and must be a string.")
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: b.Query})
	if err != nil {
		return nil, err
	}
	schema, err := graphSchema()
	if err == nil {
		if list := validator.ValidateWithRules(schema, doc, rules.NewDefaultRules()); len(list) > 0 {
			return nil, list
		}
	} else {
		schema = nil
	}
	if len(doc.Operations) != 1 && b.OperationName == "" {
		return nil, fmt.Errorf("the document has %d operations and there is no operationName", len(doc.Operations))
	}
	op := doc.Operations.ForName(b.OperationName)
	if op == nil {
		return nil, fmt.Errorf("there is no operation %q", b.OperationName)
	}
	x.fragments = doc.Fragments
	for _, v := range op.VariableDefinitions {
		if _, text := b.Variables[v.Variable].(string); text && v.Type.NamedType == "Int" { // the library lets digits pass
			return nil, fmt.Errorf("Variable $%s of type %s was provided invalid value", v.Variable, v.Type)
		}
	}
	if schema != nil {
		x.variables, err = validator.VariableValues(schema, op, b.Variables)
		return op, err
	}
	x.variables = map[string]any{}
	for _, v := range op.VariableDefinitions {
		if value, ok := b.Variables[v.Variable]; ok {
			x.variables[v.Variable] = value
		} else if v.DefaultValue != nil {
			x.variables[v.Variable], _ = v.DefaultValue.Value(nil)
		}
	}
	return op, nil
}

// object is the value of an object of which these fields are selected.
func (x *execution) object(set ast.SelectionSet, n node, path []any) any {
	var order []string
	fields := map[string][]*ast.Field{}
	x.collect(set, n.kind, &order, fields)
	o := object{}
	for _, key := range order {
		f := fields[key][0]
		var inner ast.SelectionSet
		for _, same := range fields[key] {
			inner = append(inner, same.SelectionSet...)
		}
		here := append(slices.Clone(path), key)
		value, err := x.field(f, n)
		if err != nil {
			x.fail(err, here, f)
		}
		o[key] = x.value(value, inner, here)
	}
	return o
}

// collect gathers the fields that are selected for a type, in their order.
func (x *execution) collect(set ast.SelectionSet, kind string, order *[]string, fields map[string][]*ast.Field) {
	for _, selection := range set {
		switch sel := selection.(type) {
		case *ast.Field:
			if !x.included(sel.Directives) {
				continue
			}
			if fields[sel.Alias] == nil {
				*order = append(*order, sel.Alias)
			}
			fields[sel.Alias] = append(fields[sel.Alias], sel)
		case *ast.InlineFragment:
			if x.included(sel.Directives) && is(kind, sel.TypeCondition) {
				x.collect(sel.SelectionSet, kind, order, fields)
			}
		case *ast.FragmentSpread:
			f := x.fragments.ForName(sel.Name)
			if f != nil && x.included(sel.Directives) && is(kind, f.TypeCondition) {
				x.collect(f.SelectionSet, kind, order, fields)
			}
		}
	}
}

func (x *execution) included(list ast.DirectiveList) bool {
	for _, d := range list {
		for _, a := range d.Arguments {
			value, _ := a.Value.Value(x.variables)
			if yes, _ := value.(bool); d.Name == "skip" && yes || d.Name == "include" && !yes {
				return false
			}
		}
	}
	return true
}

// field asks the resolver.
func (x *execution) field(f *ast.Field, n node) (any, error) {
	if f.Name == "__typename" {
		return n.kind, nil
	}
	name := n.kind + "." + f.Name
	known, ok := graph[name]
	if !ok {
		x.s.violate("POST /graphql: the fake does not know the field %s", name)
		return nil, graphError{"UNKNOWN", "the fake does not know the field " + name}
	}
	args := map[string]any{}
	for _, a := range f.Arguments {
		value, err := a.Value.Value(x.variables)
		if err != nil {
			return nil, graphError{"BAD_ARGUMENT", err.Error()}
		}
		if value == nil {
			continue
		}
		if !slices.Contains(strings.Fields(known.args), a.Name) {
			x.s.violate("POST /graphql: the fake does not know the argument %s of %s", a.Name, name)
		}
		args[a.Name] = value
	}
	return known.get(x, n.value, args)
}

// value finishes what a resolver gave.
func (x *execution) value(v any, set ast.SelectionSet, path []any) any {
	switch v := v.(type) {
	case node:
		return x.object(set, v, path)
	case []node:
		list := []any{}
		for i, n := range v {
			list = append(list, x.object(set, n, append(slices.Clone(path), i)))
		}
		return list
	}
	return v
}

func (x *execution) fail(err error, path []any, f *ast.Field) {
	e := object{"message": err.Error(), "path": path}
	if g, ok := err.(graphError); ok {
		e["type"] = g.kind
	}
	if f.Position != nil {
		e["locations"] = []any{object{"line": f.Position.Line, "column": f.Position.Column}}
	}
	x.errors = append(x.errors, e)
}
