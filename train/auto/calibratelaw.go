package auto

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/predictive"
)

// lawCalibration turns f and Var f into what a law other than a Gaussian is mixed over,
//
//	f ~ N(base + Slope · g(x) + offset, Epistemic · Var f)
//
// with a law whose base and parameters are the likeliest out of fold.
type lawCalibration struct {
	Slope     float64 `json:"slope"`
	Epistemic float64 `json:"doubt"`
	law       likelihood.Likelihood
	averaged  likelihood.Likelihood // of the average of the members; nil where it is that of one
}

// learnLaw learns what follows the members where the law is not a Gaussian: Var f, and the
// calibration of both out of fold.
func (f *fitted) learnLaw(ctx context.Context, w worker, p plan, folds partition) (err error) {
	if f.epistemic, err = fitEpistemic(ctx, w, p, f.data, folds, len(f.ensemble.folds)); err != nil {
		return err
	}
	if likelihood.LogLink(f.data.law) {
		own := *f.data
		own.limits = f.ensemble.doubtWithin(own.limits)
		f.data, f.ensemble.data = &own, &own
	}
	left, err := f.leaveOut(ctx, w)
	if err != nil {
		return err
	}
	f.law = calibrateLaw(left.complete(f.ensemble), f.epistemic, w)
	if err = f.learnUnknown(ctx, w, left); err != nil {
		return err
	}
	w.progress.scored(f.score(w))
	if f.data.tilts() {
		if f.ratio, err = fitDensityRatio(ctx, w, p, f.data, forecastOfLaw(f.ensemble, f.epistemic, f.law)); err != nil {
			return err
		}
	}
	err = f.learnAverage(ctx, w, p)
	return err
}

// tilts tells whether a law's distributions of the targets may be multiplied by a density ratio: those of amounts of which no
// single one has a probability.
func (d *dataset) tilts() bool {
	law, ok := d.law.(likelihood.Law)
	if !ok || law.Discrete() {
		return false
	}
	lo, _ := law.Support()
	return law.CDF(lo, law.Base) == 0
}

// doubtWithin returns the limits with that of Var f no larger than the variance of f over the rows, out
// of fold, which is its variance at a row of which nothing is known. Of a law whose mean is e^f that mean is
// exp(E f + Var f/2): a larger Var f, as it may be far from all rows, would move predictions by orders of magnitude.
func (e *ensemble) doubtWithin(limits *model.Limits) *model.Limits {
	rows, own := e.rows(), *limits
	mean := e.weightedMean(rows, func(j int) float64 { return e.outOfFold[j] })
	own.Variance = max(leastDoubt, min(own.Variance, e.weightedMean(rows, func(j int) float64 { return square(e.outOfFold[j] - mean) })))
	return &own
}

// leastDoubt is a limit of Var f where f is a constant; 0 would be none.
const leastDoubt = 1e-6

const (
	calibrationRounds = 2
	refitRows         = 2000 // are enough for the few parameters of a law
	slopeStep         = 1.08 // of the search for the slope
	baseStep          = 0.05 // and for the base
)

// calibrateLaw maximises the likelihood of the targets out of fold: over the slope, the base
// and the law's parameters with Var f left out, and then over the factor of Var f, each with
// the slope and the base that go with it.
func calibrateLaw(e *ensemble, v epistemic, w worker) lawCalibration {
	by := evidence{e, v, someOf(e.folds), w.pool}
	best := lawCalibration{Slope: 1, Epistemic: epistemicFactors[len(epistemicFactors)-1], law: e.data.law}
	for range calibrationRounds {
		best = best.fit(by)
		best.law = best.refit(by)
	}
	best = best.floored(by)
	least := math.Inf(1)
	alone := best
	for _, factor := range epistemicFactors {
		c := alone
		c.Epistemic = factor
		c = c.fit(by)
		if loss := c.loss(by) - epistemicCost*math.Log(factor); loss < least {
			best, least = c, loss
		}
	}
	return best
}

// floored returns the calibration with the floors of classes ([likelihood.Floored]) that are likeliest, each with the slope
// and the base that go with it. Where a share of the labels is wrong whatever the inputs, f tells all others with a
// larger slope. The floor of a class is its share of so many labels.
func (c lawCalibration) floored(by evidence) lawCalibration {
	shares := by.ensemble.data.shares()
	if _, ok := likelihood.Floored(c.law, shares); !ok {
		return c
	}
	own := c
	own.Epistemic = 0 // which comes after
	best, least := c, own.loss(by)
	before := math.Inf(1)
	for wrong := 0.0; wrong < mostWrong; wrong = max(leastWrong, wrong*wrongStep) {
		floors := slices.Clone(shares)
		floats.Scale(wrong, floors)
		own.law, _ = likelihood.Floored(c.law, floors)
		own = own.fit(by)
		loss, cost := own.loss(by), 0.0
		if wrong > 0 {
			cost = floorCost / float64(len(by.rows))
		}
		if loss+cost < least {
			best, least = own, loss+cost
			best.Epistemic = c.Epistemic
		}
		if loss > before { // and it goes on rising
			break
		}
		before = loss
	}
	return best
}

// The shares of wrong labels that are tried.
const (
	leastWrong = 0.005
	mostWrong  = 0.6
	wrongStep  = 1.4
	floorCost  = 5 // is what floors have to add to the log-likelihood of the rows at least
)

// shares returns those of the classes of the targets, by the weights of the rows; nil of another law.
func (d *dataset) shares() []float64 {
	if !likelihood.Classifies(d.law) {
		return nil
	}
	shares := make([]float64, max(2, d.latents()))
	var all float64
	for j := range d.Len() {
		shares[int(d.target(j))] += d.Weight(j)
		all += d.Weight(j)
	}
	for k := range shares {
		shares[k] /= all
	}
	return shares
}

