package auto

import (
	"math"
	"slices"

	"beziergp/likelihood"
)

// relearned returns the candidates of the first trials, the best first, by the losses of a law with the parameters that are likeliest given the
// best of them. The data and the plan are of that law then. The one that was given has those of a constant f, as if inputs told nothing: beside a count of so
// large a dispersion errors of large counts weigh next to nothing, and candidates that tell them are no better than others. A density keeps the law that was
// given: the losses of most are in proportion to a parameter, so that it weighs all rows alike, and on ames, an amount, members are better so.
func (t *tournament) relearned(w worker, sorted []candidate) []candidate {
	if t.density || !t.data.learnsLaw() || t.best == nil {
		return sorted
	}
	var by float64
	t.data, by = t.data.likeliest(t.best, w)
	t.plan = t.plan.bending(by)
	again := slices.Clone(sorted)
	for i, c := range again {
		again[i] = t.byNewLaw(c, by)
	}
	best := t.byNewLaw(*t.best, by)
	t.best = &best
	slices.SortStableFunc(again, better)
	return again
}

// byNewLaw returns a candidate with its deviance by the law of the data, whose loss bends so many times as much.
func (t *tournament) byNewLaw(c candidate, by float64) candidate {
	c.Smoothness *= by
	if !math.IsInf(c.deviance, 0) {
		own := *c.ensemble
		own.data = t.data.in(c.Scaling)
		c.ensemble, c.deviance = &own, own.meanAverageDeviance(own.rows(), t.fits)
	}
	return c
}

// bending returns the plan for a law whose loss bends so many times as much: λ beside it has to be as many times as large to mean the same.
func (p plan) bending(by float64) plan {
	p.bends *= by
	p.smoothness = slices.Clone(p.smoothness)
	for i := range p.smoothness {
		p.smoothness[i] *= by
	}
	return p
}

// learnsLaw tells whether the law has parameters.
func (d *dataset) learnsLaw() bool {
	law, ok := d.law.(likelihood.Law)
	return ok && law.Parameters() != nil
}

// likeliest returns the data with the parameters of its law that are likeliest given a candidate's predictions out of fold, and how many
// times as much the loss bends there.
func (d *dataset) likeliest(c *candidate, w worker) (own *dataset, by float64) {
	seen := evidence{c.ensemble, epistemic{}, someOf(c.ensemble.folds), w.pool}.first(refitRows)
	own = d.withLaw(lawCalibration{Slope: 1, law: d.law}.refit(seen))
	by = own.meanBend(c.ensemble, seen.rows) / d.meanBend(c.ensemble, seen.rows)
	if !(by > 0) || math.IsInf(by, 0) { // a law of long tails may bend to either side
		by = 1
	}
	return own, by
}

// withLaw returns the data with another law of the target.
func (d *dataset) withLaw(law likelihood.Likelihood) *dataset {
	if d == nil {
		return nil
	}
	own := *d
	own.law, own.absences, own.few = law, d.absences.withLaw(law), d.few.withLaw(law)
	again := own.scaled(d.X, d.inputs)
	again.averages = d.averages // of the same coordinates
	return again
}

// meanBend returns the mean second derivative of the loss at what the ensemble predicts out of fold.
func (d *dataset) meanBend(e *ensemble, rows []int) float64 {
	return e.weightedMean(rows, func(j int) float64 { return d.bend(j, e.outOfFold[j:j+1], []float64{1}) })
}
