package platform

import (
	"fmt"
	"strings"
)

// names resolves class names as one model file writes them: dotted names are
// full; others are primitives, imports, java.lang, or found in an imported
// package ("android.view.*") with the index.
type names struct {
	single map[string]string // simple name -> full name
	pkgs   []string          // "android.view."
	has    func(string) bool
	memo   map[string]string
}

var primitives = map[string]bool{
	"void": true, "boolean": true, "byte": true, "char": true, "short": true,
	"int": true, "long": true, "float": true, "double": true,
}

func newNames(has func(string) bool) *names {
	return &names{single: map[string]string{}, has: has, memo: map[string]string{}}
}

func (n *names) add(imp string) error {
	if pkg, ok := strings.CutSuffix(imp, ".*"); ok {
		n.pkgs = append(n.pkgs, pkg+".")
		return nil
	}
	i := strings.LastIndexByte(imp, '.')
	if i < 0 || !isClassName(imp) {
		return fmt.Errorf("import %q: want a full class name or package.*", imp)
	}
	simple := imp[i+1:]
	if old := n.single[simple]; old != "" {
		return fmt.Errorf("import %q: %s is already %s", imp, simple, old)
	}
	n.single[simple] = imp
	return nil
}

// class gives the full name of a class.
func (n *names) class(name string) (string, error) {
	if !isClassName(name) {
		return "", fmt.Errorf("%q is no class name", name)
	}
	if strings.Contains(name, ".") {
		return name, nil
	}
	if full := n.memo[name]; full != "" {
		return full, nil
	}
	full := n.find(name)
	if full == "" {
		return "", fmt.Errorf("unknown class %q: write its full name or import it", name)
	}
	n.memo[name] = full
	return full, nil
}

func (n *names) find(name string) string {
	outer, inner, nested := strings.Cut(name, "$")
	if full := n.single[outer]; full != "" {
		if nested {
			full += "$" + inner
		}
		return full
	}
	for _, pkg := range append([]string{"java.lang."}, n.pkgs...) {
		if n.has(pkg + name) {
			return pkg + name
		}
	}
	return ""
}

// typ gives the full name of a parameter type: a class, a primitive, or an
// array of one.
func (n *names) typ(name string) (string, error) {
	base := name
	for strings.HasSuffix(base, "[]") {
		base = base[:len(base)-2]
	}
	if primitives[base] {
		return name, nil
	}
	full, err := n.class(base)
	return full + name[len(base):], err
}

func isClassName(s string) bool {
	for _, part := range strings.Split(s, ".") {
		if !isWord(part) {
			return false
		}
	}
	return true
}

// method reads "name(T1, T2)", "name(T1, *)" or "name(*)".
func (n *names) method(text string) (name string, params []string, open bool, err error) {
	name, list, ok := cutCall(text)
	if !ok || name != "<init>" && !isWord(name) {
		return "", nil, false, fmt.Errorf("%q: want name(Type, Type), with * for any further parameters", text)
	}
	params = []string{}
	for i, t := range list {
		if t == "*" && i == len(list)-1 {
			open = true
			continue
		}
		full, err := n.typ(t)
		if err != nil {
			return "", nil, false, err
		}
		params = append(params, full)
	}
	return name, params, open, nil
}

// cutCall splits "name(a, b)" into its name and arguments.
func cutCall(text string) (name string, args []string, ok bool) {
	open := strings.IndexByte(text, '(')
	if open <= 0 || !strings.HasSuffix(text, ")") {
		return "", nil, false
	}
	inner := strings.TrimSpace(text[open+1 : len(text)-1])
	if inner == "" {
		return text[:open], nil, true
	}
	for _, a := range strings.Split(inner, ",") {
		args = append(args, strings.TrimSpace(a))
	}
	return text[:open], args, true
}

// callback reads "place.name(arg, Type arg)", "place.name(...)" or "place.*";
// without a place the target is dflt.
func (n *names) callback(text string, dflt Place) (Callback, error) {
	t := strings.TrimSpace(text)
	if target, ok := strings.CutSuffix(t, ".*"); ok {
		p, err := parsePlace(target, n.class)
		return Callback{Target: p, Name: "*", All: true, AnyArgs: true}, err
	}
	path, args, ok := cutCall(t)
	if !ok {
		return Callback{}, fmt.Errorf("bad callback %q: want place.method(args), place.method(...) or place.*", t)
	}
	cb := Callback{Target: dflt, Name: path}
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		p, err := parsePlace(path[:i], n.class)
		if err != nil {
			return Callback{}, err
		}
		cb.Target, cb.Name = p, path[i+1:]
	}
	if cb.Target.Zero() || !isWord(cb.Name) && cb.Name != "<init>" {
		return Callback{}, fmt.Errorf("bad callback %q: want place.method(args)", t)
	}
	if len(args) == 1 && args[0] == "..." {
		cb.AnyArgs = true
		return cb, nil
	}
	return cb, n.callbackArgs(&cb, args, t)
}

func (n *names) callbackArgs(cb *Callback, args []string, text string) error {
	cb.Args = []Place{}
	for _, a := range args {
		typ, place, typed := strings.Cut(a, " ")
		if !typed || typ == "new" {
			typ, place = "", a
		}
		if (typ != "") != (len(cb.Params) > 0) && len(cb.Args) > 0 {
			return fmt.Errorf("bad callback %q: give all parameter types or none", text)
		}
		if typ != "" {
			full, err := n.typ(typ)
			if err != nil {
				return err
			}
			cb.Params = append(cb.Params, full)
		}
		p, err := parsePlace(place, n.class)
		if err != nil {
			return err
		}
		cb.Args = append(cb.Args, p)
	}
	return nil
}
