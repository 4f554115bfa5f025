package auto

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"beziergp/likelihood"
)

// settledEffects is where main effects have settled: other components learn what they leave.
const settledEffects = 1e-4

// likeliest returns, for every output, the line that minimises the losses of a law at some rows, those of the regression, and
// λ/2 bᵀ P b: of a Gaussian at once, and else by Newton's method as [reweighted] does.
func (r *regression) likeliest(ctx context.Context, data *dataset, rows []int, lambda float64) ([]line, error) {
	switch {
	case data.gaussian():
		y := make([]float64, len(rows))
		for p, j := range rows {
			y[p] = float64(data.Y[j])
		}
		l, err := r.solve(ctx, y, lambda, nil, regressionTolerance)
		return []line{l}, err
	case data.latents() > 1:
		return r.likeliestOfClasses(ctx, data, rows, lambda)
	}
	n := newNewton(r, newLawRows(data, rows), lambda)
	for range reweightings {
		before, after, err := n.step(ctx)
		if err != nil {
			return nil, err
		}
		if before-after <= settledEffects*math.Abs(before) {
			break
		}
	}
	return []line{n.line}, nil
}

// likeliestOfClasses does so of classes, one after another ([versus]).
func (r *regression) likeliestOfClasses(ctx context.Context, data *dataset, rows []int, lambda float64) (lines []line, err error) {
	base := data.law.(likelihood.Classes).Base
	of, classes := make([]*versus, len(base)), make([]*newton, len(base))
	for k := range classes {
		of[k] = newVersus(data, rows, k)
		classes[k] = newNewton(r, of[k], lambda)
	}
	for range reweightings {
		var before, lower float64
		for k, class := range classes {
			r.each(func(_, from, to int) { of[k].facing(classes, base, from, to) })
			from, to, err := class.step(ctx)
			if err != nil {
				return nil, err
			}
			before, lower = before+from, lower+from-to
		}
		if lower <= settledEffects*before {
			break
		}
	}
	for _, class := range classes {
		lines = append(lines, class.line)
	}
	return lines, nil
}

// versus is the loss of f_k of one class given the others: a softmax is then a logistic function,
//
//	p(y = k) = 1 / (1 + exp(r − f_k)),  r = log Σ_{l≠k} exp(Base_l + f_l) − Base_k
type versus struct {
	class  int
	weight []float64 // [n]
	is     []float64 // [n] 1 where a row is of the class, else 0
	rest   []float64 // [n] r
}

func newVersus(data *dataset, rows []int, class int) *versus {
	v := &versus{class, make([]float64, len(rows)), make([]float64, len(rows)), make([]float64, len(rows))}
	for p, j := range rows {
		v.weight[p] = data.Weight(j)
		if data.target(j) == float64(class) {
			v.is[p] = 1
		}
	}
	return v
}

// facing takes r of some rows from f of all classes.
func (v *versus) facing(classes []*newton, base []float64, from, to int) {
	for p := from; p < to; p++ {
		most, sum := math.Inf(-1), 0.0
		for l, o := range classes {
			if l != v.class {
				most = max(most, base[l]+o.f[p])
			}
		}
		for l, o := range classes {
			if l != v.class {
				sum += math.Exp(base[l] + o.f[p] - most)
			}
		}
		v.rest[p] = most + math.Log(sum) - base[v.class]
	}
}

func (v *versus) losses(f []float64, from, to int) (sum float64) {
	for p := from; p < to; p++ {
		log, _, _ := likelihood.Bernoulli{}.Log(v.is[p], f[p]-v.rest[p])
		sum -= v.weight[p] * log
	}
	return sum
}

func (v *versus) working(f, z, weight []float64, from, to int) {
	for p := from; p < to; p++ {
		_, first, second := likelihood.Bernoulli{}.Log(v.is[p], f[p]-v.rest[p])
		h := max(-second, leastCurvature)
		z[p], weight[p] = f[p]+first/h, v.weight[p]*h
	}
}

// rowLosses are the losses of f at the rows from ≤ p < to, and the weighted squares that they are like there ([lawRows.working]).
type rowLosses interface {
	losses(f []float64, from, to int) float64
	working(f, z, weight []float64, from, to int)
}

// newton is a line on its way to the least losses of a law and penalty, by steps that conjugate gradients find roughly (Dembo, Eisenstat & Steihaug 1982).
type newton struct {
	regression *regression
	losses     rowLosses
	lambda     float64
	line       line
	f          []float64 // [n] of the line

	z, weight []float64 // [n] of a step
}

// newNewton returns that from f = 0.
func newNewton(r *regression, losses rowLosses, lambda float64) *newton {
	n := len(r.weight)
	return &newton{r, losses, lambda, line{0, make([]float64, len(r.averages))}, make([]float64, n), make([]float64, n), make([]float64, n)}
}

// sum returns the losses and the penalty of a line with such f.
func (n *newton) sum(f []float64, l line) float64 {
	product := make([]float64, len(l.b))
	n.regression.penalised(product, l.b, n.lambda)
	losses := n.regression.added(1, func(sum []float64, from, to int) { sum[0] = n.losses.losses(f, from, to) })
	return losses[0] + floats.Dot(product, l.b)/2
}

// step takes one that is halved until it does not raise the sum, and returns this before and after it. Where none is short enough it takes none.
func (n *newton) step(ctx context.Context) (before, after float64, err error) {
	before, after = n.sum(n.f, n.line), math.Inf(1)
	n.regression.each(func(_, from, to int) { n.losses.working(n.f, n.z, n.weight, from, to) })
	floats.Sub(n.z, n.f)
	n.regression.weigh(n.weight)
	by, err := n.regression.solve(ctx, n.z, n.lambda, n.line.b, looseTolerance)
	if err != nil {
		return before, before, err
	}
	step, next, to := n.regression.fitted(by), make([]float64, len(n.f)), line{0, make([]float64, len(by.b))}
	for k, share := 0, 1.0; k <= halvings && !(after <= before); k, share = k+1, share/2 {
		floats.AddScaledTo(next, n.f, share, step)
		floats.AddScaledTo(to.b, n.line.b, share, by.b)
		to.mu = n.line.mu + share*by.mu
		after = n.sum(next, to)
	}
	if !(after <= before) {
		return before, before, nil
	}
	n.line, n.f = to, next
	return before, after, nil
}
