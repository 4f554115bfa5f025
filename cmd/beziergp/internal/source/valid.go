package source

import (
	"context"
	"fmt"
	"os"
	"slices"

	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/dataset"
	"beziergp/table"
	"beziergp/tablefile"
)

// Valid names rows to choose by and not to learn from: those of a second table of the same
// columns, or those that a mask marks, whose Column is not empty.
type Valid struct {
	Path, Column string
}

// ParseValid takes a file, or FILE:COL where there is no such file.
func ParseValid(text string) (Valid, error) {
	if _, err := os.Stat(text); err == nil {
		return Valid{Path: text}, nil
	}
	path, column, err := tablefile.ParseMask(text)
	if err != nil { // and reading it tells that it is not there
		return Valid{Path: text}, nil
	}
	return Valid{path, column}, nil
}

// isTable tells whether the rows are those of a second table.
func (v Valid) isTable() bool { return v.Path != "" && v.Column == "" }

// ColumnIn is [Mask.ColumnIn] of the mask, where there is one.
func (v Valid) ColumnIn(path string) string { return Mask(v).ColumnIn(path) }

// CheckValid refuses rows to choose by that cannot stand beside what else is asked for.
func (o Options) CheckValid(data string) error {
	if !o.Valid.isTable() {
		return nil
	}
	switch {
	case o.From != "":
		return exit.Usagef("--valid: the rows of a query have no second table; mark them by a column, FILE:COL")
	case o.Rows > 0:
		return exit.Usagef("--valid and --rows contradict each other: the rows of %s follow all of %s; write the first ones to a file of their own", o.Valid.Path, Name(data))
	}
	if err := o.CheckPipes(o.Valid.Path, "--valid"); err != nil {
		return err
	}
	return o.CheckPipes(data, "--valid")
}

// findValid finds the rows to choose by, and has all of them taken.
func (t *Table) findValid(ctx context.Context, path string) error {
	v := t.options.Valid
	if v.Path == "" {
		return nil
	}
	if !v.isTable() {
		var err error
		t.valid, err = tablefile.ReadMask(ctx, v.Path, v.Column, -1)
		return err
	}
	own, err := countRows(ctx, Files(path))
	if err != nil {
		return err
	}
	mask := t.mask
	if mask == nil {
		mask = make([]bool, own)
		for i := range mask {
			mask[i] = t.takes(i) == t.take
		}
	}
	if len(mask) != own {
		return t.wrongMask(fmt.Sprint(own))
	}
	further, err := countRows(ctx, Files(v.Path))
	if err != nil {
		return err
	}
	t.mask = append(mask, slices.Repeat([]bool{t.take}, further)...)
	t.valid = append(make([]bool, own), slices.Repeat([]bool{true}, further)...)
	return nil
}

// countRows reads the rows of files.
func countRows(ctx context.Context, files []string) (int, error) {
	first, err := tablefile.OpenFiles(files, tablefile.Options{Context: ctx})
	if err != nil {
		return 0, err
	}
	name := first.Names()[0]
	first.Close()
	r, err := tablefile.OpenFiles(files, tablefile.Options{Context: ctx, Kinds: map[string]table.Kind{name: table.Category}}) // which any text is
	if err != nil {
		return 0, err
	}
	defer r.Close()
	if err := r.Select(name); err != nil {
		return 0, err
	}
	var n counter
	_, _, err = r.ReadOutOfCore(ctx, &tablefile.OutOfCore{Bytes: -1, Create: func([]bool, func(int, float64) (float64, bool)) (tablefile.Sink, error) {
		n = 0
		return &n, nil
	}})
	return int(n), err
}

// counter is a sink that counts.
type counter int

func (c *counter) Append(_ [][]float64, n int) error {
	*c += counter(n)
	return nil
}

// ValidColumn returns the name of a column that marks the rows to choose by among those
// that are read: one that the file has not; empty where there are none.
func (t *Table) ValidColumn() string {
	if t.valid == nil {
		return ""
	}
	name := "--valid"
	for slices.Contains(t.reader.Names(), name) {
		name += "'"
	}
	return name
}

// marks tells whether to choose by a row of the file, as a number; 0 beyond a mask, which
// is told of at the end.
func (t *Table) marks(row int) float64 {
	if row < len(t.valid) && t.valid[row] {
		return 1
	}
	return 0
}

// withMarks returns rows of a table with the column of marks, if there are any.
func (t *Table) withMarks(rows *table.Table, keep []bool) (*table.Table, error) {
	if t.valid == nil {
		return rows, nil
	}
	if len(t.valid) != t.read {
		return nil, t.wrongValid()
	}
	var columns []table.Column
	for _, name := range rows.Names() {
		f, _ := rows.Field(name)
		values, _ := rows.Column(name)
		columns = append(columns, table.NewColumn(f, values))
	}
	marks := make([]float64, 0, rows.Rows())
	for row := range t.read {
		if keep == nil || keep[row] {
			marks = append(marks, t.marks(row))
		}
	}
	return table.New(append(columns, table.NewColumn(t.validField(), marks))...)
}

// wrongValid is the error of a mask of rows to choose by that is not the table's.
func (t *Table) wrongValid() error {
	return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("--valid marks %d rows, but the table has %d", len(t.valid), t.read),
		Remedy: "give the marks that belong to the table, and read it when it is complete"}
}

// wrongMarks is the error of rows to choose by that are none, or that leave none to learn from, in
// the words of --valid.
func (t *Table) wrongMarks(e *dataset.MarksError) error {
	v := t.options.Valid
	if !v.isTable() {
		problem, remedy := e.Fault()
		return &tablefile.Error{File: v.Path, Column: v.Column, Problem: problem, Remedy: remedy, Err: e}
	}
	if e.Marked == 0 {
		return &tablefile.Error{File: v.Path, Problem: "has no row to choose by", Remedy: "give rows whose target is known", Err: e}
	}
	return &tablefile.Error{File: t.file, Problem: fmt.Sprintf("has %d rows to learn from beside those of --valid", e.Rows-e.Marked), Remedy: "at least two are needed whose target is known", Err: e}
}

func (t *Table) validField() table.Field {
	return table.Field{Name: t.ValidColumn(), Kind: table.Boolean}
}
