package auto

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/likelihood"
	"beziergp/train"
)

// A member predicts of rows that lack an input what it predicts where that is averaged out.
func TestAveragedOutIsWithoutTheValue(t *testing.T) {
	smooth := fixture(t, 300)
	classes := wideData(t, 300, 4, 3, func(rng *rand.Rand, x []float32) int { return rng.IntN(2) + int(math.Round(float64(x[0]))) })
	for what, d := range map[string]*dataset{
		"a number":      newDataset(smooth.Rows(), smooth.Split, smooth.Bases, smooth.Inputs, likelihood.OrGaussian(nil)),
		"three classes": classes,
	} {
		_, p, w := prepared(smooth, 2)
		defer w.pool.Close()
		d.limits = nil
		s, rows := structure{p.scaling, []component{coarse, fine(12, 3)}, 0.1}, d.order[:70]
		m, err := fitMember(t.Context(), w, p, d, s, d.order[100:], rows, 50, 0)
		if err != nil {
			t.Fatal(err)
		}
		change, err := m.averagedOut(t.Context(), w, d.Coordinates(rows))
		if err != nil {
			t.Fatal(err)
		}
		processes := d.latents()
		for i := range d.Inputs {
			lacking := *d
			lacking.X = slices.Clone(d.X)
			for _, j := range rows {
				lacking.Row(j)[i] = float32(math.NaN())
			}
			want, err := m.predict(t.Context(), w, &lacking, rows)
			if err != nil {
				t.Fatal(err)
			}
			for at, v := range want {
				got := m.held[at] + change[at%processes][at/processes*d.Inputs+i]
				testkit.Close(t, fmt.Sprintf("%s without input %d", what, i), got, v, 1e-4, 1e-4)
			}
		}
	}
}

