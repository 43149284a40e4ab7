package finding

import (
	"fmt"
	"strconv"
)

// index names a row of a table of a saved run. In JSON rows count from 0; here
// the zero value names none, so that a member that is left out stays told from
// the first row.
type index int

// MarshalJSON writes the number of the row.
func (i index) MarshalJSON() ([]byte, error) {
	if i == 0 {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(i)-1, 10), nil
}

// UnmarshalJSON reads the number of a row; null names none.
func (i *index) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	n, err := strconv.ParseInt(string(b), 10, 32)
	if err != nil || n < 0 {
		return fmt.Errorf("%.20q is no number of a row", b)
	}
	*i = index(n) + 1
	return nil
}

// table gives equal rows one index, in the order in which they come first. The
// key of a row is the row itself where that can be compared.
type table[K comparable, R any] struct {
	rows []R
	at   map[K]index
}

func (t *table[K, R]) put(key K, row R) index {
	if i, ok := t.at[key]; ok {
		return i
	}
	if t.at == nil {
		t.at = map[K]index{}
	}
	t.rows = append(t.rows, row)
	t.at[key] = index(len(t.rows))
	return t.at[key]
}

// set is a table whose rows are their own keys.
type set[R comparable] struct{ table[R, R] }

func (s *set[R]) put(row R) index { return s.table.put(row, row) }

// lists is a table of lists of rows of another table. No list is no row; an empty
// list is one.
type lists struct{ table[string, []index] }

func (l *lists) put(list []index) index {
	if list == nil {
		return 0
	}
	var key []byte
	for _, i := range list {
		key = strconv.AppendInt(key, int64(i), 36)
		key = append(key, ' ')
	}
	return l.table.put(string(key), list)
}

// each is the list of what of gives for every item; nil for nil.
func each[T, R any](list []T, of func(*T) R) []R {
	if list == nil {
		return nil
	}
	out := make([]R, len(list))
	for i := range list {
		out[i] = of(&list[i])
	}
	return out
}

// broken is the first index of a saved run that names no row.
type broken struct{ err error }

// row gives the row that an index names, the zero value if there is none.
func row[R any](b *broken, name string, rows []R, i index) (r R) {
	switch {
	case i > 0 && int(i) <= len(rows):
		return rows[i-1]
	case b.err != nil:
	case i == 0:
		b.err = fmt.Errorf("an index into the table %q is missing", name)
	default:
		b.err = fmt.Errorf("the table %q has no row %d: it has %d", name, i-1, len(rows))
	}
	return r
}

// maybe is row where the index may be left out.
func maybe[R any](b *broken, name string, rows []R, i index) (r R) {
	if i == 0 {
		return r
	}
	return row(b, name, rows, i)
}
