package descent

import (
	"context"

	"beziergp/internal/process/elbo"
)

// Rows is a training set of n rows of d coordinates, in memory or behind a source.
type Rows struct {
	elbo.Batch        // the rows in memory
	Inputs     int    // d
	Source     Source // holds the rows in the place of Batch; nil for none
	Weighted   bool   // whether rows of Source have weights
}

// Len returns n.
func (r Rows) Len() int {
	if r.Source != nil {
		return r.Source.Rows()
	}
	return r.Batch.Len()
}

// Row returns the coordinates of row j, which is in memory.
func (r Rows) Row(j int) []float32 { return r.X[j*r.Inputs : (j+1)*r.Inputs] }

// Coordinates returns those of some rows in memory, [len(numbers), d] by rows.
func (r Rows) Coordinates(numbers []int) []float32 {
	x := make([]float32, 0, len(numbers)*r.Inputs)
	for _, j := range numbers {
		x = append(x, r.Row(j)...)
	}
	return x
}

func (r Rows) weighted() bool { return r.Weights != nil || r.Weighted }

// NewBatch returns memory for n rows.
func (r Rows) NewBatch(n int) elbo.Batch {
	b := elbo.Batch{X: make([]float32, n*r.Inputs), Y: make([]float32, n*r.Columns()), Outputs: r.Outputs}
	if r.weighted() {
		b.Weights = make([]float32, n)
	}
	return b
}

// gather copies some of the rows to a batch. They lie anywhere in memory: a loop that
// takes one number of each has many of them on their way to the processor at a time,
// so that whole rows have arrived when they are copied.
func (r Rows) gather(numbers []int, to elbo.Batch) {
	t := r.Columns()
	for p, j := range numbers {
		for k := range t {
			to.Y[p*t+k] = r.Y[j*t+k]
		}
	}
	for p, j := range numbers {
		to.X[p*r.Inputs] = r.X[j*r.Inputs]
	}
	for p, j := range numbers {
		copy(to.X[p*r.Inputs:(p+1)*r.Inputs], r.Row(j))
	}
	if to.Weights != nil {
		for p, j := range numbers {
			to.Weights[p] = r.Weights[j]
		}
	}
}

// Each visits all rows in order, at most block at a time where they are in memory, and else those of
// a block of the source. Of rows apart all ranks call it, and visit all.
func (r Rows) Each(ctx context.Context, block int, visit func(rows elbo.Batch) error) error {
	return r.each(ctx, block, false, visit)
}

// EachTogether is Each for who does not mind where rows are cut: those that are apart it visits in
// as large pieces as ranks exchange.
func (r Rows) EachTogether(ctx context.Context, block int, visit func(rows elbo.Batch) error) error {
	return r.each(ctx, block, true, visit)
}

func (r Rows) each(ctx context.Context, block int, together bool, visit func(rows elbo.Batch) error) error {
	switch {
	case r.apart() != nil:
		return r.eachApart(ctx, together, visit)
	case r.Source != nil:
		return r.eachBlock(ctx, visit)
	}
	for from := 0; from < r.Len(); from += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(r.Part(r.Inputs, from, min(from+block, r.Len()))); err != nil {
			return err
		}
	}
	return nil
}

func (r Rows) eachBlock(ctx context.Context, visit func(rows elbo.Batch) error) error {
	memory := r.NewBatch(r.Source.BlockRows())
	for i := range r.Source.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Source.Block(i, memory)
		if err != nil {
			return err
		}
		if err := visit(memory.Part(r.Inputs, 0, n)); err != nil {
			return err
		}
	}
	return nil
}
