package auto

import (
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/likelihood"
	"beziergp/train"
)

// ofPersons returns rows of persons who say yes or no more than once, each five times on average, with the log-odds of a person at x; the number of the person is the
// second input.
func ofPersons(t *testing.T, persons, rows int, logOdds func(own, x float64) float64) train.Data {
	rng := rand.New(rand.NewPCG(3, 5))
	own := make([]float64, persons)
	for i := range own {
		own[i] = rng.NormFloat64()
	}
	j := 0
	return ofLaw(t, rows, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		person := j % persons
		j++
		x[1] = float32(person) / float32(persons-1)
		return bernoulli(rng, logOdds(own[person], float64(x[0])))
	})
}

// Where each person tells for itself how likely it says yes, main effects have a function of every person, and are better by far; where none does, they have not. The other
// input has a spline.
func TestNamesThatAreNumbersHaveMainEffects(t *testing.T) {
	const persons, rows = 300, 1500
	for name, deviation := range map[string]float64{"of their own": 3, "alike": 0} {
		data, p, w := prepared(ofPersons(t, persons, rows, func(own, x float64) float64 { return deviation*own + 2*x }), 2)
		p.effects = true // as of more inputs
		w.progress.follow(p.stages(data))
		tour, left := tournament{plan: p, data: data, folds: data.partition(p)}, p.candidates()
		err := tour.try(t.Context(), w, 0, left, p.tries[0])
		if err == nil {
			_, err = tour.tryEffects(t.Context(), w, left, p.tries[0])
		}
		w.pool.Close()
		if err != nil {
			t.Fatal(err)
		}
		tell := deviation > 0
		if taken, values := tour.main != nil, tour.data.tied(1); tell != (taken && values == persons) || !tell && values != 0 || tour.data.tied(0) != 0 {
			t.Errorf("persons %s: main effects are taken: %t, with %d and %d values", name, taken, tour.data.tied(0), values)
		}
	}
}

// Persons who differ by a constant have main effects in the end, and persons of whom each has a slope of its own a component of ties, which learns
// more in all steps than in the few of the trials. Of several rounds the last tries both.
func TestMainEffectsOfNamesOrTies(t *testing.T) {
	const persons = 100
	constant := func(own, x float64) float64 { return 3 * own }
	slope := func(own, x float64) float64 { return 12*own*(x-0.5) + own }
	for name, c := range map[string]struct {
		logOdds func(own, x float64) float64
		rounds  int
		ties    bool
	}{
		"constants": {constant, 1, false},
		"slopes":    {slope, 1, true},
		"two":       {slope, 2, true},
	} {
		data, p, w := prepared(ofPersons(t, persons, 3000, c.logOdds), 2)
		p.tries = slices.Repeat(p.tries, c.rounds)
		plain := untried(structure{p.scaling, []component{coarse}, 1})
		main := mainEffects(nodesOfEffects, 1)
		joining := untried(structure{p.scaling, []component{smooth(7), p.ties()}, 1})
		without := firstRound{left: []candidate{plain}, joining: []candidate{joining}, plan: p, data: data}
		with := firstRound{left: []candidate{untried(structure{p.scaling, []component{main, coarse}, 1})}, plan: p, data: data.withTies([]int{0, persons})}
		with.plan.main = []component{main}
		tour := tournament{plan: with.plan, data: with.data, folds: data.partition(p)}
		w.progress.follow(p.stages(data))
		got, err := tour.orTies(t.Context(), w, without, with, true)
		w.pool.Close()
		if err != nil {
			t.Fatal(err)
		}
		if s := got.left[0]; slices.ContainsFunc(s.Components, component.hasTies) != c.ties || s.hasMainEffects() == c.ties || (got.plan.main == nil) != c.ties || tour.data.tied(1) != persons {
			t.Errorf("%s: %s of %d values", name, s, tour.data.tied(1))
		}
		if joins := slices.ContainsFunc(got.joining, func(c candidate) bool { return c.structure.equals(joining.structure) }); joins != c.ties {
			t.Errorf("%s: what joins without main effects goes on: %t", name, joins)
		}
	}
}

