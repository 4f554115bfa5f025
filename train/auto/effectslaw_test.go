package auto

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// namesOf returns rows of a law of which a name tells, with offsets.
func namesOf(t *testing.T, n int, law likelihood.Scalar, y func(name int, rng *rand.Rand) float64) *dataset {
	d := *ofNames(t, n, y).withAllLevels()
	d.law = likelihood.NewLaw(law, 0.3)
	rng := rand.New(rand.NewPCG(3, 3))
	own := make([]float32, 0, 2*n)
	for _, v := range d.Y {
		own = append(own, v, float32(rng.NormFloat64()))
	}
	d.Y, d.Outputs = own, 2
	d.limits = d.limitsOfLaw()
	return d.scaled(d.X, d.inputs)
}

// wideCounts are counts of names of which some lie so far above all others that whole steps of Newton's method overshoot.
func wideCounts(name int, rng *rand.Rand) float64 {
	return poissonDraw(rng, math.Exp(5*math.Sin(5*float64(name))))
}

// Of a law main effects are where the losses with the penalty have no slope along any function, by central differences.
func TestMainEffectsOfALawAreLikeliest(t *testing.T) {
	amounts := func(name int, rng *rand.Rand) float64 {
		return math.Exp(3*math.Sin(5*float64(name))) * (0.5 + rng.ExpFloat64())
	}
	for _, c := range []struct {
		law likelihood.Scalar
		y   func(name int, rng *rand.Rand) float64
	}{
		{likelihood.Poisson{}, wideCounts},
		{likelihood.NegativeBinomial{Dispersion: 0.5}, wideCounts},
		{likelihood.Gamma{Shape: 2}, amounts},
	} {
		const n, lambda = 1500, 0.5
		d := namesOf(t, n, c.law, c.y)
		s := structure{train.ByRanks, []component{mainEffects(8, lambda)}, 0}
		e, err := fitEffects(t.Context(), d, s, upTo(n))
		if err != nil {
			t.Fatal(err)
		}
		r := newRegression(e.bases, d, upTo(n))
		objective := func(at []float64) float64 {
			f := r.fitted(at[0], at[1:])
			sum := 0.0
			for j := range f {
				sum += d.loss(j, f[j:j+1])
			}
			product := make([]float64, len(at)-1)
			r.penalised(product, at[1:], lambda)
			return sum + floats.Dot(product, at[1:])/2
		}
		at := append([]float64{e.mean}, e.b...)
		constant := make([]float64, len(at))
		worst := fd.Gradient(nil, objective, at, &fd.Settings{Formula: fd.Central})
		first := fd.Gradient(nil, objective, constant, &fd.Settings{Formula: fd.Central})
		if most, before := floats.Norm(worst, math.Inf(1)), floats.Norm(first, math.Inf(1)); !(most < 0.02*before) {
			t.Errorf("%s: the losses slope by %g, and by %g before", c.law.Name(), most, before)
		}
		if now, before := objective(at), objective(constant); !(now < before) {
			t.Errorf("%s: the losses are %g, of a constant %g", c.law.Name(), now, before)
		}
	}
}

