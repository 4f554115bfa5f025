package auto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/likelihood"
	"beziergp/train"
)

// Rows of a value explain what they have in common, and not what a smooth function of the
// value tells as well, nor noise.
func TestWhatTiesExplain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const values, each = 80, 12
	own := make([]float64, values)
	for v := range own {
		own[v] = rng.NormFloat64()
	}
	for name, c := range map[string]struct {
		of       func(v int) float64
		least    float64
		most     float64
		weighted bool
	}{
		"marks":          {func(v int) float64 { return own[v] }, 0.4, 0.55, false},
		"weighted marks": {func(v int) float64 { return own[v] }, 0.4, 0.55, true},
		"a wave":         {func(v int) float64 { return math.Sin(float64(v) / 12) }, -0.1, 0.01, false},
		"noise":          {func(int) float64 { return 0 }, -0.1, 0.01, false},
		"a constant":     {func(int) float64 { return 5 }, -0.1, 0.01, false},
	} {
		rng := rand.New(rand.NewPCG(6, 6)) // the same of all
		var all []residual
		for range each {
			for v := range values {
				all = append(all, residual{float32(v), 1, c.of(v) + rng.NormFloat64()})
				if c.weighted { // a row of no weight says nothing
					all = append(all, residual{float32(v), 0, 1e6 * rng.NormFloat64()})
				}
			}
		}
		if share := shareOfTies(all); !(share >= c.least && share <= c.most) {
			t.Errorf("%s: ties explain %.3f, want %g to %g", name, share, c.least, c.most)
		}
	}
	if gained, plain, _ := explainedByTies([]residual{{1, 1, 3}, {1, 1, 3}}, true); gained != 0 || plain != 0 {
		t.Errorf("of residuals that are alike ties explain %g of %g", gained, plain)
	}
}

func shareOfTies(all []residual) float64 {
	gained, plain, variance := explainedByTies(all, true)
	if gained < certainly*math.Sqrt(variance) {
		return 0 // which chance tells, too
	}
	return gained / plain
}

// Values repeat where there are enough of them, of enough rows each.
func TestRepeatedValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 400
	var given train.Data
	for range 4 {
		b, err := basis.NewBernstein(3)
		if err != nil {
			t.Fatal(err)
		}
		given.Bases = append(given.Bases, b)
	}
	for j := range n {
		given.X = append(given.X, rng.Float32(), float32(j%50)/49, float32(j%267)/266, float32(j%19)/18) // of the third fewer than one and a half rows a value
		given.Y = append(given.Y, rng.Float32())
	}
	d := newDataset(given.Rows(), given.Split, given.Bases, nil, likelihood.OrGaussian(nil))
	got := d.repeated()
	if len(got) != 4 || got[0] != 0 || got[1] != 50 || got[2] != 0 || got[3] != 0 {
		t.Errorf("values repeat in %v", got)
	}
	if tied := d.withTies(got); tied.tied(1) != 50 || tied.in(train.Linear).tied(1) != 50 || d.tied(1) != 0 {
		t.Errorf("tied %d and %d", tied.tied(1), d.tied(1))
	}
}

// Of values that are too many for the finest nodes, those next to one another may err alike, too,
// as hours do that follow one another, and what lies further off tells less.
func TestWhatManyTiesExplain(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	const values, each = 12_000, 8
	hours, days := make([]residual, 0, values*each), make([]residual, 0, values*each)
	level := 0.0
	for v := range values {
		level = 0.9*level + math.Sqrt(1-0.9*0.9)*rng.NormFloat64()
		for range each {
			hours = append(hours, residual{float32(v), 1, level + rng.NormFloat64()})
			days = append(days, residual{float32(v), 1, math.Sin(float64(v)/200) + rng.NormFloat64()})
		}
	}
	if share := shareOfTies(hours); !(share > 0.1 && share < 0.45) {
		t.Errorf("ties of hours explain %.3f", share)
	}
	if share := shareOfTies(days); !(share < gainOfTies) {
		t.Errorf("ties of a smooth function explain %.3f", share)
	}
}

