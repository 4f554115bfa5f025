package auto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/train"
)

// gappy returns rows of a number that a third of them lack, whether they do, and another number. If they lack it for a reason, the target
// is lower there.
func gappy(t testing.TB, n int, reason bool) train.Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 9))
	data := uniform(t, rng, n, 3, 2, func(x []float32) float32 { return 2*x[2] + 0.1*float32(rng.NormFloat64()) })
	for j, x := range slices.Collect(slices.Chunk(data.X, 3)) {
		lacks := rng.IntN(3) == 0
		if x[1] = 0; lacks {
			x[1] = 1
		}
		if lacks && reason {
			data.Y[j]--
		} else {
			data.Y[j] += x[0]
		}
		if lacks {
			x[0] = float32(math.NaN())
		}
	}
	data.Inputs[0].Missing = true
	data.Inputs[1] = box.NewAbsent(data.Inputs[0])
	return data
}

// Inputs that tell where a column lacks a value are taken where the values are missing for a reason, after the first round or after the last one.
func TestAbsencesAreChosen(t *testing.T) {
	for _, reason := range []bool{true, false} {
		for _, late := range []bool{true, false} {
			data := gappy(t, 400, reason)
			whole, _, w := prepared(data, 2)
			defer w.pool.Close()
			d := whole.withoutAbsences()
			if d.Inputs != 2 || !slices.Equal(d.kept, []int{0, 2}) || d.absences != whole {
				t.Fatalf("%d inputs, %v of those that were given", d.Inputs, d.kept)
			}
			p, err := Recipe{Effort: Default, StepsFactor: 0.3}.plan(d, false)
			if err != nil {
				t.Fatal(err)
			}
			run := tournament{plan: p, data: d, folds: d.partition(p)}
			left := []candidate{untried(structure{p.scaling, []component{coarse}, 1}), untried(structure{p.scaling, []component{coarse}, 0.1})}
			share := p.tries[0]
			if late {
				share = p.tries[len(p.tries)-1]
				run.twins = p.judgesAverages(len(p.tries) - 1)
			}
			if err := run.try(t.Context(), w, 0, left, share); err != nil {
				t.Fatal(err)
			}
			other := untried(structure{train.Linear, []component{additive(2)}, 10})
			others := []candidate{other}
			if late {
				left, others, err = run.markedLate(t.Context(), w, left, others, share)
			} else {
				left, err = run.marked(t.Context(), w, left, share)
			}
			if err != nil {
				t.Fatal(err)
			}
			want := 2
			if reason {
				want = 3
			}
			if run.data.Inputs != want || len(run.plan.distinct) != want || left[0].ensemble.data.Inputs != want {
				t.Errorf("for a reason %t, late %t: %d inputs, a plan of %d, candidates of %d, want %d", reason, late, run.data.Inputs, len(run.plan.distinct), left[0].ensemble.data.Inputs, want)
			}
			if tried := others[0].ensemble != nil; late && tried != reason {
				t.Errorf("for a reason %t: an additive model is tried with these inputs: %t", reason, tried)
			}
			if !slices.IsSortedFunc(left, better) {
				t.Errorf("for a reason %t, late %t: the best candidate is not the first", reason, late)
			}
		}
	}
}

// Where values are missing at random the model is, to the bit, that of the values alone.
func TestMissingAtRandom(t *testing.T) {
	data := gappy(t, 400, false)
	values := data
	values.X, values.Bases, values.Inputs = nil, []basis.Basis{data.Bases[0], data.Bases[2]}, []box.Input{data.Inputs[0], data.Inputs[2]}
	for row := range slices.Chunk(data.X, 3) {
		values.X = append(values.X, row[0], row[2])
	}
	got, want := fitAuto(t, data, train.Environment{Workers: 2}), fitAuto(t, values, train.Environment{Workers: 2})
	if !slices.Equal(got.Kept, []int{0, 2}) || want.Kept != nil {
		t.Errorf("inputs %v are kept, and %v of the values", got.Kept, want.Kept)
	}
	if got.RMSE != want.RMSE || !slices.Equal(got.Posterior.Params(), want.Posterior.Params()) {
		t.Errorf("RMSE %g, of the values alone %g", got.RMSE, want.RMSE)
	}
}
