package box

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"beziergp/table"
)

// Part is what an input takes of a date-time: the time itself, for trends, and where
// it lies in the cycles that people live by.
type Part string

const (
	Time    Part = "time"    // days since the beginning of 1970, with their fraction
	Yearday Part = "yearday" // day of the year, 1 to 366
	Weekday Part = "weekday" // day of the week, 1 for Monday to 7 for Sunday
	Hour    Part = "hour"    // hour of the day, with its fraction, 0 to 24
)

// Parts lists them all.
var Parts = []Part{Time, Yearday, Weekday, Hour}

var nan = float32(math.NaN())

const secondsOfDay = 24 * 60 * 60

// of returns the part of a number of seconds since the beginning of 1970, UTC.
func (p Part) of(seconds float64) float64 {
	day := math.Floor(seconds / secondsOfDay)
	switch p {
	case Time:
		return seconds / secondsOfDay
	case Hour:
		return (seconds - day*secondsOfDay) / 3600
	}
	date := time.Unix(0, 0).UTC().AddDate(0, 0, int(max(min(day, maxDays), -maxDays)))
	if p == Yearday {
		return float64(date.YearDay())
	}
	return float64((int(date.Weekday())+6)%7 + 1)
}

// maxDays keeps dates within what the calendar can count: 25 million years.
const maxDays = 1 << 33

// FitDateTime returns the inputs of a date-time column: those of its parts that vary
// over the training rows, or the time alone.
func FitDateTime(name string, seconds []float64) ([]Input, error) {
	var all []Input
	part := make([]float64, len(seconds))
	for _, p := range Parts {
		for i, v := range seconds {
			part[i] = (&Input{Part: p}).Of(v)
		}
		in, err := FitInput(name, part)
		if err != nil {
			return nil, err
		}
		if in.Constant() && p != Time {
			continue
		}
		in.Name, in.Column, in.Kind, in.Part = name+"."+string(p), name, table.DateTime, p
		all = append(all, in)
	}
	return all, nil
}

// cycles are the days after which the parts of a date-time come round.
var cycles = map[Part]float64{Yearday: 365, Weekday: 7, Hour: 1}

// FitCycles returns the inputs of a date-time column along which rows are split: those of
// its parts that come round within the training rows, so that a later row has values that
// are known. The time itself, and the day of a year that has not passed, are none of them:
// every later row would lie beyond what was learned.
func FitCycles(name string, seconds []float64) ([]Input, error) {
	all, err := FitDateTime(name, seconds)
	if err != nil {
		return nil, err
	}
	span := all[0].Hi - all[0].Lo // of the time
	return slices.DeleteFunc(all, func(in Input) bool { return in.Part == Time || span < cycles[in.Part] }), nil
}

// Distinguish renames inputs that are parts of date-times where the name of another input
// or of a target is theirs: a table may have a column "when" and another "when.hour".
func Distinguish(inputs []Input, targets ...string) {
	taken := map[string]bool{}
	for _, target := range targets {
		taken[target] = true
	}
	for _, in := range inputs {
		if in.Part == "" {
			taken[in.Name] = true
		}
	}
	for i := range inputs {
		in := &inputs[i]
		if in.Part == "" {
			continue
		}
		in.Name = table.FreeName(in.Name, func(name string) bool { return taken[name] })
		taken[in.Name] = true
	}
}

func (in Input) checkPart() error {
	if in.Parts != nil && (in.Kind != table.DateTime || len(in.Parts) < 3 || len(in.Parts) > len(table.DateParts) || table.CheckNames(in.Parts) != nil) {
		return fmt.Errorf("column %q: %q are no parts of a date", in.Name, in.Parts)
	}
	switch in.Part {
	case "":
		if in.Kind == table.DateTime {
			return errors.New("column " + in.Name + ": an input of a date-time takes a part of it")
		}
		return nil
	case Absent:
		if in.Kind == table.Category || in.Lo != 0 || in.Hi != 1 || in.Knots != nil {
			return fmt.Errorf("input %q: what tells whether a number is missing is 0 or 1", in.Name)
		}
		return nil
	case Time, Yearday, Weekday, Hour:
		if in.Kind != table.DateTime {
			return fmt.Errorf("column %q: only a date-time has a part %q", in.Name, in.Part)
		}
		return nil
	}
	return fmt.Errorf("column %q: part %q of a date-time is unknown", in.Name, in.Part)
}
