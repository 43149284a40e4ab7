package ir

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Print writes a body as text, one instruction per line.
func (p *Program) Print(w io.Writer, b *Body) error {
	out := bufio.NewWriter(w)
	pr := &printer{p, b, out}
	fmt.Fprintf(out, "%s %s\n", p.TypeString(p.Selectors[p.Methods[b.Method].Sel].Return), p.MethodString(b.Method))
	for k := range b.Blocks {
		pr.block(int32(k))
	}
	return out.Flush()
}

// Dump writes the classes with code that want picks, in the order of the files:
// header, fields, and the body of each method or why it has none. It is the text
// of --dump ir.
func (p *Program) Dump(w io.Writer, want func(ClassID) bool) error {
	for c := ClassID(1); int(c) < len(p.Classes); c++ {
		if k := &p.Classes[c]; k.Origin < Dependency || p.Types[k.Type].Kind == Array || !want(c) {
			continue
		}
		if err := p.dumpClass(w, c); err != nil {
			return err
		}
	}
	return nil
}

func (p *Program) dumpClass(w io.Writer, c ClassID) error {
	k := &p.Classes[c]
	head := "class " + k.Name + " extends " + p.Classes[k.Super].Name
	for i, s := range k.Interfaces {
		head += [...]string{" implements ", ", "}[min(i, 1)] + p.Classes[s].Name
	}
	if _, err := fmt.Fprintf(w, "%s ; %s\n", head, k.Origin); err != nil {
		return err
	}
	for _, f := range k.Fields {
		if _, err := fmt.Fprintf(w, "field %s %s\n", p.TypeString(p.Fields[f].Type), p.FieldString(f)); err != nil {
			return err
		}
	}
	for _, m := range k.Methods {
		if err := p.dumpMethod(w, m); err != nil {
			return err
		}
	}
	return nil
}

func (p *Program) dumpMethod(w io.Writer, m MethodID) error {
	why := any("no code")
	if p.Methods[m].HasCode {
		b, err := p.Lift(m)
		if err == nil {
			return p.Print(w, b)
		}
		why = err
	}
	_, err := fmt.Fprintf(w, "method %s ; %v\n", p.MethodString(m), why)
	return err
}

type printer struct {
	p   *Program
	b   *Body
	out *bufio.Writer
}

func (pr *printer) block(k int32) {
	block := &pr.b.Blocks[k]
	fmt.Fprintf(pr.out, "b%d:", k)
	if preds := pr.b.Preds(k); len(preds) > 0 {
		pr.out.WriteString(" ; from")
		for _, p := range preds {
			fmt.Fprintf(pr.out, " b%d", p)
		}
	}
	pr.out.WriteByte('\n')
	last := -1
	for v := block.Start; v < block.End; v++ {
		pr.out.WriteString("  ")
		pr.instruction(v)
		if v == block.End-1 {
			pr.targets(k)
		}
		if line := pr.b.Line(v); line != last && line != 0 {
			fmt.Fprintf(pr.out, " ; line %d", line)
			last = line
		}
		pr.out.WriteByte('\n')
	}
}

func (pr *printer) instruction(v Value) {
	b := pr.b
	if b.Type[v] != 0 {
		fmt.Fprintf(pr.out, "v%d = ", v)
	}
	pr.out.WriteString(b.Op[v].String())
	if b.Sub[v] != 0 {
		pr.out.WriteString(" " + b.Sub[v].String())
	}
	if aux := pr.aux(v); aux != "" {
		pr.out.WriteString(" " + aux)
	}
	for _, a := range b.ArgsOf(v) {
		fmt.Fprintf(pr.out, " v%d", a)
	}
	if pr.typed(v) {
		pr.out.WriteString(" : " + pr.p.TypeString(b.Type[v]))
	}
}

// typed says whether the type of a result is worth a word: it does not follow
// from the rest of the line.
func (pr *printer) typed(v Value) bool {
	switch pr.b.Op[v] {
	case OpParam, OpConst, OpPhi, OpUnary, OpBinary, OpGetField, OpGetStatic, OpArrayGet, OpCatch, OpInvokeCustom:
		return true
	}
	return false
}

func (pr *printer) aux(v Value) string {
	p, b := pr.p, pr.b
	switch aux := b.Aux[v]; b.Op[v] {
	case OpParam:
		return strconv.Itoa(int(aux))
	case OpConst:
		return pr.number(v)
	case OpConstString:
		return strconv.QuoteToASCII(p.Strings[aux])
	case OpConstClass, OpInstanceOf, OpCheckCast, OpNew, OpNewArray, OpFilledArray:
		return p.TypeString(TypeID(aux))
	case OpConstHandle:
		if b.Sub[v] == TypeOf {
			params, ret := p.Prototype(aux)
			return p.paramString(params) + p.TypeString(ret)
		}
		return p.HandleString(p.Handles[aux])
	case OpGetField, OpPutField, OpGetStatic, OpPutStatic:
		return p.FieldString(FieldID(aux))
	case OpInvoke:
		return p.MethodString(MethodID(aux))
	case OpNewLambda:
		return p.LambdaString(&p.Lambdas[aux])
	case OpInvokeCustom:
		site := &p.CallSites[aux]
		return p.HandleString(site.Bootstrap) + " " + p.SelectorString(site.Sel)
	case OpCatch:
		if aux == 0 {
			return "any"
		}
	case OpFillData:
		width, data := b.FillData(v)
		return fmt.Sprintf("%d*%d", len(data)/max(width, 1), width)
	}
	return ""
}

func (pr *printer) number(v Value) string {
	n := pr.b.Int(v)
	switch pr.b.Type[v] {
	case TypeFloat:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(n))), 'g', -1, 32)
	case TypeDouble:
		return strconv.FormatFloat(math.Float64frombits(uint64(n)), 'g', -1, 64)
	}
	return strconv.FormatInt(n, 10)
}

// targets writes where a block goes on: b1, or b1 b2 for a branch, and then the
// handlers.
func (pr *printer) targets(k int32) {
	succs, block := pr.b.Succs(k), &pr.b.Blocks[k]
	last := block.End - 1
	if block.Normal > 0 {
		pr.out.WriteString(" ->")
	}
	for i, s := range succs[:block.Normal] {
		if pr.b.Op[last] == OpSwitch && int32(i) < block.Normal-1 {
			fmt.Fprintf(pr.out, " %d:", pr.b.Consts[int(pr.b.Aux[last])+i])
		}
		fmt.Fprintf(pr.out, " b%d", s)
	}
	if block.NSucc > block.Normal {
		pr.out.WriteString(" catch")
		for _, s := range succs[block.Normal:] {
			fmt.Fprintf(pr.out, " b%d", s)
		}
	}
}

// HandleString is such as static com.example.Main.f(int).
func (p *Program) HandleString(h Handle) string {
	if h.Method != 0 {
		return h.Kind.String() + " " + p.MethodString(h.Method)
	}
	return h.Kind.String() + " " + p.FieldString(h.Field)
}

// LambdaString is such as java.lang.Runnable.run() as static com.example.Main.lambda$f$0().
func (p *Program) LambdaString(l *Lambda) string {
	return p.Classes[l.Interface].Name + "." + p.SelectorString(l.Sel) + " as " +
		p.HandleString(Handle{Kind: l.ImplKind, Method: l.Impl})
}
