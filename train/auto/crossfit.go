package auto

import (
	"context"
	"errors"

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

// crossFit does the tasks in parallel: fit trains on the rows of all folds but the task's,
// the rest, and predicts those of its fold, held. It returns what fit returned, task by
// task, nil where one was not done.
func crossFit[T any](ctx context.Context, w worker, p partition, tasks []task, fit func(ctx context.Context, w worker, t task, rest, held []int) (*T, error)) ([]*T, error) {
	fits := make([]*T, len(tasks))
	err := parallel(ctx, w, len(tasks), func(ctx context.Context, w worker, i int) (err error) {
		t := tasks[i]
		fits[i], err = fit(ctx, w, t, p.without(t.fold), p.held(t.fold))
		return err
	})
	return fits, err
}

// diverged tells whether weights left the range of numbers.
func diverged(err error) bool {
	var d *train.DivergedError
	return errors.As(err, &d)
}