// What a target depends on is worth something, by itself or with another input, and what tells nothing is not. Rows by
// which a choice of inputs is judged have not judged inputs.
func TestWorths(t *testing.T) {
	d := wideData(t, 2200, 8, 2, func(rng *rand.Rand, x []float32) int {
		odds := 4*float64(x[0]) - 2
		if (x[1] > 0.5) == (x[2] > 0.5) {
			odds += 2.5
		} else {
			odds -= 2.5
		}
		return int(bernoulli(rng, odds))
	})
	_, p, w := prepared(fixture(t, 50), 2)
	defer w.pool.Close()
	fold := d.order[:700]
	m, err := fitMember(t.Context(), w, p, d, structure{p.scaling, []component{smooth(30)}, 3}, d.order[700:], fold, 1000, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := newEnsemble(d)
	e.add(m, fold)
	judges, rest := candidate{ensemble: e}.halved(1)
	if n := len(judges[0]); n != 350 || len(rest.ensemble.rows()) != 350 || len(e.rows()) != 700 {
		t.Errorf("%d rows judge inputs, and %d of %d choices", n, len(rest.ensemble.rows()), len(e.rows()))
	}
	if both := slices.Concat(judges[0], rest.ensemble.rows()); !slices.Equal(slices.Sorted(slices.Values(both)), slices.Sorted(slices.Values(fold))) {
		t.Error("the rows of a fold are not halved")
	}
	worths, err := candidate{ensemble: e}.worths(t.Context(), w, judges)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range worths {
		if tells := i < 3; tells != (v > slices.Max(leastWorths)) {
			t.Errorf("input %d is worth %.1f standard errors", i, v)
		}
	}
}

// Main effects see nothing of inputs that matter together alone, so that others beside them judge inputs where more steps tell of such, and main effects themselves where
// there are none.
func TestInputsAreJudgedByMoreThanMainEffects(t *testing.T) {
	for what, of := range map[string]struct{ pairs, noise float32 }{"pairs": {1.5, 0.3}, "a sum": {0, 2}} {
		rng := rand.New(rand.NewPCG(3, 4))
		d, p, w := prepared(uniform(t, rng, 1500, 12, 4, func(x []float32) float32 {
			return float32(math.Sin(6*float64(x[0]))+math.Cos(5*float64(x[1]))) + of.pairs*(2*x[2]-1)*(2*x[3]-1) + of.noise*float32(rng.NormFloat64())
		}), 2)
		defer w.pool.Close()
		p.tries = []float64{0.02, 1}
		run := tournament{plan: p, data: d, folds: d.partition(p)}
		main := mainEffects(nodesOfEffects, 10)
		first := []candidate{
			untried(structure{p.scaling, []component{main}, 0}), untried(structure{p.scaling, []component{main, smooth(20)}, 0.01}),
		}
		if err := run.try(t.Context(), w, 0, first, p.tries[0]); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(first, func(a, b candidate) int { return len(a.Components) - len(b.Components) })
		by, fully, err := run.judge(t.Context(), w, first, false)
		if err != nil {
			t.Fatal(err)
		}
		if by.isExact() == (of.pairs > 0) || !fully {
			t.Errorf("%s: judged by %s of deviance %g, by all steps: %t", what, by.structure, by.deviance, fully)
		}
		if by, fully, err := run.judge(t.Context(), w, first[1:], false); err != nil || by.steps != first[1].steps || fully {
			t.Errorf("%s: without main effects alone judged by %s of %d steps, %v", what, by.structure, by.steps, err)
		}
	}
}

// Where the best candidate cannot be trained by more steps, all inputs stay.
func TestNothingIsPrunedByWhatDiverges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	data := uniform(t, rng, 300, 15, 4, func(x []float32) float32 { return 3*x[2] + float32(0.1*rng.NormFloat64()) })
	for what, c := range map[string]struct {
		haste float64
		kept  int
	}{"trained": {1, 1}, "diverged": {1e12, 15}} {
		d, _, w := prepared(data, 2)
		defer w.pool.Close()
		p, err := Recipe{Effort: Default, StepsFactor: 0.1}.plan(d, false)
		if err != nil {
			t.Fatal(err)
		}
		run := tournament{plan: p, data: d, folds: d.partition(p)}
		first := []candidate{untried(structure{p.scaling, []component{smooth(10)}, 1})}
		if err := run.try(t.Context(), w, 0, first, p.tries[0]); err != nil {
			t.Fatal(err)
		}
		run.haste = c.haste
		left, err := run.pruned(t.Context(), w, first, p.tries[0])
		if err != nil {
			t.Fatal(err)
		}
		if kept := run.data.Inputs; kept != c.kept || len(left) == 0 || (left[0].ensemble.data.Inputs != kept) {
			t.Errorf("%s: %d inputs are kept, want %d", what, kept, c.kept)
		}
	}
}

// shortTournament returns one of data, by effort fast in three tenths of the steps.
func shortTournament(t *testing.T, d *dataset) (*tournament, worker) {
	t.Helper()
	_, _, w := prepared(fixture(t, 50), 2)
	p, err := Recipe{Effort: Fast, StepsFactor: 0.3}.plan(d, false)
	if err != nil {
		t.Fatal(err)
	}
	return &tournament{plan: p, data: d, folds: d.partition(p)}, w
}

// A class is learned from the inputs that it depends on, too. Where nothing is left out the law is learned beside the candidate that it was.
func TestInputsOfAClassAreLeftOut(t *testing.T) {
	for what, c := range map[string]struct {
		rows, tell int
		odds       float64
		kept       int
	}{"three of fifteen": {800, 3, 12, 3}, "all": {800, 15, 12, 15}, "two, but no choice is better": {500, 2, 25, 16}} {
		d := wideData(t, c.rows, 15, 2, func(rng *rand.Rand, x []float32) int {
			odds := 0.0
			for _, v := range x[:c.tell] {
				odds += c.odds / math.Sqrt(float64(c.tell)) * (float64(v) - 0.5)
			}
			return int(bernoulli(rng, odds))
		})
		run, w := shortTournament(t, d)
		defer w.pool.Close()
		first := []candidate{untried(structure{run.scaling, []component{coarse}, 3})}
		trials := map[train.Fit]int{} // that are done
		w.progress = newProgress(train.Environment{Progress: func(e train.Event) {
			if own := e.Fit; own.HeldOut > 0 {
				own.Number = 0
				trials[own]++
			}
		}}.WithDefaults(), 0)
		if err := run.try(t.Context(), w, 0, first, 1); err != nil {
			t.Fatal(err)
		}
		before := run.best
		if _, err := run.pruned(t.Context(), w, first, 1); err != nil {
			t.Fatal(err)
		}
		if kept := run.data.Inputs; kept < c.kept || kept > c.kept+2 {
			t.Errorf("%s: %d inputs are kept, want %d", what, kept, c.kept)
		}
		if same := run.best == before; same != (run.data == d) {
			t.Errorf("%s: the best candidate is of before: %t", what, same)
		}
		for trial, n := range trials {
			if n > 1 {
				t.Errorf("%s: %d trials are %+v", what, n, trial)
			}
		}
		if len(trials) < 5 && c.kept != 15 {
			t.Errorf("%s: %d trials are known", what, len(trials))
		}
	}
}

