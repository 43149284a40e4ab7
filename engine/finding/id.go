package finding

import (
	"crypto/sha256"
	"encoding/hex"
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
	a, b := &r.Sides[0].Access, &r.Sides[1].Access
	return hashID(r.Rule, r.Field.Class, r.Field.Name, sideKey(a.Kind, a.Entry), sideKey(b.Kind, b.Entry))
}

func hashID(rule RuleID, class, field string, sides ...string) string {
	sort.Strings(sides)
	var b []byte
	for _, part := range []string{IDVersion, string(rule), class, field, sides[0], sides[1]} {
		b = appendPart(b, part)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func sideKey(k Kind, c Callback) string {
	b := appendPart(nil, string(k))
	b = appendPart(b, c.Class)
	b = appendPart(b, c.Name)
	for _, p := range c.Params {
		b = appendPart(b, p)
	}
	return string(b)
}

// appendPart writes a part behind its length, which keeps parts apart whatever characters names
// contain.
func appendPart(b []byte, part string) []byte {
	b = append(strconv.AppendInt(b, int64(len(part)), 10), ':')
	return append(b, part...)
}

// Is says whether the id of an accepted race is that of its names with these
// kinds of access, in the order of its callbacks: what the names alone do not
// tell.
func (a *Accepted) Is(kinds [2]Kind) bool {
	dot := strings.LastIndexByte(a.Field, '.')
	x, ok := parseCallback(a.Callbacks[0])
	y, ok2 := parseCallback(a.Callbacks[1])
	if dot < 0 || !ok || !ok2 {
		return false
	}
	base, _ := SplitID(a.ID)
	return base == hashID(a.Rule, a.Field[:dot], a.Field[dot+1:], sideKey(kinds[0], x), sideKey(kinds[1], y))
}

// parseCallback reads what Callback.String writes.
func parseCallback(s string) (Callback, bool) {
	open := strings.LastIndexByte(s, '(')
	if open < 0 || !strings.HasSuffix(s, ")") {
		return Callback{}, false
	}
	dot := strings.LastIndexByte(s[:open], '.')
	if dot < 0 {
		return Callback{}, false
	}
	c := Callback{Class: s[:dot], Name: s[dot+1 : open]}
	if params := s[open+1 : len(s)-1]; params != "" {
		c.Params = strings.Split(params, ",")
	}
	return c, true
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
