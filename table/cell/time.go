package cell

import (
	"bytes"
	"time"
)

// Instant is a date, or a date with a time.
type Instant struct {
	Seconds int64 // since the beginning of 1970, UTC where there is an offset
	Nanos   int   // from 0
	Date    bool  // there is no time
	Zoned   bool  // there is an offset from UTC
}

// Time returns the seconds since the beginning of 1970, UTC, of a date or a date
// with a time in the form of ISO 8601, and whether the text is one:
//
//	2024-02-29
//	2024-02-29T13:45            seconds may be left out
//	2024-02-29 13:45:30.25Z     a blank is as good as T, fractions are cut after nine digits
//	2024-02-29T13:45:30+02:00   or +0200, +02, a blank before it or none; without an offset it is UTC
//	2024-02-29 13:45:30 UTC     or GMT, Z
func Time(text []byte) (float64, bool) {
	m, ok := Moment(text)
	return float64(m.Seconds) + float64(m.Nanos)/1e9, ok
}

// Moment is [Time] to the nanosecond.
func Moment(text []byte) (m Instant, ok bool) {
	const date, minutes = len("2024-02-29"), len("2024-02-29T13:45")
	if len(text) < date || text[4] != '-' || text[7] != '-' {
		return Instant{}, false
	}
	year, month, day := digits(text[:4]), digits(text[5:7]), digits(text[8:date])
	if year < 0 || month < 1 || month > 12 || day < 1 {
		return Instant{}, false
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day { // the 30th of February becomes the 1st of March
		return Instant{}, false
	}
	m.Seconds = t.Unix()
	if len(text) == date {
		m.Date = true
		return m, true
	}
	if len(text) < minutes || text[date] != 'T' && text[date] != 't' && text[date] != ' ' || text[13] != ':' {
		return Instant{}, false
	}
	hour, minute, second := digits(text[11:13]), digits(text[14:16]), 0
	rest := text[minutes:]
	if len(rest) >= 3 && rest[0] == ':' {
		second, rest = digits(rest[1:3]), rest[3:]
		if len(rest) > 1 && rest[0] == '.' {
			m.Nanos, rest = fraction(rest[1:])
		}
	}
	offset, ok := zone(rest)
	if !ok || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || m.Nanos < 0 {
		return Instant{}, false
	}
	m.Seconds += int64(hour*3600 + minute*60 + second - offset)
	m.Zoned = len(rest) > 0
	return m, true
}

// digits returns the number that digits stand for, -1 if there is anything else.
func digits(text []byte) int {
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// fraction returns the nanoseconds that the digits behind a point stand for, -1 if
// there are none, and what follows them.
func fraction(text []byte) (nanos int, rest []byte) {
	i := 0
	for unit := 100_000_000; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		nanos += unit * int(text[i]-'0')
		unit /= 10
	}
	if i == 0 {
		nanos = -1
	}
	return nanos, text[i:]
}

// zonesOfUTC are the names that UTC has, in letters of any case.
var zonesOfUTC = [][]byte{[]byte("Z"), []byte("UTC"), []byte("GMT")}

// zone returns the seconds that a zone is ahead of UTC.
func zone(text []byte) (seconds int, ok bool) {
	if len(text) == 0 {
		return 0, true
	}
	if len(text) > 1 && text[0] == ' ' { // as databases and pandas write it
		text = text[1:]
	}
	for _, name := range zonesOfUTC {
		if bytes.EqualFold(text, name) {
			return 0, true
		}
	}
	sign := 1
	switch text[0] {
	case '-':
		sign = -1
	case '+':
	default:
		return 0, false
	}
	text = text[1:]
	if len(text) == 5 && text[2] == ':' {
		text = []byte{text[0], text[1], text[3], text[4]}
	}
	if len(text) == 2 {
		text = []byte{text[0], text[1], '0', '0'}
	}
	if len(text) != 4 {
		return 0, false
	}
	hours, minutes := digits(text[:2]), digits(text[2:])
	if hours < 0 || hours > 23 || minutes < 0 || minutes > 59 {
		return 0, false
	}
	return sign * (hours*3600 + minutes*60), true
}
