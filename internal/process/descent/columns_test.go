package descent

import (
	"context"
	"slices"
	"testing"

	"beziergp/internal/process/elbo"
)

// pairs is a source of rows with two targets, j and −j, one coordinate j, and the weight j.
type pairs struct{ rows, size int }

func (s pairs) Rows() int      { return s.rows }
func (s pairs) Blocks() int    { return (s.rows + s.size - 1) / s.size }
func (s pairs) BlockRows() int { return s.size }

func (s pairs) Block(i int, b elbo.Batch) (int, error) {
	n := min(s.size, s.rows-i*s.size)
	for p := range n {
		j := float32(i*s.size + p)
		b.X[p], b.Weights[p] = j, j
		copy(b.Targets(p, p+1), []float32{j, -j})
	}
	return n, nil
}

// Rows keep all of their targets on every way into a batch.
func TestRowsWithSeveralTargets(t *testing.T) {
	ctx, whole := context.Background(), func(t *testing.T, rows elbo.Batch, n int) {
		t.Helper()
		if rows.Len() != n || len(rows.Y) != 2*n || len(rows.X) != n || len(rows.Weights) != n {
			t.Fatalf("%d rows of %d targets, %d coordinates, %d weights; want %d", rows.Len(), len(rows.Y), len(rows.X), len(rows.Weights), n)
		}
		for p, j := range rows.X {
			if !slices.Equal(rows.Targets(p, p+1), []float32{j, -j}) || rows.Weights[p] != j {
				t.Fatalf("row %g has targets %v, weight %g", j, rows.Targets(p, p+1), rows.Weights[p])
			}
		}
	}
	stored := Rows{Batch: elbo.Batch{Outputs: 2}, Inputs: 1, Source: pairs{50, 7}, Weighted: true}
	kept, err := stored.Sample(ctx, 1, 50)
	if err != nil {
		t.Fatal(err)
	}
	whole(t, kept.Batch, 50)
	for name, rows := range map[string]Rows{"stored": stored, "in memory": kept} {
		t.Run(name, func(t *testing.T) {
			if rows.Len() != 50 {
				t.Fatalf("%d rows", rows.Len())
			}
			batches, size := rows.Batches(3, 16)
			defer batches.Wait()
			batch := rows.NewBatch(size)
			for step := range 9 {
				if err := batches.At(step, batch); err != nil {
					t.Fatal(err)
				}
				whole(t, batch, size)
			}
			next := 0
			err := rows.Each(ctx, 20, func(part elbo.Batch) error {
				whole(t, part, part.Len())
				next += part.Len()
				return nil
			})
			if err != nil || next != 50 {
				t.Errorf("visited %d rows: %v", next, err)
			}
		})
	}
}
