package auto

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/likelihood"
	"beziergp/train"
)

// Of few rows, too, splines have the finest nodes where rows next to each other in an input are alike, and no more than their candidates have where these
// tell all there is, where the effort has been given its shapes, or where rows are many and have such candidates already.
func TestSplinesOfFewRowsBecomeFiner(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var blocks [40]float64 // along an input
	for i := range blocks {
		blocks[i] = rng.NormFloat64()
	}
	sharp := func(x []float32) float64 { return 2 * blocks[min(39, int(40*x[0]))] }
	smooth := func(x []float32) float64 { return math.Sin(3*float64(x[0])) + float64(x[1]) }
	for name, c := range map[string]struct {
		of     func(x []float32) float64
		number bool
		change func(p *plan)
		want   bool
	}{
		"blocks":             {sharp, true, nil, true},
		"blocks of classes":  {sharp, false, nil, true},
		"smooth":             {smooth, true, nil, false},
		"smooth, of classes": {smooth, false, nil, false},
		"shapes":             {sharp, true, func(p *plan) { p.shapes = []structure{{}} }, false},
		"many rows":          {sharp, true, func(p *plan) { p.rows = fewRows + 1 }, false},
		"few values":         {sharp, true, func(p *plan) { p.distinct = []int{12, 12} }, false},
	} {
		given := ofLaw(t, 800, likelihood.NewLaw(likelihood.Bernoulli{}, 0), false, func(rng *rand.Rand, x []float32, _ float64) float64 {
			return bernoulli(rng, 3*c.of(x))
		})
		if c.number {
			given.Likelihood = nil
			for j := range given.Y {
				given.Y[j] = float32(c.of(given.X[2*j:]) + 0.2*rng.NormFloat64())
			}
		}
		data, p, w := prepared(given, 2)
		if c.change != nil {
			c.change(&p)
		}
		tour := tournament{plan: p, data: data, folds: data.partition(p)}
		sorted := []candidate{untried(structure{train.ByRanks, []component{coarse}, 0.03}), untried(structure{train.ByRanks, []component{coarse, fine(12, 10)}, 0.03})}
		if err := tour.try(t.Context(), w, 0, sorted, 0.4); err != nil {
			t.Fatal(err)
		}
		got, err := tour.finer(t.Context(), w, sorted, 0.4)
		if err != nil {
			t.Fatal(err)
		}
		if finer := len(got) > len(sorted); finer != c.want || finer && got[0].structure.String() != "coarse+fine121x10@0.03" {
			t.Errorf("%s: the best of %d candidates is %s, want a finer one: %t", name, len(got), got[0].structure, c.want)
		}
		w.pool.Close()
	}
}

// Components that are no splines for local structure keep their nodes.
func TestFineComponents(t *testing.T) {
	for c, want := range map[component]bool{fine(12, 20): true, coarse: false, tiesOf(20): false, mainEffects(31, 3): false} {
		if c.isFine() != want {
			t.Errorf("%v is fine: %t, want %t", c, c.isFine(), want)
		}
	}
}
