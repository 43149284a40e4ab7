package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What the engine knows of Android, Java and Kotlin stands in model files; Go code
// names no API of theirs.

// formats read files with words of their own, as model files have, or whose format or
// virtual machine names classes: there no word is taken for a method of an API.
var formats = []string{
	"engine/internal/input/", "engine/internal/dex/", "engine/internal/ir/", "engine/internal/mapping/",
	"engine/internal/expect/", "engine/internal/platform/",
}

// allowed are the names that code may have all the same: in files whose path begins
// so, literals that begin so.
var allowed = []struct{ in, name, why string }{
	{"engine/internal/input/layout.go", "android.", "what LayoutInflater and PreferenceInflater take short names for is the format of layouts"},
	{"engine/internal/input/layout.go", "androidx.", "elements that hold another layout or a fragment are the format of layouts"},
	{"engine/internal/input/manifest.go", "android.intent.", "actions and categories are strings of the manifest"},
	{"engine/internal/dex/annotation.go", "Ldalvik/annotation/", "the dex format keeps attributes of classes in annotations of these names"},
	{"engine/internal/ir/ids.go", "Ljava/lang/", "classes that the virtual machine itself makes objects of"},
	{"engine/internal/ir/ids.go", "[Ljava/lang/Object;", "the type of what a signature-polymorphic call passes"},
	{"engine/internal/ir/build.go", "java.lang.Cloneable", "every array implements it (JLS 10.8)"},
	{"engine/internal/ir/build.go", "java.io.Serializable", "every array implements it (JLS 10.8)"},
	{"engine/internal/ir/resolve.go", "java.lang.invoke.", "their methods are signature-polymorphic (JVMS 2.9.3)"},
	{"engine/internal/ir/define.go", "java.lang.invoke.LambdaMetafactory", "it makes lambdas of invokedynamic"},
	{"engine/internal/platform/names.go", "java.lang.", "model files need not import it, as Java files need not"},
	{"engine/internal/platform/check.go", "java.lang.Object", "any slot may be one of some subclass of it"},
	{"engine/internal/platform/indexgen/", "", "the generator of the index lists what is of the platform"},
	{"engine/internal/", "java.lang.NullPointerException", "what a null dereference throws (JVMS 6.5)"},
	{"engine/internal/hb/order.go", "before", "how two sites are ordered, as dumps print it"},
	{"engine/internal/hb/order.go", "after", "how two sites are ordered, as dumps print it"},
	{"engine/internal/pointsto/roots.go", "instance", "a slot that docs/models.md gives this meaning"},
	{"engine/internal/pointsto/intents.go", "binder", "a slot that docs/models.md gives this meaning"},
}

// platformName is a class or package of a platform, dotted or as a descriptor.
var platformName = regexp.MustCompile(`^\[*L?(java|javax|android|androidx|dalvik|kotlin|kotlinx|libcore|com[./]google[./]android|org[./](json|xml|w3c|xmlpull)|okhttp3|retrofit2|io[./]reactivex)[./]`)