// ofLines returns a candidate whose member is an additive model of lines, learned from all rows.
func ofLines(t *testing.T, w worker, d *dataset) candidate {
	t.Helper()
	m, err := fitAdditive(t.Context(), w, d, d.order, structure{train.Linear, []component{additive(2)}, 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := newEnsemble(d)
	e.add(&outOfFold{member: m, held: make([]float64, d.Len())}, d.order)
	return candidate{ensemble: e}
}

// Values that mark rows of a class or a count are tried again after the last of several rounds, unless they are marked
// already; those of a number are not, and neither are any where there is one round.
func TestTiesThatAreTriedLate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	own := make([]float64, 50)
	for v := range own {
		own[v] = rng.NormFloat64()
	}
	law := likelihood.NewLaw(likelihood.Poisson{}, 0)
	given := ofLaw(t, 2000, law, false, func(rng *rand.Rand, x []float32, _ float64) float64 {
		v := rng.IntN(len(own))
		x[1] = float32(v) / float32(len(own)-1)
		return poissonDraw(rng, math.Exp(1+own[v]))
	})
	d, _, w := prepared(given, 1)
	defer w.pool.Close()
	best := ofLines(t, w, d)
	if p := (plan{gaussian: true}); p.sureOfTies(tryingTiesLate, false) != 2 || p.sureOfTies(tryingTies, false) != 2 || p.sureOfTies(tryingTies, true) != 1 {
		t.Error("ties of a number are taken if they are better by less than two standard errors")
	}
	if p := (plan{}); p.sureOfTies(tryingTiesLate, false) != 1 || p.sureOfTies(tryingTies, false) != 2 {
		t.Error("ties of a class need other than two standard errors, and one after the last round")
	}
	for name, c := range map[string]struct {
		plan plan
		ties []int
		late bool
		want bool
	}{
		"after the first round":          {plan{choices: choices{tries: []float64{0.1, 0.3}}}, nil, false, true},
		"after the last":                 {plan{choices: choices{tries: []float64{0.1, 0.3}}}, nil, true, true},
		"after the last, marked":         {plan{choices: choices{tries: []float64{0.1, 0.3}}}, []int{0, 50}, true, false},
		"after the last, of a number":    {plan{choices: choices{tries: []float64{0.1, 0.3}}, gaussian: true}, nil, true, false},
		"after the last, which is first": {plan{choices: choices{tries: []float64{0.3}}}, nil, true, false},
	} {
		c.plan.repeated = d.repeated()
		r := tournament{plan: c.plan, data: d.withTies(c.ties), folds: partition{rows: d.order, folds: [][]int{nil}}}
		best.Components = nil
		if c.ties != nil {
			best.Components = []component{tiesOf(1)}
		}
		tried := hasFew
		if c.late {
			tried = r.late
		}
		marks, err := r.marks(t.Context(), w, best, tried)
		if got := err == nil && marks != nil && marks[1] == 50; err != nil || got != c.want {
			t.Errorf("%s: marks %v, %v", name, marks, err)
		}
		if late := c.plan.triesTiesLate(); late != (len(c.plan.tries) > 1 && !c.plan.gaussian) {
			t.Errorf("%s: late %v", name, late)
		}
	}
}

// Of values of three rows each, which have nothing in common, few draws seem to tell something.
func TestTiesOfNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	const values, each, draws = 200, 3, 200
	d, _, w := prepared(fixture(t, values*each), 1)
	w.pool.Close()
	for j := range d.Len() {
		d.Row(j)[0] = float32(j%values) / values
	}
	found := 0
	for range draws {
		r := make([]float64, d.Len())
		for j := range r {
			r[j] = rng.NormFloat64()
		}
		if (&tournament{data: d}).shareOfTies(residualsAt{upTo(len(r)), r}, 0) >= gainOfTies {
			found++
		}
	}
	if found > draws/20 {
		t.Errorf("ties explain noise in %d of %d draws", found, draws)
	}
}

