package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"beziergp/bench/markdown"
	"beziergp/internal/comm"
)

// measure times sums of vectors on the ranks, and tells the latency of a message and the
// bandwidth of a rank by which the formula takes as long.
func measure(ctx context.Context, ranks comm.Comm, w io.Writer) error {
	var sizes, times []float64
	size := ranks.Size()
	shares := comm.Shares(1)
	for int(shares) < size {
		shares *= 2
	}
	if ranks.Rank() == 0 {
		markdown.Head(w, "bytes", "seconds, fastest", "bytes sent by a rank")
	}
	for n := 1; n <= 15_000_000; n *= 15 {
		const rounds = 15
		var all []float64
		for range rounds { // the fastest counts: what else runs on the machine only adds to it
			if err := ranks.Barrier(ctx); err != nil {
				return err
			}
			began := time.Now()
			if _, err := comm.Sum(ctx, ranks, shares, n, func(int, []float32) {}); err != nil {
				return err
			}
			all = append(all, time.Since(began).Seconds())
		}
		sent := 4 * float64(n) * 2 * float64(size-1) / float64(size)
		sizes, times = append(sizes, sent), append(times, slices.Min(all))
		if ranks.Rank() == 0 {
			markdown.Row(w, 4*n, fmt.Sprintf("%.3g", slices.Min(all)), fmt.Sprintf("%.3g", sent))
		}
	}
	alpha, beta := line(sizes, times)
	if ranks.Rank() == 0 {
		fmt.Fprintf(w, "\n%d ranks: a sum takes %.3g s and %.3g s a GB that a rank sends: α = %.3g µs a message, β = %.3g GB/s with copies and additions.\n",
			size, alpha, 1e9*beta, 1e6*alpha/float64(2*(size-1)), 1e-9/beta)
	}
	return nil
}
