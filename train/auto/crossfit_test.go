package auto

import (
	"context"
	"errors"
	"slices"
	"testing"

	"beziergp/internal/simd"
	"beziergp/train"
)

// Of three candidates the second diverges without one fold and has no fits; the others have
// theirs fold by fold, each without the rows of its own.
func TestCandidatesThatDivergeHaveNoFits(t *testing.T) {
	fitOf := func(t task) *outOfFold { return &outOfFold{held: []float64{float64(t.candidate), float64(t.fold)}} }
	w := worker{pool: simd.NewPool(2), progress: newProgress(train.Environment{}.WithDefaults(), 0)}
	defer w.pool.Close()
	p := partition{rows: []int{4, 0, 1, 2, 3}, folds: [][]int{{0, 1}, {2}, {3, 4}}}
	try := func(fault error) ([][]*outOfFold, error) {
		return crossFitEach(t.Context(), w, p, 3, 2, func(_ context.Context, _ worker, own task, rest, held []int) (*outOfFold, error) {
			if !slices.Equal(held, p.folds[own.fold]) || slices.ContainsFunc(rest, func(j int) bool { return slices.Contains(held, j) }) || len(rest)+len(held) != len(p.rows) {
				t.Errorf("%v: rest %v, held %v", own, rest, held)
			}
			if own.candidate == 1 && own.fold == 1 {
				return nil, fault
			}
			return fitOf(own), nil
		})
	}
	fits, err := try(&train.DivergedError{})
	if err != nil || len(fits) != 3 || fits[1] != nil {
		t.Fatalf("%v, %v", fits, err)
	}
	for _, c := range []int{0, 2} {
		for k, own := range fits[c] {
			if !slices.Equal(own.held, fitOf(task{c, k}).held) {
				t.Errorf("candidate %d, fold %d: %v", c, k, *own)
			}
		}
		if len(fits[c]) != 2 {
			t.Errorf("candidate %d has %d fits", c, len(fits[c]))
		}
	}
	full := errors.New("the disk is full")
	if _, err := try(full); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}
