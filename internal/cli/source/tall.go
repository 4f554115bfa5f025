package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"beziergp"
	"beziergp/table"
	"beziergp/tablecache"
	"beziergp/tablefile"
)

// Tall says how a table that may be too large for memory is read.
type Tall struct {
	Target  string
	Weights string // column of row weights; may be empty
	Bytes   int64  // that the values of the rows may take in memory
	// Cache returns the file of the cache, when one is needed; nil for none.
	Cache func() (string, error)
	// Origin is what the rows are read from, as it was before the table was opened.
	// It goes with a cache that is to be used again; nil otherwise.
	Origin *Origin
}

// ErrMemory says that rows take more memory than they may, and there is no cache.
var ErrMemory = errors.New("the rows take more memory than they may")

// ReadTall returns the rows to take as a table in memory or, if that would take more
// memory than it may, those that can be learned from in a cache.
func (t *Table) ReadTall(ctx context.Context, o Tall) (*table.Table, *tablecache.Cache, error) {
	s := &spillSink{table: t, tall: o}
	names := t.reader.Selected()
	s.target, s.weights = slices.Index(names, o.Target), slices.Index(names, o.Weights)
	all, spilled, err := t.reader.ReadTall(ctx, &tablefile.Spill{Bytes: o.Bytes, Create: s.create})
	if err != nil {
		s.abort()
		return nil, nil, err
	}
	if all != nil {
		rows, err := t.pick(all)
		return rows, nil, err
	}
	t.read = s.row
	if err := t.end(); err != io.EOF {
		s.abort()
		return nil, nil, err
	}
	id, err := t.identity(ctx, o)
	if err != nil {
		s.abort()
		return nil, nil, err
	}
	c, err := s.writer.Finish(spilled.Fields, spilled.Meaning, id)
	return nil, c, err
}

// spillSink writes the rows to take to a cache, those without a target left out.
type spillSink struct {
	table           *Table
	tall            Tall
	writer          *tablecache.Writer
	target, weights int
	row             int
	kept            [][]float64
}

func (s *spillSink) create(coded []bool) (tablefile.Sink, error) {
	for _, column := range []int{s.target, s.weights} {
		if column >= 0 && coded[column] {
			return nil, &tablefile.Error{File: s.table.file, Column: s.table.reader.Selected()[column], Problem: "the column holds text", Remedy: "targets and weights are numbers"}
		}
	}
	if s.tall.Cache == nil {
		return nil, ErrMemory
	}
	path, err := s.tall.Cache()
	if err != nil {
		return nil, err
	}
	s.writer, err = tablecache.Create(path, coded)
	s.kept = make([][]float64, len(coded))
	return s, err
}

func (s *spillSink) abort() {
	if s.writer != nil {
		s.writer.Abort()
	}
}

// Append takes rows of the file, in order.
func (s *spillSink) Append(columns [][]float64, n int) error {
	t := s.table
	for j := range s.kept {
		s.kept[j] = s.kept[j][:0]
	}
	for i := range n {
		row := s.row + i
		if t.mask != nil && row >= len(t.mask) {
			return t.wrongMask("more")
		}
		if !t.takes(row) || t.limit > 0 && t.taken == t.limit {
			continue
		}
		t.taken++
		var weight *float64
		if s.weights >= 0 {
			weight = &columns[s.weights][i]
		}
		keep, err := beziergp.Keeps(columns[s.target][i], weight)
		if err != nil {
			return &tablefile.Error{File: t.file, Row: row + 1, Column: s.tall.Weights, Value: fmt.Sprint(*weight), Problem: "is no weight", Remedy: "give a number from 0 on"}
		}
		if !keep {
			s.writer.Drop(1)
			continue
		}
		for j, c := range columns {
			s.kept[j] = append(s.kept[j], c[i])
		}
	}
	s.row += n
	return s.writer.Append(s.kept, len(s.kept[0]))
}
