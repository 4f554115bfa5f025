package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"beziergp/internal/printable"
	"beziergp/table"
	"beziergp/table/cell"
)

// Schema makes rows of what requests hold, by the columns of a model. It is immutable and
// safe for concurrent use.
//
// A value may be nil, for one that is missing; a number of any type of Go, or a
// [json.Number]; a bool, for a truth value or a category; a [time.Time], for a date-time; or a string, which is read as a
// cell of a file is: a number in decimals, a date or a time as ISO 8601 writes it, true or
// false, the level of a category, and nothing or NA, or what the model takes, for a missing value. A number is the
// level of a category that is written so; NaN is a missing value. A level that the model
// does not know, a value outside its bounds and one missing as in no training row are no
// errors here: they are the affair of the policy that the model predicts by
// ([model.PredictOptions]).
type Schema struct {
	columns []column
	names   []string
	index   map[string]int
}

// column reads values of a column.
type column struct {
	table.Field
	levels  *cell.Levels // of a category
	missing *cell.Words
	parts   []column // of one in parts
	joiner  table.Joiner
}

// NewSchema returns the schema of columns, those of [Model.Columns], in whose texts the words
// of [Model.Missing] stand for a missing value, nil for the default ones.
func NewSchema(columns []table.Field, missing *cell.Words) *Schema {
	s := &Schema{index: make(map[string]int, len(columns))}
	for i, f := range columns {
		c := column{Field: f, missing: missing}
		if f.Kind == table.Category {
			c.levels = cell.NewLevels(f)
		}
		for _, part := range f.Parts {
			c.parts = append(c.parts, column{Field: table.Field{Name: part, Kind: f.PartKind()}, missing: missing})
		}
		if f.Parts != nil {
			c.joiner = table.NewJoiner(f)
		}
		s.columns, s.names = append(s.columns, c), append(s.names, f.Name)
		s.index[f.Name] = i
	}
	return s
}

// Row returns the row of values by the names of their columns, [columns], in the order of
// the columns. Other values are passed over. A column that is made of parts is there by
// these or by its own name; a date-time is missing where they are no date. It fails with a [table.UnknownError] where one
// of a column is not there, not even as nil, and with a [ValueError] where one is none of
// its column.
func (s *Schema) Row(values map[string]any) ([]float64, error) {
	row := make([]float64, len(s.columns))
	for i := range s.columns {
		var err error
		if row[i], err = s.columns[i].among(values); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// among returns the number of the column's value among others: of one in parts, where any
// of these is there, what they make.
func (c *column) among(values map[string]any) (float64, error) {
	if slices.ContainsFunc(c.Parts, func(part string) bool { _, ok := values[part]; return ok }) {
		parts := make([]float64, len(c.parts))
		for k := range c.parts {
			var err error
			if parts[k], err = c.parts[k].among(values); err != nil {
				return 0, err
			}
		}
		return c.joiner.Join(parts...), nil
	}
	v, ok := values[c.Name]
	if !ok {
		have := make([]string, 0, len(values))
		for name := range values {
			have = append(have, name)
		}
		return 0, missing(append(slices.Clone(c.Parts), c.Name)[0], have)
	}
	return c.value(v)
}

// Value returns the number that a value has in a column, of that place in [Model.Columns]:
// one cell of what [Schema.Row] returns. It fails with a [ValueError] where it is none.
func (s *Schema) Value(column int, value any) (float64, error) { return s.columns[column].value(value) }

// Number is [Schema.Value] of a float64, without an interface around it.
func (s *Schema) Number(column int, value float64) (float64, error) {
	return s.columns[column].number(value, "")
}

// ValueError reports a value that is none of its column.
type ValueError struct {
	Column string
	Value  any
	// Problem says what is wrong with it, in words that follow it, and Remedy what to do.
	Problem, Remedy string
}

func (e *ValueError) Error() string {
	value := printable.Words(fmt.Sprint(e.Value))
	switch v := e.Value.(type) {
	case string:
		value = printable.Quoted(v)
	case []any, map[string]any:
		text, _ := json.Marshal(v) // which came from JSON, or is shown as nothing
		value = printable.Words(string(text))
	}
	return fmt.Sprintf("column %s: %s %s; %s", printable.Quoted(e.Column), value, e.Problem, e.Remedy)
}

// value returns the number that a value has in the column.
func (c *column) value(v any) (float64, error) {
	switch v := v.(type) {
	case nil:
		return math.NaN(), nil
	case string:
		return c.text(v, v)
	case json.Number:
		return c.text(v.String(), v)
	case bool:
		return c.truth(v)
	case time.Time:
		if c.Kind != table.DateTime {
			return 0, c.fault(v, "is a time, and the column has none", "give what the column of the training rows had")
		}
		at := float64(v.Unix()) + float64(v.Nanosecond())/1e9
		if c.missing.Time(at) {
			return math.NaN(), nil
		}
		return at, nil
	case float64:
		return c.number(v, "")
	case float32:
		return c.number(float64(v), "")
	case int:
		return c.whole(int64(v))
	case int8:
		return c.whole(int64(v))
	case int16:
		return c.whole(int64(v))
	case int32:
		return c.whole(int64(v))
	case int64:
		return c.whole(v)
	case uint:
		return c.number(float64(v), strconv.FormatUint(uint64(v), 10))
	case uint8:
		return c.whole(int64(v))
	case uint16:
		return c.whole(int64(v))
	case uint32:
		return c.whole(int64(v))
	case uint64:
		return c.number(float64(v), strconv.FormatUint(v, 10))
	}
	what := fmt.Sprintf("is of the type %T", v)
	switch v.(type) { // as JSON has them
	case []any:
		what = "is a list"
	case map[string]any:
		what = "is an object"
	}
	return 0, c.fault(v, what, "give a number, a text, a truth value, a time or nothing")
}

func (c *column) whole(v int64) (float64, error) {
	return c.number(float64(v), strconv.FormatInt(v, 10))
}

// number takes a number, which is written as text; empty for [cell.Canonical].
func (c *column) number(v float64, text string) (float64, error) {
	switch {
	case math.IsNaN(v), c.missing.Number(v):
		return math.NaN(), nil
	case math.IsInf(v, 0):
		return 0, c.fault(v, "is not finite", "give a finite number")
	case c.Kind == table.Category || c.Kind == table.DateTime: // which has no numbers
		if text == "" {
			text = cell.Canonical(v)
		}
		return c.text(text, v)
	}
	if problem := c.Problem(v); problem != "" {
		return 0, c.fault(v, problem, "give one")
	}
	return v, nil
}

func (c *column) truth(v bool) (float64, error) {
	switch {
	case c.Kind == table.Category:
		return float64(c.levels.Of(strconv.FormatBool(v))), nil
	case c.Kind != table.Boolean:
		return c.text(strconv.FormatBool(v), v) // as a cell with that word, which is no number
	case v:
		return 1, nil
	}
	return 0, nil
}

// text reads the text of a value as that of a cell of a file.
func (c *column) text(text string, value any) (float64, error) {
	text = strings.TrimSpace(text)
	if c.missing.Missing(c.Kind, []byte(text)) {
		return math.NaN(), nil
	}
	if c.Kind == table.Category {
		return float64(c.levels.Of(text)), nil
	}
	v, ok := cell.Value(c.Kind, []byte(text))
	if !ok {
		problem, remedy := cell.Fault(c.Kind, text)
		return 0, c.fault(value, problem, remedy)
	}
	return v, nil
}

func (c *column) fault(value any, problem, remedy string) error {
	return &ValueError{c.Name, value, problem, remedy}
}
