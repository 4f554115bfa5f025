package tablefile

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
)

// class is what a cell looks like by itself.
type class int

const (
	missingClass class = iota
	numberClass
	brokenClass // meant as a number, but none
	truthClass
	timeClass
	textClass
	classes
)

func classify(text []byte) class {
	if _, ok := number(text); ok {
		return numberClass
	}
	if isMissing(text) {
		return missingClass
	}
	if _, ok := truth(text); ok {
		return truthClass
	}
	if _, ok := instant(text); ok {
		return timeClass
	}
	if meantAsNumber(text) {
		return brokenClass
	}
	return textClass
}

// isMissing tells whether a cell says that there is no value: it is empty, ?, or
// one of NA, N/A, #N/A, NaN, -NaN, NULL and None in letters of any case.
func isMissing(text []byte) bool {
	switch len(text) {
	case 0:
		return true
	case 1:
		return text[0] == '?'
	case 2, 3, 4:
		switch strings.ToLower(string(text)) {
		case "na", "n/a", "#n/a", "nan", "-nan", "null", "none":
			return true
		}
	}
	return false
}

// truth takes true, yes, t and y for 1, and false, no, f and n for 0, in letters of
// any case.
func truth(text []byte) (float64, bool) {
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

// level returns the name of the level that a cell of a category stands for. Formats
// write one number in several ways, and truth values too: 1, 1.0 and 1e0 are one
// level, as are true and True. But 007 is no way to write 7, and more digits than a
// float64 tells apart are those of an identifier.
func level(text string) string {
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
		if v, ok := number([]byte(text)); !ok || canonical(v) != text {
			return text
		}
	}
	if v, ok := number([]byte(text)); ok {
		return canonical(v)
	}
	return text
}

// canonical is the text of a number from a source that has numbers.
func canonical(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// trim takes blanks off a value; few have any.
func trim(text []byte) []byte {
	if n := len(text); n == 0 || text[0]-'!' < 0x7f-'!' && text[n-1]-'!' < 0x7f-'!' {
		return text
	}
	return bytes.TrimFunc(text, unicode.IsSpace)
}
