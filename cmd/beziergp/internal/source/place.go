package source

import (
	"context"
	"errors"
	"io"

	"beziergp/box"
	"beziergp/cmd/beziergp/internal/exit"
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
		return t.keptRow(ctx, k, o)
	})
}

// locate finds the place of the row that was the k-th of those learned from, the
// taken(k)-th of those taken.
func (t *Table) locate(ctx context.Context, err error, taken func(k int) (int, error)) error {
	var value box.RowError
	var far *method.RowError
	var overflow *model.RowError
	switch {
	case errors.As(err, &value):
		k, failed := taken(value.At().Row)
		if failed != nil {
			return failed
		}
		problem, remedy := value.Fault()
		return t.fault(ctx, k, value.At().Column, problem, remedy, err)
	case errors.As(err, &overflow):
		k, failed := taken(overflow.Row)
		if failed != nil {
			return failed
		}
		return t.fault(ctx, k, "", overflow.Err.Error(), "", err)
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
	if !t.chooses() {
		return k
	}
	for row := 0; t.mask == nil || row < len(t.mask); row++ {
		if t.takes(row) {
			k--
		}
		if k == 0 {
			return row + 1
		}
	}
	return 0
}

// keptRow reads the table once more to find which of the rows taken was the k-th kept.
func (t *Table) keptRow(ctx context.Context, k int, o OutOfCore) (int, error) {
	again, err := t.options.open(t.path, tablefile.Options{})
	if err != nil {
		return 0, err
	}
	defer again.Close()
	columns := []string{o.Target}
	if o.Weights != "" {
		columns = append(columns, o.Weights)
	}
	if err := again.Select(columns...); err != nil {
		return 0, err
	}
	f := &finder{table: &Table{options: t.options, mask: t.mask, take: t.take, limit: t.limit}, left: k}
	create := func(coded []bool, number func(int, float64) (float64, bool)) (tablefile.Sink, error) {
		f.table.read, f.table.taken, f.left = 0, 0, k
		f.rows = newKeeper(f.table, columns, o, coded, number)
		return f, nil
	}
	if _, _, err = again.ReadOutOfCore(ctx, &tablefile.OutOfCore{Bytes: -1, Create: create}); err == errFound {
		return f.table.taken, nil
	}
	return 0, errors.Join(err, io.ErrUnexpectedEOF)
}

var errFound = errors.New("found")

// finder counts kept rows.
type finder struct {
	table *Table
	rows  *keeper
	left  int
}

// Append takes rows until the one is found.
func (f *finder) Append(columns [][]float64, n int) error {
	return f.rows.each(columns, n, func(int) error {
		if f.left--; f.left == 0 {
			return errFound
		}
		return nil
	}, func() {})
}
