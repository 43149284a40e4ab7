package dextest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// opByName finds opcodes by mnemonic.
var opByName = func() map[string]dex.Opcode {
	m := map[string]dex.Opcode{}
	for op := dex.Opcode(0); op <= 0xff; op++ {
		if op.Valid() {
			m[op.String()] = op
		}
	}
	return m
}()

// Asm gives the method code as text, one instruction per line with the mnemonics
// and operands of smali:
//
//	const-string v0, "text"
//	iget-object v0, p0, La/B;->next:La/B;
//	invoke-virtual {v0, v1}, La/B;->run(I)V
//	invoke-static/range {v0 .. v7}, La/B;->many(IIIIIIII)V
//	invoke-polymorphic {v0, v1}, La/H;->call([La/B;)La/B;, (I)V
//	invoke-custom {v0}, @site
//
// Registers are v0.. or, counted from the first parameter, p0..; of a wide
// value the first one is named. ":name" on a line of its own is a label. Other
// lines:
//
//	.line 12
//	.param "name"              names the next parameter
//	.catch La/E; :from :to :handler
//	.catchall :from :to :handler
//	.packed-switch 10 :case10 :case11
//	.sparse-switch 1 :one 100 :hundred
//	.array-data 4 1 2 3        element width, then elements
//	# comment
//
// Outgoing registers are counted, payloads aligned, overlapping .catch ranges
// split so that handlers are tried in the order of their lines.
func (m *Code) Asm(registers int, text string) *Code {
	a := assembler{m: m, registers: registers, labels: map[string]int{}}
	m.registers = registers
	for i, line := range strings.Split(text, "\n") {
		a.line = i + 1
		a.add(strings.TrimSpace(line))
	}
	a.bindLabels(a.size)
	for _, s := range a.statements {
		a.line = s.line
		a.encode(s)
	}
	a.buildTries()
	m.outs = a.outs
	return m
}

type assembler struct {
	m          *Code
	registers  int
	line, size int
	outs       int
	pending    []string // labels of the next statement
	labels     map[string]int
	statements []statement
	catches    []catchRange
}

// statement is an instruction or payload at address addr.
type statement struct {
	line, addr int
	words      []string // operands, or the words of a payload
	op         dex.Opcode
}

type catchRange struct{ typ, from, to, handler string }

func (a *assembler) fail(format string, args ...any) {
	panic(fmt.Sprintf("dextest: %s->%s line %d: %s", a.m.id.Class, a.m.id.Name, a.line, fmt.Sprintf(format, args...)))
}

func (a *assembler) add(line string) {
	name, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "" || line[0] == '#':
	case line[0] == ':':
		a.pending = append(a.pending, line)
	case line[0] == '.':
		a.directive(name, rest)
	default:
		op, known := opByName[name]
		if !known {
			a.fail("unknown instruction %q", name)
		}
		a.append(statement{op: op, words: splitOperands(rest)}, op.Width())
	}
}

func (a *assembler) append(s statement, width int) {
	s.line, s.addr = a.line, a.size
	a.bindLabels(a.size)
	a.statements = append(a.statements, s)
	a.size += width
}

func (a *assembler) bindLabels(addr int) {
	for _, l := range a.pending {
		if _, twice := a.labels[l]; twice {
			a.fail("label %s is defined twice", l)
		}
		a.labels[l] = addr
	}
	a.pending = nil
}

func (a *assembler) directive(name, rest string) {
	words := strings.Fields(rest)
	switch name {
	case ".line":
		a.m.Line(uint32(a.size), uint32(a.number(rest)))
	case ".param":
		a.m.params = append(a.m.params, a.unquote(rest))
	case ".catch":
		a.need(words, 4)
		a.catches = append(a.catches, catchRange{words[0], words[1], words[2], words[3]})
	case ".catchall":
		a.need(words, 3)
		a.catches = append(a.catches, catchRange{"", words[0], words[1], words[2]})
	case ".packed-switch":
		a.payload(dex.OpPackedSwitchPayload, words, 4+2*(len(words)-1))
	case ".sparse-switch":
		a.payload(dex.OpSparseSwitchPayload, words, 2+2*len(words))
	case ".array-data":
		width := int(a.number(words[0]))
		a.payload(dex.OpFillArrayDataPayload, words, 4+(width*(len(words)-1)+1)/2)
	default:
		a.fail("unknown directive %s", name)
	}
}

func (a *assembler) need(words []string, n int) {
	if len(words) != n {
		a.fail("%d words instead of %d", len(words), n)
	}
}

// payload aligns and appends a payload.
func (a *assembler) payload(op dex.Opcode, words []string, width int) {
	if a.size%2 != 0 {
		labels := a.pending
		a.pending = nil
		a.append(statement{op: dex.OpNop}, 1)
		a.pending = labels
	}
	a.append(statement{op: op, words: words}, width)
}

// splitOperands splits at commas outside quotes and braces.
func splitOperands(s string) []string {
	var out []string
	depth, quoted, start := 0, false, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	if last := strings.TrimSpace(s[start:]); last != "" {
		out = append(out, last)
	}
	return out
}

func (a *assembler) unquote(s string) string {
	t, err := strconv.Unquote(strings.TrimSpace(s))
	if err != nil {
		a.fail("%s is not a quoted string", s)
	}
	return t
}

func (a *assembler) number(s string) int64 {
	v, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		u, err := strconv.ParseUint(s, 0, 64)
		if err != nil {
			a.fail("%q is not a number", s)
		}
		return int64(u)
	}
	return v
}

func (a *assembler) label(s string) int {
	addr, known := a.labels[s]
	if !known {
		a.fail("label %s is not defined", s)
	}
	return addr
}

// register gives the number of v3 or p1.
func (a *assembler) register(s string) int {
	if len(s) > 1 && (s[0] == 'v' || s[0] == 'p') {
		if n, err := strconv.Atoi(s[1:]); err == nil {
			if s[0] == 'p' {
				n += a.registers - a.m.ins()
			}
			if n < a.registers {
				return n
			}
			a.fail("register %s of %d", s, a.registers)
		}
	}
	a.fail("%q is not a register", s)
	return 0
}

// buildTries cuts the ranges of all .catch lines at each other's ends.
func (a *assembler) buildTries() {
	var cuts []int
	for _, c := range a.catches {
		cuts = append(cuts, a.label(c.from), a.label(c.to))
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i := 0; i+1 < len(cuts); i++ {
		var handlers []Catch
		for _, c := range a.catches {
			if a.label(c.from) <= cuts[i] && cuts[i+1] <= a.label(c.to) {
				handlers = append(handlers, Catch{c.typ, uint32(a.label(c.handler))})
				if c.typ == "" {
					break
				}
			}
		}
		if len(handlers) > 0 {
			a.m.addTry(uint32(cuts[i]), uint32(cuts[i+1]), handlers)
		}
	}
}

// addTry joins neighbours with the same handlers.
func (m *Code) addTry(start, end uint32, handlers []Catch) {
	if n := len(m.tries); n > 0 && m.tries[n-1].end == start && slices.Equal(m.tries[n-1].handlers, handlers) {
		m.tries[n-1].end = end
		return
	}
	m.Try(start, end, handlers...)
}
