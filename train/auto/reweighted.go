package auto

import (
	"context"
	"math"

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
// z = f − ℓ′/h. It ends before a step that raises the losses.
func reweighted(ctx context.Context, s *surface.Surface, c component, data *dataset, rows []int, lambda float64) ([]float32, error) {
	n := len(rows)
	f, y, weight := make([]float64, n), make([]float64, n), make([]float64, n)
	losses := func(f []float64) (sum float64) {
		for p, j := range rows {
			sum += data.Weight(j) * data.loss(j, f[p:p+1])
		}
		return sum
	}
	var params []float32
	before := losses(f)
	for range reweightings {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for p, j := range rows {
			h := max(data.bend(j, f[p:p+1], []float64{1}), leastCurvature)
			_, slope := data.law.Loss(f[p], data.Targets(j, j+1))
			y[p], weight[p] = f[p]-slope/h, data.Weight(j)*h
		}
		d := newDesign(s, c, data, rows, y, weight)
		b := d.solve(lambda)
		next := d.fitted(b)
		after := losses(next)
		if params != nil && !(after <= before) {
			break
		}
		params = d.params(s, b)
		settled := math.Abs(before-after) <= settledDeviance*math.Abs(before)
		f, before = next, after
		if settled {
			break
		}
	}
	return params, nil
}
