package dex_test

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// dump writes everything that a file says, for golden tests and for fuzzing:
// it calls every reader of the package.
func dump(f *dex.File) string {
	d := dumper{f: f}
	d.line("file %s version %d", f.Name, f.Version)
	for i := range f.Strings {
		s, err := f.String(uint32(i))
		d.line("string %d %q%s", i, s, failure(err))
	}
	for i, p := range f.Protos {
		d.line("proto %d %s %s", i, f.Strings[p.Shorty], d.proto(uint32(i)))
	}
	for i, h := range f.MethodHandles {
		if h.Kind.IsField() {
			d.line("handle %d kind %d %s", i, h.Kind, d.field(h.Index))
		} else {
			d.line("handle %d kind %d %s", i, h.Kind, d.method(h.Index))
		}
	}
	for i := range f.CallSites {
		s, err := f.CallSite(uint32(i))
		if err != nil {
			d.line("site %d%s", i, failure(err))
			continue
		}
		d.line("site %d handle %d %q %s %s", i, s.Handle, f.Strings[s.Name], d.proto(s.Proto), d.values(s.Args))
	}
	for _, b := range f.Broken {
		d.line("broken %s", b.Error())
	}
	for i := range f.Classes {
		d.class(&f.Classes[i])
	}
	return d.b.String()
}

func failure(err error) string {
	if err == nil {
		return ""
	}
	return " ! " + err.Error()
}

type dumper struct {
	f *dex.File
	b strings.Builder
}

func (d *dumper) line(format string, args ...any) { fmt.Fprintf(&d.b, format+"\n", args...) }

func (d *dumper) proto(i uint32) string  { return or(d.f.ProtoName(i)) }
func (d *dumper) field(i uint32) string  { return or(d.f.FieldName(i)) }
func (d *dumper) method(i uint32) string { return or(d.f.MethodName(i)) }
func (d *dumper) typ(i uint32) string    { return or(d.f.TypeName(i)) }

func or(s string, err error) string { return s + failure(err) }

func (d *dumper) class(c *dex.ClassDef) {
	d.line("class %s access 0x%x", d.typ(c.Type), c.Access)
	if c.Super != dex.NoIndex {
		d.line("  super %s", d.typ(c.Super))
	}
	for _, i := range c.Interfaces {
		d.line("  implements %s", d.typ(uint32(i)))
	}
	if c.SourceFile != dex.NoIndex {
		d.line("  source %s", or(d.f.String(c.SourceFile)))
	}
	all, err := d.f.Annotations(c)
	if err != nil {
		d.line("  annotations%s", failure(err))
	}
	class, err := d.f.ClassAnnotations(c)
	if err == nil && d.f.Nesting(class) != d.f.Nesting(all.Class) {
		d.line("  ClassAnnotations and Annotations disagree")
	}
	d.annotations("  ", all.Class)
	if n := d.f.Nesting(all.Class); n.Nested {
		d.line("  nested name %q access 0x%x class %d method %d", n.Name, n.Access, int32(n.EnclosingClass), int32(n.EnclosingMethod))
	}
	for i, e := range c.StaticFields {
		value := ""
		if i < len(c.StaticValues) {
			value = " = " + d.value(c.StaticValues[i])
		}
		d.line("  static field %s access 0x%x%s", d.field(e.Field), e.Access, value)
		d.annotations("    ", all.OfField(e.Field))
	}
	for _, e := range c.InstanceFields {
		d.line("  field %s access 0x%x", d.field(e.Field), e.Access)
		d.annotations("    ", all.OfField(e.Field))
	}
	for _, e := range c.Direct {
		d.codeOf("direct", e, &all)
	}
	for _, e := range c.Virtual {
		d.codeOf("virtual", e, &all)
	}
}

func (d *dumper) annotations(indent string, list []dex.Annotation) {
	for i := range list {
		d.line("%s@ visibility %d %s", indent, list[i].Visibility, d.annotation(&list[i]))
	}
	if s := d.f.Signature(list); s != "" {
		d.line("%ssignature %s", indent, s)
	}
	for _, t := range d.f.Throws(list) {
		d.line("%sthrows %s", indent, d.typ(t))
	}
}

