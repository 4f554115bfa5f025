package auto

import (
	"math"
	"slices"
	"testing"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/likelihood"
	"beziergp/train"
)

func TestSurvivors(t *testing.T) {
	low, high := []component{smooth(10)}, []component{fine(12, 10)}
	sorted := []candidate{ // best first
		untried(structure{train.ByRanks, high, 1}), untried(structure{train.ByRanks, high, 10}), untried(structure{train.ByRanks, low, 1}),
		untried(structure{train.Linear, high, 1}), untried(structure{train.ByRanks, high, 100}),
	}
	for i := range sorted {
		sorted[i].deviance = float64(i)
	}
	for _, c := range []struct {
		name           string
		keep           int
		everyStructure bool
		want           []float64 // squared errors
	}{
		{"of every smoothness", 4, false, []float64{0, 1, 3, 4}},
		{"of every structure", 3, true, []float64{0, 2, 3}},
		{"and then the second best", 4, true, []float64{0, 1, 2, 3}},
		{"more than there are", 9, true, []float64{0, 1, 2, 3, 4}},
	} {
		var got []float64
		for _, s := range survivors(sorted, c.keep, c.everyStructure) {
			got = append(got, s.deviance)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v survive, want %v", c.name, got, c.want)
		}
	}
}

// Additive models of a law other than a Gaussian take no place of those that learn by steps.
func TestAdditiveModelsTakeNoPlace(t *testing.T) {
	others := []candidate{
		untried(structure{train.Linear, []component{additive(2)}, 1}), untried(structure{train.Linear, []component{coarse}, 1}),
		untried(structure{train.ByRanks, []component{additive(additiveNodes)}, 1}),
	}
	if got := (plan{gaussian: true}).joining(others); len(got) != 3 {
		t.Errorf("of a Gaussian %d of 3 go through the rounds", len(got))
	}
	if got := (plan{}).joining(others); len(got) != 1 || got[0].String() != others[1].String() || len(others) != 3 || !others[0].isAdditive() {
		t.Errorf("of another law %v go through the rounds, want the second of %v", got, others)
	}
}

// Where all that descends diverges an additive model is left, if there is one.
func TestFinalists(t *testing.T) {
	diverged, learned, additive := untried(structure{Smoothness: 1}), untried(structure{Smoothness: 2}), untried(structure{Smoothness: 3})
	learned.deviance, additive.deviance = 4, 5
	for _, c := range []struct {
		left, others []candidate
		first        float64 // its smoothness
	}{
		{[]candidate{learned, diverged}, []candidate{additive}, 2},
		{[]candidate{diverged}, []candidate{additive}, 3},
		{[]candidate{diverged}, nil, 1},
	} {
		if got := finalists(c.left, c.others); got[0].Smoothness != c.first {
			t.Errorf("of %v and %v the first is of λ %g", c.left, c.others, got[0].Smoothness)
		}
	}
}

// Candidates on four folds in the place of one take half of the time each, a quarter where inputs of a number are rather many, and never less than where rows are few.
func TestTimeOfTrialsOnSeveralFolds(t *testing.T) {
	p := plan{choices: choices{folds: 8, held: 1, members: 5, seconds: 10}, rows: 800}
	for _, c := range []struct {
		folds, held  int
		few, seconds float64
	}{{1, 1, 2, 10}, {4, 4, 2, 5}, {4, 4, 6, 6}, {4, 4, 20, 10}, {9, 5, 1, 10 / math.Sqrt(5)}} {
		if got := p.holdingOut(100*c.folds, c.few); got.held != c.held || got.seconds != c.seconds {
			t.Errorf("%d folds, %g s where rows are few: %d folds of %g s, want %d of %g s", c.folds, c.few, got.held, got.seconds, c.held, c.seconds)
		}
	}
	p.gaussian, p.distinct = true, make([]int, manyInputs/2)
	half := p.holdingOut(400, 2)
	p.distinct = make([]int, manyInputs/2+1)
	if quarter := p.holdingOut(400, 2); half.seconds != 5 || quarter.seconds != 2.5 {
		t.Errorf("of %d inputs %g s, of one more %g s, want 5 and 2.5 s", manyInputs/2, half.seconds, quarter.seconds)
	}
}

