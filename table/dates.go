package table

import (
	"math"
	"strings"
	"time"
)

// DateParts are the names of numbers that are a date and a time together, whatever the case
// of their letters: the first three are a date, and each of the others needs all before it.
var DateParts = []string{"year", "month", "day", "hour", "minute", "second"}

// FindDate returns the date-time that columns among these make by their names: numbers called year, month and day,
// and hour, minute and second where there are such. There is none where one of the first three is not
// there, or one of them all is there twice. Its parts are in the order of [DateParts].
func (t *Table) FindDate(names []string) (date Field, ok bool) {
	date = Field{Name: FreeName("date", t.has), Kind: DateTime}
	for k, part := range DateParts {
		var found []string
		for _, name := range names {
			if strings.EqualFold(name, part) && t.columns[t.index[name]].Field().kind() == Numeric {
				found = append(found, name)
			}
		}
		switch {
		case len(found) > 1 || len(found) == 0 && k < 3:
			return Field{}, false
		case len(found) == 0:
			return date, true
		}
		date.Parts = append(date.Parts, found[0])
	}
	return date, true
}

// Date returns the seconds since the beginning of 1970, UTC, of a date whose parts are those of
// [DateParts] as far as they go. It is NaN, a missing value, where a part is missing, or where the
// calendar has no such date: parts are whole numbers, and a year has four digits, for 13 may
// be any of some.
func Date(parts ...float64) float64 {
	var whole [6]int
	for k, v := range parts {
		if v != math.Trunc(v) || !(math.Abs(v) < 1e4) { // or NaN
			return math.NaN()
		}
		whole[k] = int(v)
	}
	if whole[0] < 1000 || whole[3] < 0 || whole[3] > 23 || whole[4] < 0 || whole[4] > 59 || whole[5] < 0 || whole[5] > 59 {
		return math.NaN()
	}
	at := time.Date(whole[0], time.Month(whole[1]), whole[2], whole[3], whole[4], whole[5], 0, time.UTC)
	if int(at.Month()) != whole[1] || at.Day() != whole[2] { // it is moved on where there is no such day
		return math.NaN()
	}
	return float64(at.Unix())
}