// Members that learn their rows by heart leave nothing there of what rows of a value have in common; rows held out show it.
func TestTiesThatShowInRowsHeldOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 2))
	const values = 50
	var own [values]float64
	for v := range own {
		own[v] = rng.NormFloat64()
	}
	given := train.Data{Bases: fixture(t, 0).Bases[:1]}
	for range 800 {
		v := rng.IntN(values)
		given.X, given.Y = append(given.X, float32(v)/(values-1)), append(given.Y, float32(own[v]))
	}
	d, _, w := prepared(given, 1)
	defer w.pool.Close()
	for name, c := range map[string]struct {
		alike bool
		want  []int
	}{
		"alike":   {true, []int{values}},
		"by lots": {false, nil},
	} {
		data := *d
		data.Y = slices.Clone(d.Y)
		held, others := d.order[:400], d.order[400:]
		for _, j := range others {
			data.Y[j] = float32(rng.NormFloat64()) // as what is left where all else is learned
		}
		if !c.alike {
			for _, j := range held {
				data.Y[j] = float32(rng.NormFloat64())
			}
		}
		m, err := fitAdditive(t.Context(), w, &data, others, structure{train.Linear, []component{additive(2)}, 1}, 0)
		if err != nil {
			t.Fatal(err)
		}
		e := newEnsemble(&data)
		e.add(&outOfFold{member: m, held: make([]float64, len(held))}, held)
		r := tournament{plan: plan{figures: figures{rowTime: math.Inf(1)}, repeated: data.repeated(), tieOrderings: 1, gaussian: true}, data: &data, folds: partition{rows: d.order, folds: [][]int{held}}}
		if got, err := r.marks(t.Context(), w, candidate{ensemble: e}, hasFew); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: values %v, want %v; %v", name, got, c.want, err)
		}
	}
}

// Inputs of very many values are apart in orderings as far as others can come between; fewer lie as they were drawn.
func TestInputsOfManyValuesAreApart(t *testing.T) {
	c := component{Kind: basis.KindSpline, Nodes: 5, Orderings: 24, Cells: basis.MaxSteps}
	for name, widths := range map[string][]int{
		"some":        {2000, 5, 2000, 5, 5, 2000},
		"as many":     {4000, 3000, 5, 5},
		"one":         {60_000, 5, 5},
		"fewer":       {1024, 1024, 1024, 5},
		"too many":    {2000, 2000, 2000, 5},
		"nothing but": {2000, 2000},
	} {
		drawn := buttress.RandomOrderings(len(widths), c.Orderings, rand.New(rand.NewPCG(1, 1)))
		beyond := func(orderings [][]int) (n int) {
			for _, o := range orderings {
				for k := 1; k < len(o); k++ {
					if widths[o[k-1]]*widths[o[k]] > mostPairs {
						n++
					}
				}
			}
			return n
		}
		got := c.orderings(widths, 1_000_000, rand.New(rand.NewPCG(1, 1)))
		for k, o := range got {
			if !slices.Equal(slices.Sorted(slices.Values(o)), upTo(len(widths))) {
				t.Fatalf("%s: %v is no ordering", name, o)
			}
			if beyond(drawn[k:k+1]) == 0 && !slices.Equal(o, drawn[k]) {
				t.Errorf("%s: %v was %v", name, o, drawn[k])
			}
		}
		switch left := beyond(got); name {
		case "too many":
			if left != c.Orderings {
				t.Errorf("%s: %d neighbours of many values, want one in each of %d orderings", name, left, c.Orderings)
			}
		case "nothing but":
		default:
			if left != 0 {
				t.Errorf("%s: %d neighbours of many values", name, left)
			}
		}
	}
	for rows, apart := range map[int]bool{1000: true, 10_000: false} { // of 250,000 pairs, as many as 2500 rows may have
		widths, between := []int{500, 500, 5}, true
		for _, o := range c.orderings(widths, rows, rand.New(rand.NewPCG(1, 1))) {
			between = between && o[1] == 2
		}
		if between != apart {
			t.Errorf("%d rows: inputs of 500 values are apart: %t, want %t", rows, between, apart)
		}
	}
	c.Cells = 0
	widths := []int{2000, 2000, 5}
	if got, want := c.orderings(widths, 1_000_000, rand.New(rand.NewPCG(1, 1))), buttress.RandomOrderings(3, c.Orderings, rand.New(rand.NewPCG(1, 1))); !slices.EqualFunc(got, want, slices.Equal) {
		t.Error("a component without ties has other orderings than were drawn")
	}
}

