package platform

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Bounds of a model file; ours are a few ten kilobytes. The YAML parser works
// by recursion, so nesting is bounded before it sees the file.
const (
	maxModelFile = 1 << 20
	maxModelLine = 10_000
	maxNesting   = 100
)

type nodeKind uint8

const (
	scalarNode nodeKind = iota
	listNode
	mapNode
)

// node is a YAML value reduced to what models use.
type node struct {
	kind  nodeKind
	line  int
	text  string // scalar
	items []node // list
	pairs []pair // map, in file order, keys distinct
}

type pair struct {
	key  string
	line int
	val  node
}

// reader reports errors of one file as "file:line: text".
type reader struct {
	file string
	errs []error
}

func (r *reader) errorf(line int, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s:%d: %s", r.file, line, fmt.Sprintf(format, args...)))
}

// parseTree reads YAML; nil after an error.
func (r *reader) parseTree(data []byte) *node {
	if len(data) > maxModelFile {
		r.errorf(1, "model file larger than %d bytes", maxModelFile)
		return nil
	}
	if line := tooDeep(data); line > 0 {
		r.errorf(line, "line longer than %d bytes or more than %d open brackets", maxModelLine, maxNesting)
		return nil
	}
	f, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var syn *yaml.SyntaxError
		if errors.As(err, &syn) && syn.Token != nil && syn.Token.Position != nil {
			r.errorf(syn.Token.Position.Line, "not YAML: %s", syn.Message)
		} else {
			r.errorf(1, "not YAML: %s", strings.SplitN(err.Error(), "\n", 2)[0])
		}
		return nil
	}
	if len(f.Docs) != 1 || f.Docs[0].Body == nil {
		r.errorf(1, "want one YAML document with models, found %d", len(f.Docs))
		return nil
	}
	before := len(r.errs)
	n := r.convert(f.Docs[0].Body, 0)
	if len(r.errs) > before {
		return nil
	}
	return &n
}

// tooDeep gives the first line that is too long or nested too deep, else 0.
func tooDeep(data []byte) int {
	line, start, open := 1, 0, 0
	for i, b := range data {
		switch b {
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		case '\n':
			line, start = line+1, i
		}
		if open > maxNesting || i-start > maxModelLine {
			return line
		}
	}
	return 0
}

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 1
}

func (r *reader) convert(n ast.Node, depth int) node {
	line := lineOf(n)
	if depth > 40 {
		r.errorf(line, "nested too deep")
		return node{line: line}
	}
	switch n := n.(type) {
	case *ast.StringNode:
		return node{line: line, text: n.Value}
	case *ast.LiteralNode:
		return node{line: line, text: n.Value.Value}
	case *ast.IntegerNode, *ast.BoolNode, *ast.NullNode, *ast.FloatNode:
		return node{line: line, text: n.GetToken().Value}
	case *ast.SequenceNode:
		out := node{kind: listNode, line: line}
		for _, v := range n.Values {
			out.items = append(out.items, r.convert(v, depth+1))
		}
		return out
	case *ast.MappingValueNode:
		return r.convertMap([]*ast.MappingValueNode{n}, line, depth)
	case *ast.MappingNode:
		return r.convertMap(n.Values, line, depth)
	}
	r.errorf(line, "%s is not used in model files", n.Type())
	return node{line: line}
}

func (r *reader) convertMap(values []*ast.MappingValueNode, line, depth int) node {
	out := node{kind: mapNode, line: line}
	if len(values) > 0 {
		out.line = lineOf(values[0].Key)
	}
	first := map[string]int{}
	for _, v := range values {
		k := r.convert(v.Key, depth+1)
		if at, dup := first[k.text]; dup {
			r.errorf(k.line, "duplicate key %q, first at line %d", k.text, at)
			continue
		}
		first[k.text] = k.line
		out.pairs = append(out.pairs, pair{k.text, k.line, r.convert(v.Value, depth+1)})
	}
	return out
}

// get finds the value of a key, nil if absent.
func (n *node) get(key string) *node {
	for i := range n.pairs {
		if n.pairs[i].key == key {
			return &n.pairs[i].val
		}
	}
	return nil
}

// expand replaces ${NAME} in every text of the tree.
func (n node) expand(vars map[string]string) node {
	rep := func(s string) string {
		if !strings.Contains(s, "${") {
			return s
		}
		for k, v := range vars {
			s = strings.ReplaceAll(s, "${"+k+"}", v)
		}
		return s
	}
	out := n
	out.text = rep(n.text)
	out.items, out.pairs = nil, nil
	for _, it := range n.items {
		out.items = append(out.items, it.expand(vars))
	}
	for _, p := range n.pairs {
		out.pairs = append(out.pairs, pair{rep(p.key), p.line, p.val.expand(vars)})
	}
	return out
}

// scalar gives the text of a scalar.
func (r *reader) scalar(n node, what string) (string, bool) {
	if n.kind != scalarNode {
		r.errorf(n.line, "%s: want one value", what)
		return "", false
	}
	return n.text, true
}

// list gives the items of a list, or the one value as a list.
func (n node) list() []node {
	if n.kind == listNode {
		return n.items
	}
	return []node{n}
}

// mapping checks that n is a map that has only the named keys.
func (r *reader) mapping(n node, what string, keys ...string) bool {
	if n.kind != mapNode {
		r.errorf(n.line, "%s: want a mapping", what)
		return false
	}
	for _, p := range n.pairs {
		known := false
		for _, k := range keys {
			known = known || k == p.key
		}
		if !known {
			r.errorf(p.line, "%s: unknown key %q, want one of %s", what, p.key, strings.Join(keys, ", "))
		}
	}
	return true
}
