package dataset

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"beziergp/internal/comm"
	"beziergp/tablecache"
)

// parted is the rows of a cache of which every rank reads a part. The first of its rows among
// those of a block that it has are told by apart.
type parted struct {
	*tablecache.Cache
	apart *comm.Apart
}

// apartOf returns which rank has which rows; nil where this process has all.
func apartOf(rows blocks) *comm.Apart {
	switch rows := rows.(type) {
	case *parted:
		return rows.apart
	case *joinedRows:
		return apartOf(rows.blocks)
	}
	return nil
}

// own returns which rows of a block this process has, from 0 on: those that Read gives.
func own(rows blocks, block int) (from, to int) {
	first := block * rows.BlockRows()
	end := min(first+rows.BlockRows(), rows.Rows())
	if a := apartOf(rows); a != nil {
		from, to = a.Own(first, end)
		return from - first, to - first
	}
	return 0, end - first
}

// Apart returns which rank has which rows; nil where this process has all.
func (s *Set) Apart() *comm.Apart { return apartOf(s.rows) }

// exchangeBlocks is how many blocks of a column are exchanged at once.
const exchangeBlocks = 16

// valuesOf visits all values of a column of rows apart in order, on every rank: each sends its own to the others.
func valuesOf(ctx context.Context, p blocks, apart *comm.Apart, column int, visit func(part []float64) error) error {
	part := make([]float64, p.BlockRows())
	for from := 0; from < p.Blocks(); from += exchangeBlocks {
		to := min(from+exchangeBlocks, p.Blocks())
		var message []byte
		err := ctx.Err()
		for i := from; i < to && err == nil; i++ {
			first, end := own(p, i)
			if first == end {
				continue
			}
			var n int
			if n, err = p.ReadColumn(i, column, part); err == nil {
				message, _ = binary.Append(message, binary.LittleEndian, part[:n]) // of fixed size, which does not fail
			}
		}
		all, err := apart.Exchange(message, err)
		if err != nil {
			return err
		}
		values := make([]float64, 0, (to-from)*p.BlockRows())
		for _, message := range all { // whose rows follow each other
			for ; len(message) >= 8; message = message[8:] {
				values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(message)))
			}
		}
		if want := min(to*p.BlockRows(), p.Rows()) - from*p.BlockRows(); len(values) != want {
			return fmt.Errorf("the ranks have %d values of a column where there are %d rows", len(values), want)
		}
		for len(values) > 0 {
			n := min(p.BlockRows(), len(values))
			if err := visit(values[:n]); err != nil {
				return err
			}
			values = values[n:]
		}
	}
	return nil
}

// join has what every rank has found joined on all. It fails on all ranks where one has failed.
func (s *Set) join(own func() []byte, take func(message []byte) error, failed error) error {
	a := s.Apart()
	if a == nil {
		return failed
	}
	var message []byte
	if failed == nil {
		message = own()
	}
	all, err := a.Exchange(message, failed)
	for r, message := range all {
		if r != a.Rank() {
			err = errors.Join(err, take(message))
		}
	}
	return err
}
