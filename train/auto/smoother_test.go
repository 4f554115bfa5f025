package auto

import (
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/likelihood"
	"beziergp/train"
)

// wide returns rows of many inputs, of which two make a product, under as much noise.
func wide(t testing.TB, n, d int) train.Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	var data train.Data
	for range d {
		b, err := basis.NewBernstein(4)
		if err != nil {
			t.Fatal(err)
		}
		data.Bases = append(data.Bases, b)
	}
	for range n {
		row := make([]float32, d)
		for i := range row {
			row[i] = rng.Float32()
		}
		data.X = append(data.X, row...)
		data.Y = append(data.Y, 8*(row[0]-0.5)*(row[1]-0.5)+0.7*float32(rng.NormFloat64()))
	}
	return data
}

// Where inputs are many a λ that is far too small is raised for as long as held-out errors fall,
// and no further.
func TestClimbRaisesSmoothness(t *testing.T) {
	data, p, w := prepared(wide(t, 800, manyInputs+10), 2)
	defer w.pool.Close()
	p.tries = []float64{0.1, 0.3}
	folds := data.partition(p)
	const low = 0.1
	tour := tournament{plan: p, data: data, folds: folds}
	w.progress.follow(p.stages(data))
	tried, _, err := tour.climb(t.Context(), w, []candidate{untried(structure{train.ByRanks, []component{smooth(10)}, low})})
	if err != nil {
		t.Fatal(err)
	}
	best := tried[0]
	if best.Smoothness <= low {
		t.Errorf("λ = %g of a noisy surface is raised to %g", low, best.Smoothness)
	}
	if !slices.IsSortedFunc(tried, better) {
		t.Error("the best is not first")
	}
	if !slices.ContainsFunc(tried, func(c candidate) bool { return c.Smoothness > best.Smoothness }) {
		t.Errorf("nothing beyond the best, λ = %g, was tried", best.Smoothness)
	}
}

// Of a law the members take as few steps as the trials of the last round, where candidates were better by these than
// by all steps; numbers, and candidates that were worse, have all.
func TestFewStepsAreTakenWhereTheyAreBetter(t *testing.T) {
	classes := ofLaw(t, 600, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		return float64(rng.IntN(2))
	})
	for _, c := range []struct {
		name     string
		data     train.Data
		deviance float64 // of the last round
		want     float64
	}{{"classes, better", classes, 1e-3, 0.2}, {"classes, worse", classes, 1e3, 1}, {"numbers", wide(t, 600, manyInputs+1), 1e-3, 1}} {
		data, p, w := prepared(c.data, 2)
		p.tries, p.steps = []float64{0.1, 0.2}, 100
		tour := tournament{plan: p, data: data, folds: data.partition(p)}
		w.progress.follow(p.stages(data))
		_, share, err := tour.climb(t.Context(), w, []candidate{{structure{train.ByRanks, []component{smooth(5)}, 1}, c.deviance, nil}})
		w.pool.Close()
		if err != nil {
			t.Fatal(err)
		}
		if share != c.want {
			t.Errorf("%s: members take %g of all steps, want %g", c.name, share, c.want)
		}
	}
	p := plan{choices: choices{steps: 1000, seconds: 2}}.taking(0.2)
	if p.steps != 200 || p.seconds != 0.4 {
		t.Errorf("a fifth is %d steps and %g seconds", p.steps, p.seconds)
	}
}

// Where inputs are few, rows very many, or shapes given, λ stays as it was chosen.
func TestClimbsWhereInputsAreMany(t *testing.T) {
	many := plan{gaussian: true, distinct: make([]int, manyInputs+1), rows: tallRows, choices: choices{tries: []float64{0.1, 0.3}}}
	few, tall, given, quick := many, many, many, many
	few.distinct = few.distinct[1:]
	classes := few
	classes.gaussian = false
	tall.rows++
	given.shapes = []structure{{}}
	quick.tries = quick.tries[:1]
	for _, c := range []struct {
		name string
		plan plan
		want bool
	}{{"many inputs", many, true}, {"few inputs", few, false}, {"few inputs of another law", classes, true}, {"tall", tall, false}, {"given shapes", given, false}, {"one round", quick, false}} {
		if got := c.plan.climbs(); got != c.want {
			t.Errorf("%s: climbs %t, want %t", c.name, got, c.want)
		}
	}
}

// Components of many inputs keep nodes and orderings that a step of few inputs' time would
// not pay for, and those of very many do not take longer than the effort allows.
func TestWidening(t *testing.T) {
	e := efforts[Default]
	cost := func(inputs int) float64 {
		p := plan{figures: e.figures, choices: e.choices(tallRows, 0), distinct: slices.Repeat([]int{maxDistinct}, inputs)}.widened()
		most := 0.0
		for _, c := range slices.Concat(p.affordable(p.sums)...) {
			most = max(most, c.time(p.distinct, p.memberBatch))
		}
		return most / e.rowTime
	}
	if got := cost(manyInputs); got > 1 {
		t.Errorf("%d inputs take %.2f of the time of a row", manyInputs, got)
	}
	if got := cost(2 * manyInputs); got <= 1 || got > 2 {
		t.Errorf("twice as many take %.2f, want more than 1 and at most 2", got)
	}
	if got := cost(12 * manyInputs); got > e.mostWidening {
		t.Errorf("very many take %.2f, want at most %g", got, e.mostWidening)
	}
}
