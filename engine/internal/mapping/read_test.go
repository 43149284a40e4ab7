package mapping_test

import (
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/mapping"
)

func TestDamageIsNamed(t *testing.T) {
	const class = "com.acme.Main -> a.a:\n"
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "m.txt: no line of it names a class; want the mapping.txt of R8 or ProGuard"},
		{"only comments", "# compiler: R8\n", "m.txt: no line of it names a class"},
		{"something else", "Hello, world\n", "m.txt:1: want NAME -> NAME, not \"Hello, world\""},
		{"a binary file", "PK\x03\x04\x00\x00", "m.txt:1: want NAME -> NAME"},
		{"no colon", "com.acme.Main -> a.a\n", "m.txt:1: want CLASS -> CLASS:"},
		{"no class", " -> a.a:\n", "m.txt:1: want "},
		{"a path", "com/acme/Main -> a/a:\n", "m.txt:1: want CLASS -> CLASS:"},
		{"member first", "    int x -> a\n", `m.txt:1: member "int x -> a" stands before any class`},
		{"two names", class + "com.acme.Main -> a.b:\n", "m.txt:2: com.acme.Main has become a.a and a.b"},
		{"two classes", class + "com.acme.Other -> a.a:\r\n", "m.txt:2: com.acme.Main and com.acme.Other have both become a.a"},
		{"cut off", class + "    1:2:void on", "m.txt:2: want NAME -> NAME"},
		{"no type", class + "    run() -> a\n", "m.txt:2: want TYPE NAME or TYPE NAME(TYPES)"},
		{"no end", class + "    void run(int -> a\n", "m.txt:2: \"void run(int\" has no end of its parameters"},
		{"half a range", class + "    1:void run() -> a\n", "m.txt:2: want FIRST:LAST: before a method"},
		{"a range backwards", class + "    9:1:void run() -> a\n", "m.txt:2: lines 9 to 1 are no range"},
		{"a huge line", class + "    1:4294967296:void run() -> a\n", `m.txt:2: "4294967296" is no line number`},
		{"a line of letters", class + "    void run():x -> a\n", `m.txt:2: "x" is no line number`},
		{"three lines", class + "    void run():1:2:3 -> a\n", "m.txt:2: want :LINE or :FIRST:LAST behind a method"},
		{"a descriptor", class + "    Lcom/acme/Main; x -> a\n", "m.txt:2: want TYPE NAME or TYPE NAME(TYPES)"},
		{"a short name with a dot", class + "    int x -> a.b\n", `m.txt:2: "a.b" is no name of a member`},
		{"a line without an end", class + strings.Repeat("x", 1<<21), "m.txt:2: the line is longer than 1048576 bytes"},
	} {
		_, err := mapping.Read(strings.NewReader(c.text), "m.txt")
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %v, want %s", c.name, err, c.want)
		}
	}
}

// TestFormsAreRead reads what R8 and ProGuard write, with either end of line.
func TestFormsAreRead(t *testing.T) {
	text := strings.Join([]string{
		"# compiler: R8", "# pg_map_id: 0a1b2c3", `# {"id":"com.android.tools.r8.mapping","version":"2.2"}`, "",
		"com.acme.Main -> a.a:", `# {"id":"sourceFile","fileName":"Main.kt"}`,
		"    int[][] table -> a", `      # {"id":"com.android.tools.r8.residualsignature","signature":"[[I"}`,
		"    1:2:void run(int,java.lang.String[]):10:11 -> b", "    void stop() -> c", "    3:4:void go() -> d",
		"    5:5:void com.acme.Other.in():7:7 -> e", "    5:5:void out():8 -> e", "    void anywhere():9:9 -> f",
		"      # { not JSON", `      # {"id":"com.acme.unknown"}`, "    void \u00fcber() -> g", "    void a name with spaces() -> h",
		"com.acme.Gone -> R8$$REMOVED$$CLASS$$0:",
	}, "\n")
	for _, end := range []string{"\n", "\r\n"} {
		m, err := mapping.Read(strings.NewReader(strings.ReplaceAll(text, "\n", end)), "m.txt")
		if err != nil {
			t.Fatal(err)
		}
		if m.ID != "0a1b2c3" || m.ClassName("a.a") != "com.acme.Main" || m.ClassName("a.b") != "a.b" {
			t.Errorf("id %q, a.a is %s, a.b is %s", m.ID, m.ClassName("a.a"), m.ClassName("a.b"))
		}
	}
}
