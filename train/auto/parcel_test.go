package auto

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"beziergp/internal/comm"
	"beziergp/train"
)

// onRanks fits as every one of so many ranks, each with workers of its own number.
func onRanks(o Recipe, data train.Data, size int, environment func(rank int) (context.Context, train.Environment)) ([]*train.Result, []error) {
	results, errs := make([]*train.Result, size), make([]error, size)
	var all sync.WaitGroup
	for r, c := range comm.Group(size) {
		all.Go(func() {
			ctx, own := environment(r)
			own.Ranks, own.Workers = c, 1+r%2
			if r > 0 {
				own.Progress = nil
			}
			results[r], errs[r] = o.Fit(ctx, data, own)
		})
	}
	all.Wait()
	return results, errs
}

// Same seed, same bits, whatever the number of ranks, on every one of them.
func TestAutoDoesNotDependOnRanks(t *testing.T) {
	data := fixture(t, 300)
	for j := range 20 {
		data.X[j*17%len(data.X)] = float32(math.NaN()) // the averages of bases count
	}
	o := Recipe{Effort: Fast, Seed: 3, StepsFactor: 0.2, Budget: time.Hour}
	one, err := o.Fit(t.Context(), data, train.Environment{Workers: 2, OutOfFold: true})
	if err != nil {
		t.Fatal(err)
	}
	for size := 2; size <= 4; size++ {
		var last train.Event
		results, errs := onRanks(o, data, size, func(int) (context.Context, train.Environment) {
			return t.Context(), train.Environment{OutOfFold: true, Progress: func(e train.Event) {
				if e.Step < last.Step || e.Score.Rows > len(data.Y) {
					t.Errorf("progress goes from %+v to %+v", last, e)
				}
				last = e
			}}
		})
		if last.Step != last.Steps || last.Score.Rows == 0 {
			t.Errorf("the last event of %d ranks is %+v", size, last)
		}
		for r, own := range results {
			if errs[r] != nil {
				t.Fatal(errs[r])
			}
			if !slices.Equal(one.Posterior.Params(), own.Posterior.Params()) || !slices.Equal(one.Epistemic.Surface.Params(), own.Epistemic.Surface.Params()) ||
				one.Noise != own.Noise || one.RMSE != own.RMSE || one.Steps != own.Steps || one.VarianceScale != own.VarianceScale || one.Conformal != own.Conformal ||
				!reflect.DeepEqual(one.Options, own.Options) || !reflect.DeepEqual(one.OutOfFold, own.OutOfFold) {
				t.Errorf("rank %d of %d has another result", r, size)
			}
		}
	}
}

// Where any rank is interrupted, all end soon, and rank 0 has the best so far.
func TestRanksStop(t *testing.T) {
	for interrupted := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		var stopped time.Time
		results, errs := onRanks(Recipe{Effort: Fast, Seed: 3}, fixture(t, 300), 3, func(rank int) (context.Context, train.Environment) {
			env := train.Environment{Progress: func(e train.Event) {
				if e.Score.Rows > 0 && e.Phase == train.PhaseMembers && stopped.IsZero() {
					stopped = time.Now()
					cancel()
				}
			}}
			if rank == interrupted {
				return ctx, env
			}
			return t.Context(), env
		})
		cancel()
		if took := time.Since(stopped); took > 8*time.Second {
			t.Errorf("the ranks end %v after an interrupt", took)
		}
		for r, err := range errs {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("rank %d is interrupted, and rank %d says %v", interrupted, r, err)
			}
		}
		if results[0] == nil || !results[0].Options.(options).Interrupted {
			t.Errorf("rank %d is interrupted, and rank 0 has no best so far", interrupted)
		}
	}
}
