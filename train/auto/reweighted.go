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
