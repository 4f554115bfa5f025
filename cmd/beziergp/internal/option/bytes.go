package option

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/pflag"
)

// units are multiples of a byte by their names in lower case.
var units = map[string]float64{
	"": 1, "b": 1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// Bytes is a size like 512MiB, 2GB or 1g.
func Bytes(dst *int64) pflag.Value { return New(dst, "SIZE", parseBytes) }

func parseBytes(text string) (int64, error) {
	at := strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || r == ' ' })
	if at < 0 {
		at = len(text)
	}
	number, err := strconv.ParseFloat(text[:at], 64)
	unit, known := units[strings.ToLower(strings.TrimSpace(text[at:]))]
	bytes := number * unit
	if err != nil || !known || !(bytes >= 1) || bytes > math.MaxInt64/2 {
		return 0, errors.New("write a size like 512MiB or 2GB")
	}
	return int64(bytes), nil
}
