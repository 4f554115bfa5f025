package method

import (
	"context"
	"sync"
	"sync/atomic"
)

// Share calls task for every i in [0, tasks) from at most so many goroutines, workers;
// worker, below workers, tells them apart, for buffers of their own. It returns the
// error of the smallest i, or ctx's, after which no further task starts. A result does
// not depend on workers if tasks write to places of their own.
func Share(ctx context.Context, workers, tasks int, task func(worker, i int) error) error {
	workers = min(workers, tasks)
	if workers <= 1 {
		var first error
		for i := range tasks {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := task(0, i); err != nil && first == nil {
				first = err
			}
		}
		return first
	}
	var (
		next  atomic.Int64
		group sync.WaitGroup
		errs  = make([]error, tasks)
	)
	for worker := range workers {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= tasks {
					return
				}
				errs[i] = task(worker, i)
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Blocks cuts rows into blocks of size and shares them out: task has rows from to
// to − 1.
func Blocks(ctx context.Context, workers, rows, size int, task func(worker, from, to int) error) error {
	return Share(ctx, workers, (rows+size-1)/size, func(worker, i int) error {
		return task(worker, i*size, min((i+1)*size, rows))
	})
}
