package auto

import (
	"math/rand/v2"
	"testing"

	"beziergp/train"
)

// Of T outputs all members and trials take less than half of the time of T fits, by the plan's own costs, and no member is much smaller
// than one of one output.
func TestTimeOfOutputs(t *testing.T) {
	for _, rows := range []int{600, 6000} {
		for _, outputs := range []int{2, 3, 4, 8, 16} {
			given := additiveData(t, rows)
			one, err := Recipe{Effort: Default}.plan(newDataset(given.Rows(), given.Split, given.Bases, given.Inputs, nil), false)
			if err != nil {
				t.Fatal(err)
			}
			var y []float32
			for _, v := range given.Y {
				for range outputs {
					y = append(y, v)
				}
			}
			given.Y, given.Outputs = y, outputs
			d := jointData(given)
			all, err := Recipe{Effort: Default, Share: ShareAll}.plan(d, false)
			if err != nil {
				t.Fatal(err)
			}
			share := seconds(all.selectionStages(d)) / seconds(one.selectionStages(d.output(0))) / float64(outputs)
			if own := seconds(all.fitStages(d)[:1]) / seconds(one.fitStages(d.output(0))[:1]) / float64(outputs); own > share {
				share = own
			}
			if !(share < 0.455) || all.more < 0.94 {
				t.Errorf("%d rows: members or trials of %d outputs take %.3f of those of separate fits, with %.3g times the orderings", rows, outputs, share, all.more)
			}
		}
	}
}

// seconds returns what stages take by the plan.
func seconds(stages []stage) float64 {
	var sum float64
	for _, s := range stages {
		sum += s.time
	}
	return sum / 1e9
}

// An output is learned alone where that gains enough and surely, whatever one row errs by, or by an additive model that is as good as few rows can
// tell; else it shares.
func TestBetterAlone(t *testing.T) {
	given := fixture(t, 400)
	data, p, w := prepared(given, 1)
	w.pool.Close()
	candidateOf := func(s structure, off, outlier float64, seed uint64) candidate {
		rng := rand.New(rand.NewPCG(seed, 1))
		fold, held := upTo(data.Len()), make([]float64, data.Len())
		for j := range held {
			held[j] = float64(data.Y[j]) + off*rng.NormFloat64()
		}
		held[0] += outlier
		e := newEnsemble(data)
		e.add(&outOfFold{held: held}, fold)
		return candidate{structure: s, deviance: e.meanAverageDeviance(fold, 1), ensemble: e}
	}
	rough, line := structure{train.ByRanks, []component{coarse}, 1}, structure{train.Linear, []component{additive(2)}, 1}
	tour := tournament{plan: p, data: data, fits: 1, twins: true}
	for _, c := range []struct {
		name            string
		descent, simple float64 // what candidates err by, where the shared one errs by 1
		outlier         float64 // what it errs by at one row, and candidates by a little more
		want            *structure
	}{
		{"much better by descent", 0.7, 0.9, 0, &rough},
		{"much better by descent but for a row", 0.7, 2, 300, &rough},
		{"as good by descent", 0.995, 2, 0, nil},
		{"as good and additive", 1.3, 1, 0, &line},
		{"neither", 1.3, 1.4, 0, nil},
	} {
		shared := candidateOf(rough, 1, c.outlier, 1)
		tried := []candidate{candidateOf(rough, c.descent, c.outlier, 2), candidateOf(line, c.simple, 2*c.outlier, 3)}
		got := tour.betterAlone(tried, shared)
		if c.want == nil && got != nil || c.want != nil && (got == nil || got.isAdditive() != c.want.isAdditive()) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
