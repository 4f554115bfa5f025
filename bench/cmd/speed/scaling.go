package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/process/basis"
	"beziergp/internal/simd"
	"beziergp/train"
	"beziergp/train/paper"
)

// scaling is the time of something against a size.
type scaling struct {
	title   string
	size    string
	sizes   []int
	seconds []float64
}

// slope returns the least-squares slope of log time against log size.
func (s scaling) slope() float64 {
	x, y := make([]float64, len(s.sizes)), make([]float64, len(s.sizes))
	for i := range x {
		x[i], y[i] = math.Log(float64(s.sizes[i])), math.Log(s.seconds[i])
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return slope
}

// measure fills in the seconds of every size, of the quickest of [rounds].
func (s *scaling) measure(seconds func(size int) (float64, error)) error {
	s.seconds = make([]float64, len(s.sizes))
	for round := range rounds {
		for i, size := range s.sizes {
			now, err := seconds(size)
			if err != nil {
				return err
			}
			if round == 0 || now < s.seconds[i] {
				s.seconds[i] = now
			}
		}
	}
	return nil
}

// scalings measures on all workers, at least so long a size.
func scalings(ctx context.Context, least time.Duration) ([]scaling, error) {
	pool := simd.NewPool(runtime.NumCPU())
	defer pool.Close()
	step := func(s shape) (float64, error) {
		run, _ := newStep(s, newChain(s, pool), pool)
		return median(run, least/rounds), nil
	}
	doublings := func(from, to int) (sizes []int) {
		for size := from; size <= to; size *= 2 {
			sizes = append(sizes, size)
		}
		return sizes
	}
	inputs := scaling{title: "A training step against d (m=6, r=8, B=512)", size: "d", sizes: doublings(8, 2048)}
	buttresses := scaling{title: "A training step against r (m=11, d=31, B=512)", size: "r", sizes: doublings(1, 128)}
	nodes := scaling{
		title: "A training step against ν+1 (d=8, r=20, B=512); its arithmetic has the slope 2", size: "ν+1",
		sizes: []int{2, 3, 4, 6, 8, 11, 16, 21, 26},
	}
	// Last, for the pages that its tables leave behind are scattered.
	rows := scaling{title: "An epoch of training against n (m=11, d=8, r=20, B=512)", size: "n", sizes: []int{1e4, 1e5, 1e6, 1e7}}
	err := errors.Join(
		inputs.measure(func(d int) (float64, error) {
			s := uniform(6, d)
			s.buttresses = 8
			return step(s)
		}),
		buttresses.measure(func(r int) (float64, error) {
			s := uniform(11, 31)
			s.buttresses = r
			return step(s)
		}),
		nodes.measure(func(m int) (float64, error) { return step(uniform(m, 8)) }),
		rows.measure(func(n int) (float64, error) { return epoch(ctx, n) }),
	)
	return []scaling{rows, inputs, buttresses, nodes}, err
}

// epoch returns the time of one epoch of n rows: that of a step, rows drawn from all
// of them, times the steps of an epoch.
func epoch(ctx context.Context, n int) (float64, error) {
	const m, d, batch = 11, 8, 512
	data := train.Data{X: make([]float32, n*d), Y: make([]float32, n)}
	for i := range data.X {
		data.X[i] = coordinate(i/d, i%d)
	}
	for p := range data.Y {
		data.Y[p] = float32(math.Sin(float64(p)))
	}
	b, err := basis.NewBernstein(m - 1)
	if err != nil {
		return 0, err
	}
	for range d {
		data.Bases = append(data.Bases, b)
	}
	const skipped, steps = 200, 3200
	var from, to time.Time
	timed, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err = paper.Recipe{Steps: steps + 1, Batch: batch}.Fit(timed, data, train.Environment{Workers: runtime.NumCPU(), Progress: func(e train.Event) {
		switch e.Step {
		case skipped:
			from = time.Now()
		case steps:
			to = time.Now()
			cancel() // the rest is not timed
		}
	}})
	if timed.Err() == nil || ctx.Err() != nil {
		return 0, fmt.Errorf("n = %d: %w", n, err)
	}
	return to.Sub(from).Seconds() / (steps - skipped) * float64(n) / batch, nil
}
