package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"beziergp/table"
	"beziergp/tablefile"
)

// Derived is a table of the user's, all numbers, whose target is a function of some
// of its columns.
type Derived struct {
	Folder Folder
	From   []string // the columns, which are no inputs
	Of     func(values []float64) float64
}

// Splits returns those of the user's table.
func (d Derived) Splits(p Places) (int, error) { return d.Folder.Splits(p) }

// Ready writes the table with its target.
func (d Derived) Ready(ctx context.Context, p Places) (Table, error) {
	t, err := d.Folder.Ready(ctx, p)
	if err != nil {
		return Table{}, err
	}
	original := t.Path
	t.Target = target
	t.Path, err = made(p, d.Folder.Name, "data.parquet", func(w io.Writer) error { return d.write(ctx, original, w) })
	return t, err
}

func (d Derived) write(ctx context.Context, path string, w io.Writer) error {
	rows, err := tablefile.Read(ctx, path, tablefile.Options{})
	if err != nil {
		return err
	}
	from, err := columnsOf(rows, path, d.From)
	if err != nil {
		return err
	}
	names := slices.DeleteFunc(rows.Names(), func(name string) bool { return slices.Contains(d.From, name) })
	inputs, err := columnsOf(rows, path, names)
	if err != nil {
		return err
	}
	if slices.Contains(names, target) {
		return &tablefile.Error{File: path, Column: target, Problem: "this name is that of the target to be made", Remedy: "rename the column"}
	}
	at, values := 0, make([]float64, len(from))
	return WriteParquet(w, append(names, target), rows.Rows(), groupRows, func(columns [][]float32) error {
		for i := range columns[0] {
			for j, c := range inputs {
				columns[j][i] = float32(c[at])
			}
			for k, c := range from {
				values[k] = c[at]
			}
			columns[len(inputs)][i] = float32(d.Of(values))
			at++
		}
		return ctx.Err()
	})
}

// columnsOf returns columns of numbers.
func columnsOf(t *table.Table, path string, names []string) (columns [][]float64, err error) {
	for _, name := range names {
		field, ok := t.Field(name)
		if !ok {
			unknown := table.Unknown(name, t.Names())
			return nil, &tablefile.Error{File: path, Column: name, Problem: "there is no such column", Remedy: unknown.Hint(), Err: unknown}
		}
		if field.Kind != table.Numeric && field.Kind != "" {
			return nil, &tablefile.Error{File: path, Column: name, Problem: fmt.Sprintf("this holds no numbers but %s values", field.Kind), Err: errors.ErrUnsupported}
		}
		values, _ := t.Column(name)
		columns = append(columns, values)
	}
	return columns, nil
}