// Where a fold has few rows more folds tell what inputs are worth, and other choices are made on as many as before.
func TestPruningFolds(t *testing.T) {
	for _, c := range []struct{ rows, folds, held, want int }{
		{2400, 8, 1, 5}, {6000, 8, 1, 2}, {12000, 8, 1, 1}, {500, 13, 5, 5}, {8000, 4, 1, 1}, {3000, 16, 4, 5}, {300, 1, 1, 1},
	} {
		p := plan{rows: c.rows, choices: choices{folds: c.folds, held: c.held}}
		if got := p.pruningFolds(); got != c.want {
			t.Errorf("%d folds of %d rows, of which %d are held out: %d, want %d", c.folds, c.rows, c.held, got, c.want)
		}
	}

	merged := plan{rows: 3750, merges: true, choices: choices{folds: 20, held: 1}}
	if got := merged.pruningFolds(); got != 2 {
		t.Errorf("of folds in parts of a fifth of 3750 rows %d, want 2", got)
	}

	d, p, w := prepared(fixture(t, 200), 2)
	defer w.pool.Close()
	p.folds, p.held, p.members, p.tries = 8, 1, 5, []float64{0.01, 0.02}
	run := tournament{plan: p, data: d, folds: d.partition(p)}
	first := []candidate{untried(structure{p.scaling, []component{smooth(5)}, 1})}
	if err := run.try(t.Context(), w, 0, first, p.tries[0]); err != nil {
		t.Fatal(err)
	}
	long, err := run.longer(t.Context(), w, first[0].structure, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(long.ensemble.folds); got != 5 || run.held != 1 || len(first[0].ensemble.folds) != 1 {
		t.Errorf("%d folds tell what inputs are worth, and %d the rest, want 5 and 1", got, run.held)
	}
}

// Where rows are marked to be held out, or groups make few folds, no more than there are tell what inputs are worth.
func TestPruningFoldsThatThereAre(t *testing.T) {
	d, p, w := prepared(fixture(t, 2400), 2)
	w.pool.Close()
	p.folds, p.held, p.members = 8, 1, 5
	for _, there := range []int{1, 3} {
		own, err := p.over(d.split(d.order, there, 1), d)
		if err != nil {
			t.Fatal(err)
		}
		if own, err = own.of(d); err != nil || own.pruningFolds() > there {
			t.Errorf("%v, %d folds of %d tell what inputs are worth", err, own.pruningFolds(), there)
		}
	}
}

// Inputs have to be worth so much that few that tell nothing are kept, which those below zero tell.
func TestThresholds(t *testing.T) {
	p := plan{rows: 100} // 10 inputs may be kept in vain
	worths := func(below int, by float64) []float64 {
		all := []float64{9, 4, 1}
		for i := range below {
			all = append(all, -by-float64(i)/100)
		}
		return all
	}
	for what, c := range map[string]struct{ worths, want []float64 }{
		"few below zero":            {worths(10, 0.5), leastWorths},
		"many below zero":           {worths(30, 0.5), []float64{0.69, 2}},
		"many far below zero":       {worths(30, 2.5), []float64{2.69}},
		"inputs that nothing moves": {append(worths(0, 0), make([]float64, 50)...), leastWorths},
	} {
		got := p.thresholds(c.worths)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
			continue
		}
		for i, least := range got {
			testkit.Close(t, what, least, c.want[i], 1e-12, 0)
		}
	}
}

