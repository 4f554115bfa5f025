package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"beziergp/internal/testkit"
	"beziergp/train"
)

// Main effects are what the normal equations say, on the surface too, be there more rows than functions or fewer, and where inputs are
// missing.
func TestMainEffectsAreRidgeRegression(t *testing.T) {
	for _, n := range []int{12, 300} {
		data := additiveData(t, n)
		d, p, w := prepared(data, 1)
		s := structure{train.ByRanks, []component{mainEffects(8, 0.3)}, 0}
		rows := upTo(n)
		e, err := fitEffects(context.Background(), w, d, s, rows)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fitMember(context.Background(), w, p, d, s, rows, rows, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		w.pool.Close()
		var columns [][]float64
		var bends []int // the first of three columns of a number
		for i, b := range e.bases {
			if i == 0 || i == 3 {
				for a := range b.Nodes() - 2 {
					bends = append(bends, len(columns)+a)
				}
			}
			x := make([]float32, n)
			for j := range x {
				x[j] = d.Row(j)[i]
			}
			values := make([]float32, b.Nodes()*n)
			for b.Values(values, x, n, n); len(values) > 0 && i != 2; values = values[n:] {
				column := make([]float64, n)
				for j := range column {
					column[j] = float64(values[j])
				}
				columns = append(columns, column)
			}
		}
		want := ridgeOf(data.Rows(), columns, 0, 0.3, bends...)
		if plain := ridgeOf(data.Rows(), columns, 0, 0.3); floats.Distance(plain, want, math.Inf(1)) < 0.1 {
			t.Error("it tells nothing how much the factors of numbers bend")
		}
		for j := range want {
			if math.Abs(e.fitted[j]-want[j]) > 1e-3 || math.Abs(m.held[j]-want[j]) > 3e-3 {
				t.Errorf("%d rows: row %d has %g and on the surface %g, by the normal equations %g", n, j, e.fitted[j], m.held[j], want[j])
			}
		}
	}
}

// A member of main effects and another component is their sum, and that component a member of what they leave, of the same orderings
// and start.
func TestMembersAreSumsOfMainEffectsAndOthers(t *testing.T) {
	const n, steps = 300, 40
	d, p, w := prepared(additiveData(t, n), 1)
	defer w.pool.Close()
	rows, held := upTo(n)[:200], upTo(n)[200:]
	others := structure{train.ByRanks, []component{smooth(5), fine(14, 3)}, 0.01}
	s := others
	s.Components = slices.Concat([]component{mainEffects(8, 1)}, others.Components)
	fit := func(d *dataset, s structure) *outOfFold {
		m, err := fitMember(t.Context(), w, p, d, s, rows, held, steps, 3)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	e, err := fitEffects(t.Context(), w, d, s, rows)
	if err != nil {
		t.Fatal(err)
	}
	both, first, rest := fit(d, s), fit(d, structure{train.ByRanks, s.Components[:1], 0}), fit(e.left(d, rows), others)
	for i := range held {
		if want := first.held[i] + rest.held[i]; math.Abs(both.held[i]-want) > 1e-3 {
			t.Errorf("row %d has %g, of main effects and what they leave %g", held[i], both.held[i], want)
		}
	}
	if left := e.left(d, rows); d.Y[rows[0]] == left.Y[rows[0]] || d.Y[held[0]] != left.Y[held[0]] {
		t.Error("what is left is of other rows, or takes the place of the targets")
	}
}

// Main effects tell every level of a category, of which other components tell few, and a level or a number that is missing has none.
func TestMainEffectsTellAllLevels(t *testing.T) {
	const n = 4000
	effect := func(name int) float64 { return math.Sin(5 * float64(name)) }
	few := ofNames(t, n, func(name int, rng *rand.Rand) float64 { return effect(name) + 0.1*rng.NormFloat64() })
	d := few.withAllLevels()
	if d == few || !d.tellsLevels(0) || d.withAllLevels() != d {
		t.Fatal("levels are not told apart, or anew")
	}
	_, p, w := prepared(additiveData(t, 10), 1)
	defer w.pool.Close()
	s := structure{train.ByRanks, []component{mainEffects(8, 1)}, 0}
	m, err := fitMember(t.Context(), w, p, d, s, upTo(n), upTo(n), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var mean float64
	for _, v := range d.Y {
		mean += float64(v) / n
	}
	for j, f := range m.held {
		want := mean
		if code := d.Row(j)[0]; code == code {
			want = effect(int(code))
		}
		if math.Abs(f-want) > 0.12 {
			t.Errorf("row %d of level %g has %g, want %g", j, d.Row(j)[0], f, want)
		}
	}
	if own := few.tiedBy([]structure{s}); own != few {
		t.Error("rows that tell few levels are others")
	}
	if d.tiedBy([]structure{s}) != d || d.tiedBy([]structure{s.beyondEffects()}) != few {
		t.Error("rows are told by all levels without main effects, or by few with them")
	}
}

// Of inputs beside one another in main effects one at least has few functions, as far as there are such.
func TestMainEffectsLieWideBesideNarrow(t *testing.T) {
	widths := []int{1000, 31, 2000, 5, 31, 700}
	o := mainEffects(31, 1).orderings(widths, 1000, nil)
	if len(o) != 2 || !slices.Equal(o[0], o[1]) {
		t.Fatalf("orderings %v", o)
	}
	if inputs := slices.Sorted(slices.Values(o[0])); !slices.Equal(inputs, upTo(len(widths))) {
		t.Fatalf("ordering %v of %d inputs", o[0], len(widths))
	}
	for k := 1; k < len(o[0]); k++ {
		if a, b := widths[o[0][k-1]], widths[o[0][k]]; min(a, b) > 31 {
			t.Errorf("%d functions beside %d in %v", a, b, o[0])
		}
	}
	d := ofNames(t, 100, func(int, *rand.Rand) float64 { return 0 })
	if got := d.weightsOfEffects(mainEffects(8, 1)); got != 2*allNames*8 {
		t.Errorf("%d weights of %d levels and 8 nodes", got, allNames)
	}
}

// Where the target is a sum of waves main effects are chosen, and kept where inputs are left out after them; of a product they are tried in
// vain, and the candidates and the data are as they were.
func TestMainEffectsAreTakenWhereTheyAreBetter(t *testing.T) {
	waves := func(x []float32) (sum float32) {
		for i, v := range x[:8] {
			sum += float32(math.Sin(float64(6+i) * float64(v)))
		}
		return sum
	}
	product := func(x []float32) float32 { return 16 * (x[0] - 0.5) * (x[1] - 0.5) * (x[2] - 0.5) }
	for _, c := range []struct {
		f     func(x []float32) float32
		taken bool
	}{{waves, true}, {product, false}} {
		rng := rand.New(rand.NewPCG(7, 8))
		data, p, w := prepared(uniform(t, rng, 1500, 20, 4, func(x []float32) float32 { return c.f(x) + float32(0.2*rng.NormFloat64()) }), 2)
		p.held = 1
		w.progress.follow(p.stages(data))
		tour := tournament{plan: p, data: data, folds: data.partition(p)}
		left := p.candidates()
		share := p.tries[0]
		if err := tour.try(t.Context(), w, 0, left, share); err != nil {
			t.Fatal(err)
		}
		after, err := tour.tryEffects(t.Context(), w, left, share)
		if err != nil {
			t.Fatal(err)
		}
		if taken := after[0].hasMainEffects(); taken != c.taken || taken != (tour.main != nil) {
			t.Fatalf("main effects are taken: %t, by the plan %t, want %t", taken, tour.main != nil, c.taken)
		}
		if !c.taken {
			if len(after) != len(left) || tour.data != data {
				t.Errorf("%d candidates became %d, or other data", len(left), len(after))
			}
			continue
		}
		own, err := tour.plan.of(data.only(upTo(10)))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range own.candidates() {
			if !c.hasMainEffects() {
				t.Errorf("a candidate of fewer inputs is %v", c.structure)
			}
		}
		tall := p
		if tall.rows = tallRows + 1; tall.triesEffects() || !p.triesEffects() {
			t.Error("main effects are tried of tall tables, or not of others")
		}
		if p.functions = []int{tallLevels + 1}; p.showsLevels() || !(plan{main: after[0].Components[:1], functions: p.functions}).showsLevels() {
			t.Error("what many levels are worth shows without main effects, or not with them")
		}
		w.pool.Close()
	}
}

// Where main effects are taken of numbers the best candidate without them is tried again by as many steps as those with them have last.
func TestWhatMainEffectsBeatIsTriedAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	data, p, w := prepared(uniform(t, rng, 1500, 12, 4, func(x []float32) (y float32) {
		for i, v := range x {
			y += float32(math.Sin(float64(6+i) * float64(v)))
		}
		return y + float32(0.2*rng.NormFloat64())
	}), 2)
	defer w.pool.Close()
	p.tries, p.held = []float64{0.25, 0.5}, 1
	tried := map[string]int{} // steps, by shape
	w.progress = newProgress(train.Environment{Progress: func(e train.Event) { tried[e.Fit.Shape] = e.Fit.Steps }}.WithDefaults(), 0)
	w.progress.follow(p.stages(data))
	if _, err := selectStructure(t.Context(), w, p, data, data.partition(p)); err != nil {
		t.Fatal(err)
	}
	with, without := 0, 0
	for shape, steps := range tried {
		if strings.HasPrefix(shape, "main") {
			with = max(with, steps)
		} else {
			without = max(without, steps)
		}
	}
	if with <= fewestSteps || without != with {
		t.Errorf("candidates without main effects are tried by up to %d steps, with them by %d: %v", without, with, tried)
	}
}

// Of many rows effort fast goes on with main effects alone where these are better by far.
func TestMainEffectsGoOnAlone(t *testing.T) {
	with, without := candidate{deviance: 0.89}, candidate{deviance: 1}
	for _, c := range []struct {
		effort Effort
		rows   int
		alone  bool
	}{{Fast, tallRows, true}, {Fast, tallRows / 2, false}, {Default, tallRows, false}, {Best, tallRows, false}} {
		p := plan{figures: efforts[c.effort].figures, rows: c.rows, gaussian: true}
		if p.goesOneWay(with, without) != c.alone || p.goesOneWay(candidate{deviance: 0.91}, without) {
			t.Errorf("%s, %d rows: main effects go on alone, or do not", c.effort, c.rows)
		}
	}
}

// Of counts and amounts main effects that are taken go on alone, and are promising within a difference of deviances, which may be below zero.
func TestMainEffectsOfALawGoOnByDifferences(t *testing.T) {
	p := plan{figures: efforts[Fast].figures, rows: tallRows}
	if !p.goesOneWay(candidate{deviance: 0.99}, candidate{deviance: 1}) {
		t.Error("candidates without main effects go on")
	}
	for _, c := range []struct {
		alone, without float64
		promises       bool
	}{{-1, -1.9, true}, {-1, -2.1, false}, {2.9, 2, true}, {3.1, 2, false}} {
		if p.promises(candidate{deviance: c.alone}, candidate{deviance: c.without}) != c.promises {
			t.Errorf("main effects with a deviance of %g are promising beside %g, or not", c.alone, c.without)
		}
	}
	p.gaussian = true
	if p.promises(candidate{deviance: 1.3}, candidate{deviance: 1}) || !p.promises(candidate{deviance: 1.1}, candidate{deviance: 1}) {
		t.Error("of a number the share counts")
	}
}

// Main effects are asked for by many inputs or a large category, and of more than two classes by a large category alone.
func TestTablesAskForMainEffects(t *testing.T) {
	for _, c := range []struct {
		inputs, functions, latents int
		gaussian, want             bool
	}{
		{inputsForEffects, 0, 1, true, true},
		{inputsForEffects - 1, 0, 1, true, false},
		{inputsForEffectsOfLaw, 0, 1, false, true},
		{inputsForEffectsOfLaw - 1, 0, 1, false, false},
		{2, largeCategory, 1, true, true},
		{2, largeCategory, 3, false, true},
		{20, largeCategory - 1, 3, false, false},
		{2, largeCategory, classesForEffects + 1, false, false},
	} {
		functions := make([]int, c.inputs)
		functions[1] = c.functions
		p := plan{gaussian: c.gaussian, latents: c.latents, distinct: functions, functions: functions}
		if got := p.asksForEffects(); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	if few, many := (plan{latents: 3}).ridges(), (plan{latents: 1}).ridges(); len(few) >= len(many) {
		t.Errorf("λ of three classes is chosen from %v, of two from %v", few, many)
	}
}

// Inputs of many functions do not lie next to each other in Var f, as far as there are others.
func TestLargeCategoriesLieApartInVariance(t *testing.T) {
	widths := []int{500, 21, 600, 4, 21, 700, 21}
	beside := func(c component) (n int) {
		for _, o := range c.orderings(widths, 1_000_000, rand.New(rand.NewPCG(2, 2))) {
			for k := 1; k < len(o); k++ {
				if widths[o[k-1]]*widths[o[k]] > 700*21 {
					n++
				}
			}
		}
		return n
	}
	c := epistemicComponent(len(widths))
	if n := beside(c); n > 0 {
		t.Errorf("%d pairs of large categories lie next to each other", n)
	}
	if c.Apart = false; beside(c) == 0 {
		t.Error("none lies next to another by chance")
	}
}

// Main effects that help in few steps are left where the components learn more without them once inputs are left out that tell nothing.
func TestMainEffectsHaveToBeBetterAtTheEndOfTheRound(t *testing.T) {
	testkit.Long(t)
	rng := rand.New(rand.NewPCG(7, 8))
	data, p, w := prepared(uniform(t, rng, 1500, 50, 4, func(x []float32) float32 {
		return float32(math.Sin(6*float64(x[0]))+math.Sin(6*float64(x[2])))*(1+x[1]) + float32(0.02*rng.NormFloat64())
	}), 2)
	defer w.pool.Close()
	p.held = 1
	for _, whole := range []bool{false, true} {
		w.progress.follow(p.stages(data))
		tour, left := tournament{plan: p, data: data, folds: data.partition(p)}, p.candidates()
		err := tour.try(t.Context(), w, 0, left, p.tries[0])
		if err == nil && whole {
			_, err = tour.first(t.Context(), w, left, p.tries[0])
		} else if err == nil {
			_, err = tour.tryEffects(t.Context(), w, left, p.tries[0])
		}
		if err != nil {
			t.Fatal(err)
		}
		if taken := tour.main != nil; taken == whole {
			t.Errorf("main effects are taken: %t, after the whole round: %t", taken, whole)
		}
		if whole && tour.data.Inputs != 3 {
			t.Errorf("%d inputs are left of 3 that tell something", tour.data.Inputs)
		}
	}
}
