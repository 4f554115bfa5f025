package train

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"beziergp/internal/simd"
)

// each does n jobs that do not depend on each other, one a worker, and those that are
// left over with several workers each: a small step is over too soon to be shared out
// well. Jobs are begun in order and get a run of their own, a copy with some of the
// workers. After an error no job is begun, and those under way are stopped.
func (r *run) each(ctx context.Context, n int, job func(ctx context.Context, own *run, i int) error) error {
	workers := r.pool.Workers()
	left := n % workers
	if err := r.sideBySide(ctx, 0, n-left, workers, job); err != nil || left == 0 {
		return err
	}
	return r.sideBySide(ctx, n-left, n, left, job)
}

// sideBySide does the jobs from ≤ i < to, so many at once.
func (r *run) sideBySide(ctx context.Context, from, to, atOnce int, job func(ctx context.Context, own *run, i int) error) error {
	var begun atomic.Int64
	all, ctx := errgroup.WithContext(ctx)
	for range min(atOnce, to-from) {
		all.Go(func() error {
			own := *r
			own.pool = simd.NewPool(r.pool.Workers() / atOnce)
			defer own.pool.Close()
			for {
				i := from + int(begun.Add(1)) - 1
				if i >= to {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := job(ctx, &own, i); err != nil {
					return err
				}
			}
		})
	}
	return all.Wait()
}
