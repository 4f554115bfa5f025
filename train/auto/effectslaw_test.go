package auto

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
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

// ownOrAnyOfThree is mostly the class of a name.
func ownOrAnyOfThree(name int, rng *rand.Rand) float64 {
	if rng.Float64() < 0.3 {
		return float64(rng.IntN(3))
	}
	return float64(name % 3)
}

// threeClassesOf returns rows of three classes of which a name tells.
func threeClassesOf(t *testing.T, n int) *dataset {
	d := *ofNames(t, n, ownOrAnyOfThree).withAllLevels()
	d.law = likelihood.Classes{Base: []float64{-1, 0, 0.5}}
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
	const n, lambda = 1500, 0.5
	for _, d := range []*dataset{
		namesOf(t, n, likelihood.Poisson{}, wideCounts),
		namesOf(t, n, likelihood.NegativeBinomial{Dispersion: 0.5}, wideCounts),
		namesOf(t, n, likelihood.Gamma{Shape: 2}, amounts),
		threeClassesOf(t, n),
	} {
		s := structure{train.ByRanks, []component{mainEffects(8, lambda)}, 0}
		e, err := fitEffects(t.Context(), workersOf(t, 2), d, s, upTo(n))
		if err != nil {
			t.Fatal(err)
		}
		r, outputs := newRegression(workersOf(t, 1).pool, e.bases, d, upTo(n)), len(e.of)
		objective := func(at []float64) (sum float64) {
			f := make([]float64, n*outputs)
			for k, own := range slices.Collect(slices.Chunk(at, len(at)/outputs)) {
				for j, v := range r.fitted(line{own[0], own[1:]}) {
					f[j*outputs+k] = v
				}
				product := make([]float64, len(own)-1)
				r.penalised(product, own[1:], lambda)
				sum += floats.Dot(product, own[1:]) / 2
			}
			for j := range n {
				sum += d.loss(j, f[j*outputs:(j+1)*outputs])
			}
			return sum
		}
		var at []float64
		for _, l := range e.of {
			at = append(append(at, l.mu), l.b...)
		}
		constant := make([]float64, len(at))
		worst := fd.Gradient(nil, objective, at, &fd.Settings{Formula: fd.Central})
		first := fd.Gradient(nil, objective, constant, &fd.Settings{Formula: fd.Central})
		if most, before := floats.Norm(worst, math.Inf(1)), floats.Norm(first, math.Inf(1)); !(most < 0.02*before) {
			t.Errorf("%s: the losses slope by %g, and by %g before", d.law.Name(), most, before)
		}
		if now, before := objective(at), objective(constant); !(now < before) {
			t.Errorf("%s: the losses are %g, of a constant %g", d.law.Name(), now, before)
		}
	}
}

// Main effects of many rows are the same to the bit whatever the number of workers.
func TestMainEffectsDoNotDependOnWorkers(t *testing.T) {
	const n = 3 * rowsOfPart
	for _, d := range []*dataset{namesOf(t, n, likelihood.Gamma{Shape: 2}, func(name int, rng *rand.Rand) float64 { return float64(1+name%7) * rng.ExpFloat64() }), threeClassesOf(t, n)} {
		s := structure{train.ByRanks, []component{mainEffects(8, 0.5)}, 0}
		var all [2]*effects
		for i := range all {
			e, err := fitEffects(t.Context(), workersOf(t, 1+2*i), d, s, upTo(n))
			if err != nil {
				t.Fatal(err)
			}
			all[i] = e
		}
		for k, l := range all[0].of {
			if o := all[1].of[k]; l.mu != o.mu || !slices.Equal(l.b, o.b) {
				t.Errorf("output %d of %s differs by workers", k, d.law.Name())
			}
		}
		if !slices.Equal(all[0].fitted, all[1].fitted) {
			t.Errorf("what they say of the rows of %s differs by workers", d.law.Name())
		}
	}
}

// What main effects leave of a law's targets is the law with an offset more: the loss of other components is that of the sum.
func TestMainEffectsAreAnOffset(t *testing.T) {
	const n = 600
	rows := upTo(n)[:400]
	for _, d := range []*dataset{
		namesOf(t, n, likelihood.Poisson{}, func(name int, rng *rand.Rand) float64 { return poissonDraw(rng, math.Exp(math.Sin(float64(name)))) }),
		threeClassesOf(t, n),
	} {
		s := structure{train.ByRanks, []component{mainEffects(8, 1)}, 0}
		e, err := fitEffects(t.Context(), workersOf(t, 1), d, s, rows)
		if err != nil {
			t.Fatal(err)
		}
		left, outputs := e.left(d, rows), len(e.of)
		for p, j := range rows {
			others := []float64{0.7, -0.2, 0.1}[:outputs]
			testkit.Close(t, "loss", left.loss(j, others), d.loss(j, floats.AddTo(make([]float64, outputs), others, e.fitted[p*outputs:(p+1)*outputs])), 1e-5, 1e-5)
		}
		_, p, w := prepared(additiveData(t, 10), 1)
		alone, err := fitMember(t.Context(), w, p, d, s, rows, upTo(n), 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		w.pool.Close()
		for p, j := range rows {
			for k := range outputs {
				testkit.Close(t, "f of the member", alone.held[j*outputs+k], e.fitted[p*outputs+k], 0, 1e-2)
			}
		}
	}
}

// Counts and classes of names have main effects of all levels, which leave less of their deviance than what else tells them.
func TestCountsAndClassesHaveMainEffects(t *testing.T) {
	const start = 5
	for _, c := range []struct {
		counts, effects bool
	}{{true, true}, {true, false}, {false, true}} {
		effects := c.effects
		few := ofNames(t, 6000, func(name int, rng *rand.Rand) float64 {
			if c.counts {
				return poissonDraw(rng, math.Exp(2*math.Sin(5*float64(name))))
			}
			return ownOrAnyOfThree(name, rng)
		})
		data := few.withLaw(likelihood.Classes{Base: make([]float64, 3)})
		if c.counts {
			data = few.withLaw(likelihood.NewLaw(likelihood.NegativeBinomial{Dispersion: start}, 0.5))
		}
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
		if !c.counts {
			continue
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
		losses = append(losses, newLawRows(d, rows).losses(m.held, 0, len(rows))/float64(len(rows)))
	}
	testkit.Close(t, "losses", losses[0], losses[1], 1e-2, 0)
	if constant := newLawRows(d, rows).losses(make([]float64, len(rows)), 0, len(rows)) / float64(len(rows)); !(losses[0] < constant-1) {
		t.Errorf("a row has a loss of %g, of a constant %g", losses[0], constant)
	}
}

// Counts and classes may be given main effects as a shape.
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
	if p, err := o.withDefaults().plan(classes, false); err != nil || len(p.shapes) != 2 {
		t.Errorf("three classes: %v", err)
	}
}
