package auto

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"beziergp/internal/process/surface"
	"beziergp/likelihood"
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
	law := newLawRows(data, rows)
	before := law.losses(f, 0, n)
	for range reweightings {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		law.working(f, z, weight, 0, n)
		d := newDesign(s, c, data, rows, z, weight)
		b := d.solve(lambda)
		next, to := d.fitted(b), d.lines(s, b)
		after := law.losses(next, 0, n)
		for k := 0; k < halvings && !(after <= before); k++ {
			floats.Add(next, f)
			floats.Scale(0.5, next)
			to.halfway(at)
			after = law.losses(next, 0, n)
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

// lawRows are the losses of a law at some rows, [n].
type lawRows struct {
	weight []float64
	loss   []func(f float64) (value, slope, bend float64)
}

func newLawRows(data *dataset, rows []int) (l lawRows) {
	law := data.law.(likelihood.Law)
	for _, j := range rows {
		l.weight, l.loss = append(l.weight, data.Weight(j)), append(l.loss, law.LossGiven(data.Targets(j, j+1)))
	}
	return l
}

// losses returns the sum of those of f at the rows from ≤ p < to.
func (l lawRows) losses(f []float64, from, to int) (sum float64) {
	for p := from; p < to; p++ {
		value, _, _ := l.loss[p](f[p])
		sum += l.weight[p] * value
	}
	return sum
}

// working writes z and the weights of these rows at f.
func (l lawRows) working(f, z, weight []float64, from, to int) {
	for p := from; p < to; p++ {
		_, slope, bend := l.loss[p](f[p])
		h := max(bend, leastCurvature)
		z[p], weight[p] = f[p]-slope/h, l.weight[p]*h
	}
}

// halvings are those of a step that raises the losses, at most.
const halvings = 20
