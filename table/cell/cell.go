// Package cell is what the text of a cell of a table stands for: nothing, a number, a date
// and time, a truth value, a level of a category.
package cell

import (
	"strconv"
	"strings"

	"beziergp/table"
)

// Truth takes true, yes, t and y for 1, and false, no, f and n for 0, in letters of
// any case.
func Truth(text []byte) (float64, bool) {
	if len(text) == 0 || len(text) > len("false") {
		return 0, false
	}
	switch strings.ToLower(string(text)) {
	case "true", "yes", "t", "y":
		return 1, true
	case "false", "no", "f", "n":
		return 0, true
	}
	return 0, false
}

// Level returns the name of the level that a cell of a category stands for. Formats
// write one number in several ways, and truth values too: 1, 1.0 and 1e0 are one
// level, as are true and True. But 007 is no way to write 7, and more digits than a
// float64 tells apart are those of an identifier.
func Level(text string) string {
	switch {
	case strings.EqualFold(text, "true"):
		return "true"
	case strings.EqualFold(text, "false"):
		return "false"
	}
	plain := strings.TrimPrefix(text, "-")
	if len(plain) > 1 && plain[0] == '0' && plain[1] >= '0' && plain[1] <= '9' || strings.HasPrefix(plain, "+") {
		return text
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(plain), "e")
	const told = 15
	if significant := strings.Trim(strings.Replace(mantissa, ".", "", 1), "0"); len(significant) > told {
		if v, ok := Number([]byte(text)); !ok || Canonical(v) != text {
			return text
		}
	}
	if v, ok := Number([]byte(text)); ok {
		return Canonical(v)
	}
	return text
}

// Canonical is the text of a number from a source that has numbers.
func Canonical(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Levels finds the numbers of the levels of a category that is known. It is immutable.
type Levels struct {
	field table.Field
	codes map[string]int
}

// NewLevels returns those of a category.
func NewLevels(f table.Field) *Levels {
	l := &Levels{f, make(map[string]int, len(f.Levels))}
	for code, name := range f.Levels {
		l.codes[name] = code
	}
	return l
}

// Of returns the number of a level, as it is written or as all numbers of its value are.
func (l *Levels) Of(text string) int {
	code, known := l.codes[text]
	if known {
		return code
	}
	plain := Level(text)
	if code, known = l.codes[plain]; known {
		return code
	}
	if code = l.field.Further(text); code == l.field.Other() && plain != text {
		code = l.field.Further(plain)
	}
	return code
}
