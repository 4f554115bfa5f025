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
		left = survivors(left, r.keep)
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
		if i > 0 && r.spent() > budgetToChoose {
			break
		}
		var err error
		if c[i].squaredError, err = r.try(ctx, folds, c[i].shape, steps); err != nil {
			return err
		}
	}
	slices.SortStableFunc(c, better)
	return nil
}

// budgetToChoose is the share of a budget after which no more candidates are tried.
const budgetToChoose = 0.35

func better(a, b candidate) int { return cmp.Compare(a.squaredError, b.squaredError) }

// try returns the squared error of a candidate on held-out rows, infinite when it
// diverges: the first fold, or every fold in turn where rows are so few that one
// would tell by chance.
// survivors returns the candidates, best first, that go on to another round: of each
// scaling and smoothness the best, before any second best. How smooth a function
// should be shows late, for few steps favour the smoother one.
func survivors(sorted []candidate, keep int) []candidate {
	type kind struct {
		scaling    Scaling
		smoothness float64
	}
	seen := map[kind]bool{}
	var first, second []candidate
	for _, c := range sorted {
		if k := (kind{c.Scaling, c.Smoothness}); !seen[k] {
			seen[k] = true
			first = append(first, c)
		} else {
			second = append(second, c)
		}
	}
	kept := append(first, second...)
	kept = kept[:min(len(kept), keep)]
	slices.SortStableFunc(kept, better)
	return kept
}

func (r *run) try(ctx context.Context, folds [][]int, c shape, steps int) (float64, error) {
	r.use(c.Scaling)
	held := folds[:r.heldFolds()]
	var sum, n float64
	for k := range held {
		s, params, err := r.train(ctx, c, r.without(folds, k), steps, 0)
		if diverged(err) {
			return math.Inf(1), nil
		}
		if err != nil {
			return 0, err
		}
		values := make([]float64, len(held[k]))
		if err := means(ctx, s, params, rows{r.data, held[k]}, values, r.pool); err != nil {
			return 0, err
		}
		r.limits.Hold(values)
		of := float64(len(held[k]))
		sum, n = sum+of*r.data.squaredError(held[k], func(i, _ int) float64 { return values[i] }), n+of
	}
	return sum / n, nil
}

func diverged(err error) bool {
	var d *DivergedError
	return errors.As(err, &d)
}
