package auto

import (
	"context"
	"math"
	"slices"

	"beziergp/likelihood"
	"beziergp/predictive"
)

// learnAverage learns what the average of the members has that one member, as it is seen out of fold, has not, where
// the law is not a Gaussian: a larger slope, and the law's parameters, which are of smaller errors. Members and their
// replicates tell both, at rows that neither was trained on. f.gain is the factor of the slope then.
func (f *fitted) learnAverage(ctx context.Context, w worker, p plan) error {
	f.gain = 1
	e := f.ensemble
	t := e.data.latents()
	replicates := e.replicates[:min(len(e.replicates), calibrationRows*t)]
	if len(replicates) == 0 || !p.averages {
		return nil
	}
	beyond := 1.0
	if t == 1 {
		var err error
		if beyond, err = foldAmbiguity(ctx, w, f.data, e, p.seed); err != nil {
			return err
		}
	}
	rows, pairs := e.rows()[:len(replicates)/t], *e
	pairs.outOfFold = slices.Clone(e.outOfFold)
	for i, j := range rows {
		for k := range t {
			pairs.outOfFold[j*t+k] = (e.outOfFold[j*t+k] + replicates[i*t+k]) / 2
		}
	}
	one, two := f.law, f.law
	ofOne, ofTwo := evidence{e, f.epistemic, rows, w.pool}, evidence{&pairs, f.epistemic, rows, w.pool}
	one.Slope, two.Slope = f.law.likeliestSlope(ofOne), f.law.likeliestSlope(ofTwo)
	lost := min(1, ambiguity(len(e.members), len(e.members)-len(e.folds), beyond))
	f.gain = slopeOfAverage(two.Slope/one.Slope, lost)
	seen := f.law.ofAverage(one, two, ofOne, ofTwo, lost)
	if seen == nil {
		return nil
	}
	law := f.law.law.(likelihood.Law)
	moved := likelihood.Refit(law.Scalar, len(seen), func(i int) (y, weight, mean, variance float64) {
		own := &seen[i]
		return own.y, own.weight, own.Location, own.Scale * own.Scale
	})
	if f.ratio != nil {
		var err error
		if moved, err = f.ratio.between(ctx, w, f.data, law.Scalar, moved, seen); err != nil {
			return err
		}
	}
	f.law.averaged = likelihood.NewLaw(moved, law.Base)
	return nil
}

// seen is a row as one member predicts it, or the average of two: f, with its deviation.
type seen struct {
	predictive.Distribution
	row       int
	y, weight float64 // whose sum over all is 1, some of them below 0
	g         float64 // the process
}

// slopeOfAverage returns the factor by which the slope of the average of the members is
// larger than that of one. The slope that is likeliest for g = s + e, of which s is what
// members have in common, is about C/(Var s + v), for the average of two C/(Var s + v/2) and for
// that of all C/(Var s + v̄), where v̄ is what of v their average keeps: it has lost a share. So of a slope that
// is ρ times as large for the average of a member and its replicate, at rows that
// neither was trained on, v/(Var s + v) is 2 (1 − 1/ρ). The likelihood of the targets decides on the slopes:
// by how far members lie apart nothing is told where probabilities are all but 0 or 1.
func slopeOfAverage(rho, lost float64) float64 {
	apart := min(max(0, 2*(1-1/rho)), 1)
	return min(1/(1-apart*lost), mostSlope)
}

// mostSlope bounds the factor of an average's slope.
const mostSlope = 1.5

// ofAverage returns rows by which the law's parameters are those of the average of the members, none where they are those of one. With the mean
// losses L₁ of a member and L₂ of the average of two as functions of the parameters, these minimise
//
//	L = L₁ + (1 + q) (L₂ − L₁)
//
// where L₁ is that of all rows out of fold, and the difference that of rows with a replicate. With q = 2a − 1 that is the loss of the average by the
// ambiguity decomposition, a being the share of a member's variance that averaging takes away. The parameter of a gamma or log-normal law is
// that of the size D of its errors alone, and the likeliest is then that of D₂ + q (D₂ − D₁), which might vanish. So q is at most what makes that
// D₂ (D₂/D₁)^(2a − 1), where D₂/D₁ is about ρ = 1 − 2 (L₁ − L₂) at the parameters of one.
// Laws of classes keep their parameters: what the average is surer of is in its slope.
func (c lawCalibration) ofAverage(one, two lawCalibration, ofOne, ofTwo evidence, lost float64) (all []seen) {
	law, scalar := c.law.(likelihood.Law)
	if !scalar || law.Parameters() == nil || likelihood.Classifies(c.law) {
		return nil
	}
	ofOne, ofTwo = ofOne.first(refitRows/2), ofTwo.first(refitRows/2)
	rho := min(max(0.5, 1-2*(one.loss(ofOne)-two.loss(ofTwo))), 1)
	q := 2*lost - 1
	if rho == 1 || q <= 0 {
		return nil
	}
	q = min(q, (rho-math.Pow(rho, 1+q))/(1-rho))
	add := func(c lawCalibration, by evidence, weight float64) {
		data := by.ensemble.data
		var sum float64
		for _, j := range by.rows {
			sum += data.Weight(j)
		}
		for _, j := range by.rows {
			all = append(all, seen{c.distribution(by.ensemble, by.epistemic, j), j, data.target(j), weight * data.Weight(j) / sum, c.Slope * by.ensemble.outOfFold[j]})
		}
	}
	enough := ofOne
	enough.rows = someOf(enough.ensemble.folds)
	add(c, enough.first(refitRows), 1)
	add(two, ofTwo, 1+q)
	add(one, ofOne, -1-q)
	return all
}

// between returns the law whose parameters lie on the way from those of a member to others as far as is likeliest with the density ratio, which
// tells of outliers, and of modes, that averaging takes from no member.
func (r *densityRatio) between(ctx context.Context, w worker, data *dataset, from, to likelihood.Scalar, all []seen) (likelihood.Scalar, error) {
	rows, g := make([]int, len(all)), make([]float64, len(all))
	for i, own := range all {
		rows[i], g[i] = own.row, own.g
	}
	ratios, err := r.at(ctx, w, data, rows, g)
	if err != nil {
		return nil, err
	}
	best, least, goal := from, math.Inf(1), to.Parameters()
	const steps = 4
	for k := range steps + 1 {
		var values []float64
		for i, p := range from.Parameters() {
			values = append(values, p.Value*math.Pow(goal[i].Value/p.Value, float64(k)/steps))
		}
		law, err := from.With(values)
		if err != nil {
			continue
		}
		family, loss := predictive.NewLawFamily(law), 0.0
		for i, own := range all {
			own.Family, own.Density = family, ratios[i*predictive.Nodes:][:predictive.Nodes]
			loss -= own.weight * own.LogDensity(own.y)
		}
		if loss < least {
			best, least = law, loss
		}
	}
	return best, nil
}
