package tablefile

import (
	"context"
	"slices"
)

// Locate returns the place of a row of all files, counted from 1, and the text of its
// value in a column; of the row alone if column is empty. It reads the files once more,
// up to that row; of what cannot be read twice it returns the row.
func (r *Reader) Locate(ctx context.Context, row int, column string) *Error {
	e := &Error{File: r.files[0], Row: row, Column: column}
	if e.File == stdinPath {
		e.File = stdinName
	}
	if r.size < 0 {
		return e
	}
	again, err := r.openAgain(Options{Comma: r.options.Comma, Context: ctx})
	if err != nil {
		return e
	}
	defer again.Close()
	if column == "" {
		column = again.names[0]
	}
	if !slices.Contains(again.names, column) {
		return e
	}
	again.selected = []string{column}
	again.plan(plan{form: textForm})
	for {
		blocks, err := again.batch(ctx)
		if err != nil {
			return e
		}
		again.queue = blocks
		for _, b := range blocks {
			if row > again.rows+b.rows {
				again.pass(b.rows)
				continue
			}
			at := b.columns[0].words[row-again.rows-1].place
			e.File, e.Row, e.Line = again.fileName(), again.row+at.row+1, at.line
			if e.Column != "" {
				e.Value = at.text
			}
			return e
		}
	}
}
