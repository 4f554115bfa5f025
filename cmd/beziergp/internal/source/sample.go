package source

import (
	"context"
	"io"

	"beziergp/table"
	"beziergp/tablecache"
	"beziergp/tablefile"
)

// ReadSample returns the rows to take or, where their values take more bytes than they
// may, a random sample of them, and how many rows there are.
func (t *Table) ReadSample(ctx context.Context, bytes int64) (*table.Table, int, error) {
	s := &sampler{table: t}
	all, stored, err := t.reader.ReadOutOfCore(ctx, &tablefile.OutOfCore{Bytes: bytes, Create: s.create})
	if err != nil {
		return nil, 0, err
	}
	t.warnOfColumns()
	if all != nil {
		rows, err := t.pick(all)
		return rows, t.taken, err
	}
	if err := t.end(); err != io.EOF {
		return nil, 0, err
	}
	rows, err := s.rows.Table(stored.Fields, stored.Meaning)
	if err != nil {
		return nil, 0, err
	}
	rows, err = withLevelsThatOccur(rows)
	return rows, t.taken, err
}

// sampler keeps some of the rows to take.
type sampler struct {
	table *Table
	rows  *tablecache.Reservoir
	taken [][]float64
}

// create begins a sample, or begins it anew where all rows come once more.
func (s *sampler) create(coded []bool, _ func(int, float64) (float64, bool)) (tablefile.Sink, error) {
	s.table.read, s.table.taken = 0, 0
	s.rows, s.taken = tablecache.NewReservoir(len(coded)), make([][]float64, len(coded))
	return s, nil
}

// Append takes rows of the file, in order.
func (s *sampler) Append(columns [][]float64, n int) error {
	t := s.table
	for j := range s.taken {
		s.taken[j] = s.taken[j][:0]
	}
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
		for j, c := range columns {
			s.taken[j] = append(s.taken[j], c[i])
		}
	}
	s.rows.Add(s.taken, len(s.taken[0]))
	return nil
}
