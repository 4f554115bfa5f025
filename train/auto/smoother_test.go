package auto

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// uniform returns n rows of d inputs that are drawn from [0, 1], and the targets that follow from each.
func uniform(t testing.TB, rng *rand.Rand, n, d, order int, y func(x []float32) float32) (data train.Data) {
	t.Helper()
	b, err := basis.NewBernstein(order)
	if err != nil {
		t.Fatal(err)
	}
	for i := range d {
		data.Bases, data.Inputs = append(data.Bases, b), append(data.Inputs, box.Input{Name: fmt.Sprint("x", i), Hi: 1})
	}
	for range n {
		row := make([]float32, d)
		for i := range row {
			row[i] = rng.Float32()
		}
		data.X, data.Y = append(data.X, row...), append(data.Y, y(row))
	}
	return data
}

// wide returns rows of many inputs, of which two make a product, under as much noise.
func wide(t testing.TB, n, d int) train.Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	return uniform(t, rng, n, d, 4, func(x []float32) float32 {
		return 8*(x[0]-0.5)*(x[1]-0.5) + 0.7*float32(rng.NormFloat64())
	})
}

// Where inputs are many a λ that is far too small is raised for as long as held-out errors fall,
// and no further.
func TestClimbRaisesSmoothness(t *testing.T) {
	testkit.Long(t)
	data, p, w := prepared(wide(t, 800, manyInputs+10), 2)
	defer w.pool.Close()
	p.tries = []float64{0.1, 0.3}
	folds := data.partition(p)
	const low = 0.1
	tour := tournament{plan: p, data: data, folds: folds}
	w.progress.follow(p.stages(data))
	tried, err := tour.climb(t.Context(), w, []candidate{untried(structure{train.ByRanks, []component{smooth(10)}, low})})
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

// A λ that is far too large for rows without noise is lowered for as long as held-out errors fall, and one that the last
// round has compared with a smaller one is not.
func TestEaseLowersSmoothness(t *testing.T) {
	given := wide(t, 800, 2)
	for j := range given.Y {
		given.Y[j] = 8 * (given.X[2*j] - 0.5) * (given.X[2*j+1] - 0.5)
	}
	data, p, w := prepared(given, 2)
	defer w.pool.Close()
	const share = 0.3
	p.tries, p.smoothness = []float64{0.1, share}, []float64{0.01, 1, 100, 1000}
	tour := tournament{plan: p, data: data, folds: data.partition(p)}
	w.progress.follow(p.stages(data))
	of := func(lambda float64) candidate {
		return untried(structure{train.ByRanks, []component{smooth(10)}, lambda})
	}
	last := []candidate{of(1000)}
	if err := tour.try(t.Context(), w, 2, last, share); err != nil {
		t.Fatal(err)
	}
	tried, err := tour.ease(t.Context(), w, slices.Clone(last), share)
	if err != nil {
		t.Fatal(err)
	}
	if best := tried[0]; best.Smoothness > 1 || !slices.IsSortedFunc(tried, better) {
		t.Errorf("λ = 1000 of a surface without noise is lowered to %g; want 1 at most", best.Smoothness)
	}
	if got, err := tour.ease(t.Context(), w, append(last, of(100)), share); err != nil || len(got) != 2 {
		t.Errorf("%d candidates where a smaller λ was tried, want 2; %v", len(got), err)
	}
}

// The selection tries a smaller λ after the last round where none went on, by as many steps.
func TestSelectionEases(t *testing.T) {
	data, p, w := prepared(wide(t, 300, 8), 2)
	defer w.pool.Close()
	const share = 0.3
	p.tries, p.keep, p.neighbours, p.repeated = []float64{0.9, share}, 1, false, nil
	p.sums, p.smoothness = [][]component{{smooth(10)}}, []float64{0.001, 30}
	steps := map[string]map[int]bool{} // that trials of a shape take
	w.progress = newProgress(train.Environment{Progress: func(e train.Event) {
		if of := e.Fit.Shape; steps[of] == nil {
			steps[of] = map[int]bool{}
		}
		steps[e.Fit.Shape][e.Fit.Steps] = true
	}}.WithDefaults(), 0)
	w.progress.follow(p.stages(data))
	if _, err := selectStructure(t.Context(), w, p, data, data.partition(p)); err != nil {
		t.Fatal(err)
	}
	last, rough, smooth := int(share*float64(p.steps)), "smoothx10@0.001", "smoothx10@30"
	if !steps[smooth][last] {
		t.Fatalf("trials take %v steps: the last round, of %d, should have %s", steps, last, smooth)
	}
	if !steps[rough][last] {
		t.Errorf("trials take %v steps, none of %s as many as the last round", steps, rough)
	}
}

// There is none below the smallest λ of the plan, and an additive one has no other.
func TestEasier(t *testing.T) {
	p := plan{choices: choices{smoothness: []float64{0.1, 1, 10}}}
	of := func(components []component, lambda, deviance float64) candidate {
		return candidate{structure: structure{train.ByRanks, components, lambda}, deviance: deviance}
	}
	one, other, line := []component{coarse}, []component{smooth(10)}, []component{additive(2)}
	for _, c := range []struct {
		name   string
		sorted []candidate
		want   float64
	}{
		{"a tenth", []candidate{of(one, 10, 1), of(one, 100, 2)}, 1},
		{"a tenth that the plan has not", []candidate{of(one, 5, 1)}, 0.1},
		{"more than the smallest and less than ten times that", []candidate{of(one, 0.3, 1)}, 0.1},
		{"the smallest", []candidate{of(one, 0.1, 1)}, 0},
		{"a smaller one was worse", []candidate{of(one, 10, 1), of(one, 0.1, 2)}, 0},
		{"a smaller one of other components", []candidate{of(one, 10, 1), of(other, 0.1, 2)}, 1},
		{"additive", []candidate{of(line, 10, 1)}, 0},
		{"diverged", []candidate{of(one, 10, math.Inf(1))}, 0},
	} {
		if got, ok := p.easier(c.sorted); ok != (c.want > 0) || ok && got.Smoothness != c.want {
			t.Errorf("%s: λ = %g, %t, want %g", c.name, got.Smoothness, ok, c.want)
		}
	}
}

// Members of few steps are more, as many as take the same time together and have folds of their own; those of a
// number are as many as before.
func TestMembersOfFewStepsAreMore(t *testing.T) {
	law := plan{averages: true, choices: choices{steps: 1000, seconds: 2, members: 5, replicates: 1, short: 16}}
	number := law
	number.gaussian = true
	for _, c := range []struct {
		name    string
		plan    plan
		share   float64
		members int
	}{{"a law", law, 0.5, 10}, {"a law, very few steps", law, 0.1, 16}, {"a law, all steps", law, 1, 5}, {"a number", number, 0.5, 5}} {
		p := c.plan.taking(c.share)
		if p.members != c.members || p.steps != int(1000*c.share) || p.seconds != 2*c.share {
			t.Errorf("%s: %d members of %d steps, %g s; want %d members", c.name, p.members, p.steps, p.seconds, c.members)
		}
		if got := c.plan.averagedBy(c.share); got != c.members+1 {
			t.Errorf("%s: candidates are judged as averages of %d, want %d", c.name, got, c.members+1)
		}
	}
}

// Trials of a mixture are on two parts of the rows where these are few, or neither rows nor inputs are many, and on more where two have fewer than [heldOfLaw].
func TestPartsOfAMixture(t *testing.T) {
	for _, c := range []struct{ rows, inputs, want int }{
		{3, 1, mergedParts}, {heldOfLaw, 5, mergedParts}, {heldOfLaw*mergedParts/4 - 1, 5, mergedParts}, {heldOfLaw * mergedParts / 4, 5, 4}, {heldOfLaw * mergedParts / 3, 5, 4}, {heldOfLaw*mergedParts/3 + 1, 5, 3},
		{heldOfLaw*mergedParts/mergedOfFew - 1, 5, mergedOfFew + 1}, {heldOfLaw * mergedParts / mergedOfFew, 5, mergedOfFew}, {fewRows, 1000, mergedOfFew}, {fewRows + 1, manyInputs / 2, mergedOfFew}, {fewRows + 1, manyInputs/2 + 1, mergedOfMany},
		{manyMerged, 3, mergedOfFew}, {manyMerged + 1, 3, mergedOfMany},
	} {
		if got := (plan{rows: c.rows, distinct: make([]int, c.inputs)}).merged(); got != c.want {
			t.Errorf("%d rows, %d inputs: %d parts, want %d", c.rows, c.inputs, got, c.want)
		}
	}
}

// A class or a count tells less than a number: candidates of their laws are tried on rows of several folds, held out at
// once where members are of a mixture and else, as where shapes are given, one after another.
func TestLawsAreTriedOnMoreRows(t *testing.T) {
	for rows, want := range map[int]int{2500: 4, 5000: 2, 50_000: 1} {
		classes := ofLaw(t, rows, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 { return float64(rng.IntN(2)) })
		d := newDataset(classes.Rows(), classes.Split, classes.Bases, classes.Inputs, classes.Likelihood)
		p, err := Recipe{Effort: Default, Shapes: []string{"smooth", "coarse"}}.plan(d, false)
		if err != nil {
			t.Fatal(err)
		}
		if p.held != want || p.merges || p.folds != 16 {
			t.Errorf("%d rows: candidates are tried on %d of %d folds, want %d of 16", rows, p.held, p.folds, want)
		}
		p, err = Recipe{Effort: Default}.plan(d, false)
		parts := mergedOfFew
		if rows > manyMerged {
			parts = mergedOfMany
		}
		if err != nil || !p.merges || p.held != parts || p.folds != 16 {
			t.Errorf("%d rows: candidates of a mixture are tried on %d parts of %d folds, want %d of 16: %v", rows, p.held, p.folds, parts, err)
		}
		given, err := Recipe{Effort: Default, Folds: 10}.plan(d, false)
		if err != nil || given.membersBy(0.1) != given.members {
			t.Errorf("%d rows: %d members of few steps where folds are given, want %d; %v", rows, given.membersBy(0.1), given.members, err)
		}
	}
}

// Where inputs are few, rows very many, or shapes given, λ stays as it was chosen.
func TestClimbsWhereInputsAreMany(t *testing.T) {
	many := plan{gaussian: true, distinct: make([]int, manyInputs+1), rows: tallRows, choices: choices{tries: []float64{0.1, 0.3}}}
	few, tall, given, quick := many, many, many, many
	few.distinct = few.distinct[1:]
	classes := many
	classes.gaussian = false
	tall.rows++
	given.shapes = []structure{{}}
	quick.tries = quick.tries[:1]
	for _, c := range []struct {
		name string
		plan plan
		want bool
	}{{"many inputs", many, true}, {"few inputs", few, false}, {"many inputs of another law, which mixes", classes, false}, {"tall", tall, false}, {"given shapes", given, false}, {"one round", quick, false}} {
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
			most = max(most, p.memberCost(p.memberBatch).of(c))
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
