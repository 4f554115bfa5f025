package auto

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// Every job is done once, by no more workers at a time than there are, and all of them
// have something to do where jobs are enough for it.
func TestJobsInParallel(t *testing.T) {
	testkit.Parallel(t)
	for _, workers := range []int{1, 2, 3, 8} {
		for _, n := range []int{0, 1, 2, 3, 7, 16} {
			w := worker{pool: simd.NewPool(workers)}
			var busy atomic.Int64
			done, most := make([]atomic.Int64, n), atomic.Int64{}
			err := parallel(context.Background(), w, n, func(_ context.Context, own worker, i int) error {
				if now := busy.Add(int64(own.pool.Workers())); now > int64(workers) {
					t.Errorf("%d jobs, %d workers: %d at once", n, workers, now)
				}
				most.Store(max(most.Load(), int64(own.pool.Workers())))
				done[i].Add(1)
				busy.Add(-int64(own.pool.Workers()))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range done {
				if times := done[i].Load(); times != 1 {
					t.Errorf("%d jobs, %d workers: job %d done %d times", n, workers, i, times)
				}
			}
			if n == 1 && most.Load() != int64(workers) {
				t.Errorf("one job has %d of %d workers", most.Load(), workers)
			}
			w.pool.Close()
		}
	}
}

// After an error, or when it is interrupted, no job is begun.
func TestJobsEnd(t *testing.T) {
	testkit.Parallel(t)
	for _, workers := range []int{1, 3} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			w := worker{pool: simd.NewPool(workers)}
			defer w.pool.Close()
			wrong := errors.New("wrong")
			var begun atomic.Int64
			err := parallel(context.Background(), w, 100, func(_ context.Context, _ worker, i int) error {
				begun.Add(1)
				return wrong
			})
			if !errors.Is(err, wrong) || begun.Load() > int64(workers) {
				t.Errorf("%d jobs begun, %v", begun.Load(), err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			begun.Store(0)
			err = parallel(ctx, w, 100, func(context.Context, worker, int) error {
				begun.Add(1)
				cancel()
				return nil
			})
			if !errors.Is(err, context.Canceled) || begun.Load() > int64(workers) {
				t.Errorf("%d jobs begun, %v", begun.Load(), err)
			}
		})
	}
}