// vocabulary is the methods, constants, slots and classes that the model files name.
func vocabulary(t *testing.T) map[string]bool {
	t.Helper()
	words := map[string]bool{}
	files, err := filepath.Glob("../../engine/internal/platform/models/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	called := regexp.MustCompile(`([A-Za-z_]\w*)\(`)
	constant := regexp.MustCompile(`(?m)^ +([A-Z][A-Z_]+): \d`)
	slots := regexp.MustCompile(`(?m)^ +(?:slots|statics): \{(.*)\}$`)
	slot := regexp.MustCompile(`(\w+): `)
	class := regexp.MustCompile(`(?m)^  ([\w.$]+):`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range append(called.FindAllSubmatch(text, -1), constant.FindAllSubmatch(text, -1)...) {
			words[string(m[1])] = true
		}
		for _, m := range slots.FindAllSubmatch(text, -1) {
			for _, k := range slot.FindAllSubmatch(m[1], -1) {
				words[string(k[1])] = true
			}
		}
		for _, m := range class.FindAllSubmatch(text, -1) {
			name := string(m[1])
			words[name[strings.LastIndexAny(name, ".$")+1:]] = true
		}
	}
	if len(words) < 1000 || !words["removeCallbacks"] || !words["SECONDS"] || !words["CountDownLatch"] || !words["looper"] {
		t.Fatalf("only %d words in %d model files", len(words), len(files))
	}
	return words
}

// asking are functions that decide by a name that they are passed.
var asking = []string{"HasPrefix", "HasSuffix", "CutPrefix", "CutSuffix", "TrimPrefix", "TrimSuffix", "Contains", "EqualFold", "Lookup", "Slot", "Static", "key"}

// apiNames lists the literals of a file by which it names an API: classes and
// packages anywhere; methods, constants, slots and short names of classes where something
// is compared with them, or anywhere if nothing else is written so.
func apiNames(f *ast.File, words map[string]bool, methods bool) []string {
	var out []string
	var outer []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			outer = outer[:len(outer)-1]
			return true
		}
		outer = append(outer, n)
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field: // paths, and tags
			outer = outer[:len(outer)-1]
			return false
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil {
				return true
			}
			if platformName.MatchString(text) || methods && words[text] && (camel(text) || compared(outer)) {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

// camel: a word is written as methods and constants are and English is not.
func camel(word string) bool {
	head := strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyz")
	return head != "" && head != word || len(word) > 3 && word == strings.ToUpper(word)
}

// compared: the innermost node is a value that something is compared with: by an
// operator, a case, a table or a function that asks.
func compared(outer []ast.Node) bool {
	self, by := outer[len(outer)-1], outer[len(outer)-2]
	switch by := by.(type) {
	case *ast.BinaryExpr:
		return by.Op == token.EQL || by.Op == token.NEQ
	case *ast.CaseClause, *ast.CompositeLit:
		return true
	case *ast.KeyValueExpr:
		return by.Key == self
	case *ast.CallExpr:
		name := ""
		switch fun := by.Fun.(type) {
		case *ast.SelectorExpr:
			name = fun.Sel.Name
		case *ast.Ident:
			name = fun.Name
		}
		return slices.Contains(asking, name)
	}
	return false
}

func TestNoAPIIsNamed(t *testing.T) {
	words := vocabulary(t)
	used := make([]bool, len(allowed))
	looked := 0
	for _, s := range sources(t) {
		if s.test() || s.forTests() || !strings.HasPrefix(s.path, "engine/") {
			continue
		}
		if stage, _ := stageOf(s.path); stage == "" && s.dir() != "engine" {
			continue // findings and reports decide nothing
		}
		looked++
		methods := !slices.ContainsFunc(formats, func(dir string) bool { return strings.HasPrefix(s.path, dir) })
	names:
		for _, name := range apiNames(s.syntax, words, methods) {
			for i, a := range allowed {
				if strings.HasPrefix(s.path, a.in) && strings.HasPrefix(name, a.name) {
					used[i] = true
					continue names
				}
			}
			t.Errorf("%s names %q: say it in a model file (docs/models.md), or allow it here with a reason", s.path, name)
		}
	}
	for i, a := range allowed {
		if !used[i] {
			t.Errorf("%s need not be allowed in %s", a.name, a.in)
		}
		if a.why == "" {
			t.Errorf("%s is allowed in %s without a reason", a.name, path.Base(a.in))
		}
	}
	if looked < 100 {
		t.Fatalf("only %d files were looked at", looked)
	}
}

// TestAPINamesAreSeen: each way of naming an API is seen, and no way of speaking.
func TestAPINamesAreSeen(t *testing.T) {
	words := vocabulary(t)
	for code, want := range map[string][]string{
		`var a = lookup("java.util.Timer")`:                     {"java.util.Timer"},
		`var a = strings.HasPrefix(name, "android.os.")`:        {"android.os."},
		`const a = "Ljava/lang/String;"`:                        {"Ljava/lang/String;"},
		`var a = name == "send"`:                                {"send"},
		`var a = strings.HasPrefix(name, "remove")`:             {"remove"},
		`func f() { switch name { case "run", "other": } }`:     {"run"},
		`var a = []string{"get", "lost"}`:                       {"get"},
		`var a = map[string]int{"SECONDS": 1, "FORTNIGHTS": 2}`: {"SECONDS"},
		`var a = f("removeCallbacks")`:                          {"removeCallbacks"},
		`var a = p.Lookup("CountDownLatch")`:                    {"CountDownLatch"},
		`var a = r.Slot("what")`:                                {"what"},
		`var a = "send " + what`:                                nil,
		`var a = f("send", "the javax way, java")`:              nil,
		`type a struct { b int "json:\"run\"" }`:                nil,
		`import "android.go/x"`:                                 nil,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+code, 0)
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		if got := apiNames(f, words, true); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}
