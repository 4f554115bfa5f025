package main

import (
	"context"
	"fmt"
	"io"
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
	return measureStep(ctx, ranks, w)
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

// measureStep times a step at (21, 17): 17 inputs of 21 nodes, 20 orderings, 2048 rows, one
// processor a rank.
func measureStep(ctx context.Context, ranks comm.Comm, w io.Writer) error {
	const inputs, order, orderings, batch, rounds = 17, 20, 20, 2048, 100
	b, err := basis.NewBernstein(order)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 1))
	widths := slices.Repeat([]int{b.Nodes()}, inputs)
	e, err := buttress.New(widths, nil, buttress.RandomOrderings(inputs, orderings, rng))
	if err != nil {
		return err
	}
	s, err := surface.New(surface.Group{Bases: slices.Repeat([]basis.Basis{b}, inputs), Ensemble: e})
	if err != nil {
		return err
	}
	params, gradient := make([]float32, s.Size()), make([]float32, s.Size())
	for i := range s.Mean(params, 0) {
		params[i] = 0.2 // of layers of 21 nodes, near which f neither grows nor vanishes
	}
	rows := elbo.Batch{X: make([]float32, batch*inputs), Y: make([]float32, batch)}
	for i := range rows.X {
		rows.X[i] = rng.Float32()
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	alone, own := elbo.NewBound(s, likelihood.Gaussian{}, batch, pool), elbo.NewShared(s, likelihood.Gaussian{}, batch, pool, ranks.Rank(), ranks.Size(), func(own []byte) ([][]byte, error) {
		return ranks.AllGather(ctx, own)
	})
	one, err := fastest(ctx, ranks, rounds, func() error { alone.Evaluate(params, 0, rows, gradient); return nil })
	if err != nil {
		return err
	}
	shared, err := fastest(ctx, ranks, rounds, func() error { _, err := own.Evaluate(params, 0, rows, gradient); return err })
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "A step of %d rows, %d inputs of %d nodes, %d orderings: %.3g ms on one rank, %.3g ms on %d, %.0f %%.\n",
		batch, inputs, order+1, orderings, 1e3*one, 1e3*shared, ranks.Size(), 100*one/(shared*float64(ranks.Size())))
	return nil
}
