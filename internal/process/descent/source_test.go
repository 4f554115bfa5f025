package descent

import (
	"context"
	"testing"

	"beziergp/internal/process/elbo"
)

// blocks is a source over rows in memory: row j has the target j.
type blocks struct {
	rows, size int
	fail       error
}

func (b blocks) Rows() int      { return b.rows }
func (b blocks) Blocks() int    { return (b.rows + b.size - 1) / b.size }
func (b blocks) BlockRows() int { return b.size }

func (b blocks) Block(i int, dst elbo.Batch) (int, error) {
	if b.fail != nil {
		return 0, b.fail
	}
	n := min(b.size, b.rows-i*b.size)
	for p := range n {
		row := i*b.size + p
		dst.X[p] = float32(row) / float32(b.rows)
		dst.Y[p] = float32(row)
	}
	return n, nil
}

// Of a source all rows are taken, in their order, or a sample, each row at most once and
// from all parts of the table.
func TestSampleOfASource(t *testing.T) {
	source := Rows{Inputs: 1, Source: blocks{rows: 1000, size: 64}}
	whole, err := source.Sample(context.Background(), 1, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for j, y := range whole.Y {
		if y != float32(j) {
			t.Fatalf("row %d of all is %g", j, y)
		}
	}
	if len(whole.Y) != 1000 || len(whole.X) != 1000 {
		t.Errorf("%d rows", len(whole.Y))
	}
	if whole.Lo != 0 || whole.Hi != 999 {
		t.Errorf("targets from %g to %g", whole.Lo, whole.Hi)
	}
	some, err := source.Sample(context.Background(), 1, 200)
	if err != nil {
		t.Fatal(err)
	}
	var mean float64
	for j, y := range some.Y {
		if j > 0 && y <= some.Y[j-1] {
			t.Fatalf("row %g after %g", y, some.Y[j-1])
		}
		if some.Numbers[j] != int(y) {
			t.Fatalf("row %g is said to be %d", y, some.Numbers[j])
		}
		mean += float64(y) / 200
	}
	// Without replacement the mean of 200 of 1000 has a deviation of about 18.
	if len(some.Y) != 200 || mean < 499.5-4*18 || mean > 499.5+4*18 {
		t.Errorf("%d rows, their mean number %g", len(some.Y), mean)
	}
}