// Main effects of a law have functions of values of a number where they say so, and splines where components of ties alone tell these apart.
func TestMainEffectsTellNumbersApart(t *testing.T) {
	const persons = 100
	data, _, w := prepared(ofPersons(t, persons, 500, func(own, x float64) float64 { return own }), 1)
	w.pool.Close()
	data = data.withTies([]int{0, persons})
	splines := mainEffects(nodesOfEffects, 1)
	splines.Cells = 0
	for _, c := range []struct {
		of    component
		nodes int
	}{{splines, nodesOfEffects}, {mainEffects(nodesOfEffects, 1), stepsOf(persons)}} {
		of, err := structure{train.ByRanks, []component{c.of}, 0}.surface(data, 0)
		if err != nil {
			t.Fatal(err)
		}
		b := of.Group(0).Bases
		if b[0].Nodes() != nodesOfEffects || b[1].Nodes() != c.nodes {
			t.Errorf("%d and %d functions, want %d and %d", b[0].Nodes(), b[1].Nodes(), nodesOfEffects, c.nodes)
		}
		if got, want := data.weightsOfEffects(c.of), 2*nodesOfEffects*c.nodes; got != want {
			t.Errorf("%d weights, want %d", got, want)
		}
	}
}

// Functions that tell values apart are shrunk to no others, as those of numbers are.
func TestFunctionsOfNamesDoNotBend(t *testing.T) {
	steps, err := basis.NewSteps(40)
	if err != nil {
		t.Fatal(err)
	}
	spline, err := basis.New(basis.Spec{Kind: basis.KindSpline, Nodes: 8})
	if err != nil {
		t.Fatal(err)
	}
	if bends(steps) || !bends(spline) {
		t.Errorf("steps bend: %t, a spline: %t", bends(steps), bends(spline))
	}
}

// Of many rows of a law main effects have few λ, and additive models, which say the same, are not tried where they are.
func TestMainEffectsOfManyRowsTakeLess(t *testing.T) {
	data, p, w := prepared(ofPersons(t, 100, 500, func(own, x float64) float64 { return own }), 1)
	w.pool.Close()
	additives := func(rows int, main []component, tried bool) (n int) {
		p.rows, p.main, p.effects = rows, main, tried
		for _, c := range p.linearCandidates(p.candidates()[:1], data) {
			if c.isAdditive() {
				n++
			}
		}
		return n
	}
	main := []component{mainEffects(nodesOfEffects, 1)}
	if few, none := additives(tallRows/10, main, true), additives(tallRows, nil, false); few == 0 || none == 0 {
		t.Errorf("%d additive models of few rows, %d of many where main effects are not tried", few, none)
	}
	if tried, with := additives(tallRows, nil, true), additives(tallRows, main, false); tried != 0 || with != 0 {
		t.Errorf("%d additive models of many rows where main effects are tried, %d with them", tried, with)
	}
	if few, many := len((plan{rows: tallRows / 2}).ridges()), len((plan{rows: tallRows}).ridges()); many >= few {
		t.Errorf("%d λ of few rows, %d of many", few, many)
	}
	if got := (plan{rows: tallRows, gaussian: true}).ridges(); !slices.Equal(got, ridges) {
		t.Errorf("λ of a number are %v", got)
	}
}

// Main effects whose trials a budget has ended have no residuals to look for names in.
func TestNamesOfTrialsThatEnded(t *testing.T) {
	data, p, w := prepared(ofPersons(t, 100, 500, func(own, x float64) float64 { return own }), 1)
	defer w.pool.Close()
	tour := tournament{plan: p, data: data, folds: data.partition(p)}
	ended := []candidate{untried(structure{p.scaling, []component{mainEffects(nodesOfEffects, 1)}, 0})}
	if got, err := tour.namesTell(t.Context(), w, ended, p.tries[0]); err != nil || len(got) != 1 || tour.data != data {
		t.Errorf("%v of trials that ended, %v", got, err)
	}
}
