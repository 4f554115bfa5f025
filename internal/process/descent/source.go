package descent

import (
	"context"

	"beziergp/internal/process/elbo"
)

// Source is a training set that memory does not hold, in blocks of rows.
type Source interface {
	Rows() int
	// Blocks returns the number of blocks; all but the last have BlockRows rows.
	Blocks() int
	BlockRows() int
	// Block reads the rows of block i into b's slices, which are long enough, and
	// returns their number. It may be called by several goroutines at a time.
	Block(i int, b elbo.Batch) (int, error)
}

// Sample returns the rows of a source in memory, or as many of them as have so many
// coordinates, every set of so many being equally likely; rows in memory are returned as
// they are. Beside them are their numbers among all rows of a source, ascending.
func (r Rows) Sample(ctx context.Context, seed uint64, coordinates int) (kept Rows, numbers []int, err error) {
	if r.Source == nil {
		return r, nil, nil
	}
	rng := Random(seed, StreamSample)
	left := r.Len()
	kept.Inputs, kept.Outputs = r.Inputs, r.Outputs
	wanted := min(max(2, coordinates/r.Inputs), left)
	err = r.eachBlock(ctx, func(rows elbo.Batch) error {
		for j := range rows.Len() {
			// Selection sampling (Knuth, TAOCP 2, algorithm 3.4.2S).
			take := rng.IntN(left) < wanted
			left--
			if !take {
				continue
			}
			wanted--
			numbers = append(numbers, r.Len()-left-1)
			kept.X = append(kept.X, rows.X[j*r.Inputs:(j+1)*r.Inputs]...)
			kept.Y = append(kept.Y, rows.Targets(j, j+1)...)
			if rows.Weights != nil {
				kept.Weights = append(kept.Weights, rows.Weights[j])
			}
		}
		return nil
	})
	return kept, numbers, err
}
