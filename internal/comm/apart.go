package comm

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Exchange is [Comm.AllGather] of what all ranks have, which fails on all where one has failed
// until here, as [Agree] does.
func Exchange(ctx context.Context, ranks Comm, own []byte, failed error) ([][]byte, error) {
	word := goOn
	if failed != nil {
		word, own = halt, nil
	}
	message := make([]byte, 0, len(own)+1)
	all, err := ranks.AllGather(ctx, append(append(message, word), own...))
	if err != nil {
		return nil, errors.Join(failed, err)
	}
	halts := false
	for r := range all {
		if len(all[r]) == 0 || all[r][0] != goOn && all[r][0] != halt {
			return nil, fmt.Errorf("rank %d has said something else than was asked: the ranks have gone different ways", r)
		}
		halts = halts || all[r][0] == halt
		all[r] = all[r][1:]
	}
	if halts {
		return nil, Agree(ctx, ranks, nil, failed)
	}
	return all, nil
}

// Apart is rows of which every rank has a part, those of rank r before those of rank r + 1.
type Apart struct {
	ctx    context.Context
	ranks  Comm
	bounds []int // the first row of every rank, and the number of all
}

// NewApart returns rows apart, of which rank r has bounds[r] ≤ j < bounds[r+1]. Where ctx is done,
// the ranks have what [Lingering] leaves them.
func NewApart(ctx context.Context, ranks Comm, bounds []int) *Apart {
	if len(bounds) != ranks.Size()+1 || !slices.IsSorted(bounds) || bounds[0] != 0 {
		panic(errBounds)
	}
	return &Apart{ctx, ranks, bounds}
}

const errBounds = "comm: rows apart want ascending bounds from 0 on, one more than ranks"

// Rank is that of this process.
func (a *Apart) Rank() int { return a.ranks.Rank() }

// Own returns which of the rows from ≤ j < to this rank has; equal numbers for none.
func (a *Apart) Own(from, to int) (first, end int) {
	r := a.ranks.Rank()
	first = min(max(from, a.bounds[r]), to)
	return first, max(first, min(to, a.bounds[r+1]))
}

// Of returns the rank that has a row.
func (a *Apart) Of(row int) int {
	r, found := slices.BinarySearch(a.bounds, row)
	if !found {
		return r - 1
	}
	for a.bounds[r+1] == row { // ranks without rows
		r++
	}
	return r
}

// Exchange is [Exchange] between the ranks.
func (a *Apart) Exchange(own []byte, failed error) ([][]byte, error) {
	return Exchange(a.ctx, a.ranks, own, failed)
}