// Workers finish trials in any order, and whichever is first leaves something to a run
// that is interrupted then.
func TestBestSoFar(t *testing.T) {
	folds := [][]int{{0}, {1}, {2}}
	data := &dataset{Rows: descent.Rows{Batch: elbo.Batch{Y: make([]float32, 3)}}, law: likelihood.Gaussian{}}
	r := tournament{data: data, folds: partition{folds: folds}}
	done := func(held float64) *outOfFold {
		return &outOfFold{member: member{surface: new(surface.Surface)}, held: []float64{held}}
	}
	diverged, open := &outOfFold{}, (*outOfFold)(nil)
	first, second, third := untried(structure{Smoothness: 1}), untried(structure{Smoothness: 2}), untried(structure{Smoothness: 3})
	for _, c := range []struct {
		name      string
		candidate *candidate
		trials    []*outOfFold
		early     bool
		deviance  float64 // of the candidate
		best      float64 // smoothness of the best so far
		rows      []int   // that its members have not seen
	}{
		{"one that diverges", &first, []*outOfFold{diverged, open, open}, true, math.Inf(1), 0, nil},
		{"the second fold alone", &second, []*outOfFold{open, done(3), open}, false, math.Inf(1), 2, []int{1}},
		{"another, better", &first, []*outOfFold{open, open, done(2)}, true, 4, 1, []int{2}},
		{"another, worse", &second, []*outOfFold{open, done(3), open}, false, math.Inf(1), 1, []int{2}},
		{"worse, of more folds", &second, []*outOfFold{open, done(3), done(4)}, false, math.Inf(1), 2, []int{1, 2}},
		{"better, of fewer", &third, []*outOfFold{done(1), open, open}, false, math.Inf(1), 2, []int{1, 2}},
		{"better, that diverges", &third, []*outOfFold{done(1), done(1), diverged}, false, math.Inf(1), 2, []int{1, 2}},
		{"all folds", &first, []*outOfFold{done(6), done(6), done(6)}, false, 36, 1, []int{0, 1, 2}},
		{"better, but not all", &third, []*outOfFold{done(1), open, done(1)}, false, math.Inf(1), 1, []int{0, 1, 2}},
		{"better", &third, []*outOfFold{done(1), done(2), done(1)}, false, 2, 3, []int{0, 1, 2}},
	} {
		r.score(c.candidate, c.trials, c.early)
		if got := c.candidate.deviance; got != c.deviance {
			t.Errorf("%s: deviance %g, want %g", c.name, got, c.deviance)
		}
		switch {
		case r.best == nil && c.best != 0:
			t.Errorf("%s: none is the best", c.name)
		case r.best != nil && (r.best.Smoothness != c.best || !slices.Equal(r.best.ensemble.rows(), c.rows)):
			t.Errorf("%s: the best is %g without rows %v, want %g, %v", c.name, r.best.Smoothness, r.best.ensemble.folds, c.best, c.rows)
		}
	}
}

// Of a number, of 2001 rows or more, as many folds choose as have 1000 rows, and one of more; by effort fast one does, and so does one of many inputs until some are left out.
func TestFoldsThatChoose(t *testing.T) {
	planOf := func(effort Effort, data train.Data) (*dataset, plan) {
		d := newDataset(data.Rows(), data.Split, data.Bases, data.Inputs, likelihood.OrGaussian(nil))
		p, err := Recipe{Effort: effort, Seed: 1}.plan(d, false)
		if err != nil {
			t.Fatal(err)
		}
		return d, p
	}
	for _, c := range []struct {
		effort     Effort
		rows, held int
	}{{Default, fewRows, 5}, {Default, fewRows + 1, 4}, {Default, 4001, 2}, {Default, 8000, 1}, {Best, 4000, 4}, {Best, 2500, 7}, {Fast, fewRows + 1, 1}} {
		if _, p := planOf(c.effort, fixture(t, c.rows)); p.held != c.held {
			t.Errorf("%s, %d rows: %d folds choose, want %d", c.effort, c.rows, p.held, c.held)
		}
	}
	d, many := planOf(Default, wide(t, fewRows+1, fewestToScreen))
	fewer, err := many.of(d.only(upTo(fewestToScreen - 1)))
	if err != nil || many.held != 1 || fewer.held != 4 {
		t.Errorf("of %d inputs %d folds choose, of one fewer %d; %v", fewestToScreen, many.held, fewer.held, err)
	}
	many.folds = 1 // the rows of --valid
	if fewer, err := many.of(d.only(upTo(fewestToScreen - 1))); err != nil || fewer.held != 1 {
		t.Errorf("of one fold %d choose; %v", fewer.held, err)
	}
}
