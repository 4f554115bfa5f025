package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"beziergp/bench/markdown"
	"beziergp/internal/comm"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/likelihood"
)

// measure times all-gathers on the ranks, and tells the latency of a message and the bandwidth of
// a rank by which the formula takes as long; and then a step, beside that of one rank.
func measure(ctx context.Context, ranks comm.Comm, w io.Writer) error {
	var sizes, times []float64
	size := ranks.Size()
	if ranks.Rank() > 0 {
		w = io.Discard
	}
	markdown.Head(w, "bytes", "seconds, fastest", "bytes sent by a rank")
	for n := 4; n <= 15_000_000; n *= 15 {
		message := make([]byte, n)
		took, err := fastest(ctx, ranks, 15, func() error {
			_, err := ranks.AllGather(ctx, message)
			return err
		})
		if err != nil {
			return err
		}
		sent := float64(n * (size - 1))
		sizes, times = append(sizes, sent), append(times, took)
		markdown.Row(w, n, fmt.Sprintf("%.3g", took), fmt.Sprintf("%.3g", sent))
	}
	alpha, beta := line(sizes, times)
	fmt.Fprintf(w, "\n%d ranks: an all-gather takes %.3g s and %.3g s a GB that a rank sends: α = %.3g µs a message, 1/β = %.3g GB/s with copies.\n",
		size, alpha, 1e9*beta, 1e6*alpha/float64(2*(size-1)), 1e-9/beta)
	if err := measureSteps(ctx, ranks, w); err != nil {
		return err
	}
	return measureJobs(ctx, ranks, w)
}

// fastest returns the least time of so many rounds: what else runs on the machine only adds to it.
func fastest(ctx context.Context, ranks comm.Comm, rounds int, do func() error) (float64, error) {
	var all []float64
	for range rounds {
		if err := ranks.Barrier(ctx); err != nil {
			return 0, err
		}
		began := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		all = append(all, time.Since(began).Seconds())
	}
	return slices.Min(all), nil
}

// task is a step of so many rows and orderings, at 17 inputs of 21 nodes.
type task struct{ batch, orderings int }

// measureSteps times a step at (21, 17) of 20 orderings and 2048 rows, one processor a rank: the same
// step on all ranks, and steps that grow with the ranks, beside the one of one rank.
func measureSteps(ctx context.Context, ranks comm.Comm, w io.Writer) error {
	const inputs, order = 17, 20
	base, size := task{2048, 20}, ranks.Size()
	one, _, err := timeStep(ctx, ranks, base, inputs, order, false)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "A step of %d rows, %d inputs of %d nodes, %d orderings takes %.3g ms on one rank. On %d ranks:\n\n", base.batch, inputs, order+1, base.orderings, 1e3*one, size)
	markdown.Head(w, "rows", "orderings", "ms", "of it in exchanges", "efficiency", "scaling")
	for _, c := range []struct {
		task
		work    int // of that of the base
		scaling string
	}{{base, 1, "strong"}, {task{base.batch, size * base.orderings}, size, "weak, by orderings"}, {task{size * base.batch, base.orderings}, size, "weak, by rows"}} {
		took, waited, err := timeStep(ctx, ranks, c.task, inputs, order, true)
		if err != nil {
			return err
		}
		markdown.Row(w, c.batch, c.orderings, fmt.Sprintf("%.3g", 1e3*took), fmt.Sprintf("%.0f %%", 100*waited), fmt.Sprintf("%.0f %%", 100*one*float64(c.work)/(took*float64(size))), c.scaling)
	}
	return nil
}

// timeStep returns the least time of a step, of all ranks together or of each for itself, and the
// share of it that is spent in exchanges, waiting included.
func timeStep(ctx context.Context, ranks comm.Comm, t task, inputs, order int, shared bool) (seconds, waiting float64, err error) {
	const rounds = 100
	b, err := basis.NewBernstein(order)
	if err != nil {
		return 0, 0, err
	}
	rng := rand.New(rand.NewPCG(1, 1))
	widths := slices.Repeat([]int{b.Nodes()}, inputs)
	e, err := buttress.New(widths, nil, buttress.RandomOrderings(inputs, t.orderings, rng))
	if err != nil {
		return 0, 0, err
	}
	s, err := surface.New(surface.Group{Bases: slices.Repeat([]basis.Basis{b}, inputs), Ensemble: e})
	if err != nil {
		return 0, 0, err
	}
	params, gradient := make([]float32, s.Size()), make([]float32, s.Size())
	for i := range s.Mean(params, 0) {
		params[i] = 0.2 // of layers of 21 nodes, near which f neither grows nor vanishes
	}
	rows := elbo.Batch{X: make([]float32, t.batch*inputs), Y: make([]float32, t.batch)}
	for i := range rows.X {
		rows.X[i] = rng.Float32()
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	if !shared {
		alone := elbo.NewBound(s, likelihood.Gaussian{}, t.batch, pool)
		seconds, err = fastest(ctx, ranks, rounds, func() error { alone.Evaluate(params, 0, rows, gradient); return nil })
		return seconds, 0, err
	}
	var exchanging time.Duration
	least := math.Inf(1)
	own := elbo.NewShared(s, likelihood.Gaussian{}, t.batch, pool, ranks.Rank(), ranks.Size(), func(own []byte) ([][]byte, error) {
		began := time.Now()
		defer func() { exchanging += time.Since(began) }()
		return ranks.AllGather(ctx, own)
	})
	seconds, err = fastest(ctx, ranks, rounds, func() error {
		began := time.Now()
		exchanging = 0
		_, err := own.Evaluate(params, 0, rows, gradient)
		if took := time.Since(began).Seconds(); took < least {
			least, waiting = took, exchanging.Seconds()/took
		}
		return err
	})
	return seconds, waiting, err
}

// measureJobs hands out jobs that compute for a while, and tells how long a rank waited for each: not
// only the last word, which tells that there is none left.
func measureJobs(ctx context.Context, ranks comm.Comm, w io.Writer) error {
	const each, length = 20, 40 * time.Millisecond
	jobs := each * ranks.Size()
	busy, last := time.Duration(0), time.Time{}
	waits := []float64{}
	err := comm.HandOut(ctx, ranks, comm.Jobs{Count: jobs, AtOnce: 1,
		Do: func(context.Context, int) ([]byte, error) {
			began := time.Now()
			if !last.IsZero() {
				waits = append(waits, began.Sub(last).Seconds())
			}
			for x := 0.5; time.Since(began) < length; x = math.Sqrt(x + 1) {
			}
			last = time.Now()
			busy += last.Sub(began)
			return nil, nil
		},
		Done: func(int, []byte) error { return nil },
	})
	if err != nil {
		return err
	}
	slices.Sort(waits)
	own := fmt.Sprintf("rank %d: %d jobs, median wait %.2g ms, longest %.2g ms", ranks.Rank(), len(waits)+1, 1e3*waits[len(waits)/2], 1e3*waits[len(waits)-1])
	all, err := ranks.Gather(ctx, 0, []byte(own))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nOf %d jobs of %v, handed out one by one:\n\n", jobs, length)
	for _, words := range all {
		fmt.Fprintf(w, "- %s\n", words)
	}
	return nil
}
