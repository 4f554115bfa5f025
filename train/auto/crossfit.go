package auto

import (
	"context"
	"errors"
	"slices"

	"beziergp/internal/comm"
	"beziergp/train"
)

// task is one fit of a cross-fitting: of a candidate, without the rows of a fold.
type task struct{ candidate, fold int }

// everyTask returns those of all candidates, each without every one of the first folds.
func everyTask(candidates, folds int) (tasks []task) {
	for c := range candidates {
		for k := range folds {
			tasks = append(tasks, task{c, k})
		}
	}
	return tasks
}

// crossFit does the tasks in parallel, on all ranks: fit trains on the rows of all folds but
// the task's, the rest, and predicts those of its fold, held. It returns what fit returned,
// task by task, nil where one was not done. told, where it is
// not nil, takes a fit as soon as it is known here.
func crossFit[T any, F parcel[T]](ctx context.Context, w worker, p partition, tasks []task, fit func(ctx context.Context, w worker, t task, rest, held []int) (*T, error), told func(w worker, t task, fit *T)) ([]*T, error) {
	fits := make([]*T, len(tasks))
	do := func(ctx context.Context, w worker, i int) (*T, error) {
		t := tasks[i]
		return fit(ctx, w, t, p.without(t.fold), p.held(t.fold))
	}
	take := func(w worker, i int, fit *T) {
		fits[i] = fit
		if told != nil && fit != nil {
			told(w, tasks[i], fit)
		}
	}
	if comm.OrAlone(w.ranks).Size() > 1 {
		return fits, handOut[T, F](ctx, w, tasks, do, take)
	}
	return fits, parallel(ctx, w, len(tasks), func(ctx context.Context, w worker, i int) error {
		w.fit = w.progress.begin(i, tasks[i])
		defer w.fit.end()
		own, err := do(ctx, w, i)
		if err == nil {
			take(w, i, own)
		}
		return err
	})
}

// crossFitEach fits every candidate without each of the first folds. It returns the fits of
// each candidate, fold by fold, nil for a candidate of which one diverges.
func crossFitEach[T any, F parcel[T]](ctx context.Context, w worker, p partition, candidates, first int, fit func(ctx context.Context, w worker, t task, rest, held []int) (*T, error)) ([][]*T, error) {
	fits, err := crossFit[T, F](ctx, w, p, everyTask(candidates, first), func(ctx context.Context, w worker, t task, rest, held []int) (*T, error) {
		own, err := fit(ctx, w, t, rest, held)
		if diverged(err) {
			return nil, nil
		}
		return own, err
	}, nil)
	if err != nil {
		return nil, err
	}
	all := make([][]*T, candidates)
	for c := range all {
		if own := fits[c*first : (c+1)*first]; !slices.Contains(own, nil) {
			all[c] = own
		}
	}
	return all, nil
}

// diverged tells whether weights left the range of numbers.
func diverged(err error) bool {
	var d *train.DivergedError
	return errors.As(err, &d)
}
