package descent

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

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
		if err := r.completeBlocks(a, all, from*size, err); err != nil {
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

// completeBlocks has the rows of b that other ranks have filled in, on all ranks, of neighbours from a
// row on.
func (r Rows) completeBlocks(a *comm.Apart, b elbo.Batch, first int, failed error) error {
	from, to := a.Own(first, first+b.Len())
	var own []byte
	if failed == nil {
		own = appendRows(make([]byte, 0, (to-from)*r.rowBytes()), b.Part(r.Inputs, from-first, to-first))
	}
	all, err := a.Exchange(own, failed)
	if err != nil {
		return err
	}
	next := 0 // the ranks' rows follow each other
	for rank, message := range all {
		n := len(message) / r.rowBytes()
		if next+n > b.Len() || len(message)%r.rowBytes() != 0 {
			return wrongRows(rank)
		}
		if rank != a.Rank() {
			takeRows(message, b.Part(r.Inputs, next, next+n))
		}
		next += n
	}
	if next != b.Len() {
		return wrongRows(len(all) - 1)
	}
	return nil
}

func wrongRows(rank int) error {
	return fmt.Errorf("rank %d has said too little of its rows, or too much", rank)
}

// rowBytes is what a row takes on its way.
func (r Rows) rowBytes() int {
	values := r.Inputs + r.Columns()
	if r.weighted() {
		values++
	}
	return 4 * values
}

// complete has the rows of b that other ranks have filled in, on all ranks: number tells which of
// all rows a row of b is. A rank sends every other its own rows,
//
//	4 (d + T) + 4 [weights] bytes a row, and one.
//
// All ranks call it.
func (r Rows) complete(a *comm.Apart, b elbo.Batch, number func(p int) int) error {
	own := make([]byte, 0, b.Len()*r.rowBytes())
	for p := range b.Len() {
		if a.Of(number(p)) == a.Rank() {
			own = appendRows(own, b.Part(r.Inputs, p, p+1))
		}
	}
	all, err := a.Exchange(own, nil)
	if err != nil {
		return err
	}
	for p := range b.Len() {
		rank := a.Of(number(p))
		if len(all[rank]) < r.rowBytes() {
			return wrongRows(rank)
		}
		if rank != a.Rank() {
			takeRows(all[rank], b.Part(r.Inputs, p, p+1))
		}
		all[rank] = all[rank][r.rowBytes():]
	}
	return nil
}

// appendRows adds rows to a message, and takeRows reads them.
func appendRows(message []byte, rows elbo.Batch) []byte {
	for _, values := range [...][]float32{rows.X, rows.Y, rows.Weights} {
		for _, v := range values {
			message = binary.LittleEndian.AppendUint32(message, math.Float32bits(v))
		}
	}
	return message
}

func takeRows(message []byte, rows elbo.Batch) {
	for _, values := range [...][]float32{rows.X, rows.Y, rows.Weights} {
		for i := range values {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(message[4*i:]))
		}
		message = message[4*len(values):]
	}
}
