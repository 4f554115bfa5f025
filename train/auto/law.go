package auto

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/train"
)

// gaussian tells whether the law of the target is a Gaussian. Its noise, its calibration and
// its density ratio are of errors about a location; other laws know how a target is
// distributed given f.
func (d *dataset) gaussian() bool {
	return likelihood.IsGaussian(d.law)
}

// density tells whether the law gives a density, as a Gaussian does, and not probabilities of classes or counts.
func (d *dataset) density() bool {
	law, ok := d.law.(likelihood.Law)
	return d.gaussian() || ok && !law.Discrete()
}

// latents returns T, the number of processes.
func (d *dataset) latents() int {
	if d.law == nil { // what is learned beside the mean has no law
		return 1
	}
	return likelihood.Latents(d.law)
}

// toLearn returns a descent along the loss of the law.
func (d *dataset) toLearn(o descent.Descent) descent.Descent {
	if s, ok := d.law.(likelihood.Several); ok {
		o.Losses = elbo.Losses(s.Losses)
		return o
	}
	o.Loss = d.law.Loss
	return o
}

// loss returns that of f, [T], at row j.
func (d *dataset) loss(j int, f []float64) float64 { return d.slopes(j, f, make([]float64, len(f))) }

// slopes returns the loss of f at row j and writes its derivatives, [T].
func (d *dataset) slopes(j int, f, slope []float64) (loss float64) {
	if s, ok := d.law.(likelihood.Several); ok {
		return s.Losses(f, d.Targets(j, j+1), slope)
	}
	loss, slope[0] = d.law.Loss(f[0], d.Targets(j, j+1))
	return loss
}

// bend returns the second derivative of the loss at f along a direction, [T] each, times its
// squared length: by the slopes of a small step, which serve every law.
func (d *dataset) bend(j int, f, direction []float64) float64 {
	if l, ok := d.several(); ok {
		return l.bend(f, d.Targets(j, j+1), direction)
	}
	if d.gaussian() {
		return square(direction[0])
	}
	const step = 1e-3
	slope := func(t float64) float64 {
		at := make([]float64, len(f))
		for k := range at {
			at[k] = f[k] + t*direction[k]
		}
		slopes := make([]float64, len(f))
		d.slopes(j, at, slopes)
		return floats.Dot(slopes, direction)
	}
	return (slope(step) - slope(-step)) / (2 * step)
}

// score returns that of a mean deviance.
func (d *dataset) score(rows int, deviance float64) train.Score {
	if d.gaussian() {
		return gaussianScore(rows, deviance/d.perRow())
	}
	return train.Score{Rows: rows, RMSE: math.NaN(), NLPD: deviance / 2}
}

// rangeOfLaw is how far the process may lie from the base: the natural parameter of a law is
// a logarithm or a logit, and e^12 times the average is beyond any that rows tell of.
const rangeOfLaw = 12

// limitsOfLaw returns the limits of f: the range of the f whose means are the targets, and a tenth
// of it beyond, as far as rangeOfLaw allows, which is what there is of classes and zeros. Where the mean is e^f a tenth of the range
// of f, which zeros make long, would be several times the largest target: there f ends at a tenth more than that.
func (d *dataset) limitsOfLaw() *model.Limits {
	if _, ok := d.several(); ok { // each has its own
		return nil
	}
	if d.gaussian() {
		return limitsOf(d.Y)
	}
	within := func(f float64) float64 { return min(max(f, -rangeOfLaw), rangeOfLaw) }
	lo, hi := within(math.Inf(-1)), within(math.Inf(1))
	if law, ok := d.law.(likelihood.Law); ok {
		lo, hi = hi, lo
		link := law.Link
		if law.Discrete() { // targets have few values, and the link of an ordinal law is searched for
			link = remembered(link)
		}
		for j := range d.Len() {
			f := within(link(d.target(j)) - law.Base - d.offset(j))
			lo, hi = min(lo, f), max(hi, f)
		}
		around := model.Around(lo, hi)
		if isExponential(law) {
			around.Hi = min(around.Hi, hi+math.Log1p(beyondLargest))
		}
		lo, hi = within(around.Lo), within(around.Hi)
	}
	return &model.Limits{Lo: lo, Hi: hi, Variance: square(hi-lo) / 4}
}

// beyondLargest is by how much of the largest mean a mean e^f goes beyond it.
const beyondLargest = 0.1

// isExponential tells whether the mean of a law is e^f, whatever its parameters.
func isExponential(law likelihood.Likelihood) bool {
	l, ok := law.(likelihood.Law)
	return ok && likelihood.LogLink(l) && l.Link(1) == 0
}

// remembered returns a function that is f, computed once for each argument.
func remembered(f func(x float64) float64) func(x float64) float64 {
	known := map[float64]float64{}
	return func(x float64) float64 {
		y, ok := known[x]
		if !ok {
			y = f(x)
			known[x] = y
		}
		return y
	}
}

// learned returns the data with the parameters of its law that are likeliest given the best
// candidate's predictions out of fold, and the structures for them: λ was chosen beside losses of the law
// before. A law of classes has floors instead, if any, which leave λ as it was: it smooths f where
// labels are right.
func (d *dataset) learned(best *candidate, floors []float64, structures []structure, w worker) (*dataset, []structure) {
	if floors != nil {
		law, _ := likelihood.Floored(d.law, floors)
		return d.withLaw(law), structures
	}
	if !d.learnsLaw() || best == nil {
		return d, structures
	}
	own, by := d.likeliest(best, w)
	structures = slices.Clone(structures)
	for i := range structures {
		structures[i].Smoothness *= by
	}
	return own, structures
}
