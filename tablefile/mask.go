package tablefile

import (
	"context"
	"fmt"
	"strings"
)

// ParseMask splits "FILE:COLUMN" at its last colon, so that the path may hold
// colons, as in C:\data\mask.csv:test, but the column's name may not. The error
// tells the user what is wanted.
func ParseMask(text string) (path, column string, err error) {
	colon := strings.LastIndex(text, ":")
	// C:\data\mask.csv has a drive, but no column.
	drive := colon == 1 && strings.ContainsAny(text[2:min(3, len(text))], `\/`)
	if colon < 1 || colon == len(text)-1 || drive {
		return "", "", fmt.Errorf("%q does not name a column of a file; write FILE:COLUMN", text)
	}
	return text[:colon], text[colon+1:], nil
}

// ReadMask reads a column of zeros and ones from a CSV file, [rows]; element i is
// true where row i is marked with 1. The other columns are not parsed. It fails
// with an [*Error] on any other value, and when the file has not as many rows as
// asked for, unless rows is negative; or with ctx's error.
func ReadMask(ctx context.Context, path, column string, rows int) ([]bool, error) {
	r, err := Open(path, Options{Context: ctx})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Select(column); err != nil {
		return nil, err
	}
	r.plan(plan{form: markForm, strict: true})
	columns, err := r.build(ctx, []bool{false}, nil)
	if err != nil {
		return nil, err
	}
	values := columns[0].values
	if rows >= 0 && len(values) != rows {
		return nil, &Error{File: path, Column: column,
			Problem: fmt.Sprintf("the mask has %d rows, but the table has %d", len(values), rows),
			Remedy:  "give the mask that belongs to the table"}
	}
	mask := make([]bool, len(values))
	for i, v := range values {
		mask[i] = v == 1
	}
	return mask, nil
}
