package tablefile

import (
	"errors"
	"strconv"
	"strings"
)

// parser turns the text of a value, blanks trimmed, into a number, or says what is
// wrong with it and what to do.
type parser func(text string) (value float64, problem, remedy string)

// parseNumber takes finite decimal numbers.
func parseNumber(text string) (value float64, problem, remedy string) {
	// Of what ParseFloat takes, this leaves out hexadecimal and the words for
	// infinities and NaN.
	if strings.Trim(text, "0123456789+-.eE") == "" && text != "" {
		v, err := strconv.ParseFloat(text, 64)
		if err == nil {
			return v, "", ""
		}
		if errors.Is(err, strconv.ErrRange) {
			return 0, "is too large for a 64-bit number", "rescale the column"
		}
	}
	const mend = "mend the value or exclude the column"
	const missing = "missing values are not supported yet: fill it in, remove the row or exclude the column"
	switch strings.TrimLeft(strings.ToLower(text), "+-") {
	case "":
		if text == "" {
			return 0, "there is no value", missing
		}
	case "nan", "na", "n/a", "#n/a", "null", "none", "?":
		return 0, "stands for a missing value", missing
	case "inf", "infinity":
		return 0, "is not finite", mend
	}
	if strings.Contains(text, ",") {
		return 0, "is not a number", "write a decimal point, no comma, or exclude the column"
	}
	return 0, "is not a number", mend
}

// parseMark takes 0 and 1.
func parseMark(text string) (value float64, problem, remedy string) {
	v, problem, _ := parseNumber(text)
	const mark = "mark test rows with 1 and all others with 0"
	switch {
	case text == "":
		return 0, problem, mark
	case problem != "" || v != 0 && v != 1:
		return 0, "is neither 0 nor 1", mark
	}
	return v, "", ""
}
