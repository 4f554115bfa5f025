package auto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// narrowed returns a tournament after its first round, of a third of the steps of effort fast, and the candidates that it left. The best of all inputs is the
// constant, if asked for.
func narrowed(t *testing.T, d *dataset, constant bool) (run *tournament, left []candidate, w worker) {
	t.Helper()
	return narrowedBy(t, Recipe{Effort: Fast, StepsFactor: 0.3}, d, constant)
}

// narrowedBy returns the same by a recipe.
func narrowedBy(t *testing.T, o Recipe, d *dataset, constant bool) (run *tournament, left []candidate, w worker) {
	t.Helper()
	_, _, w = prepared(ofLaw(t, 10, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, _ []float32, _ float64) float64 { return float64(rng.IntN(2)) }), 2)
	t.Cleanup(w.pool.Close)
	p, err := o.plan(d, false)
	if err != nil {
		t.Fatal(err)
	}
	run = &tournament{plan: p, data: d, folds: d.partition(p)}
	if p.merges {
		run.folds = run.folds.merged(mergedParts)
	}
	left = p.candidates()
	if err = run.try(t.Context(), w, 0, left, 1); err != nil {
		t.Fatal(err)
	}
	if constant {
		clear(left[0].ensemble.outOfFold)
	}
	if left, err = run.narrowed(t.Context(), w, left, 1); err != nil {
		t.Fatal(err)
	}
	return run, left, w
}

// A class of few rows is learned from the few of many inputs that it depends on, by all rows, and what the candidates
// say of rows held out is of members that have these inputs.
func TestNarrowedByAllRows(t *testing.T) {
	testkit.Long(t)
	tells := []int{7, 40, 99}
	run, left, w := narrowed(t, wideData(t, 300, 150, 3, func(rng *rand.Rand, x []float32) int {
		best, most := 0, math.Inf(-1)
		for k, i := range tells {
			if v := 4*float64(x[i]) + 0.5*rng.NormFloat64(); v > most {
				best, most = k, v
			}
		}
		return best
	}), false)
	inputs := run.data.kept
	if missed := slices.ContainsFunc(tells, func(i int) bool { return !slices.Contains(inputs, i) }); missed || len(inputs) > len(tells)+2 {
		t.Fatalf("inputs %v are left, want %v and two by chance at most", inputs, tells)
	}
	e := left[0].ensemble
	for k, fold := range e.folds {
		f, err := e.members[k].predict(t.Context(), w, e.data, fold)
		if err != nil {
			t.Fatal(err)
		}
		e.data.clamp(f)
		for i, j := range fold {
			if own := e.outOfFold[j*3:][:3]; !slices.Equal(f[i*3:][:3], own) {
				t.Fatalf("fold %d: a member predicts %v of row %d, and predicted %v in its trial", k, f[i*3:][:3], j, own)
			}
		}
	}
}

// One part of the rows chooses a mixture where inputs are many, and two do once few are left.
func TestMorePartsChooseOfFewerInputs(t *testing.T) {
	run, left, _ := narrowedBy(t, Recipe{Effort: Default, StepsFactor: 0.02}, wideData(t, fewRows+100, 110, 2, func(rng *rand.Rand, x []float32) int {
		return int(bernoulli(rng, 12*float64(x[7])-6))
	}), false)
	if n := run.data.Inputs; n > manyInputs/2 || run.held != mergedOfFew || len(left[0].ensemble.folds) != mergedOfFew {
		t.Errorf("%d inputs are left, and %d parts choose of them, of which the best has %d", n, run.held, len(left[0].ensemble.folds))
	}
}

// Inputs that agree with a class by chance do not take the place of the constant. This is a draw in which they would, if the
// trials had the inputs that all rows tell of.
func TestNothingIsNarrowedByChance(t *testing.T) {
	testkit.Long(t)
	labels := rand.New(rand.NewPCG(23, 1))
	d := wideData(t, 120, 400, 2, func(*rand.Rand, []float32) int { return labels.IntN(2) })
	if len(screened(t, d, keptByChance[0])) == 0 {
		t.Fatal("no input agrees with the class by chance: the test tells nothing")
	}
	if run, left, _ := narrowed(t, d, true); run.data.kept != nil {
		t.Errorf("inputs %v of a class that depends on none are left, with a loss of %g, beside %g of a constant", run.data.kept, left[0].deviance/2, math.Ln2)
	}
}

// A number of twelve inputs and more is pruned, a class of at most 100,000 rows, too, until inputs are so many that they are screened, as those of counts are.
func TestWhatMayBeLeftOut(t *testing.T) {
	gaussian, class, count := likelihood.OrGaussian(nil), likelihood.NewLaw(likelihood.Bernoulli{}, 0), likelihood.NewLaw(likelihood.Poisson{}, 0)
	for _, c := range []struct {
		law             likelihood.Likelihood
		rows, inputs    int
		screens, prunes bool
	}{
		{gaussian, 500, 11, false, false}, {gaussian, 500, 12, false, true}, {gaussian, 500, 300, false, true}, {gaussian, mostValues, 12, false, false},
		{class, 500, 11, false, false}, {class, 500, 12, false, true}, {class, tallRows + 1, 12, false, false},
		{class, 500, 99, false, true}, {class, 500, 100, true, false}, {class, tallRows + 1, 100, false, false},
		{count, 500, 99, false, false}, {count, 500, 100, true, false},
	} {
		o := Recipe{}
		if screens, prunes := o.screens(c.law, c.rows, c.inputs), o.prunes(c.law, c.rows, c.inputs); screens != c.screens || prunes != c.prunes || o.Screens(c.law, c.rows, c.inputs) != (screens || prunes) {
			t.Errorf("%s, %d rows of %d inputs: screens %t, prunes %t", c.law.Name(), c.rows, c.inputs, screens, prunes)
		}
	}
}
