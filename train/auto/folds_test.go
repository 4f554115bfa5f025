package auto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/likelihood"
	"beziergp/train"
)

// Rows of the same inputs are in different folds, whatever their targets and however
// they lie in the table; folds are as even as without copies and have every row once.
func TestSplitSpreadsCopies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, times := range map[string][]int{
		"none":      slices.Repeat([]int{1}, 40),
		"pairs":     slices.Repeat([]int{1, 1, 2}, 20),
		"many of a": {100, 20, 3, 2, 1, 1, 1},
		"all alike": {7},
		"few rows":  {2, 1},
	} {
		data := descent.Rows{Inputs: 2}
		for value, n := range times {
			for range n {
				x := []float32{float32(value), float32(math.NaN())}
				data.X, data.Y = append(data.X, x...), append(data.Y, rng.Float32())
			}
		}
		rng.Shuffle(len(data.Y), func(i, j int) {
			data.X[2*i], data.X[2*j] = data.X[2*j], data.X[2*i]
		})
		order := byContent(data, train.Split{})
		const k = 5
		parts := spreadCopies(order, copies(data, order), k, 3)
		var all []int
		counts := map[float32][]int{}
		for part, own := range parts {
			all = append(all, own...)
			if least := len(data.Y) / len(parts); len(own) < least || len(own) > least+1 {
				t.Errorf("%s: fold %d of %d has %d of %d rows", name, part, len(parts), len(own), len(data.Y))
			}
			for _, j := range own {
				value := data.Row(j)[0]
				if counts[value] == nil {
					counts[value] = make([]int, len(parts))
				}
				counts[value][part]++
			}
		}
		slices.Sort(all)
		if !slices.Equal(all, upTo(len(data.Y))) {
			t.Fatalf("%s: folds have rows %v", name, all)
		}
		for value, own := range counts {
			uneven := 1
			if times[int(value)] > k { // the last ones find few folds with a place
				uneven = 2
			}
			if slices.Max(own)-slices.Min(own) > uneven {
				t.Errorf("%s: folds have %v of the %d rows at %g", name, own, times[int(value)], value)
			}
		}
	}
}

// A table appended to itself is the table, row for row in some order.
func TestWithoutRepeats(t *testing.T) {
	once := descent.Rows{Inputs: 1, Batch: elbo.Batch{X: []float32{1, 2, 2, 3}, Y: []float32{1, 2, 2, 4}, Weights: []float32{1, 2, 2, 1}}}
	thrice := once
	thrice.X, thrice.Y, thrice.Weights = slices.Repeat(once.X, 3), slices.Repeat(once.Y, 3), slices.Repeat(once.Weights, 3)
	for name, data := range map[string]descent.Rows{"once": once, "thrice": thrice} {
		got, _, order := withoutRepeats(data, train.Split{}, byContent(data, train.Split{}))
		if got.Len() != once.Len() || len(got.X) != len(once.X) {
			t.Fatalf("%s: left are %v, %v", name, got.X, got.Y)
		}
		for want, j := range order {
			if got.Row(j)[0] != once.X[want] || got.Y[j] != once.Y[want] || got.Weight(j) != once.Weight(want) {
				t.Errorf("%s: row %d is %v, %v, %v", name, want, got.Row(j), got.Y[j], got.Weight(j))
			}
		}
	}
}

// Merged folds are the folds, several at once and every row once, and few folds stay as they are.
func TestMergedFolds(t *testing.T) {
	for folds, sizes := range map[int][]int{16: {3, 3, 3, 3, 3, 1}, 20: {4, 4, 4, 4, 4}, 9: {1, 1, 1, 1, 1, 1, 1, 1, 1}, 1: {1}} {
		p := partition{rows: upTo(2 * folds)}
		for k := range folds {
			p.folds = append(p.folds, []int{2 * k, 2*k + 1})
		}
		got := p.merged(5)
		var counts []int
		for _, f := range got.folds {
			counts = append(counts, len(f)/2)
		}
		if !slices.Equal(counts, sizes) || !slices.Equal(slices.Concat(got.folds...), p.rows) || !slices.Equal(got.rows, p.rows) {
			t.Errorf("%d folds are merged to %v, want %v", folds, got.folds, sizes)
		}
	}
}

// Trials of a mixture hold out several folds of members at once.
func TestTrialsHoldOutMergedFolds(t *testing.T) {
	classes := ofLaw(t, 500, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 { return bernoulli(rng, 4*float64(x[0]-0.5)) })
	data, p, w := prepared(classes, 2)
	defer w.pool.Close()
	p.tries, p.steps, p.folds, p.members, p.held, p.merges = []float64{0.5, 1}, 100, 10, 4, 2, true
	p.sums, p.smoothness = [][]component{{smooth(4)}}, []float64{1}
	w.progress.follow(p.stages(data))
	chosen, err := selectStructure(t.Context(), w, p, data, data.partition(p))
	if err != nil {
		t.Fatal(err)
	}
	if held := len(chosen.best.ensemble.rows()); held != 200 {
		t.Errorf("%d of 500 rows are held out of trials, want 200", held)
	}
	if got := p.averagedBy(chosen.share); len(chosen.structures) > 1 && len(chosen.structures) != p.membersBy(chosen.share) {
		t.Errorf("%d structures of %d members", len(chosen.structures), got)
	}
}
