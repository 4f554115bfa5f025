package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// stepSpeeds are the seconds of a step of training of mean buttresses: rows gathered,
// bases, forward, loss, backward, penalty, Adam.
type stepSpeeds struct {
	Nodes   int     `json:"nodes"`
	Rows    int     `json:"rows"`   // of a batch
	Levels  int     `json:"levels"` // of a category in the place of an input; 0 for none
	Workers int     `json:"workers"`
	Step    float64 `json:"step"`
	Plain   float64 `json:"plain"` // by all nodes, Adam with a second moment a weight, the penalty in every step; 0 where not measured
}

func (s *stepSpeeds) keepQuicker(o stepSpeeds) {
	s.Step, s.Plain = min(s.Step, o.Step), min(s.Plain, o.Plain)
}

// plainNodes is the number of nodes at which the plain step is measured as well.
const plainNodes = 31

// stepShapes are the nodes and levels that are measured.
func stepShapes() [][2]int {
	return [][2]int{{16, 0}, {plainNodes, 0}, {64, 0}, {16, 8}, {16, 65536}}
}

func measureStep(nodes, levels, workers int, least time.Duration) stepSpeeds {
	pool := simd.NewPool(workers)
	defer pool.Close()
	s := splines(nodes, true)
	if s.levels = levels; levels > 0 {
		s.widths[0] = levels
	}
	data := s.rows()
	out := stepSpeeds{Nodes: nodes, Rows: s.batch, Levels: levels, Workers: workers, Step: descentStep(s, data, pool, least)}
	if nodes == plainNodes {
		s.local = false
		out.Plain = plainStep(s, data, pool, least)
	}
	return out
}

// rows returns a table that batches are drawn from.
func (s shape) rows() descent.Rows {
	const n = 1 << 16
	d := len(s.widths)
	rows := descent.Rows{Inputs: d}
	rows.X, rows.Y = make([]float32, n*d), make([]float32, n)
	for i := range rows.X {
		rows.X[i] = s.coordinate(i/d, i%d)
	}
	for p := range rows.Y {
		rows.Y[p] = coordinate(p, d) - 0.5
	}
	return rows
}

// start returns a surface of mean buttresses alone, and its weights.
func (s shape) start() (*surface.Surface, []float32) {
	f := s.surfaceOf(surface.MeanOnly)
	params := make([]float32, f.Size())
	descent.Start(f.Group(0), params, 0.2, 0.02, rand.New(rand.NewPCG(1, 1)))
	return f, params
}

const (
	stepRate   = 1e-4
	smoothness = 1e-4 // over all rows
)

func squared(f float64, y []float32) (value, slope float64) {
	r := f - float64(y[0])
	return 0.5 * r * r, r
}

// descentStep returns the seconds of a step of [descent.Descent], the median over runs of
// steps: some of them have more to do than others.
func descentStep(s shape, data descent.Rows, pool *simd.Pool, least time.Duration) float64 {
	const together = 16
	f, params := s.start()
	numbers := make([]int, data.Len())
	for i := range numbers {
		numbers[i] = i
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var times []time.Duration
	steps := 0
	var began, last time.Time
	err := descent.Descent{
		Objective: elbo.NewMean, Loss: squared, Steps: 1 << 20, Batch: s.batch, Rate: stepRate, Smoothness: smoothness, Seed: 1,
		Step: func(float64) {
			if steps++; steps%together != 0 {
				return
			}
			now := time.Now()
			if last.IsZero() {
				began = now // the steps before do not count
			} else {
				times = append(times, now.Sub(last))
			}
			last = now
			if len(times) >= 5 && now.Sub(began) >= least {
				cancel()
			}
		},
	}.Run(ctx, f, data.Only(numbers), params, pool)
	if !errors.Is(err, context.Canceled) {
		panic(err) // the data are ours
	}
	slices.Sort(times)
	return times[len(times)/2].Seconds() / together
}

// plainStep returns the seconds of a step without what makes steps cheap.
func plainStep(s shape, data descent.Rows, pool *simd.Pool, least time.Duration) float64 {
	f, params := s.start()
	gradient, d := make([]float32, len(params)), data.Inputs
	objective, adam := elbo.NewMean(f, squared, pool), optim.NewAdam(f.Ends()...)
	from := 0
	return median(func() {
		clear(gradient)
		objective.Evaluate(params, smoothness/float64(data.Len()), data.Part(d, from, from+s.batch), gradient, nil)
		adam.Step(params, gradient, stepRate, pool)
		from = (from + s.batch) % data.Len()
	}, least)
}
