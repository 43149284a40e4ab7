package finding

// RuleID is the frozen name of a rule.
type RuleID string

const (
	UseAfterFree         RuleID = "use-after-free"
	UseBeforeInit        RuleID = "use-before-init"
	UnorderedWrite       RuleID = "unordered-write"
	StaleRead            RuleID = "stale-read"
	UnsynchronizedAccess RuleID = "unsynchronized-access"
)

// Classify decides the rule of a pair by the first that fits (DESIGN section
// 5); priority facts have no say in it. unwritten says that one side uses the
// default null and the other is the first write; oneLooper, that both sides are
// known to run on one looper.
func Classify(a, b Kind, unwritten, oneLooper bool) RuleID {
	switch {
	case a == Free && b == Use || a == Use && b == Free:
		return UseAfterFree
	case unwritten:
		return UseBeforeInit
	case oneLooper && a.Changes() && b.Changes():
		return UnorderedWrite
	case oneLooper:
		return StaleRead
	default:
		return UnsynchronizedAccess
	}
}
