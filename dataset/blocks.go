package dataset

import (
	"context"
	"errors"

	"beziergp/table"
	"beziergp/tablecache"
)

// blocks are the rows that are learned from, in blocks. All but the last block have
// BlockRows rows; any number of goroutines may read, each into a buffer of its own.
type blocks interface {
	Fields() []table.Field // of the columns
	Rows() int
	Dropped() int // rows of the table that are not among them
	Blocks() int
	BlockRows() int
	Read(block int, b *tablecache.Buffer) (rows int, err error)
	ReadColumn(block, column int, dst []float64) (rows int, err error) // into room for a block
	// Sample returns all rows, or a random sample of as many as memory holds.
	Sample() *table.Table
	Summary(column int) tablecache.Summary // over all rows
}

var (
	_ blocks = (*tablecache.Cache)(nil)
	_ blocks = (*memory)(nil)
	_ blocks = (*parted)(nil)
	_ blocks = (*joinedRows)(nil)
)

// each visits all blocks in order, column by column; of rows apart what this process has of them.
func each(ctx context.Context, rows blocks, visit func(block [][]float64, n int) error) error {
	var b tablecache.Buffer
	for i := range rows.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if from, to := own(rows, i); from == to {
			continue
		}
		n, err := rows.Read(i, &b)
		if err != nil {
			return err
		}
		if err := visit(b.Columns, n); err != nil {
			return err
		}
	}
	return nil
}

// values visits all values of a column in order. Of rows apart all ranks call it.
func values(ctx context.Context, rows blocks, column int, visit func(part []float64) error) error {
	if apart := apartOf(rows); apart != nil {
		return valuesOf(ctx, rows, apart, column, visit)
	}
	part := make([]float64, rows.BlockRows())
	for i := range rows.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := rows.ReadColumn(i, column, part)
		if err != nil {
			return err
		}
		if err := visit(part[:n]); err != nil {
			return err
		}
	}
	return nil
}

// find returns the first row, counted from 1, whose value in a column is one, or 0.
func find(ctx context.Context, rows blocks, column int, is func(v float64) bool) (row int, err error) {
	errFound := errors.New("found")
	err = values(ctx, rows, column, func(part []float64) error {
		for _, v := range part {
			if row++; is(v) {
				return errFound
			}
		}
		return nil
	})
	if err == errFound {
		return row, nil
	}
	return 0, err
}
