package table

import (
	"math"
	"slices"
	"strings"
	"time"
)

// DateParts are the names of numbers that are a date and a time together, whatever the case
// of their letters: the first three are a date, and each of the others needs all before it.
var DateParts = []string{"year", "month", "day", "hour", "minute", "second"}

// FindDate returns the fields that are a date by their names, in the order of [DateParts]:
// columns of numbers called year, month and day, and hour, minute and second where there are
// such; nil where one of the first three is not there, or one of them all is there twice.
func FindDate(fields []Field) (parts []string) {
	for k, part := range DateParts {
		var found []string
		for _, f := range fields {
			if f.kind() == Numeric && strings.EqualFold(f.Name, part) {
				found = append(found, f.Name)
			}
		}
		switch {
		case len(found) > 1 || len(found) == 0 && k < 3:
			return nil
		case len(found) == 0:
			return parts
		}
		parts = append(parts, found[0])
	}
	return parts
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

// Dates writes [Date] of every row to dst, [n], given the parts, [parts][n].
func Dates(dst []float64, parts [][]float64) {
	row := make([]float64, len(parts))
	for i := range dst {
		for k, values := range parts {
			row[k] = values[i]
		}
		dst[i] = Date(row...)
	}
}

// columnOf returns the column that a field is read from: of a date in parts, where the table
// has them, the date-time that they make, and else the column of that name.
func (t *Table) columnOf(f Field) (Column, error) {
	if has := func(name string) bool { _, ok := t.index[name]; return ok }; f.Parts == nil || has(f.Name) && !slices.ContainsFunc(f.Parts, has) {
		j, ok := t.index[f.Name]
		if !ok {
			return Column{}, Unknown(f.Name, t.Names())
		}
		return t.columns[j], nil
	}
	parts := make([][]float64, len(f.Parts))
	for k, name := range f.Parts {
		j, ok := t.index[name]
		if !ok {
			return Column{}, Unknown(name, t.Names())
		}
		var err error
		if parts[k], err = t.columns[j].As(Field{Name: name, Kind: Numeric}); err != nil {
			return Column{}, err
		}
	}
	values := make([]float64, t.rows)
	Dates(values, parts)
	return NewColumn(Field{Name: f.Name, Kind: DateTime, Parts: f.Parts}, values), nil
}

// HasPart tells whether a column is one of the parts of a date-time.
func (f Field) HasPart(name string) bool { return slices.Contains(f.Parts, name) }

// WithDate returns the table with a date-time behind its columns, which its parts make. It
// fails where they are not there, or are no numbers.
func (t *Table) WithDate(f Field) (*Table, error) {
	c, err := t.columnOf(f)
	if err != nil {
		return nil, err
	}
	return assemble(append(slices.Clone(t.columns), c)), nil
}

// ValuesAs returns the values of a field of a model as it has them: of a date in parts those of
// the dates, and of a category the numbers of its own levels. It fails with an
// [*UnknownError] where the table has no such column, and with a [*KindError] where it is
// another kind.
func (t *Table) ValuesAs(f Field) ([]float64, error) {
	c, err := t.columnOf(f)
	if err != nil {
		return nil, err
	}
	return c.As(f)
}