// fit returns the likeliest slope, and the base that goes with it.
func (c lawCalibration) fit(by evidence) lawCalibration {
	c.Slope = c.likeliestSlope(by)
	law, scalar := c.law.(likelihood.Law)
	if !scalar {
		return c
	}
	from := c
	c.law = likelihood.NewLaw(law.Scalar, law.Base+baseStep*climb(func(step float64) float64 {
		own := from
		own.law = likelihood.NewLaw(law.Scalar, law.Base+baseStep*step)
		return -own.loss(by) * float64(len(by.rows))
	}))
	return c
}

// likeliestSlope returns the slope that is likeliest by some rows with all else as it is.
func (c lawCalibration) likeliestSlope(by evidence) float64 {
	return c.Slope * math.Pow(slopeStep, climb(func(step float64) float64 {
		own := c
		own.Slope *= math.Pow(slopeStep, step)
		return -own.loss(by) * float64(len(by.rows))
	}))
}

// refit returns the law with the likeliest parameters by the first of the rows.
func (c lawCalibration) refit(by evidence) likelihood.Likelihood {
	law, scalar := c.law.(likelihood.Law)
	if !scalar || law.Parameters() == nil {
		return c.law
	}
	by = by.first(refitRows)
	data := by.ensemble.data
	return likelihood.NewLaw(likelihood.Refit(law.Scalar, len(by.rows), func(i int) (y, weight, mean, variance float64) {
		j := by.rows[i]
		d := c.distribution(by.ensemble, by.epistemic, j)
		return data.target(j), data.Weight(j), d.Location, d.Scale * d.Scale
	}), law.Base)
}

// distribution returns that of the target of row j, of a law of one process.
func (c lawCalibration) distribution(e *ensemble, v epistemic, j int) predictive.Distribution {
	d := c.law.Predictive(c.Slope*e.outOfFold[j], min(c.Epistemic*v.of(j), square(c.Slope)*e.data.limits.Variance), 1)
	d.Location += e.data.offset(j)
	return d
}

// evidence is what a calibration is judged by: rows, as an ensemble and Var f tell of them out of fold.
type evidence struct {
	ensemble  *ensemble
	epistemic epistemic
	rows      []int
	pool      *simd.Pool
}

// first returns that of so many of the rows at most.
func (by evidence) first(rows int) evidence {
	by.rows = by.rows[:min(len(by.rows), rows)]
	return by
}

// loss returns the weighted mean of minus the log-likelihood of the rows: summed in their order, whatever the number of workers.
func (c lawCalibration) loss(by evidence) float64 {
	return by.ensemble.meanOf(by.pool, by.rows, func(j int) float64 { return -c.logLikelihood(by.ensemble, by.epistemic, j) })
}

// logLikelihood returns that of row j.
func (c lawCalibration) logLikelihood(e *ensemble, v epistemic, j int) float64 {
	if _, several := c.law.(likelihood.Several); several {
		return math.Log(max(c.probability(e, v, j), leastProbability))
	}
	return c.distribution(e, v, j).LogDensity(e.data.target(j))
}

// leastProbability bounds the loss of a row.
const leastProbability = 1e-300

// of returns Var f of row j.
func (v epistemic) of(j int) float64 {
	if v.outOfFold == nil {
		return 0
	}
	return v.outOfFold[j]
}

// target returns that of row j.
func (d *dataset) target(j int) float64 { return float64(d.Targets(j, j+1)[0]) }

// offset returns that of row j, 0 where there are none.
func (d *dataset) offset(j int) float64 {
	if y := d.Targets(j, j+1); len(y) > 1 {
		return float64(y[1])
	}
	return 0
}

// output returns what the model has of a target with this law.
func (c lawCalibration) output(f *fitted) model.Output {
	law := c.averaged
	if law == nil {
		law = c.law
	}
	return model.Output{DensityRatio: f.ratio.surface(), Likelihood: law, Noise: 1, VarianceScale: c.Epistemic, Limits: c.limits(f.data, f.gain, law), Sets: c.sets(f.ensemble, f.epistemic)}
}

// limits returns those of the slope times f. A mean e^f ends where it does for members, whatever slope and base.
func (c lawCalibration) limits(data *dataset, gain float64, law likelihood.Likelihood) *model.Limits {
	limits := data.limits.Scaled(c.Slope * gain)
	if isExponential(law) {
		largest := data.limits.Hi + data.law.(likelihood.Law).Base - law.(likelihood.Law).Base
		limits.Hi = max(limits.Lo, min(limits.Hi, largest))
	}
	return limits
}

// sets returns what prediction sets of classes need; nil of another target.
func (c lawCalibration) sets(e *ensemble, v epistemic) []float64 {
	if !likelihood.Classifies(c.law) {
		return nil
	}
	rows := someOf(e.folds)
	p := make([]float64, len(rows))
	for i, j := range rows {
		p[i] = c.probability(e, v, j)
	}
	return model.NewSets(p)
}

// probability returns that of the class that row j is of.
func (c lawCalibration) probability(e *ensemble, v epistemic, j int) float64 {
	y := int(e.data.target(j))
	several, ok := c.law.(likelihood.Several)
	if !ok {
		one, _ := c.distribution(e, v, j).Moments()
		return float64(y)*one + float64(1-y)*(1-one)
	}
	t := e.data.latents()
	scaled, p := make([]float64, t), make([]float64, t)
	for k, g := range e.outOfFold[j*t : (j+1)*t] {
		scaled[k] = c.Slope * g
	}
	several.Probabilities(scaled, c.Epistemic*v.of(j), p)
	return p[y]
}