// Of many inputs that tell nothing, half agree by chance with the rows that judge them.
func TestFewInputsAreKeptInVain(t *testing.T) {
	const rows, inputs = 150, 200
	rng := rand.New(rand.NewPCG(3, 4))
	data := uniform(t, rng, rows, inputs, 2, func([]float32) float32 { return float32(rng.NormFloat64()) })
	d, _, w := prepared(data, 2)
	defer w.pool.Close()
	p, err := Recipe{Effort: Fast, StepsFactor: 0.3}.plan(d, false)
	if err != nil {
		t.Fatal(err)
	}
	run := tournament{plan: p, data: d, folds: d.partition(p)}
	first := []candidate{untried(structure{p.scaling, []component{smooth(10)}, 1})}
	if err := run.try(t.Context(), w, 0, first, 1); err != nil {
		t.Fatal(err)
	}
	judges, _ := first[0].halved(run.seed)
	worths, err := first[0].worths(t.Context(), w, judges)
	if err != nil {
		t.Fatal(err)
	}
	if agree := len(slices.DeleteFunc(worths, func(v float64) bool { return v <= 0 })); agree < inputs/4 {
		t.Fatalf("%d of %d inputs agree: the test tells nothing", agree, inputs)
	}
	choices, err := run.choices(t.Context(), w, first[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range choices {
		if len(kept) > 2*keptInVain*rows {
			t.Errorf("%d of %d inputs that tell nothing are kept, of %d rows", len(kept), inputs, rows)
		}
	}
}

// What stays under the bar by more steps than this had is tried again by as many: more steps learn noise by heart.
func TestTriedByTheStepsOfTheBar(t *testing.T) {
	data, p, w := briefPlan(t, 1)
	defer w.pool.Close()
	p.steps, p.tries = 3000, []float64{0.02, 1}
	r := tournament{plan: p, data: data, folds: data.partition(p)}
	s := structure{train.ByRanks, []component{smooth(10)}, 0.001}
	few, err := r.longer(t.Context(), w, s, 100)
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.longer(t.Context(), w, s, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	if few.steps != 100 || all.steps != r.stepsOf(s) || few.deviance >= all.deviance {
		t.Fatalf("deviances of %g by %d steps and %g by %d", few.deviance, few.steps, all.deviance, all.steps)
	}
	known := all // which is not tried again
	known.deviance /= 2
	for _, c := range []struct {
		of, known candidate
		want      candidate
	}{{few, untried(s), few}, {all, untried(s), all}, {all, known, known}} {
		got, err := r.longerThan(t.Context(), w, s, bar{candidate: c.of}, c.known)
		if err != nil || got.steps != c.want.steps || got.deviance != c.want.deviance {
			t.Errorf("beside %d steps: deviance of %g by %d steps, want %g by %d; %v", c.of.steps, got.deviance, got.steps, c.want.deviance, c.want.steps, err)
		}
	}
}

// Fewer inputs are judged by the bar's own structure where that is better by as many steps than the best of few.
func TestFewerInputsHaveTheBetterStructure(t *testing.T) {
	d := wideData(t, 1000, 15, 2, func(rng *rand.Rand, x []float32) int {
		return int(bernoulli(rng, 25/math.Sqrt2*(float64(x[0]+x[1])-1)))
	})
	r, w := shortTournament(t, d)
	defer w.pool.Close()
	s := structure{r.scaling, []component{coarse}, 10}
	best, err := r.longer(t.Context(), w, s, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	short, long, err := r.narrower(t.Context(), w, d.only([]int{0, 1, 2}), 0.05, bar{candidate: best, longer: true})
	if err != nil || short == nil {
		t.Fatalf("fewer inputs are not taken: %v", err)
	}
	if short[0].structure.equals(s) || !long.structure.equals(s) {
		t.Errorf("%v is the best of few steps, and %v is taken, want %v", short[0].structure, long.structure, s)
	}
}
