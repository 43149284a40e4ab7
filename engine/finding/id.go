package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// IDVersion names the recipe of ids; it is also the SARIF fingerprint key.
const IDVersion = "eventRace/v1"

// baseID hashes what makes a race the same race after unrelated edits: the
// rule, the declaring field, and each side's access kind and entry callback.
// Not the chain, thread, priority or line. The sides are symmetric.
func baseID(r *Race) string {
	sides := []string{sideKey(&r.Sides[0].Access), sideKey(&r.Sides[1].Access)}
	sort.Strings(sides)
	h := sha256.New()
	for _, part := range []string{IDVersion, string(r.Rule), r.Field.Class, r.Field.Name, sides[0], sides[1]} {
		// The length keeps parts apart whatever characters names contain.
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func sideKey(a *Access) string {
	var b strings.Builder
	parts := append([]string{string(a.Kind), a.Entry.Class, a.Entry.Name}, a.Entry.Params...)
	for _, p := range parts {
		fmt.Fprintf(&b, "%d:%s", len(p), p)
	}
	return b.String()
}

// SplitID parts an id into its hash and its number among equal hashes.
func SplitID(id string) (base string, n int) {
	base, num, ok := strings.Cut(id, "#")
	if !ok {
		return id, 1
	}
	n, err := strconv.Atoi(num)
	if err != nil || n < 2 {
		return id, 1
	}
	return base, n
}

var idForm = regexp.MustCompile(`^[0-9a-f]{16}(#([2-9]|[1-9][0-9]{1,8}))?$`)

// IsID says whether s has the form of an id.
func IsID(s string) bool { return idForm.MatchString(s) }

// JoinID is the id of the n-th race with equal hash.
func JoinID(base string, n int) string {
	if n == 1 {
		return base
	}
	return base + "#" + strconv.Itoa(n)
}

// Nested is the stable class name of a lambda or anonymous class for Callback:
// the member it stands in, the type it implements, and its number (from 1)
// among those of that member that implement the same type. The member is a
// method, or the field whose initial value it is part of, written like a method
// without parameters; for other initialising code it is <init> or <clinit>.
//
// Numbers of the compiler (Main$3, lambda$onCreate$0) change when something else
// is added before; these change only with their equals, whatever the order of
// members and lines. What the name cannot outlive: a new equal before it in its
// member, another name, type or place of the member, another type that it
// implements, and being moved from a field to a method or into another lambda.
func Nested(enclosing Method, implements string, n int) string {
	return enclosing.String() + "$" + implements + "#" + strconv.Itoa(n)
}

// Unnest takes apart what Nested made. For a named class in that, such as what
// Nested made and $Deep, implements is the type with $Deep.
func Unnest(class string) (enclosing, implements string, n int, ok bool) {
	end := strings.LastIndex(class, ")$")
	if end < 0 {
		return "", "", 0, false
	}
	implements, number, _ := strings.Cut(class[end+2:], "#")
	number, member, inner := strings.Cut(number, "$")
	if inner {
		implements += "$" + member
	}
	n, err := strconv.Atoi(number)
	return class[:end+1], implements, n, err == nil
}

// String is the method for people and for sorting: pkg.Class.method(int,java.lang.String).
func (m Method) String() string {
	return m.Class + "." + m.Name + "(" + strings.Join(m.Params, ",") + ")"
}

// QualifiedName is the method without its parameters: pkg.Class.method.
func (m Method) QualifiedName() string { return m.Class + "." + m.Name }

// String is the callback for people and for sorting.
func (c Callback) String() string {
	return c.Class + "." + c.Name + "(" + strings.Join(c.Params, ",") + ")"
}
