package cell

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// powers are those of ten that a float64 holds exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Number returns the finite decimal number that a text stands for, rounded to
// nearest, and whether it is one. Almost all are ±m·10^e or ±m/10^e with m ≤ 2^53
// and e ≤ 22, both exact as float64, so that one rounding is all there is (Clinger,
// How to read floating point numbers accurately, 1990); strconv takes the others.
func Number(text []byte) (float64, bool) {
	const exact = 1 << 53
	i, negative := 0, false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative = text[0] == '-'
		i = 1
	}
	var m uint64
	begin := i
	for i < len(text) && text[i]-'0' < 10 {
		m = m*10 + uint64(text[i]-'0')
		i++
	}
	digits, scale := i-begin, 0
	if i < len(text) && text[i] == '.' {
		i++
		point := i
		for i < len(text) && text[i]-'0' < 10 {
			m = m*10 + uint64(text[i]-'0')
			i++
		}
		scale = i - point
		digits += scale
	}
	if i < len(text) || digits == 0 || digits > 19 || m > exact || scale >= len(powers) {
		return numberSlow(text)
	}
	v := float64(m)
	if scale > 0 {
		v /= powers[scale]
	}
	if negative {
		v = -v
	}
	return v, true
}

// numberSlow takes exponents and long mantissas.
func numberSlow(text []byte) (float64, bool) {
	if !isNumeral(text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil
}

// isNumeral leaves out, of what ParseFloat takes, hexadecimal, underscores and the
// words for infinities and NaN.
func isNumeral(text []byte) bool {
	for _, c := range text {
		if c-'0' >= 10 && c != '.' && c != '-' && c != '+' && c|0x20 != 'e' {
			return false
		}
	}
	return len(text) > 0
}

// MeantAsNumber tells whether a text that is no number was meant as one: beyond
// float64, infinite, or with commas.
func MeantAsNumber(text []byte) bool {
	if isNumeral(text) {
		_, err := strconv.ParseFloat(string(text), 64)
		return errors.Is(err, strconv.ErrRange)
	}
	if isInfinity(text) {
		return true
	}
	v := bytes.ReplaceAll(text, []byte{','}, nil)
	if len(v) == len(text) {
		return false
	}
	_, ok := Number(v)
	return ok
}

func isInfinity(text []byte) bool {
	t := bytes.TrimLeft(text, "+-")
	return bytes.EqualFold(t, []byte("inf")) || bytes.EqualFold(t, []byte("infinity"))
}

// noNumber says why a text is no number, and what to do.
func noNumber(text string) (problem, remedy string) {
	t := []byte(text)
	switch {
	case isInfinity(t):
		return "is not finite", "mend the value"
	case isNumeral(t) && MeantAsNumber(t):
		return "is too large for a 64-bit number", "rescale the column"
	case grouped.MatchString(text):
		plain := strings.ReplaceAll(text, ",", "")
		if strings.Count(text, ",") > 1 || strings.Contains(text, ".") {
			return "is not a number", "write " + plain + ", without separators of thousands"
		}
		return "is not a number", "write " + plain + ", or " + strings.Replace(text, ",", ".", 1) + " if the comma is a decimal one"
	case strings.Contains(text, ","):
		return "is not a number", "write a decimal point, no comma"
	}
	return "is not a number", "mend the value"
}

// grouped are digits by threes, as 1,234 and 1,234,567.8.
var grouped = regexp.MustCompile(`^[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?$`)
