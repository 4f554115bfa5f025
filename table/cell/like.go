package cell

import (
	"strings"
	"time"
	"unicode"
)

// LikeNumber tells whether a text that is no number is one with a sign of a currency or per
// cent, a short unit, or separators of thousands, as $1,200, 12 % or 5 kg.
func LikeNumber(text string) bool {
	if _, ok := Number([]byte(text)); ok {
		return false
	}
	const longestUnit = 4
	plain, letters := make([]byte, 0, len(text)), 0
	for _, r := range text {
		switch {
		case r < 0x80 && (r >= '0' && r <= '9' || r == '.' || r == '-'):
			plain = append(plain, byte(r))
		case unicode.IsLetter(r):
			if len(plain) == 0 { // a unit comes behind
				return false
			}
			letters++
		case unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) || strings.ContainsRune("%,'_", r):
		default:
			return false
		}
	}
	_, ok := Number(plain)
	return ok && letters <= longestUnit
}

// LikeTime tells whether a text is a date as people write it, 3/4/2024 or 3.4.2024, and not
// as ISO 8601 does.
func LikeTime(text string) bool {
	date, _, _ := strings.Cut(text, " ")
	for _, layout := range []string{"1/2/2006", "2/1/2006", "2.1.2006", "2006/1/2", "2006.1.2", "1-2-2006", "2-1-2006", "2-Jan-2006", "1/2/06", "2/1/06"} {
		if _, err := time.Parse(layout, date); err == nil {
			return true
		}
	}
	return false
}
