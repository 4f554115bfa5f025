package auto

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"beziergp/internal/process/surface"
)

// reweightings are enough for Newton's method to settle, and settledDeviance is where it has.
const (
	reweightings    = 12
	settledDeviance = 1e-6
	leastCurvature  = 1e-3 // of the loss at a row
)

// reweighted returns the parameters of the additive model that minimises the losses of a law
// other than a Gaussian with the penalty, by iteratively reweighted least squares (Nelder &
// Wedderburn 1972): the loss at f is nearly ½ h (z − f)² with its second derivative h and
// z = f − ℓ′/h. A step that raises the losses is halved: from a count's mean on that of a level whose counts are a thousand
// times as large is beyond them by hundreds of orders of magnitude.
func reweighted(ctx context.Context, s *surface.Surface, c component, data *dataset, rows []int, lambda float64) ([]float32, error) {
	n := len(rows)
	f, z, weight := make([]float64, n), make([]float64, n), make([]float64, n)
	at := noLines(s)
	before := data.losses(rows, f)
	for range reweightings {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data.working(rows, f, z, weight)
		d := newDesign(s, c, data, rows, z, weight)
		b := d.solve(lambda)
		next, to := d.fitted(b), d.lines(s, b)
		after := data.losses(rows, next)
		for k := 0; k < halvings && !(after <= before); k++ {
			floats.Add(next, f)
			floats.Scale(0.5, next)
			to.halfway(at)
			after = data.losses(rows, next)
		}
		if !(after <= before) {
			break
		}
		settled := before-after <= settledDeviance*math.Abs(before)
		at, f, before = to, next, after
		if settled {
			break
		}
	}
	return at.params(s), nil
}

// losses returns the sum of those of f at some rows.
func (d *dataset) losses(rows []int, f []float64) (sum float64) {
	for p, j := range rows {
		sum += d.Weight(j) * d.loss(j, f[p:p+1])
	}
	return sum
}

// working writes z and the weights of the rows at f.
func (d *dataset) working(rows []int, f, z, weight []float64) {
	for p, j := range rows {
		h := max(d.bend(j, f[p:p+1], []float64{1}), leastCurvature)
		_, slope := d.law.Loss(f[p], d.Targets(j, j+1))
		z[p], weight[p] = f[p]-slope/h, d.Weight(j)*h
	}
}

// halvings are those of a step that raises the losses, at most.
const halvings = 20

// likeliest returns μ and the factors b that minimise the losses of f = μ + Z b at some rows, those of the regression, and λ/2 bᵀ P b: of a Gaussian at
// once, and else by Newton's method as [reweighted] does, with steps that conjugate gradients find roughly (Dembo, Eisenstat & Steihaug 1982).
func (r *regression) likeliest(ctx context.Context, data *dataset, rows []int, lambda float64) (mu float64, b []float64, err error) {
	n, last := len(rows), len(r.averages)
	z := make([]float64, n)
	if data.gaussian() {
		for p, j := range rows {
			z[p] = float64(data.Y[j])
		}
		return r.solve(ctx, z, lambda, nil, regressionTolerance)
	}
	weight := make([]float64, n)
	at := make([]float64, last+1) // b, and μ behind it
	f := r.fitted(0, at[:last])
	sum := func(f, at []float64) float64 {
		product := make([]float64, len(at))
		r.penalised(product, at, lambda)
		return data.losses(rows, f) + floats.Dot(product, at)/2
	}
	before := sum(f, at)
	for range reweightings {
		data.working(rows, f, z, weight)
		floats.Sub(z, f)
		r.weigh(weight)
		byMu, by, err := r.solve(ctx, z, lambda, at[:last], looseTolerance)
		if err != nil {
			return 0, nil, err
		}
		by = append(by[:last:last], byMu)
		step := r.fitted(byMu, by[:last])
		next, to, after := make([]float64, n), make([]float64, last+1), math.Inf(1)
		for k, share := 0, 1.0; k <= halvings && !(after <= before); k, share = k+1, share/2 {
			floats.AddScaledTo(next, f, share, step)
			floats.AddScaledTo(to, at, share, by)
			after = sum(next, to)
		}
		if !(after <= before) {
			break
		}
		settled := before-after <= settledEffects*math.Abs(before)
		at, f, before = to, next, after
		if settled {
			break
		}
	}
	return at[last], at[:last], nil
}

// settledEffects is where main effects have settled: other components learn what they leave.
const settledEffects = 1e-4
