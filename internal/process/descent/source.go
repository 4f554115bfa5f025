package descent

import (
	"context"
	"math"
	"slices"

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

// Sample is rows of a source in memory.
type Sample struct {
	Rows
	Numbers []int   // among all rows of the source, ascending; nil for rows that were in memory
	Lo, Hi  float32 // of the targets of all rows of the source
}

// Sample returns the rows of a source in memory, or as many of them as have so many
// coordinates, every set of so many being equally likely; rows in memory are returned as
// they are.
func (r Rows) Sample(ctx context.Context, seed uint64, coordinates int) (kept Sample, err error) {
	if r.Source == nil {
		return Sample{Rows: r}, nil
	}
	rng := Random(seed, StreamSample)
	left := r.Len()
	kept.Inputs, kept.Outputs = r.Inputs, r.Outputs
	kept.Lo, kept.Hi = float32(math.Inf(1)), float32(math.Inf(-1))
	wanted := min(max(2, coordinates/r.Inputs), left)
	kept.X, kept.Y = make([]float32, 0, wanted*r.Inputs), make([]float32, 0, wanted*r.Columns())
	kept.Numbers = make([]int, 0, wanted)
	err = r.eachBlock(ctx, func(rows elbo.Batch) error {
		kept.Lo, kept.Hi = min(kept.Lo, slices.Min(rows.Y)), max(kept.Hi, slices.Max(rows.Y))
		for j := range rows.Len() {
			// Selection sampling (Knuth, TAOCP 2, algorithm 3.4.2S).
			take := rng.IntN(left) < wanted
			left--
			if !take {
				continue
			}
			wanted--
			kept.Numbers = append(kept.Numbers, r.Len()-left-1)
			kept.X = append(kept.X, rows.X[j*r.Inputs:(j+1)*r.Inputs]...)
			kept.Y = append(kept.Y, rows.Targets(j, j+1)...)
			if rows.Weights != nil {
				kept.Weights = append(kept.Weights, rows.Weights[j])
			}
		}
		return nil
	})
	return kept, err
}
