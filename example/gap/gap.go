// Package gap is the one-dimensional experiment of Jørgensen & Osborne, section
// 4.1: a sine observed on both sides of a gap. In the gap the process is to go
// back to its prior.
//
// How far it goes back is a matter of distance and of σ². The prior's correlation
// of f at the middle of the paper's gap and at its edge is 0.57, and the sine is
// near its minimum at both edges, so the data pull at the whole gap. With the
// paper's σ² = 1/τ, a twentieth of the prior's variance, the mean in the middle
// comes back from −3 to −2.0, median over 60 draws of the data; with a tenth of
// that, as befits a target without noise, to −0.1. The variance there is 5 to 18
// times that at the data. A wider gap shows prior mean and variance in full.
package gap

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"

	"beziergp"
	"beziergp/train/paper"
)

// Amplitude is that of the sine.
const Amplitude = 3

// Sine is the function that is observed: y(x) = 3 sin 16x.
func Sine(x float64) float64 { return Amplitude * math.Sin(16*x) }

// Experiment chooses how to run. A zero field takes the documented default.
type Experiment struct {
	// From and To are the ends of the gap; 0.33 and 0.66.
	From, To float64
	// Rows is the number of observations on either side, uniformly drawn; 20.
	Rows int
	// Order is ν; 20.
	Order int
	// KLWeight is σ² τ; 1, the paper's. It is the Recipe's unless that is given.
	KLWeight float64
	// Recipe trains; its own defaults are 10000 steps of rate 0.01 with all rows,
	// which arrives at the only maximum of the bound. The paper's rate of 0.001 ends
	// on the way there: control points lie up to five deviations from zero.
	Recipe paper.Recipe
	// Seed draws the observations and the start of training.
	Seed uint64
	// Grid is the number of intervals of [0, 1] at whose ends f is evaluated; 400.
	Grid int
}

func (e Experiment) withDefaults() Experiment {
	if e.From == 0 && e.To == 0 {
		e.From, e.To = 0.33, 0.66
	}
	if e.Rows == 0 {
		e.Rows = 20
	}
	if e.Order == 0 {
		e.Order = 20
	}
	if e.Grid == 0 {
		e.Grid = 400
	}
	if reflect.ValueOf(e.Recipe).IsZero() {
		e.Recipe = paper.Recipe{Steps: 10000, LearningRate: 0.01, Batch: 2 * e.Rows, KLWeight: e.KLWeight}
	}
	e.Recipe.Order, e.Recipe.Orderings = e.Order, 1 // one input has no more
	e.Recipe.Seed = e.Seed
	return e
}

// Result is the fitted process, everything in the target's units.
type Result struct {
	X, Y      []float64 // what was observed
	F         Moments   // of f on the grid
	Points    Moments   // of the control points; node i stands at i/ν
	Noise     float64   // deviation
	RMSE      float64   // at the observations
	TargetStd float64   // the unit of the prior: Var f = 1 in its square
}

// Moments are Gaussian distributions at a number of places in [0, 1].
type Moments struct {
	At                  []float64
	Mean, Std           []float64 // of the posterior
	PriorMean, PriorStd []float64
}

// Run draws the data, fits and evaluates.
func (e Experiment) Run(ctx context.Context) (*Result, error) {
	e = e.withDefaults()
	r := e.observe()
	observed, err := beziergp.NewTable(beziergp.Column{Name: "x", Values: r.X}, beziergp.Column{Name: "y", Values: r.Y})
	if err != nil {
		return nil, err
	}
	m, err := beziergp.Fit(ctx, observed, "y", beziergp.Options{
		Bounds: map[string]beziergp.Bounds{"x": {Lo: 0, Hi: 1}},
		Recipe: e.Recipe,
	})
	if err != nil {
		return nil, err
	}
	r.Noise, r.RMSE, r.TargetStd = m.Noise(), m.Training().RMSE, m.Target().SD
	if err := r.evaluate(ctx, m, e.Grid); err != nil {
		return nil, err
	}
	return r, r.controlPoints(m)
}

// streamData keeps the data apart from what training draws of the same seed.
const streamData = 1 << 32

func (e Experiment) observe() *Result {
	rng := rand.New(rand.NewPCG(e.Seed, streamData))
	r := &Result{}
	for range e.Rows {
		r.X = append(r.X, e.From*rng.Float64())
	}
	for range e.Rows {
		r.X = append(r.X, e.To+(1-e.To)*rng.Float64())
	}
	for _, x := range r.X {
		r.Y = append(r.Y, Sine(x))
	}
	return r
}

// evaluate fills F.
func (r *Result) evaluate(ctx context.Context, m *beziergp.Model, intervals int) error {
	for i := range intervals + 1 {
		r.F.At = append(r.F.At, float64(i)/float64(intervals))
	}
	grid, err := beziergp.NewTable(beziergp.Column{Name: "x", Values: r.F.At})
	if err != nil {
		return err
	}
	p, err := m.Predict(ctx, grid, beziergp.PredictOptions{})
	if err != nil {
		return err
	}
	r.F.Mean, r.F.Std = p.Mean, p.StdF
	variances, err := m.Posterior().Group(0).Bases[0].PriorVariance()
	if err != nil {
		return err
	}
	phi := make([]float32, len(variances))
	for _, x := range r.F.At {
		m.Posterior().Group(0).Bases[0].Values(phi, []float32{float32(x)}, 1, 1)
		var variance float64
		for i, v := range variances {
			variance += v * float64(phi[i]) * float64(phi[i])
		}
		r.F.PriorMean = append(r.F.PriorMean, m.Target().Mean)
		r.F.PriorStd = append(r.F.PriorStd, m.Target().SD*math.Sqrt(variance))
	}
	return nil
}

// controlPoints fills Points. With one input a path is one node: its mean is the
// weight itself, and its variance exp(V) ς.
func (r *Result) controlPoints(m *beziergp.Model) error {
	q, target := m.Posterior(), m.Target()
	variances, err := q.Group(0).Bases[0].PriorVariance()
	if err != nil {
		return err
	}
	w, v := q.Mean(q.Params(), 0), q.Variance(q.Params(), 0)
	for i, prior := range variances {
		r.Points.At = append(r.Points.At, float64(i)/float64(len(variances)-1))
		r.Points.Mean = append(r.Points.Mean, target.Mean+target.SD*float64(w[i]))
		r.Points.Std = append(r.Points.Std, target.SD*math.Sqrt(math.Exp(float64(v[i]))*prior))
		r.Points.PriorMean = append(r.Points.PriorMean, target.Mean)
		r.Points.PriorStd = append(r.Points.PriorStd, target.SD*math.Sqrt(prior))
	}
	return nil
}
