package auto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// The law of the trials after the first ones is the likeliest given these. λ of all candidates and of those to come rises as much as the loss
// bends, all deviances are of the one law, and so are the rows with other inputs.
func TestTheLawIsLearnedAgainAfterTheFirstTrials(t *testing.T) {
	const truth = 0.2
	given := ofLaw(t, 1500, likelihood.NewLaw(likelihood.NegativeBinomial{Dispersion: 1}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		gamma := 0.0 // of mean one and variance truth
		for range int(1 / truth) {
			gamma += truth * rng.ExpFloat64()
		}
		return poissonDraw(rng, gamma*math.Exp(1.5*wave(x)))
	})
	data, p, w := prepared(given, 2)
	defer w.pool.Close()
	data.few, data.absences = data.withLaw(data.law), data.withLaw(data.law)
	w.progress.follow(p.stages(data))
	tour, before := tournament{plan: p, data: data, folds: data.partition(p)}, p.candidates()
	if err := tour.try(t.Context(), w, 0, before, p.tries[0]); err != nil {
		t.Fatal(err)
	}
	lambdas := slices.Clone(tour.smoothness)
	after := tour.relearned(w, before)
	learnt := tour.data.law.(likelihood.Law).Scalar.(likelihood.NegativeBinomial).Dispersion
	if start := data.law.(likelihood.Law).Scalar.(likelihood.NegativeBinomial).Dispersion; !(start > 4*truth) || !(learnt > truth/2 && learnt < 2*truth) {
		t.Fatalf("the dispersion begins with %g and is %g after the first trials, in truth %g", start, learnt, truth)
	}
	by := tour.bends
	if !(by > 1.5) {
		t.Fatalf("the loss bends %g times as much", by)
	}
	for i, v := range tour.smoothness {
		testkit.Close(t, "λ to come", v, by*lambdas[i], 1e-12, 0)
	}
	if p.smoothness[0] != lambdas[0] {
		t.Error("the plan that was given has changed")
	}
	for i, c := range after {
		testkit.Close(t, "deviance", c.deviance, c.ensemble.meanAverageDeviance(c.ensemble.rows(), tour.fits), 0, 0)
		if c.ensemble.data.law != tour.data.law || i > 0 && c.deviance < after[i-1].deviance {
			t.Errorf("candidate %d is by another law, or before a better one", i)
		}
		if !slices.ContainsFunc(before, func(b candidate) bool {
			own := b.structure
			own.Smoothness *= by
			return own.String() == c.structure.String()
		}) {
			t.Errorf("candidate %v is none of before", c.structure)
		}
	}
	if d := tour.data; d.few.law != d.law || d.absences.law != d.law || data.few.law == d.law {
		t.Error("rows with other inputs have another law")
	}
	for _, c := range tour.linearCandidates(after[:1], tour.data) {
		if c.isAdditive() && !slices.ContainsFunc(additiveSmoothness, func(lambda float64) bool { return math.Abs(by*lambda-c.Smoothness) < 1e-9*c.Smoothness }) {
			t.Errorf("candidate %v has λ of the law before", c.structure)
		}
	}
	if most := p.mostSmooth(); tour.mostSmooth() <= most || p.bending(0.5).mostSmooth() != most {
		t.Errorf("the largest λ is %g, before it was %g, and it may fall", tour.mostSmooth(), most)
	}
	own, err := tour.plan.of(tour.data.only([]int{0}))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "λ of fewer inputs", own.smoothness[0], tour.smoothness[0], 1e-12, 0)
	testkit.Close(t, "bends of fewer inputs", own.bends, by, 1e-12, 0)
}

// A law without parameters, and a density, are what they were.
func TestOtherLawsAreNotLearnedAgain(t *testing.T) {
	given := ofLaw(t, 300, likelihood.NewLaw(likelihood.Poisson{}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		return poissonDraw(rng, math.Exp(wave(x)))
	})
	data, p, w := prepared(given, 1)
	defer w.pool.Close()
	tour, some := tournament{plan: p, data: data}, p.candidates()
	tour.best = &some[0]
	if got := tour.relearned(w, some); &got[0] != &some[0] || tour.data != data || tour.bends != 1 {
		t.Error("a law without parameters was learned")
	}
	tour.data, tour.density = data.withLaw(likelihood.NewLaw(likelihood.Gamma{Shape: 2}, 0)), true
	if got := tour.relearned(w, some); &got[0] != &some[0] || tour.bends != 1 {
		t.Error("a density was learned")
	}
}
