package growtest

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
)

// place is a field that holds an item.
type place struct{ class, name string }

func (p place) String() string { return p.class + "->" + p.name + ":" + itemType }

// code is the text of a method under construction. Every statement of the source
// is a line of its own, as findings name lines.
type code struct {
	method    *dextest.Code
	registers int
	text      strings.Builder
	lines     int
	labels    int
}

func newCode(c *dextest.Class, name, proto string, access uint32, registers int) *code {
	return &code{method: c.Method(name, proto, access), registers: registers}
}

func (b *code) add(instruction string) *code {
	if b.lines == 0 {
		b.line()
	}
	b.text.WriteString(instruction)
	b.text.WriteByte('\n')
	return b
}

func (b *code) addf(format string, args ...any) *code { return b.add(fmt.Sprintf(format, args...)) }

// line begins the next source line.
func (b *code) line() *code {
	b.lines++
	fmt.Fprintf(&b.text, ".line %d\n", b.lines)
	return b
}

func (b *code) label() string {
	b.labels++
	return fmt.Sprintf(":l%d", b.labels)
}

func (b *code) end() { b.method.Asm(b.registers, b.text.String()) }

// use dereferences what a field of the object in a register holds; guarded, it
// tests the very value first. v1 is overwritten.
func (b *code) use(object string, p place, guarded bool) *code {
	b.line().addf("iget-object v1, %s, %s", object, p)
	after := b.label()
	if guarded {
		b.addf("if-eqz v1, %s", after)
	}
	b.addf("invoke-virtual {v1}, %s->go()V", itemType)
	if guarded {
		b.add(after)
	}
	return b
}

// free sets a field to null. v1 is overwritten.
func (b *code) free(object string, p place) *code {
	return b.line().add("const/4 v1, 0").addf("iput-object v1, %s, %s", object, p)
}

// locked wraps what body writes in synchronized (Main.class). v4 and v5 are
// overwritten.
func (b *code) locked(body func()) *code {
	from, to, handler := b.label(), b.label(), b.label()
	after := b.label()
	b.line().addf("const-class v4, %s", mainType).add("monitor-enter v4").add(from)
	body()
	b.add("monitor-exit v4").add(to).addf("goto/16 %s", after)
	b.add(handler).add("move-exception v5").add("monitor-exit v4").add("throw v5")
	b.addf(".catchall %s %s %s", from, to, handler)
	return b.add(after)
}
