package source

import (
	"context"
	"errors"
	"io"
	"slices"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
	"beziergp/dataset"
	"beziergp/model"
	"beziergp/rival/method"
	"beziergp/tablecache"
	"beziergp/tablefile"
)

// Locate gives an error about a value of a row that was taken, the k-th one counted from
// 1, the file, the row and the line that the value has there, and its text.
func (t *Table) Locate(ctx context.Context, err error) error {
	return t.locate(ctx, err, func(k int) (int, error) { return k, nil })
}

// LocateKept is Locate for rows of a cache that was filled by ReadOutOfCore.
func (t *Table) LocateKept(ctx context.Context, err error, c *tablecache.Cache, o OutOfCore) error {
	return t.locate(ctx, err, func(k int) (int, error) {
		if c.Dropped() == 0 {
			return k, nil
		}
		taken, err := t.keptRows(ctx, []int{k}, o)
		if err != nil {
			return 0, err
		}
		return taken[0], nil
	})
}

// locate finds the place of the row that was the k-th of those learned from, the
// taken(k)-th of those taken.
func (t *Table) locate(ctx context.Context, err error, taken func(k int) (int, error)) error {
	var value box.RowError
	var far *method.RowError
	var overflow *model.RowError
	var marks *dataset.MarksError
	switch {
	case errors.As(err, &value):
		k, failed := taken(value.At().Row)
		if failed != nil {
			return failed
		}
		problem, remedy := FaultOf(value)
		return t.fault(ctx, k, value.At().Column, problem, remedy, err)
	case errors.As(err, &overflow):
		k, failed := taken(overflow.Row)
		if failed != nil {
			return failed
		}
		return t.fault(ctx, k, "", overflow.Err.Error(), "", err)
	case errors.As(err, &marks):
		return t.wrongMarks(marks)
	case errors.As(err, &far):
		k, failed := taken(far.Row)
		if failed != nil {
			return failed
		}
		return t.fault(ctx, k, "", far.Err.Error(), "", err)
	}
	return exit.Dataf("%s: %w", t.file, err)
}

// fault is the error about a value of the k-th row taken.
func (t *Table) fault(ctx context.Context, k int, column, problem, remedy string, cause error) error {
	e := t.reader.Locate(ctx, t.FileRow(k), column)
	e.Problem, e.Remedy, e.Err = problem, remedy, cause
	if e.Value == "" && column != "" {
		e.Problem = "the value " + problem
	}
	return e
}

// FileRow returns the row of all files, counted from 1, that was the k-th taken.
func (t *Table) FileRow(k int) int {
	rows := t.FileRows([]int{k})
	if len(rows) == 0 {
		return 0
	}
	return rows[0]
}

// FileRows returns the rows of all files, counted from 1, that the k-th ones taken are, in
// ascending order.
func (t *Table) FileRows(taken []int) []int {
	if !t.chooses() {
		return slices.Clone(taken)
	}
	rows, k := make([]int, 0, len(taken)), 0
	for row := 0; len(rows) < len(taken) && (t.mask == nil || row < len(t.mask)); row++ {
		if t.takes(row) {
			k++
		}
		if k == taken[len(rows)] {
			rows = append(rows, row+1)
		}
	}
	return rows
}

// KeptFileRows is FileRows for rows of a cache that was filled by ReadOutOfCore.
func (t *Table) KeptFileRows(ctx context.Context, kept []int, c *tablecache.Cache, o OutOfCore) ([]int, error) {
	if c.Dropped() == 0 {
		return t.FileRows(kept), nil
	}
	taken, err := t.keptRows(ctx, kept, o)
	if err != nil {
		return nil, err
	}
	return t.FileRows(taken), nil
}

// keptRows reads the table once more to find which of the rows taken were the k-th kept,
// in ascending order.
func (t *Table) keptRows(ctx context.Context, kept []int, o OutOfCore) ([]int, error) {
	again, err := t.options.open(t.path, tablefile.Options{Context: ctx})
	if err != nil {
		return nil, err
	}
	defer again.Close()
	columns := []string{o.Target}
	if o.Weights != "" {
		columns = append(columns, o.Weights)
	}
	if err := again.Select(columns...); err != nil {
		return nil, err
	}
	var f *finder
	create := func(coded []bool, number func(int, float64) (float64, bool)) (tablefile.Sink, error) {
		f = &finder{table: &Table{options: t.options, mask: t.mask, take: t.take, limit: t.limit}, wanted: kept}
		f.rows = newKeeper(f.table, columns, o, coded, number)
		return f, nil
	}
	if _, _, err = again.ReadOutOfCore(ctx, &tablefile.OutOfCore{Bytes: -1, Create: create}); err == errFound {
		return f.found, nil
	}
	return nil, errors.Join(err, io.ErrUnexpectedEOF)
}

var errFound = errors.New("found")

// finder counts kept rows.
type finder struct {
	table  *Table
	rows   *keeper
	wanted []int // k-th kept rows, in ascending order
	kept   int
	found  []int // which of the rows taken those of wanted are
}

// Append takes rows until all are found.
func (f *finder) Append(columns [][]float64, n int) error {
	return f.rows.each(columns, n, func(int) error {
		if f.kept++; f.kept == f.wanted[len(f.found)] {
			f.found = append(f.found, f.table.taken)
		}
		if len(f.found) == len(f.wanted) {
			return errFound
		}
		return nil
	}, func() {})
}
