package config

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"beziergp/cmd/beziergp/internal/option"
)

// kind is what a flag's value is in TOML.
type kind string

const (
	truth   kind = "true or false"
	integer kind = "a whole number"
	number  kind = "a number"
	texts   kind = "a list of texts in quotes"
	several kind = "a list of texts" // each of which the flag is given by itself
	named   kind = "a table of columns"
	text    kind = "a text"
)

func kindOf(f *pflag.Flag) kind {
	switch f.Value.Type() {
	case "bool":
		return truth
	case "int", "uint":
		return integer
	case "float", "SHARE":
		return number
	case "stringSlice", "WORDS":
		return texts
	case "stringArray":
		return several
	}
	if _, ok := f.Value.(option.Repeated); !ok {
		return text
	} else if strings.HasPrefix(f.Value.Type(), "NAME=") {
		return named
	}
	return several
}

// values returns the texts that give the flag a value of a file; ok is false where the
// value is of another kind.
func (k kind) values(v any) (all []string, ok bool) {
	switch v := v.(type) {
	case bool:
		return []string{strconv.FormatBool(v)}, k == truth
	case int64:
		return []string{strconv.FormatInt(v, 10)}, k == integer || k == number
	case float64:
		return []string{strconv.FormatFloat(v, 'g', -1, 64)}, k == number
	case string:
		// A seed may be larger than the numbers of TOML.
		_, err := strconv.ParseUint(v, 10, 64)
		return []string{v}, k == text || k == integer && err == nil
	case []any:
		var fields []string
		for _, one := range v {
			field, ok := one.(string)
			if !ok { // 3 is no name of a column, and 1.0 is no word
				return nil, false
			}
			fields = append(fields, field)
		}
		if k == several {
			return fields, true
		}
		return []string{asCSV(fields)}, k == texts
	case map[string]any:
		for name, one := range v {
			field, ok := scalar(one)
			if !ok {
				return nil, false
			}
			all = append(all, name+"="+field)
		}
		slices.Sort(all)
		return all, k == named
	}
	return nil, false
}

// scalar returns the text of a text or a number.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int64, float64:
		return fmt.Sprint(v), true
	}
	return "", false
}

// asCSV returns fields as a flag that is a list takes them.
func asCSV(fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(fields) // to memory
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// value returns what a flag that was given is in TOML.
func (k kind) value(f *pflag.Flag) any {
	if s, ok := f.Value.(pflag.SliceValue); ok {
		return s.GetSlice()
	}
	r, ok := f.Value.(option.Repeated)
	if !ok {
		return k.parsed(f.Value.String())
	}
	if k == several {
		return r.Texts()
	}
	all := map[string]string{}
	for _, one := range r.Texts() {
		at := strings.LastIndex(one, "=")
		all[one[:at]] = one[at+1:]
	}
	return all
}

// parsed returns what a text of one value or of several is in TOML.
func (k kind) parsed(said string) any {
	switch k {
	case truth:
		return said == "true"
	case integer:
		if n, err := strconv.ParseInt(said, 10, 64); err == nil {
			return n
		}
	case number:
		if v, err := strconv.ParseFloat(said, 64); err == nil {
			return v
		}
	case texts:
		return fields(said)
	}
	return said
}

// fields returns the texts of a list.
func fields(said string) []string {
	all, err := csv.NewReader(strings.NewReader(said)).Read()
	if err != nil { // it is empty
		return []string{}
	}
	return all
}
