package main

import (
	"context"
	"runtime"
	"slices"
	"time"

	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/likelihood"
)

// rate is how fast one kind of work ran.
type rate struct {
	Seconds float64 `json:"seconds"` // median of a batch's
	FLOPs   float64 `json:"flops"`   // of a batch, in the layers' products only
	Rows    int     `json:"rows"`    // of a batch
}

func (r rate) perSecond() float64 { return r.FLOPs / r.Seconds }

// speeds are the rates of a shape on a number of workers.
type speeds struct {
	Shape   string `json:"shape"`
	Workers int    `json:"workers"`
	Forward rate   `json:"forward"`
	Both    rate   `json:"both"` // forward and backward
	Step    rate   `json:"step"` // of training: bases, forward, loss, backward, KL, Adam
	Mean    rate   `json:"mean"` // prediction of the mean alone
	Moments rate   `json:"moments"`
}

// tierSpeeds is what one instruction set reached.
type tierSpeeds struct {
	Tier   string   `json:"tier"`
	Peak   float64  `json:"peak"` // multiply-adds of one core, in operations a second
	Speeds []speeds `json:"speeds"`
	// Of splines; none without assembly.
	Layers []layerSpeeds `json:"layers"`
	Steps  []stepSpeeds  `json:"steps"`
}

// shapes are the workloads.
func shapes() []shape {
	mixed := shape{buttresses: 20, batch: 512}
	for range 4 {
		mixed.widths = append(mixed.widths, 21, 3, 12, 26, 1, 6, 17, 2)
	}
	mixed.name = "mixed, 1 to 26"
	named := func(name string, s shape) shape { s.name = name; return s }
	return []shape{
		named("m=21, d=17", uniform(21, 17)),
		named("m=6, d=385", uniform(6, 385)),
		named("m=21, d=4", uniform(21, 4)),
		named("m=4, d=1000", uniform(4, 1000)),
		mixed,
	}
}

// median returns the median time of a call of f, of at least five after one that
// does not count, for at least the given time.
func median(f func(), least time.Duration) float64 {
	f()
	var times []time.Duration
	for began := time.Now(); len(times) < 5 || time.Since(began) < least; {
		start := time.Now()
		f()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[len(times)/2].Seconds()
}

// measure runs a shape on a number of workers.
func measure(s shape, workers int, least time.Duration) speeds {
	pool := simd.NewPool(workers)
	defer pool.Close()
	c := newChain(s, pool)
	out := speeds{Shape: s.name, Workers: workers}
	out.Forward = rate{median(c.forward, least), s.flops(), s.batch}
	out.Both = rate{median(c.both, least), 3 * s.flops(), s.batch}
	step, _ := newStep(s, c, pool)
	out.Step = rate{median(step, least), 6 * s.flops(), s.batch}
	q, err := surface.NewPosterior(c.surface, parameters(c))
	if err != nil {
		panic(err) // they are the surface's own
	}
	e := surface.NewEvaluator(q, pool)
	mean, variance := make([]float64, s.batch), make([]float64, s.batch)
	out.Mean = rate{median(func() { _ = e.Moments(context.Background(), c.x, mean, nil) }, least), s.flops(), s.batch}
	out.Moments = rate{median(func() { _ = e.Moments(context.Background(), c.x, mean, variance) }, least), 2 * s.flops(), s.batch}
	return out
}

// parameters returns the chain's weights and the prior's variance.
func parameters(c *chain) []float32 {
	params := make([]float32, c.surface.Size())
	copy(c.surface.Mean(params, 0), c.w)
	return params
}

// newStep returns a step of training on the chain's batch.
func newStep(s shape, c *chain, pool *simd.Pool) (step func(), params []float32) {
	params = parameters(c)
	gradient, y := make([]float32, len(params)), make([]float32, s.batch)
	b, adam := elbo.NewBound(c.surface, likelihood.Gaussian{}, 100*s.batch, pool), optim.NewAdam(c.surface.Ends()...)
	logNoise := -c.ensemble.LogPaths()
	return func() {
		b.Evaluate(params, logNoise, elbo.Batch{X: c.x, Y: y}, gradient)
		adam.Step(params, gradient, 1e-6, pool)
	}, params
}

// measureTier runs all shapes on the instruction set in use, on one worker and on
// all.
func measureTier(all []shape, least time.Duration) tierSpeeds {
	out := tierSpeeds{Tier: simd.Tier(), Peak: simd.Peak(simd.Tier())}
	workers := slices.Compact([]int{1, runtime.NumCPU()})
	for range rounds {
		var round tierSpeeds
		for _, s := range all {
			for _, w := range workers {
				round.Speeds = append(round.Speeds, measure(s, w, least/rounds))
			}
		}
		if out.Peak > 0 {
			round.measureSplines(workers, least/rounds/splineShare)
		}
		out.Speeds = quicker(out.Speeds, round.Speeds, (*speeds).keepQuicker)
		out.Layers = quicker(out.Layers, round.Layers, (*layerSpeeds).keepQuicker)
		out.Steps = quicker(out.Steps, round.Steps, (*stepSpeeds).keepQuicker)
	}
	return out
}

// splineShare is how much shorter the figures of splines are measured: there are many, and
// their batches are quick.
const splineShare = 4

func (t *tierSpeeds) measureSplines(workers []int, least time.Duration) {
	for _, m := range layerNodes() {
		for _, w := range workers {
			t.Layers = append(t.Layers, measureLayers(m, w, least))
		}
	}
	for _, s := range stepShapes() {
		for _, w := range workers {
			t.Steps = append(t.Steps, measureStep(s[0], s[1], w, least))
		}
	}
}

// quicker returns the figures so far with what is quicker in those of another round.
func quicker[T any](all, round []T, keep func(*T, T)) []T {
	if all == nil {
		return round
	}
	for i, now := range round {
		keep(&all[i], now)
	}
	return all
}

// keepQuicker takes up the rates of another round that are higher.
func (s *speeds) keepQuicker(o speeds) {
	for _, pair := range [][2]*rate{{&s.Forward, &o.Forward}, {&s.Both, &o.Both}, {&s.Step, &o.Step}, {&s.Mean, &o.Mean}, {&s.Moments, &o.Moments}} {
		if pair[1].Seconds < pair[0].Seconds {
			*pair[0] = *pair[1]
		}
	}
}

// rounds is how often everything is measured, one after the other. What counts is the
// quickest round: other programs of the machine, or of the one that it is a part of, make
// phases of seconds to minutes in which all takes longer, and a ratio or a slope across
// two of them would be theirs.
const rounds = 5
