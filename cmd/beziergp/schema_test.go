package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"
)

// schema is what of a schema of Kubernetes testdata/cut.py keeps.
type schema struct {
	Type       any // a name, or several
	Enum       []any
	Pattern    string
	Required   []string
	Properties map[string]*schema
	Values     *schema // of a map
	Items      *schema
}

// check returns what of a value is not of a schema.
func (s *schema) check(at string, value any) (wrong []string) {
	if s.Type != nil && !slices.ContainsFunc(types(s.Type), func(t string) bool { return is(t, value) }) {
		return []string{fmt.Sprintf("%s: %v is no %v", at, value, s.Type)}
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) {
		wrong = append(wrong, fmt.Sprintf("%s: %v is none of %v", at, value, s.Enum))
	}
	if text, ok := value.(string); ok && s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(text) {
		wrong = append(wrong, fmt.Sprintf("%s: %q is not of the pattern", at, text))
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := value[name]; !ok {
				wrong = append(wrong, at+"."+name+" is missing")
			}
		}
		for name, v := range value {
			field := s.Values
			if s.Properties != nil {
				field = s.Properties[name]
			}
			if field == nil {
				wrong = append(wrong, at+"."+name+" is unknown")
				continue
			}
			wrong = append(wrong, field.check(at+"."+name, v)...)
		}
	case []any:
		for i, v := range value {
			wrong = append(wrong, s.Items.check(fmt.Sprintf("%s[%d]", at, i), v)...)
		}
	}
	return wrong
}

func types(t any) (all []string) {
	if one, ok := t.(string); ok {
		return []string{one}
	}
	for _, one := range t.([]any) {
		all = append(all, one.(string))
	}
	return all
}

func is(t string, value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return t == "object"
	case []any:
		return t == "array"
	case string:
		return t == "string"
	case bool:
		return t == "boolean"
	case float64:
		return t == "number" || t == "integer" && v == float64(int64(v))
	}
	return false
}

// plain returns a value of YAML as JSON has it.
func plain(value any) any {
	switch v := value.(type) {
	case map[any]any:
		out := map[string]any{}
		for name, x := range v {
			out[fmt.Sprint(name)] = plain(x)
		}
		return out
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
		return v
	case int:
		return float64(v)
	}
	return value
}

func schemas(t *testing.T) map[string]*schema {
	t.Helper()
	text, err := os.ReadFile("deploy/testdata/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]*schema{}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	return known
}