func (d *dumper) annotation(a *dex.Annotation) string {
	s := d.typ(a.Type) + "("
	for i, e := range a.Elements {
		if i > 0 {
			s += ", "
		}
		s += d.f.Strings[e.Name] + "=" + d.value(e.Value)
	}
	return s + ")"
}

func (d *dumper) values(list []dex.Value) string {
	var out []string
	for _, v := range list {
		out = append(out, d.value(v))
	}
	return "[" + strings.Join(out, " ") + "]"
}

func (d *dumper) value(v dex.Value) string {
	switch v.Kind {
	case dex.ValueByte, dex.ValueShort, dex.ValueChar, dex.ValueInt, dex.ValueLong, dex.ValueBoolean:
		return fmt.Sprintf("%x:%d", uint8(v.Kind), v.Int())
	case dex.ValueFloat, dex.ValueDouble:
		return fmt.Sprintf("%x:%v", uint8(v.Kind), v.Float())
	case dex.ValueMethodType:
		return d.proto(v.Index())
	case dex.ValueMethodHandle:
		return fmt.Sprintf("handle %d", v.Index())
	case dex.ValueString:
		return fmt.Sprintf("%q", d.f.Strings[v.Index()])
	case dex.ValueType:
		return d.typ(v.Index())
	case dex.ValueField, dex.ValueEnum:
		return fmt.Sprintf("%x:%s", uint8(v.Kind), d.field(v.Index()))
	case dex.ValueMethod:
		return d.method(v.Index())
	case dex.ValueArray:
		return d.values(v.Elems())
	case dex.ValueAnnotation:
		return d.annotation(v.Annotation())
	}
	return "null"
}

func (d *dumper) codeOf(kind string, e dex.EncodedMethod, all *dex.Annotations) {
	d.line("  %s method %s access 0x%x", kind, d.method(e.Method), e.Access)
	d.annotations("    ", all.OfMethod(e.Method))
	for _, p := range all.Params {
		if p.Method != e.Method {
			continue
		}
		for i, list := range p.Params {
			d.annotations(fmt.Sprintf("    parameter %d ", i), list)
		}
	}
	if e.Code == 0 {
		return
	}
	c, err := d.f.Code(e.Code)
	if err != nil {
		d.line("    code%s", failure(err))
		return
	}
	d.line("    registers %d ins %d outs %d params %q%s", c.Registers, c.Ins, c.Outs, c.ParamNames, failure(c.DebugErr))
	cases := 0
	for pc := 0; pc < len(c.Insns); {
		in, err := dex.Decode(c.Insns, pc)
		if err != nil {
			d.line("    %v", err)
			break
		}
		// A hostile method may refer to one big table again and again.
		if in.Op.Format() == dex.Format31t && cases < len(c.Insns) {
			cases += d.table(c, pc, in)
		}
		d.line("    %04x line %d %s A=%d B=%d C=%d lit=%d index=%d,%d target=%d regs=%v", pc, c.LineAt(uint32(pc)),
			in.Op, in.A, in.B, in.C, in.Lit, int32(in.Index), in.Index2, in.Target, in.Regs[:min(in.NRegs, 5)])
		pc += in.Width
	}
	for _, t := range c.Tries {
		d.line("    try %04x to %04x", t.Start, t.Start+t.Count)
		for _, h := range t.Handlers {
			name := "anything"
			if h.Type >= 0 {
				name = d.typ(uint32(h.Type))
			}
			d.line("      catch %s at %04x", name, h.Addr)
		}
	}
}

func (d *dumper) table(c *dex.Code, pc int, in dex.Inst) int {
	if in.Op == dex.OpFillArrayData {
		width, data, err := dex.ArrayData(c.Insns, pc, in)
		d.line("    elements of %d bytes %v%s", width, data, failure(err))
		return len(data)
	}
	keys, targets, err := dex.SwitchTargets(c.Insns, pc, in)
	d.line("    cases %v to %v%s", keys, targets, failure(err))
	return len(keys)
}
