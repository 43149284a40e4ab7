package racetest

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
)

// locals is how many registers a method has beside its parameters: v0 is the owner,
// v1 to v5 are for statements, lock and count beyond for what encloses them.
const (
	locals    = 11
	firstLock = 6
	mostLocks = 2 // one in another
)

// code is the text of a method under construction, a line of source for each
// statement.
type code struct {
	method *dextest.Code
	static bool
	params int // words
	text   strings.Builder
	lines  int
	labels int
	locks  int // that enclose what is written
}

func newCode(c *dextest.Class, name, proto string, access uint32) *code {
	b := &code{method: c.Method(name, proto, access), static: access&dex.AccStatic != 0}
	for rest := proto[1:strings.IndexByte(proto, ')')]; rest != ""; b.params++ {
		rest = strings.TrimLeft(rest, "[")
		if rest[0] == 'L' {
			rest = rest[strings.IndexByte(rest, ';'):]
		}
		rest = rest[1:]
	}
	if !b.static {
		b.params++
	}
	return b.line()
}

func (b *code) add(instruction string) *code {
	b.text.WriteString(instruction)
	b.text.WriteByte('\n')
	return b
}

func (b *code) addf(format string, args ...any) *code { return b.add(fmt.Sprintf(format, args...)) }

func (b *code) line() *code {
	b.lines++
	return b.addf(".line %d", b.lines)
}

func (b *code) label() string {
	b.labels++
	return fmt.Sprintf(":l%d", b.labels)
}

func (b *code) end() { b.method.Asm(locals+b.params, b.text.String()) }

// make puts a new object of a class into a register.
func (b *code) make(register, class string) *code {
	return b.addf("new-instance %s, %s", register, class).addf("invoke-direct {%s}, %s-><init>()V", register, class)
}

// skip lets body be skipped: it gets the label behind itself.
func (b *code) skip(body func(after string)) *code {
	after := b.label()
	body(after)
	return b.add(after)
}

// locked wraps body in a synchronized block of what load puts into a register.
func (b *code) locked(load func(register string), body func()) {
	if b.locks == mostLocks {
		body()
		return
	}
	register, thrown := fmt.Sprintf("v%d", firstLock+2*b.locks), fmt.Sprintf("v%d", firstLock+2*b.locks+1)
	from, to, caught, after := b.label(), b.label(), b.label(), b.label()
	b.line()
	load(register)
	b.addf("monitor-enter %s", register).add(from)
	b.locks++
	body()
	b.locks--
	b.addf("monitor-exit %s", register).add(to).addf("goto/16 %s", after)
	b.add(caught).addf("move-exception %s", thrown).addf("monitor-exit %s", register).addf("throw %s", thrown)
	b.addf(".catchall %s %s %s", from, to, caught).add(after)
}

// caught wraps body in a try that catches exceptions of a class.
func (b *code) caught(class string, body func()) {
	from, to, caught, after := b.label(), b.label(), b.label(), b.label()
	b.line().add(from)
	body()
	b.add("nop").add(to).addf("goto/16 %s", after)
	b.add(caught).add("move-exception v5")
	b.addf(".catch %s %s %s %s", class, from, to, caught).add(after)
}