// What main effects leave of a law's targets is the law with an offset more: the loss of other components is that of the sum.
func TestMainEffectsAreAnOffset(t *testing.T) {
	const n = 600
	d := namesOf(t, n, likelihood.Poisson{}, func(name int, rng *rand.Rand) float64 { return poissonDraw(rng, math.Exp(math.Sin(float64(name)))) })
	rows := upTo(n)[:400]
	s := structure{train.ByRanks, []component{mainEffects(8, 1)}, 0}
	e, err := fitEffects(t.Context(), d, s, rows)
	if err != nil {
		t.Fatal(err)
	}
	left := e.left(d, rows)
	for p, j := range rows {
		testkit.Close(t, "loss", left.loss(j, []float64{0.7}), d.loss(j, []float64{0.7 + e.fitted[p]}), 1e-5, 1e-5)
	}
	_, p, w := prepared(additiveData(t, 10), 1)
	defer w.pool.Close()
	alone, err := fitMember(t.Context(), w, p, d, s, rows, upTo(n), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for p, j := range rows {
		testkit.Close(t, "f of the member", alone.held[j], e.fitted[p], 0, 1e-2)
	}
}

// Counts of names have main effects of all levels, which leave less of their deviance than what else tells them.
func TestCountsHaveMainEffects(t *testing.T) {
	for _, effects := range []bool{true, false} {
		const start = 5
		few := ofNames(t, 6000, func(name int, rng *rand.Rand) float64 {
			return poissonDraw(rng, math.Exp(2*math.Sin(5*float64(name))))
		})
		data := few.withLaw(likelihood.NewLaw(likelihood.NegativeBinomial{Dispersion: start}, 0.5))
		data.limits = data.limitsOfLaw()
		o := Recipe{Effort: Fast}
		if !effects {
			o.Ablation = []Ingredient{Effects}
		}
		p, err := o.plan(data, false)
		if err != nil {
			t.Fatal(err)
		}
		p.functions = []int{largeCategory, 0} // as if it had so many of its own
		p.effects = effects
		_, _, w := prepared(additiveData(t, 10), 2)
		w.progress.follow(p.stages(data))
		chosen, err := selectStructure(t.Context(), w, p, data, data.partition(p))
		w.pool.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got := chosen.structures[0].hasMainEffects(); got != effects {
			t.Errorf("main effects are tried: %t, and taken: %t", effects, got)
		}
		if learnt := chosen.data.law.(likelihood.Law).Scalar.(likelihood.NegativeBinomial).Dispersion; learnt > start/2 {
			t.Errorf("the structure is chosen by a dispersion of %g, of a constant it is %g", learnt, float64(start))
		}
	}
}

// The first step of an additive model overshoots where counts of some levels are far above all others; it is halved, and the model is as
// likely as main effects are.
func TestAdditiveModelsOfWideCounts(t *testing.T) {
	d := ofNames(t, 3000, wideCounts).withLaw(likelihood.NewLaw(likelihood.Poisson{}, 0.3))
	d.limits = d.limitsOfLaw()
	_, p, w := prepared(additiveData(t, 10), 1)
	defer w.pool.Close()
	rows := upTo(d.Len())
	var losses []float64
	for _, s := range []structure{{train.ByRanks, []component{additive(8)}, 1}, {train.ByRanks, []component{mainEffects(8, 1)}, 0}} {
		m, err := fitMember(t.Context(), w, p, d, s, rows, rows, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, d.losses(rows, m.held)/float64(len(rows)))
	}
	testkit.Close(t, "losses", losses[0], losses[1], 1e-2, 0)
	if constant := d.losses(rows, make([]float64, len(rows))) / float64(len(rows)); !(losses[0] < constant-1) {
		t.Errorf("a row has a loss of %g, of a constant %g", losses[0], constant)
	}
}

// A count and two classes may be given main effects as a shape; more classes and several targets have none.
func TestMainEffectsOfALawCanBeGiven(t *testing.T) {
	data := ofLaw(t, 600, likelihood.NewLaw(likelihood.Poisson{}, 0), true, func(rng *rand.Rand, x []float32, offset float64) float64 {
		return poissonDraw(rng, math.Exp(3*float64(x[0])-2*float64(x[1])+offset))
	})
	o := Recipe{Effort: Fast, Shapes: []string{"main8@1", "main8@3"}}
	r, err := o.Fit(t.Context(), data, train.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	options, err := json.Marshal(r.Options)
	if err != nil {
		t.Fatal(err)
	}
	if chosen := Shapes(options); len(chosen) == 0 || !strings.HasPrefix(chosen[0], "main8@") {
		t.Errorf("shapes %q", chosen)
	}
	classes := wideData(t, 300, 4, 3, func(rng *rand.Rand, x []float32) int { return rng.IntN(3) })
	var refused *train.OptionError
	if _, err := o.withDefaults().plan(classes, false); !errors.As(err, &refused) || refused.Option != "shapes" {
		t.Errorf("three classes: %v", err)
	}
}
