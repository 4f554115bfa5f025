package descent

import (
	"context"
	"encoding/binary"
	"fmt"

	"beziergp/internal/comm"
	"beziergp/internal/process/elbo"
)

// Parted is a source of which every rank has a part of the rows. Block writes those of a block
// that this rank has, one behind the other.
type Parted interface {
	Source
	Apart() *comm.Apart
}

// apart returns which rank has which rows of a source; nil where this process has all.
func (r Rows) apart() *comm.Apart {
	if p, ok := r.Source.(Parted); ok {
		return p.Apart()
	}
	return nil
}

// block reads block i of a source to b, of rows apart those of this rank to their places among the
// others, and returns the number of rows of the block.
func (r Rows) block(i int, b elbo.Batch) (int, error) {
	a := r.apart()
	if a == nil {
		return r.Source.Block(i, b)
	}
	first := i * r.Source.BlockRows()
	n := min(r.Source.BlockRows(), r.Len()-first)
	from, to := a.Own(first, first+n)
	if from == to {
		return n, nil
	}
	_, err := r.Source.Block(i, b.Part(r.Inputs, from-first, to-first))
	return n, err
}

// exchangeRows is about how many rows ranks exchange at once where they visit all.
const exchangeRows = 1 << 16

// eachApart visits all rows, block by block, or as they are exchanged.
func (r Rows) eachApart(ctx context.Context, together bool, visit func(rows elbo.Batch) error) error {
	a, size := r.apart(), r.Source.BlockRows()
	step := max(1, exchangeRows/size)
	memory := r.NewBatch(min(step*size, r.Len()))
	for from := 0; from < r.Source.Blocks(); from += step {
		n, err := 0, ctx.Err()
		for i := from; i < min(from+step, r.Source.Blocks()) && err == nil; i++ {
			var rows int
			rows, err = r.block(i, memory.Part(r.Inputs, n, memory.Len()))
			n += rows
		}
		all := memory.Part(r.Inputs, 0, n)
		if err := r.complete(a, all, func(p int) int { return from*size + p }, err); err != nil {
			return err
		}
		piece := size
		if together {
			piece = n
		}
		for at := 0; at < n; at += piece {
			if err := visit(all.Part(r.Inputs, at, min(at+piece, n))); err != nil {
				return err
			}
		}
	}
	return nil
}

// complete has the rows of b that other ranks have filled in, on all ranks: number tells which of
// all rows a row of b is. A rank sends every other its own rows,
//
//	4 (d + T) + 4 [weights] bytes a row, and one.
//
// All ranks call it, and it fails on all where one has failed.
func (r Rows) complete(a *comm.Apart, b elbo.Batch, number func(p int) int, failed error) error {
	var own []byte
	for p := range b.Len() {
		if failed == nil && a.Of(number(p)) == a.Rank() {
			row := b.Part(r.Inputs, p, p+1)
			for _, values := range [][]float32{row.X, row.Y, row.Weights} {
				own, _ = binary.Append(own, binary.LittleEndian, values) // of fixed size, which does not fail
			}
		}
	}
	all, err := a.Exchange(own, failed)
	if err != nil {
		return err
	}
	for p := range b.Len() {
		rank := a.Of(number(p))
		if rank == a.Rank() {
			continue
		}
		row := b.Part(r.Inputs, p, p+1)
		for _, values := range [][]float32{row.X, row.Y, row.Weights} {
			n, err := binary.Decode(all[rank], binary.LittleEndian, values)
			if err != nil {
				return fmt.Errorf("rank %d has said too little of its rows: %w", rank, err)
			}
			all[rank] = all[rank][n:]
		}
	}
	return nil
}
