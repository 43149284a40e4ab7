package dex_test

import (
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// TestOpcodeFacts states the facts of the table once more, by family of
// mnemonics instead of row by row.
func TestOpcodeFacts(t *testing.T) {
	for op := dex.Opcode(0); op <= 0xff; op++ {
		if !op.Valid() {
			if op.CanThrow() || op.SetsRegister() || op.Width() != 0 || !strings.HasPrefix(op.String(), "unused-") {
				t.Errorf("%s has facts", op)
			}
			continue
		}
		name := op.String()
		if got, want := op.CanThrow(), mayThrow(name); got != want {
			t.Errorf("%s: may throw %t, want %t", name, got, want)
		}
		if got, want := op.Result(), result(name); got != want {
			t.Errorf("%s: result %d, want %d", name, got, want)
		}
		if got, want := op.Flow(), flow(name); got != want {
			t.Errorf("%s: flow %d, want %d", name, got, want)
		}
		if got, want := op.IsInvoke(), strings.HasPrefix(name, "invoke-"); got != want {
			t.Errorf("%s: invoke %t", name, got)
		}
		if got, want := op.IsBranch(), strings.HasPrefix(name, "if-") || strings.HasPrefix(name, "goto"); got != want {
			t.Errorf("%s: branch %t", name, got)
		}
	}
	if op := dex.Opcode(0x7fff); op.Valid() || op.String() != "unused-7fff" {
		t.Errorf("%s is valid", op)
	}
}

func hasAnyPrefix(name string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func mayThrow(name string) bool {
	if hasAnyPrefix(name, "div-", "rem-") {
		return !strings.Contains(name, "float") && !strings.Contains(name, "double")
	}
	return hasAnyPrefix(name, "const-string", "const-class", "const-method", "monitor-", "check-cast", "instance-of",
		"array-length", "new-", "filled-new-array", "fill-array-data", "throw", "aget", "aput", "iget", "iput", "sget",
		"sput", "invoke-")
}

func result(name string) dex.Result {
	base, _, _ := strings.Cut(name, "/")
	switch {
	case hasAnyPrefix(name, "nop", "return", "monitor-", "fill-array-data", "throw", "goto", "packed-", "sparse-", "if-", "aput", "iput", "sput"):
		return dex.ResultNone
	case hasAnyPrefix(name, "invoke-", "filled-new-array"):
		return dex.ResultPending
	case hasAnyPrefix(name, "const-string", "const-class", "const-method", "check-cast", "new-", "move-exception"):
		return dex.ResultObject
	case hasAnyPrefix(name, "cmp", "instance-of", "array-length"):
		return dex.ResultNarrow
	case strings.HasSuffix(base, "-object"):
		return dex.ResultObject
	case strings.HasSuffix(base, "-wide"), strings.HasSuffix(base, "-long"), strings.HasSuffix(base, "-double"):
		return dex.ResultWide
	}
	return dex.ResultNarrow
}

func flow(name string) dex.Flow {
	switch {
	case hasAnyPrefix(name, "goto"):
		return dex.FlowGoto
	case hasAnyPrefix(name, "if-"):
		return dex.FlowIf
	case hasAnyPrefix(name, "packed-switch", "sparse-switch"):
		return dex.FlowSwitch
	case hasAnyPrefix(name, "return"):
		return dex.FlowReturn
	case name == "throw":
		return dex.FlowThrow
	}
	return dex.FlowNext
}
