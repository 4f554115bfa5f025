package simplex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/lattice"
)

// evidence is the log marginal likelihood of the lattice's process as a function of the
// parameters. Its probes are drawn once, so that it is a function.
type evidence struct {
	ctx       context.Context
	workers   int
	options   Method
	data      method.Data
	stencil   *lattice.Stencil
	inner     blas64.General // standard normal [rank, probes], see krylov.LowRank.Draw
	outer     blas64.General // likewise [n, probes]
	tolerance float64        // see loose
	steps     int
}

func newEvidence(ctx context.Context, env method.Environment, m Method, standard method.Data) *evidence {
	n := standard.Rows()
	m.Rank = min(m.Rank, n)
	r := rand.New(rand.NewPCG(env.Seed, 3))
	return &evidence{
		ctx: ctx, workers: env.Pool(), options: m, data: standard, stencil: lattice.NewStencil(m.Family, standard.Inputs),
		inner: normals(r, m.Rank, m.Probes), outer: normals(r, n, m.Probes), tolerance: loose, steps: looseSteps,
	}
}

func normals(r *rand.Rand, rows, cols int) blas64.General {
	a := dense.New(rows, cols)
	for i := range a.Data {
		a.Data[i] = r.NormFloat64()
	}
	return a
}

// value returns an estimate of
//
//	log N(y | m, K̂) = −½ rᵀα − ½ log|K̂| − n/2 log 2π, r = y − m, α = K̂⁻¹ r, K̂ = K + σ²
//
// and adds one of its gradient to g unless that is nil. Probes z ~ N(0, P), P the
// preconditioner, tell the determinant, log |P| + E zᵀ P^−½ log(P^−½ K̂ P^−½) P^−½ z, and
// its derivative, E (K̂⁻¹z)ᵀ K̂′ P⁻¹z (Gardner, Pleiss, Bindel, Weinberger and Wilson 2018).
func (e *evidence) value(h *covariance.Hyper, g *covariance.HyperGradient) (float64, error) {
	n, probes := e.data.Rows(), e.outer.Cols
	s, err := e.system(h)
	if err != nil {
		return 0, err
	}
	z := dense.New(n, probes)
	s.Pre.Draw(z, dense.View(e.inner, 0, 0, s.rank, probes), e.outer)
	right := dense.New(n, 1+probes)
	for i, y := range e.data.Y {
		row := dense.Row(right, i)
		row[0] = y - h.Mean
		copy(row[1:], dense.Row(z, i))
	}
	solution, err := s.Solve(right, e.tolerance, e.steps)
	if err != nil {
		return 0, err
	}
	var fit, log float64
	for i, y := range e.data.Y {
		fit += (y - h.Mean) * dense.Row(solution.X, i)[0]
	}
	for _, l := range solution.Lanczos[1:] {
		log += l.Log() / float64(probes)
	}
	value := -fit/2 - (s.Pre.LogDeterminant()+log)/2 - float64(n)/2*math.Log(2*math.Pi)
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("the evidence is %g after %d steps of conjugate gradients that leave a residual of %.2g", value, solution.Steps, solution.Residual)
	}
	if g == nil {
		return value, nil
	}
	return value, e.gradient(s, h, g, solution.X, z)
}

// gradient adds ½ αᵀ K̂′ α − ½ mean (K̂⁻¹z)ᵀ K̂′ P⁻¹z to g, where left holds α and K̂⁻¹z.
func (e *evidence) gradient(s *system, h *covariance.Hyper, g *covariance.HyperGradient, left, z blas64.General) error {
	n, probes := z.Rows, z.Cols
	if err := s.Pre.Solve(e.ctx, e.workers, z, z); err != nil {
		return err
	}
	right := dense.New(n, 1+probes)
	for i := range n {
		row := dense.Row(right, i)
		row[0] = dense.Row(left, i)[0]
		copy(row[1:], dense.Row(z, i))
	}
	weight := make([]float64, 1+probes)
	for c := range weight {
		weight[c] = -0.5 / float64(probes)
	}
	weight[0] = 0.5
	m := s.filter.Vertices()
	a, b := dense.New(m, 1+probes), dense.New(m, 1+probes)
	if err := errors.Join(s.filter.MulT(a, left), s.filter.MulT(b, right)); err != nil {
		return err
	}
	for v := range m {
		x, y := dense.Row(a, v), dense.Row(b, v)
		for c, w := range weight {
			g.LogVariance += s.scale * w * x[c] * y[c]
		}
	}
	for i := range n {
		x, y := dense.Row(left, i), dense.Row(right, i)
		for c, w := range weight {
			g.Noise += w * x[c] * y[c]
		}
		g.Mean += x[0]
	}
	if err := errors.Join(s.filter.Smooth(a, a), s.filter.Smooth(b, b)); err != nil {
		return err
	}
	for c := range weight {
		weight[c] *= s.scale
	}
	return s.filter.Slopes(g.LogLengths, weight, s.rows, left, a, right, b)
}