// Of inputs whose weights would be too many together those are told apart that explain most.
func TestTiesOfMostWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const values = 50
	given := train.Data{Bases: fixture(t, 0).Bases[:2]}
	var less, more [values]float64
	for v := range values {
		less[v], more[v] = 0.7*rng.NormFloat64(), rng.NormFloat64()
	}
	for range 3000 {
		v, w := rng.IntN(values), rng.IntN(values)
		given.X = append(given.X, float32(v)/(values-1), float32(w)/(values-1))
		given.Y = append(given.Y, float32(less[v]+more[w]+0.3*rng.NormFloat64()))
	}
	d, _, w := prepared(given, 1)
	defer w.pool.Close()
	best := ofLines(t, w, d)
	for orderings, want := range map[int][]int{20: {values, values}, 1000: {0, values}} {
		p := plan{figures: figures{rowTime: math.Inf(1)}, repeated: d.repeated(), tieOrderings: orderings, gaussian: true}
		r := tournament{plan: p, data: d, folds: partition{rows: d.order, folds: [][]int{nil}}}
		if got, err := r.marks(t.Context(), w, best, hasFew); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d orderings: values %v, want %v; %v", orderings, got, want, err)
		}
	}
}

// A component of few rows has fewer weights.
func TestMostWeightsOfTies(t *testing.T) {
	for rows, want := range map[int]float64{1430: 1.43e6, 50_000: 5e7, 1_000_000: 5e7} {
		if got := mostWeightsOfTies(rows); got != want {
			t.Errorf("%d rows: %g weights at most, want %g", rows, got, want)
		}
	}
}

// A component of ties has as many weights as members have on average over orderings, beside those of first layers.
func TestWeightsOfTies(t *testing.T) {
	const d, n = 6, 600
	c := component{Kind: basis.KindSpline, Nodes: 5, Orderings: 3, Amplitude: 0.1, Cells: basis.MaxSteps}
	rng := rand.New(rand.NewPCG(8, 8))
	given := train.Data{Bases: make([]basis.Basis, d)}
	for i := range given.Bases {
		given.Bases[i] = fixture(t, 0).Bases[0]
	}
	for range n {
		for range d {
			given.X = append(given.X, float32(rng.IntN(70))/69)
		}
		given.Y = append(given.Y, rng.Float32())
	}
	data := newDataset(given.Rows(), given.Split, given.Bases, given.Inputs, likelihood.Gaussian{})
	values := []int{0, 70, 0, 70, 70, 0}
	var sum, first float64
	const seeds = 400
	for seed := range uint64(seeds) {
		s, err := structure{Components: []component{c}}.surface(data.withTies(values), seed)
		if err != nil {
			t.Fatal(err)
		}
		sum += float64(s.Size()) / seeds
		e := s.Group(0).Ensemble
		for k := range e.Buttresses() {
			first += float64(e.Widths()[e.Orderings()[k][0]]) / seeds
		}
	}
	if want := data.weightsOfTies(c, values) + first; math.Abs(sum-want) > 0.02*want {
		t.Errorf("%.0f weights, want %.0f", sum, want)
	}
}

// A number of few values has twice as many steps, and one of very many half as many again, for
// as many as a basis has at most.
func TestStepsOfValues(t *testing.T) {
	for values, want := range map[int]int{20: 40, 512: 1024, 634: 1024, 1024: 1024, 1026: 1539, 35_064: 52_596, 60_000: basis.MaxSteps} {
		if got := stepsOf(values); got != want {
			t.Errorf("%d values: %d steps, want %d", values, got, want)
		}
	}
}
