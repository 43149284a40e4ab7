package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

func laidOut(t *testing.T, compact []byte) string {
	t.Helper()
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	l := layout{w: w, src: compact}
	l.value(0)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if rest := bytes.TrimSpace(compact[l.pos:]); len(rest) != 0 {
		t.Errorf("%q is left of %q", rest, compact)
	}
	return b.String()
}

func TestLayoutDropsNulls(t *testing.T) {
	cases := map[string]string{
		`null`:                      "null",
		`{"a":null}`:                "{}",
		`{"a":null,"b":1}`:          "{\n  \"b\": 1\n}",
		`{"b":1,"a":null}`:          "{\n  \"b\": 1\n}",
		`{"n":{"a":null},"m":[]}`:   "{\n  \"n\": {},\n  \"m\": []\n}",
		`["null","a\"b\\",{"c":0}]`: "[\n  \"null\",\n  \"a\\\"b\\\\\",\n  {\n    \"c\": 0\n  }\n]",
	}
	for in, want := range cases {
		if got := laidOut(t, []byte(in)); got != want {
			t.Errorf("%s becomes\n%s\nwant\n%s", in, got, want)
		}
	}
}

// A table has a line for each row; what is deeper than a row is spread out.
func TestLayoutWritesRows(t *testing.T) {
	var b bytes.Buffer
	v := map[string]any{"a": []any{map[string]any{"b": []int{1, 2}, "c": "[{\"}"}, []any{[]any{[]any{3}}}}, "d": []string{"x", "y"}, "e": map[string]any{"f": 1}, "g": []int{}}
	if err := encode(&b, v, style{row: 2, lists: true}); err != nil {
		t.Fatal(err)
	}
	want := `{
  "a": [
    {"b": [1,2],"c": "[{\"}"},
    [
      [[3]]
    ]
  ],
  "d": ["x","y"],
  "e": {
    "f": 1
  },
  "g": []
}
`
	if b.String() != want {
		t.Errorf("laid out as\n%s\nwant\n%s", b.String(), want)
	}
}

// Without nulls, layout is json.Indent.
func FuzzLayout(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,{"b":"\u2028<"}],"c":-1.5e9}`, `[[],{},"",true]`, `"x"`, `{"":{"":[null]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		if json.Unmarshal(data, &v) != nil {
			return
		}
		compact, err := json.Marshal(withoutNulls(v))
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.MarshalIndent(withoutNulls(v), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if got := laidOut(t, compact); got != string(want) {
			t.Errorf("%s is laid out as\n%s\nwant\n%s", compact, got, want)
		}
		checkNulls(t, data)
		checkRows(t, v, compact)
		withNulls, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got := laidOut(t, withNulls); got != string(want) {
			t.Errorf("%s is laid out as\n%s\nwant\n%s", withNulls, got, want)
		}
	})
}

// With nulls kept, encode is the indentation of encoding/json.
func checkNulls(t *testing.T, data []byte) {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	var want, got bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	if err := encode(&got, v, style{nulls: true}); err != nil || got.String() != string(escaped(want.Bytes())) {
		t.Errorf("%s is written as\n%s\nwant\n%s (%v)", data, got.String(), want.String(), err)
	}
}

// Rows have the content of what is spread out.
func checkRows(t *testing.T, v any, compact []byte) {
	t.Helper()
	for row := 1; row < 4; row++ {
		var got, back bytes.Buffer
		if err := encode(&got, v, style{row: row}); err != nil {
			t.Fatal(err)
		}
		if err := json.Compact(&back, got.Bytes()); err != nil {
			t.Fatal(err)
		}
		var a, b any
		if json.Unmarshal(back.Bytes(), &a) != nil || json.Unmarshal(compact, &b) != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("with rows of %d, %s is laid out as\n%s", row, compact, got.String())
		}
	}
}

// withoutNulls is the plain way to do what layout does.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if value == nil {
				delete(v, key)
			} else {
				v[key] = withoutNulls(value)
			}
		}
	case []any:
		for i, value := range v {
			v[i] = withoutNulls(value)
		}
	}
	return v
}
