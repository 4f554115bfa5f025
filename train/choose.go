package train

import (
	"context"
	"errors"
	"math"
	"slices"
)

// candidate is a shape with its error on held-out rows.
type candidate struct {
	shape
	squaredError float64
}

// choose returns the best shape by the rows of the first fold, held out: successive
// halving, by which many candidates take few steps and few take many.
func (r *run) choose(ctx context.Context, folds [][]int) (shape, error) {
	var left []candidate
	for _, components := range r.shapes {
		for _, lambda := range r.smoothness {
			left = append(left, candidate{shape{components, lambda}, math.Inf(1)})
		}
	}
	for _, steps := range r.tries {
		for i := range left {
			var err error
			if left[i].squaredError, err = r.try(ctx, folds, left[i].shape, steps); err != nil {
				return shape{}, err
			}
		}
		slices.SortStableFunc(left, func(a, b candidate) int {
			if a.squaredError < b.squaredError {
				return -1
			}
			if b.squaredError < a.squaredError {
				return 1
			}
			return 0
		})
		left = left[:min(len(left), r.keep)]
	}
	if math.IsInf(left[0].squaredError, 0) {
		return shape{}, errNothing
	}
	return left[0].shape, nil
}

// try returns the squared error of a candidate on the first fold, infinite when it
// diverges.
func (r *run) try(ctx context.Context, folds [][]int, c shape, steps int) (float64, error) {
	s, params, err := r.train(ctx, c, r.without(folds, 0), steps, 0)
	if diverged(err) {
		return math.Inf(1), nil
	}
	if err != nil {
		return 0, err
	}
	held := make([]float64, len(folds[0]))
	if err := means(ctx, s, params, rows{r.data, folds[0]}, held, r.pool); err != nil {
		return 0, err
	}
	var sum float64
	for i, j := range folds[0] {
		sum += square(float64(r.data.Y[j]) - held[i])
	}
	return sum / float64(len(held)), nil
}

func diverged(err error) bool {
	var d *DivergedError
	return errors.As(err, &d)
}
