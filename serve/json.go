package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"beziergp/internal/printable"
	"beziergp/table"
)

// RowError reports a text that is no JSON object with a row's values.
type RowError struct{ Err error }

func (e *RowError) Error() string { return "the row is no JSON object: " + problem(e.Err) }

// problem is what encoding/json says, in words for who wrote the text.
func problem(err error) string {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return "it ends too soon"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// Unwrap returns what is wrong with it.
func (e *RowError) Unwrap() error { return e.Err }

// RowOfJSON is [Schema.Row] of a JSON object. A number keeps all its digits, null is a
// missing value. It fails with a [RowError] where the text is no object, or has a column
// twice.
func (s *Schema) RowOfJSON(object []byte) ([]float64, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	if t, err := d.Token(); err != nil {
		return nil, &RowError{err}
	} else if t != json.Delim('{') {
		if t == nil {
			t = "null"
		}
		return nil, &RowError{fmt.Errorf("%s where { should be", printable.Words(fmt.Sprint(t)))}
	}
	values := make(map[string]any, len(s.columns))
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, &RowError{err}
		}
		var v any
		if err := d.Decode(&v); err != nil {
			return nil, &RowError{err}
		}
		name := t.(string) // as what stands before a colon is
		if _, twice := values[name]; twice {
			return nil, &RowError{fmt.Errorf("%s stands twice", printable.Quoted(name))}
		}
		values[name] = v
	}
	if _, err := d.Token(); err != nil {
		return nil, &RowError{err}
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, &RowError{errors.New("something follows the object")}
	}
	return s.Row(values)
}

// missing is the error of a column that is not among those given.
func missing(name string, have []string) error {
	slices.Sort(have)
	return table.Unknown(name, have)
}
