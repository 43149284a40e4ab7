package flow

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// OnlyTold reports whether a number that f has is only logged, or the bound of another one, as such
// or as a part of what is computed and put together from it. What is done at one number, as if
// there is nothing, may be done twice or never: that is no bound.
func (x *Facts) OnlyTold(f pointsto.FuncID, v ir.Value) bool {
	r := x.Values.r
	b := r.Body(f)
	if b == nil || v <= 0 {
		return false
	}
	seen := map[ir.Value]bool{v: true}
	work := []ir.Value{v}
	follow := func(v ir.Value) {
		if !seen[v] {
			seen[v] = true
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range x.Codes.Of(b).Uses(v) {
			switch b.Op[u] {
			case ir.OpIf:
				if !bounds(b, u) {
					return false
				}
			case ir.OpBinary, ir.OpUnary, ir.OpPhi, ir.OpCheckCast:
				follow(u)
			case ir.OpInvoke:
				switch {
				case r.Models.Logs(r.Prog.Classes[r.Prog.Methods[b.Aux[u]].Class].Name):
				case !x.stateless(b, u):
					return false
				default: // a part of what is put together, and of what that gives
					follow(u)
					if b.Sub[u] == ir.Static {
						break
					}
					for at := Origin(b, b.Arg(u, 0)); !seen[at]; at = Origin(b, b.Arg(at, 0)) {
						follow(at)
						if b.Op[at] == ir.OpNew {
							break
						}
						if b.Op[at] != ir.OpInvoke || b.Sub[at] == ir.Static || !x.stateless(b, at) {
							return false // which others may have
						}
					}
				}
			default:
				return false
			}
		}
	}
	return true
}

// bounds reports whether a test asks which of two numbers is less, neither of which is constant.
func bounds(b *ir.Body, test ir.Value) bool {
	if b.Sub[test] == ir.EQ || b.Sub[test] == ir.NE || b.NArgs(test) != 2 {
		return false
	}
	for _, v := range b.ArgsOf(test) {
		if _, constant := pointsto.Constant(b, v); constant {
			return false
		}
	}
	return true
}

// stateless reports whether a call is of a class of values, such as strings.
func (x *Facts) stateless(b *ir.Body, call ir.Value) bool {
	r := x.Values.r
	return r.Models.Stateless(r.Prog.Classes[r.Prog.Methods[b.Aux[call]].Class].Name)
}
