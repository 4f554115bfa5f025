package auto

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// The parameters of a law are those of the errors of the average of members, which are not seen out of fold: what two
// members at some of the rows tell of them is what an average of as many members has.
func TestLawOfTheAverage(t *testing.T) {
	const rows, members, noise, off = 8000, 6, 0.3, 0.25
	rng := rand.New(rand.NewPCG(8, 3))
	truth, y := make([]float64, rows), make([]float32, rows)
	for j := range truth {
		truth[j] = rng.NormFloat64()
		y[j] = float32(math.Exp(truth[j] + noise*rng.NormFloat64()))
	}
	noisy := func() []float64 {
		f := make([]float64, rows)
		for j := range f {
			f[j] = truth[j] + off*rng.NormFloat64()
		}
		return f
	}
	law := likelihood.NewLaw(likelihood.LogNormal{Deviation: math.Hypot(noise, off)}, 0)
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: y, Outputs: 1}}, law: law}
	data.limits = data.limitsOfLaw()
	e := &ensemble{data: data, folds: [][]int{upTo(rows)}, members: make([]member, members), outOfFold: noisy()}
	pairs := *e
	pairs.outOfFold = noisy()
	for j, f := range e.outOfFold {
		pairs.outOfFold[j] = (pairs.outOfFold[j] + f) / 2
	}
	c := lawCalibration{Slope: 1, Epistemic: 1, law: law}
	pool := simd.NewPool(2)
	defer pool.Close()
	ofOne, ofTwo := evidence{e, epistemic{}, upTo(refitRows), pool}, evidence{&pairs, epistemic{}, upTo(refitRows), pool}
	seen := c.ofAverage(c, c, ofOne, ofTwo, ambiguity(members, 0, 1))
	found := likelihood.Refit(law.Scalar, len(seen), func(i int) (y, weight, mean, variance float64) {
		return seen[i].y, seen[i].weight, seen[i].Location, 0
	}).(likelihood.LogNormal)
	whole := make([]float64, rows)
	for range members {
		for j, f := range noisy() {
			whole[j] += f / members
		}
	}
	var errors float64
	for _, own := range seen[:refitRows] {
		errors += square(math.Log(own.y)-whole[own.row]) / refitRows
	}
	testkit.Close(t, "deviation of the average", found.Deviation, math.Sqrt(errors), 0.08, 0)
	if two := math.Hypot(noise, off/math.Sqrt2); found.Deviation > 0.98*two {
		t.Errorf("deviation %g, and that of the average of two is %g", found.Deviation, two)
	}
	var sum float64
	for _, own := range seen {
		sum += own.weight
	}
	testkit.Close(t, "weights together", sum, 1, 1e-9, 0)
	// Members that agree leave the law as it is, and so do classes.
	if all := c.ofAverage(c, c, ofOne, ofOne, ambiguity(members, 0, 1)); all != nil {
		t.Errorf("%d rows tell of the average of members that agree", len(all))
	}
	classes := c
	classes.law = likelihood.NewLaw(likelihood.Bernoulli{}, 0)
	if all := classes.ofAverage(classes, classes, ofOne, ofTwo, 1); all != nil {
		t.Error("a law of classes has other parameters")
	}
}

// Only amounts of which no single one has a probability have a density ratio.
func TestLawsThatTilt(t *testing.T) {
	for _, c := range []struct {
		law   likelihood.Scalar
		tilts bool
	}{{likelihood.Gamma{Shape: 2}, true}, {likelihood.LogNormal{Deviation: 1}, true}, {likelihood.Exponential{}, true}, {likelihood.Beta{Precision: 3}, true}, {likelihood.Student{Scale: 1, Tails: 4}, true},
		{likelihood.Tweedie{Dispersion: 1, Power: 1.5}, false}, {likelihood.Poisson{}, false}, {likelihood.Bernoulli{}, false}} {
		if got := (&dataset{law: likelihood.NewLaw(c.law, 0.5)}).tilts(); got != c.tilts {
			t.Errorf("%s: %t", c.law.Name(), got)
		}
	}
	if (&dataset{law: likelihood.Gaussian{}}).tilts() {
		t.Error("a Gaussian's density ratio is not that of a law")
	}
}
