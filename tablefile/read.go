package tablefile

import (
	"context"
	"io"
	"slices"

	"beziergp/table"
)

// A block has at most so many rows, and so many values if its table is wide.
const (
	blockRows   = 1 << 12
	blockValues = 1 << 18
)

// Read returns the named columns of a file, all if none are named, as a table in
// memory. Its errors are those of [Open], [Reader.Select] and [Reader.ReadAll].
func Read(ctx context.Context, path string, options Options, columns ...string) (*table.Table, error) {
	r, err := Open(path, options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if len(columns) > 0 {
		if err := r.Select(columns...); err != nil {
			return nil, err
		}
	}
	return r.ReadAll(ctx)
}

// ReadAll returns the selected columns of the rows not read yet as a table in
// memory. It fails with an [*Error], or with ctx's error, which it asks for between
// blocks.
func (r *Reader) ReadAll(ctx context.Context) (*table.Table, error) {
	columns := make([]table.Column, len(r.selected))
	for k, name := range r.Selected() {
		columns[k].Name = name
	}
	block := max(1, min(blockRows, blockValues/len(columns)))
	dst := make([][]float64, len(columns))
	for rows := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// Rows are read where they stay; Grow makes room in steps that grow too.
		for k := range columns {
			columns[k].Values = slices.Grow(columns[k].Values[:rows], block)
			dst[k] = columns[k].Values[rows : rows+block]
		}
		n, err := r.Next(dst)
		rows += n
		for k := range columns {
			columns[k].Values = columns[k].Values[:rows]
		}
		if err == io.EOF {
			return table.New(columns...)
		}
		if err != nil {
			return nil, err
		}
	}
}
