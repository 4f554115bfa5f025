package train

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"beziergp/basis"
)

// candidate is a shape with its error on held-out rows.
type candidate struct {
	shape
	squaredError float64
}

// choose returns the best shape by the rows of the first fold, held out: successive
// halving, by which many candidates take few steps and few take many. The best of the
// first round meets shapes on a linear scaling, down to a straight line.
func (r *run) choose(ctx context.Context, folds [][]int) (shape, error) {
	var left []candidate
	for _, components := range r.shapes {
		for _, lambda := range r.smoothness {
			left = append(left, candidate{shape{ByRanks, components, lambda}, math.Inf(1)})
		}
	}
	for round, steps := range r.tries {
		if err := r.tryAll(ctx, folds, left, steps); err != nil {
			return shape{}, err
		}
		if round == 0 && r.hasKnots() {
			others := linearShapes(left[0].shape)
			if err := r.tryAll(ctx, folds, others, steps); err != nil {
				return shape{}, err
			}
			left = append(left, others...)
			slices.SortStableFunc(left, better)
		}
		left = left[:min(len(left), r.keep)]
	}
	if math.IsInf(left[0].squaredError, 0) {
		return shape{}, errNothing
	}
	return left[0].shape, nil
}

// linearShapes returns candidates on a linear scaling: the shape given, a coarse one
// and a straight line.
func linearShapes(s shape) []candidate {
	line := component{basis.KindBernstein, 2, 10, 1}
	return []candidate{
		{shape{Linear, s.Components, s.Smoothness}, math.Inf(1)},
		{shape{Linear, []component{coarse}, 1}, math.Inf(1)},
		{shape{Linear, []component{line}, 0.01}, math.Inf(1)},
		{shape{Linear, []component{line}, 10}, math.Inf(1)},
	}
}

// tryAll tries candidates and puts the best first.
func (r *run) tryAll(ctx context.Context, folds [][]int, c []candidate, steps int) error {
	for i := range c {
		var err error
		if c[i].squaredError, err = r.try(ctx, folds, c[i].shape, steps); err != nil {
			return err
		}
	}
	slices.SortStableFunc(c, better)
	return nil
}

func better(a, b candidate) int { return cmp.Compare(a.squaredError, b.squaredError) }

// try returns the squared error of a candidate on the first fold, infinite when it
// diverges.
func (r *run) try(ctx context.Context, folds [][]int, c shape, steps int) (float64, error) {
	r.use(c.Scaling)
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
