// Package table holds named, typed columns of one length in memory.
//
// # Ownership
//
// A [Table] never changes once it is made, so any number of goroutines may read
// it. It keeps the slices that it is made of and hands out those it keeps: who
// gives values to [New], or gets them from [Table.Column], must not write to
// them afterwards. Tables made by [Table.Select] and [Table.Drop] share their
// columns with the table they come from; [Table.Filter], [Table.Split] and
// [FromRows] copy.
//
// # Errors
//
// Names and values come from the user's data, so what is wrong with them is an
// error. The length of a mask is the programmer's affair: a wrong one panics.
package table

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Kind tells what the numbers of a column stand for.
type Kind string

const (
	// Numeric is a measured number. The empty Kind is Numeric, too.
	Numeric Kind = "numeric"
	// Boolean is 0 for false and 1 for true.
	Boolean Kind = "boolean"
	// Category is the index of a level in Levels. The next number stands for the levels
	// that Pooled knows, where it knows any, or as many numbers for one each, and the number after that, [Field.Other],
	// for a level that is none of them.
	Category Kind = "category"
	// DateTime is a number of seconds since the beginning of 1970, UTC.
	DateTime Kind = "datetime"
)

// Field names a column and tells what its numbers stand for.
type Field struct {
	Name   string   `json:"name"`
	Kind   Kind     `json:"kind,omitempty"`
	Levels []string `json:"levels,omitempty"` // of a category, distinct and in order
	// Pooled are further levels of a category, which have one number together, or one each; nil for
	// none.
	Pooled *Fingerprints `json:"-"`
	// Parts are the columns that make this one: of a date-time numbers, in the order of
	// [DateParts], and of a category its one-hot columns, whose names are the levels. Nil for a column
	// that is read as it is.
	Parts []string `json:"parts,omitempty"`
}

// Other returns the number that stands for a level of a category that is not known.
func (f Field) Other() int {
	return len(f.Levels) + f.Pooled.Numbers()
}

// Further returns the number of a level that is none of Levels.
func (f Field) Further(level string) int {
	if number, known := f.Pooled.Number(level); known {
		return len(f.Levels) + number
	}
	return f.Other()
}

// Column is a named sequence of values, one a row: finite, or NaN where the value
// is missing.
type Column struct {
	Name   string
	Values []float64
	Kind   Kind          // Numeric if empty
	Levels []string      // of a category, distinct and in order
	Pooled *Fingerprints // of a category, as in [Field]
	Parts  []string      // as in [Field]
}

// Field returns the column without its values.
func (c Column) Field() Field { return Field{c.Name, c.Kind, c.Levels, c.Pooled, c.Parts} }

// NewColumn returns the column of a field with these values.
func NewColumn(f Field, values []float64) Column {
	return Column{f.Name, values, f.Kind, f.Levels, f.Pooled, f.Parts}
}

// Table is a set of columns, in order, with distinct names and equal lengths.
type Table struct {
	columns []Column
	index   map[string]int
	rows    int
}

// New returns the table of the given columns, which [ColumnOf], [OptionalOf] and
// [ColumnsOf] make of Go values. It fails with [ErrNoColumns] when there are none, with a
// [*NameError] when a name is empty or used twice, with a [*LengthError] when lengths
// differ, with a [*ValueError] when a value is infinite or none of the column's kind, and
// with a [*LevelError] when a level is not UTF-8. A table may have no rows. New keeps the
// values.
func New(columns ...Column) (*Table, error) {
	names := make([]string, len(columns))
	for j, c := range columns {
		names[j] = c.Name
	}
	if err := CheckNames(names); err != nil {
		return nil, err
	}
	for _, c := range columns {
		if rows := len(columns[0].Values); len(c.Values) != rows {
			return nil, &LengthError{c.Name, len(c.Values), columns[0].Name, rows}
		}
		field := c.Field()
		anyFinite := c.Kind != Boolean && c.Kind != Category
		for i, v := range c.Values {
			if anyFinite && v-v == 0 { // nearly all, in nearly no time
				continue
			}
			if problem := field.Problem(v); problem != "" {
				return nil, &ValueError{i + 1, c.Name, v, problem}
			}
		}
		for _, level := range c.Levels {
			if !utf8.ValidString(level) {
				return nil, &LevelError{c.Name, level}
			}
		}
	}
	return assemble(append([]Column(nil), columns...)), nil
}

// FromRows returns the table whose row i is rows[i], [n, len(names)]. It fails
// as [New] does, and with a [*WidthError] when a row has not one value a name. It copies
// the values.
func FromRows(names []string, rows [][]float64) (*Table, error) {
	columns := make([]Column, len(names))
	for j, name := range names {
		columns[j] = Column{Name: name, Values: make([]float64, len(rows))}
	}
	for i, row := range rows {
		if len(row) != len(names) {
			return nil, &WidthError{Row: i + 1, Values: len(row), Names: len(names)}
		}
		for j, v := range row {
			columns[j].Values[i] = v
		}
	}
	return New(columns...)
}

// assemble makes a table of columns known to be sound; it keeps the slice.
func assemble(columns []Column) *Table {
	t := &Table{columns: columns, index: make(map[string]int, len(columns)), rows: len(columns[0].Values)}
	for j, c := range columns {
		t.index[c.Name] = j
	}
	return t
}

// Problem says what is wrong with a value of the field, or nothing.
func (f Field) Problem(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 0):
		return "is not a finite number"
	case f.Kind == Boolean && v != 0 && v != 1:
		return "is neither 0 nor 1"
	case f.Kind == Category && (v != math.Trunc(v) || v < 0 || v > float64(f.Other())):
		return fmt.Sprintf("is no level: there are %d", len(f.Levels))
	}
	return ""
}

// Rows returns the number of rows, n.
func (t *Table) Rows() int { return t.rows }

// Names returns the names of the columns, in order, in a slice of the caller's.
func (t *Table) Names() []string {
	names := make([]string, len(t.columns))
	for j, c := range t.columns {
		names[j] = c.Name
	}
	return names
}

// Column returns the values of a column, [n], which the caller must not change,
// and whether there is such a column.
func (t *Table) Column(name string) ([]float64, bool) {
	j, ok := t.index[name]
	if !ok {
		return nil, false
	}
	return t.columns[j].Values, true
}

// Field returns what a column's numbers stand for, and whether there is such a
// column. The levels must not be changed.
func (t *Table) Field(name string) (Field, bool) {
	j, ok := t.index[name]
	if !ok {
		return Field{}, false
	}
	return t.columns[j].Field(), true
}
