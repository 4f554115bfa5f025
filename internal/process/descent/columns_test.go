package descent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"beziergp/internal/process/elbo"
)

// twoTargets is a source of rows with two targets, j and −j, the coordinates j and j + ½, and
// the weight j.
type twoTargets struct{ rows, size int }

func (s twoTargets) Rows() int      { return s.rows }
func (s twoTargets) Blocks() int    { return (s.rows + s.size - 1) / s.size }
func (s twoTargets) BlockRows() int { return s.size }

func (s twoTargets) Block(i int, b elbo.Batch) (int, error) {
	n := min(s.size, s.rows-i*s.size)
	for p := range n {
		j := float32(i*s.size + p)
		b.X[2*p], b.X[2*p+1], b.Weights[p] = j, j+0.5, j
		copy(b.Targets(p, p+1), []float32{j, -j})
	}
	return n, nil
}

// stored are 50 rows behind a source, in blocks of 7.
var stored = Rows{Batch: elbo.Batch{Outputs: 2}, Inputs: 2, Source: twoTargets{50, 7}, Weighted: true}

// inMemory are the same rows.
func inMemory(t *testing.T) Rows {
	t.Helper()
	rows, err := stored.Sample(context.Background(), 1, 2*50)
	if err != nil {
		t.Fatal(err)
	}
	return rows.Rows
}

// numbersOf returns the numbers of rows, each of which must be whole.
func numbersOf(t *testing.T, rows elbo.Batch) (numbers []int) {
	t.Helper()
	n := rows.Len()
	if len(rows.Y) != 2*n || len(rows.X) != 2*n || len(rows.Weights) != n {
		t.Fatalf("%d rows of %d targets, %d coordinates, %d weights", n, len(rows.Y), len(rows.X), len(rows.Weights))
	}
	for p := range n {
		j := rows.X[2*p]
		if rows.X[2*p+1] != j+0.5 || !slices.Equal(rows.Targets(p, p+1), []float32{j, -j}) || rows.Weights[p] != j {
			t.Fatalf("row %g has coordinates %v, targets %v, weight %g", j, rows.X[2*p:2*p+2], rows.Targets(p, p+1), rows.Weights[p])
		}
		numbers = append(numbers, int(j))
	}
	return numbers
}

// Rows keep all of their coordinates and targets on every way into a batch.
func TestRowsWithSeveralTargets(t *testing.T) {
	kept := inMemory(t)
	if !slices.Equal(numbersOf(t, kept.Batch), upTo(50)) {
		t.Fatalf("rows %v", kept.X)
	}
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
				if numbers := numbersOf(t, batch); len(numbers) != 16 || len(slices.Compact(slices.Sorted(slices.Values(numbers)))) != 16 {
					t.Fatalf("a batch of rows %v", numbers)
				}
			}
			for _, block := range []int{20, 25} {
				var numbers []int
				err := rows.Each(context.Background(), block, func(part elbo.Batch) error {
					if n := part.Len(); n == 0 || name == "in memory" && n != block && len(numbers)+n != 50 {
						t.Errorf("a part of %d rows", n)
					}
					numbers = append(numbers, numbersOf(t, part)...)
					return nil
				})
				if err != nil || !slices.Equal(numbers, upTo(50)) {
					t.Errorf("visited rows %v: %v", numbers, err)
				}
			}
		})
	}
	if row := kept.Row(3); !slices.Equal(row, []float32{3, 3.5}) {
		t.Errorf("row 3 is %v", row)
	}
	if x := kept.Coordinates([]int{4, 1}); !slices.Equal(x, []float32{4, 4.5, 1, 1.5}) {
		t.Errorf("rows 4 and 1 are %v", x)
	}
}

// Of few coordinates there are two rows, and of no table more than it has.
func TestSizeOfASample(t *testing.T) {
	for coordinates, want := range map[int]int{1: 2, 4: 2, 21: 10, 100: 50, 1000: 50} {
		some, err := stored.Sample(context.Background(), 1, coordinates)
		if err != nil || len(numbersOf(t, some.Batch)) != want {
			t.Errorf("%d coordinates: %d rows, want %d; %v", coordinates, some.Len(), want, err)
		}
	}
}

// A batch has weights where rows have.
func TestBatchesWithoutWeights(t *testing.T) {
	for _, rows := range []Rows{{Inputs: 3}, {Inputs: 3, Source: blocks{}}} {
		if b := rows.NewBatch(4); len(b.X) != 12 || len(b.Y) != 4 || b.Weights != nil {
			t.Errorf("%+v", b)
		}
	}
}

// Visits end with the first error, and where the context does.
func TestVisitsEnd(t *testing.T) {
	for name, rows := range map[string]Rows{"stored": stored, "in memory": inMemory(t)} {
		visits, enough := 0, errors.New("enough")
		err := rows.Each(context.Background(), 7, func(elbo.Batch) error {
			if visits++; visits == 2 {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) || visits != 2 {
			t.Errorf("%s: %d visits, %v", name, visits, err)
		}
		ctx, stop := context.WithCancel(context.Background())
		visits = 0
		err = rows.Each(ctx, 7, func(elbo.Batch) error {
			if visits++; visits == 2 {
				stop()
			}
			return nil
		})
		stop()
		if !errors.Is(err, context.Canceled) || visits != 2 {
			t.Errorf("%s: %d visits before the end, %v", name, visits, err)
		}
	}
	unreadable := Rows{Inputs: 1, Source: blocks{rows: 10, size: 5, fail: fmt.Errorf("no file")}}
	if err := unreadable.Each(context.Background(), 5, func(elbo.Batch) error { return nil }); !errors.Is(err, unreadable.Source.(blocks).fail) {
		t.Errorf("error %v", err)
	}
}
