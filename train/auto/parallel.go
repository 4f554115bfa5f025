package auto

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"beziergp/internal/comm"
	"beziergp/internal/simd"
	"beziergp/train"
)

// worker is what a job computes with: a share of the processors, and who is told how far it
// has come.
type worker struct {
	pool     *simd.Pool
	progress *progress
	ranks    comm.Comm    // nil for the only one
	fit      *fitProgress // of the job, where it is a fit
	output   int          // that it is of, where several are learned one after another
}

// in returns the worker for a stage of the plan, which begins.
func (w worker) in(phase train.Phase, round int) worker {
	w.progress.enter(phase, round, w.output)
	return w
}

// job is one of several that do not depend on each other.
type job func(ctx context.Context, w worker, i int) error

// parallel does n jobs, one a processor, and those that are left over with several
// processors each: a small step is over too soon to be shared out well. Jobs are begun in
// order. After an error no job is begun, and those under way are stopped.
func parallel(ctx context.Context, w worker, n int, do job) error {
	workers := w.pool.Workers()
	left := n % workers
	if err := w.share(ctx, 0, n-left, workers, do); err != nil || left == 0 {
		return err
	}
	return w.share(ctx, n-left, n, left, do)
}

// share does the jobs from ≤ i < to, so many at once.
func (w worker) share(ctx context.Context, from, to, atOnce int, do job) error {
	var begun atomic.Int64
	all, ctx := errgroup.WithContext(ctx)
	for range min(atOnce, to-from) {
		all.Go(func() error {
			own := worker{pool: simd.NewPool(w.pool.Workers() / atOnce), progress: w.progress, ranks: w.ranks}
			defer own.pool.Close()
			for {
				i := from + int(begun.Add(1)) - 1
				if i >= to {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := do(ctx, own, i); err != nil {
					return err
				}
			}
		})
	}
	return all.Wait()
}
