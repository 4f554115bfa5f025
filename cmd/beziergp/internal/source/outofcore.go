package source

import (
	"context"
	"errors"
	"io"
	"slices"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/internal/comm"
	"beziergp/table"
	"beziergp/tablecache"
	"beziergp/tablefile"
)

// OutOfCore says how a table that may be too large for memory is read.
type OutOfCore struct {
	Target  string
	Weights string // column of row weights; may be empty
	Bytes   int64  // that the values of the rows may take in memory
	// Cache returns the file of the cache, when one is needed; nil for none.
	Cache func() (string, error)
	// Origin is what the rows are read from, as it was before the table was opened.
	// It goes with a cache that is to be used again; nil otherwise.
	Origin *Origin
	// Ranks are those of which each reads a part, by [Table.ReadPart], and Kept says that the cache
	// is to be used again; nil otherwise.
	Ranks comm.Comm
	Kept  bool
}

// ErrMemory says that rows take more memory than they may, and there is no cache.
var ErrMemory = errors.New("the rows take more memory than they may")

// ReadOutOfCore returns the rows to take as a table in memory or, if that would take more
// memory than it may, those that can be learned from in a cache.
func (t *Table) ReadOutOfCore(ctx context.Context, o OutOfCore) (*table.Table, *tablecache.Cache, error) {
	s := &cacheSink{table: t, outOfCore: o}
	all, stored, err := t.reader.ReadOutOfCore(ctx, &tablefile.OutOfCore{Bytes: o.Bytes, Create: s.create})
	if err != nil {
		s.abort()
		return nil, nil, err
	}
	t.warnOfColumns()
	if all != nil {
		rows, err := t.pick(all)
		return rows, nil, err
	}
	if err := t.end(); err != io.EOF {
		s.abort()
		return nil, nil, err
	}
	if err := s.rows.fault; err != nil && !isDate(stored.Fields, o.Target) && isNumber(stored.Fields, o.Weights) {
		s.abort()
		return nil, nil, t.Locate(ctx, err)
	}
	id, err := t.identity(ctx, o)
	if err != nil {
		s.abort()
		return nil, nil, err
	}
	if t.valid != nil {
		if len(t.valid) != t.read {
			s.abort()
			return nil, nil, t.wrongValid()
		}
		stored.Fields, stored.Meaning = append(stored.Fields, t.validField()), append(stored.Meaning, nil)
	}
	c, err := s.writer.Finish(stored.Fields, stored.Meaning, id)
	return nil, c, err
}

// isNumber tells whether a column holds numbers or truth values.
func isNumber(fields []table.Field, name string) bool {
	i := slices.IndexFunc(fields, func(f table.Field) bool { return f.Name == name })
	return i >= 0 && fields[i].Kind != table.Category && fields[i].Kind != table.DateTime
}

// isDate tells whether a column holds date-times, which cannot be a target.
func isDate(fields []table.Field, name string) bool {
	i := slices.IndexFunc(fields, func(f table.Field) bool { return f.Name == name })
	return i >= 0 && fields[i].Kind == table.DateTime
}

// keeper tells which of the rows to take can be learned from.
type keeper struct {
	table           *Table
	target, weights int // columns; −1 for none
	weightsName     string
	number          func(column int, value float64) (float64, bool)
	fault           *box.WeightError // the first, whose row is one of those taken; nil for none
}

// newKeeper returns the keeper of rows of the named columns, of which those that are coded
// hold what number tells: see [tablefile.OutOfCore].
func newKeeper(t *Table, names []string, o OutOfCore, coded []bool, number func(column int, index float64) (float64, bool)) *keeper {
	k := &keeper{table: t, target: slices.Index(names, o.Target), weights: slices.Index(names, o.Weights), weightsName: o.Weights}
	k.number = func(column int, v float64) (float64, bool) {
		if coded[column] {
			return number(column, v)
		}
		return v, true
	}
	return k
}

// each calls keep for those of n rows that can be learned from, and drop for those that
// cannot, though they are taken. A weight that is none is kept: whether the column holds
// weights is known at its end.
func (k *keeper) each(columns [][]float64, n int, keep func(i int) error, drop func()) error {
	t := k.table
	for i := range n {
		row := t.read
		t.read++
		if t.mask != nil && row >= len(t.mask) {
			return t.wrongMask("more")
		}
		if !t.takes(row) || t.limit > 0 && t.taken == t.limit {
			continue
		}
		t.taken++
		var weight *float64
		if k.weights >= 0 {
			if w, ok := k.number(k.weights, columns[k.weights][i]); ok {
				weight = &w
			}
		}
		y, ok := k.number(k.target, columns[k.target][i])
		if !ok {
			y = 0 // a text, which is refused once the column is known to hold such
		}
		keeps, err := dataset.Keeps(weight, y)
		if bad := (*box.WeightError)(nil); errors.As(err, &bad) {
			if k.fault == nil {
				bad.Row, bad.Column = t.taken, k.weightsName
				k.fault = bad
			}
			continue
		}
		if !keeps {
			drop()
			continue
		}
		if err := keep(i); err != nil {
			return err
		}
	}
	return nil
}

// cacheSink writes the rows to take to a cache, those that cannot be learned from left
// out.
type cacheSink struct {
	table     *Table
	outOfCore OutOfCore
	rows      *keeper
	writer    *tablecache.Writer
	kept      [][]float64
}

// create begins a cache, or begins it anew where all rows come once more.
func (s *cacheSink) create(coded []bool, number func(int, float64) (float64, bool)) (tablefile.Sink, error) {
	if s.outOfCore.Cache == nil {
		return nil, ErrMemory
	}
	path, err := s.outOfCore.Cache()
	if err != nil {
		return nil, err
	}
	s.abort()
	s.table.read, s.table.taken = s.table.first, s.table.firstTaken
	s.rows = newKeeper(s.table, s.table.reader.Selected(), s.outOfCore, coded, number)
	if s.table.valid != nil {
		coded = append(slices.Clone(coded), false)
	}
	s.writer, err = tablecache.Create(path, coded)
	s.kept = make([][]float64, len(coded))
	return s, err
}

func (s *cacheSink) abort() {
	if s.writer != nil {
		s.writer.Abort()
	}
}

// Append takes rows of the file, in order.
func (s *cacheSink) Append(columns [][]float64, n int) error {
	for j := range s.kept {
		s.kept[j] = s.kept[j][:0]
	}
	err := s.rows.each(columns, n, func(i int) error {
		for j, c := range columns {
			s.kept[j] = append(s.kept[j], c[i])
		}
		if t := s.table; t.valid != nil {
			s.kept[len(columns)] = append(s.kept[len(columns)], t.marks(t.read-1))
		}
		return nil
	}, func() { s.writer.Drop(1) })
	if err != nil {
		return err
	}
	return s.writer.Append(s.kept, len(s.kept[0]))
}
