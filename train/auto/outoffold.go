package auto

import (
	"beziergp/train"
)

// outOfFold returns the values of surfaces at the rows of the members' folds, or at some of
// these rows, by surfaces that were trained without them: f by a member, Var f and the log
// of the density ratio by one that lacks the same fold, s by one that lacks another fold
// with the row. The noise is that of a single member, without the averaging gain.
//
// What makes distributions of the values is the model's own, a few numbers that were chosen
// by the errors of all these rows: the factors of the variances, power, floor, limits,
// tails. So were the structures.
func (f fitted) outOfFold(p plan) *train.OutOfFold {
	e, folds := f.ensemble, f.ensemble.folds
	if f.ratio != nil {
		folds = f.ratio.folds // of the same rows
	}
	numbers := someOf(folds)
	enough := len(numbers)
	if p.outOfFold {
		numbers = append(numbers, othersOf(folds)...)
	}
	o := &train.OutOfFold{Members: len(e.folds), Folds: f.folds}
	o.Noise = f.noise.constant * f.calibration.Noise
	places := f.data.places()
	if !f.data.gaussian() {
		f.outOfFoldOfLaw(o, numbers, enough)
		return o
	}
	for i, j := range numbers {
		for _, row := range f.data.standsFor(places[j]) {
			o.Rows = append(o.Rows, row)
			o.Mean, o.Variance = append(o.Mean, e.outOfFold[j]), append(o.Variance, f.epistemic.outOfFold[j])
			if f.noise.varying != nil {
				o.LogNoise = append(o.LogNoise, f.calibration.Power*f.noise.outOfFold[j])
			}
			o.LogRatio = append(o.LogRatio, f.ratio.seen(i)...)
		}
		if i < enough {
			o.Scored = len(o.Rows)
		}
	}
	return o
}

// outOfFoldOfLaw fills in the values where the law is not a Gaussian: f with the slope of a
// member, and the offset, which no column tells then, and the law of a member.
func (f fitted) outOfFoldOfLaw(o *train.OutOfFold, numbers []int, enough int) {
	e, t, places := f.ensemble, f.data.latents(), f.data.places()
	o.Noise, o.Likelihood = 1, f.law.law
	for i, j := range numbers {
		for _, row := range f.data.standsFor(places[j]) {
			o.Rows = append(o.Rows, row)
			for _, g := range e.outOfFold[j*t : (j+1)*t] {
				o.Mean = append(o.Mean, f.law.Slope*g+f.data.offset(j))
			}
			o.Variance = append(o.Variance, f.epistemic.of(j))
			o.LogRatio = append(o.LogRatio, f.ratio.seen(i)...)
		}
		if i < enough {
			o.Scored = len(o.Rows)
		}
	}
}

// places returns where in the order by content every row is.
func (d *dataset) places() []int {
	places := make([]int, len(d.order))
	for at, j := range d.order {
		places[j] = at
	}
	return places
}

// standsFor returns the rows that were given which the row at a place of the order
// stands for: itself, or all that are repeated where the whole set repeats itself.
func (d *dataset) standsFor(place int) []int {
	times := len(d.given) / len(d.order)
	return d.given[place*times : (place+1)*times]
}
