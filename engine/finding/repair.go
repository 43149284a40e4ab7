package finding

import (
	"encoding/json"
	"reflect"
	"unicode/utf8"
)

// repair makes the texts of a race valid UTF-8 in the way that its JSON does,
// which replaces each other byte. Names of an app may hold surrogates without
// their partner; left alone, a run that was saved and read back would have
// other names, and so other ids.
func (r *Race) repair() {
	if validText(reflect.ValueOf(r)) {
		return
	}
	var c Race
	if b, err := json.Marshal(r); err == nil && json.Unmarshal(b, &c) == nil {
		*r = c
	}
}

func validText(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return utf8.ValidString(v.String())
	case reflect.Pointer:
		return v.IsNil() || validText(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if !validText(v.Field(i)) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !validText(v.Index(i)) {
				return false
			}
		}
	}
	return true
}
