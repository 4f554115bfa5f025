// Package simplex is Gaussian process regression with the kernel interpolated on the
// permutohedral lattice (Kapoor, Finzi, Wang and Wilson, SKIing on Simplices, ICML
// 2021): O(n d² + M d) a product for n rows and M vertices, and some dozens of products
// a step.
//
// The process is f(x) = m + Σ_u w_u(x) g(u) over the vertices u of x's simplex, with g
// Gaussian there: package lattice has its covariance. All that is predicted is of this
// process; nothing is taken from the kernel that it stands for.
package simplex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"beziergp/internal/limit"
	"beziergp/rival/method"
	"beziergp/rival/method/ascent"
	"beziergp/rival/method/covariance"
)

// Method's zero value is its default.
type Method struct {
	Family covariance.Family `json:"kernel"` // by default covariance.RBF
	Steps  int               `json:"steps"`  // of Adam from each of two starts, by default 100
	Rate   float64           `json:"rate"`   // of Adam, by default 0.1, falling to 0 by a cosine
	Probes int               `json:"probes"` // random vectors that measure the determinant, by default 7
	Rank   int               `json:"rank"`   // of the preconditioner at most, by default 20
	Draws  int               `json:"draws"`  // of the process given the rows, which tell its variance, by default 64
	Memory int64             `json:"-"`      // bytes that the lattice may take, by default 1 GiB
}

func (m Method) options() (Method, error) {
	m.Steps, m.Rate, m.Probes = cmp.Or(m.Steps, 100), cmp.Or(m.Rate, 0.1), cmp.Or(m.Probes, 7)
	m.Rank, m.Draws, m.Memory = cmp.Or(m.Rank, 20), cmp.Or(m.Draws, 64), cmp.Or(m.Memory, 1<<30)
	if !(m.Rate > 0 && m.Rate < 1) || m.Memory < 0 {
		return m, fmt.Errorf("simplex: rate %g, %d bytes; give a rate between 0 and 1 and a positive number of bytes", m.Rate, m.Memory)
	}
	return m, errors.Join(limit.Check("steps", m.Steps, limit.Count), limit.Check("probes", m.Probes, most),
		limit.Check("rank", m.Rank, most), limit.Check("draws", m.Draws, most), m.Family.Check())
}

// most is how many probes, draws and columns of the preconditioner there may be.
const most = 4096

// What conjugate gradients must reach while the parameters move, and for what is
// predicted from, and in how many steps. The authors stop at 1 while training; on 1470
// rows of protein that costs 0.04 nats a row, and 0.3 costs 0.01, against 0.01.
const (
	loose, looseSteps = 0.03, 400
	tight, tightSteps = 1e-3, 2000
)

// quietest is the smallest variance of the noise of a standardised target: below it the
// systems take more steps than there is time for. The authors have the same.
const quietest = 1e-4

// Fit raises the estimated evidence by Adam, and solves for what predictions need. It
// implements [method.Method].
func (m Method) Fit(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	m, err := m.options()
	if err != nil {
		return nil, err
	}
	standard, scaling, err := method.Standardise(data)
	if err != nil {
		return nil, err
	}
	e := newEvidence(ctx, env, m, standard)
	hyper, err := m.search(ctx, env, e)
	if err != nil {
		return nil, fmt.Errorf("simplex: %w", err)
	}
	p := &Process{
		scaling: scaling, workers: env.Pool(), inputs: standard.X,
		learned: learned{Options: m, Hyper: hyper, Seed: env.Seed},
	}
	if err := p.condition(ctx, e); err != nil {
		return nil, fmt.Errorf("simplex: %w", err)
	}
	return p, nil
}

// starts are the lengthscales to begin with, for d standardised inputs. The evidence has
// summits with few vertices and with many, and steps do not lead from one to the other;
// the shorter lengths are where the authors begin.
func starts(d int) []float64 { return []float64{math.Sqrt(float64(d)), math.Ln2} }

// search returns the parameters of the best of all starts. One that fails, as where its
// lattice does not fit in memory, is left out unless all do.
func (m Method) search(ctx context.Context, env method.Environment, e *evidence) (best covariance.Hyper, err error) {
	highest, failed := math.Inf(-1), error(nil)
	all := starts(e.data.Inputs)
	for i, length := range all {
		hyper := covariance.Start(m.Family, e.data.Inputs)
		for j := range hyper.Lengths {
			hyper.Lengths[j] = length
		}
		value, err := m.climb(env, e, &hyper, i, len(all))
		switch {
		case ctx.Err() != nil:
			return best, ctx.Err()
		case err != nil:
			failed = err
		case value > highest:
			highest, best = value, hyper
		}
	}
	if math.IsInf(highest, -1) {
		return best, failed
	}
	return best, nil
}

// climb trains from one of so many starts, and returns the evidence there, solved as
// tightly as what is predicted from.
func (m Method) climb(env method.Environment, e *evidence, hyper *covariance.Hyper, start, all int) (float64, error) {
	report := env.Progress
	if report != nil {
		env.Progress = func(event method.Event) {
			event.Step, event.Steps = event.Step+start*m.Steps, all*m.Steps
			report(event)
		}
	}
	e.tolerance, e.steps = loose, looseSteps
	if err := m.train(env, e, hyper); err != nil {
		return 0, err
	}
	e.tolerance, e.steps = tight, tightSteps
	return e.value(hyper, nil)
}

// train moves the parameters.
func (m Method) train(env method.Environment, e *evidence, hyper *covariance.Hyper) error {
	d := len(hyper.Lengths)
	at, gradient := make([]float64, hyper.Len()), make([]float64, hyper.Len())
	hyper.Pack(at)
	var adam ascent.Adam
	for step := range m.Steps {
		g := covariance.HyperGradient{Gradient: covariance.Gradient{LogLengths: make([]float64, d)}}
		value, err := e.value(hyper, &g)
		if err != nil {
			return fmt.Errorf("step %d: %w", step+1, err)
		}
		g.Pack(gradient, hyper)
		for i := range gradient {
			gradient[i] /= float64(e.data.Rows())
		}
		fall := (1 + math.Cos(math.Pi*float64(step)/float64(m.Steps))) / 2
		adam.Step(at, gradient, m.Rate*fall)
		hyper.Clamp(at)
		at[1+d] = max(at[1+d], math.Log(quietest-covariance.Floor))
		if err := hyper.Unpack(at); err != nil {
			return fmt.Errorf("step %d, evidence %g: %w; take a smaller rate", step+1, value, err)
		}
		env.Report(method.Event{Step: step + 1, Steps: m.Steps, Objective: value / float64(e.data.Rows())})
	}
	return nil
}
