package explain_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"beziergp/explain"
	"beziergp/internal/testkit"
)

// enumerate returns the Shapley values and the interaction indices of a row by all subsets of
// the columns: averages over subsets of what a column, or a pair, adds.
func (w *world) enumerate(x [][]float64, p int, z [][]float64, q int) (values, interactions []float64) {
	c := len(w.Columns())
	v := make([]float64, 1<<c)
	for set := range v {
		v[set] = w.mean(x, p, z, q, func(column int) bool { return set>>column&1 == 1 })
	}
	binomial := func(n, k int) float64 {
		return math.Round(math.Gamma(float64(n)+1) / math.Gamma(float64(k)+1) / math.Gamma(float64(n-k)+1))
	}
	values = make([]float64, c)
	pairs := explain.Pairs(c)
	interactions = make([]float64, len(pairs))
	for set := range v {
		size := bits.OnesCount(uint(set))
		for j := range c {
			if set>>j&1 == 0 {
				values[j] += (v[set|1<<j] - v[set]) / float64(c) / binomial(c-1, size)
			}
		}
		for k, pair := range pairs {
			a, b := 1<<pair[0], 1<<pair[1]
			if set&(a|b) == 0 {
				interactions[k] += (v[set|a|b] - v[set|a] - v[set|b] + v[set]) / float64(c-1) / binomial(c-2, size)
			}
		}
	}
	return values, interactions
}

const deviation = 5 // of the target

func TestShapleyValuesAreThoseOfAllSubsets(t *testing.T) {
	for _, s := range []shape{
		{d: 8, splines: true, r: 3}, {d: 12, splines: true, r: 2}, {d: 8, r: 4},
		{d: 9, dates: 1, splines: true, r: 3}, {d: 10, dates: 2, r: 3}, {d: 1, r: 1}, {d: 3, dates: 1, r: 2}, {d: 6, dates: 2, r: 2},
	} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			w := newWorld(t, s, 1)
			x := w.rows(4, 6, 2)
			c := len(w.Columns())
			// So fine that all nodes are taken.
			got := explainAll(t, w.Model, x, explain.Options{Tolerance: 1e-13, Interactions: true})
			if got.Nodes != got.Exact {
				t.Errorf("%d nodes, and %d are exact", got.Nodes, got.Exact)
			}
			for p := range 4 {
				values, interactions := w.enumerate(x, p, nil, 0)
				for j, want := range values {
					testkit.Close(t, "value", got.Values[p*c+j], want, 0, 1e-6*deviation)
					if math.IsNaN(x[j][p]) && got.Values[p*c+j] != 0 {
						t.Errorf("row %d: a missing value has %g", p, got.Values[p*c+j])
					}
				}
				for k, want := range interactions {
					testkit.Close(t, "interaction", got.Interactions[p*len(interactions)+k], want, 0, 2e-6*deviation)
				}
			}
		})
	}
}

func TestBackgroundRowsAreAveragedOver(t *testing.T) {
	for _, s := range []shape{{d: 7, splines: true, r: 3}, {d: 8, dates: 2, r: 2}} {
		w := newWorld(t, s, 3)
		x, z := w.rows(3, 6, 4), w.rows(5, 6, 5)
		c := len(w.Columns())
		got := explainAll(t, w.Model, x, explain.Options{Tolerance: 1e-13, Interactions: true, Background: w.table(t, z)})
		var base float64
		for q := range 5 {
			base += w.mean(z, q, nil, 0, func(int) bool { return true }) / 5
		}
		testkit.Close(t, "base", got.Base, base, 0, 1e-6*deviation)
		for p := range 3 {
			values, interactions := make([]float64, c), make([]float64, len(explain.Pairs(c)))
			for q := range 5 {
				v, i := w.enumerate(x, p, z, q)
				for j := range v {
					values[j] += v[j] / 5
				}
				for k := range i {
					interactions[k] += i[k] / 5
				}
			}
			for j, want := range values {
				testkit.Close(t, "value", got.Values[p*c+j], want, 0, 1e-6*deviation)
			}
			for k, want := range interactions {
				testkit.Close(t, "interaction", got.Interactions[p*len(interactions)+k], want, 0, 2e-6*deviation)
			}
		}
	}
}

func TestFewNodesKeepTheTolerance(t *testing.T) {
	w := newWorld(t, shape{d: 24, splines: true, r: 20}, 6)
	x := w.rows(50, 9, 7)
	exact := explainAll(t, w.Model, x, explain.Options{Tolerance: 1e-13})
	few := explainAll(t, w.Model, x, explain.Options{Tolerance: 1e-4})
	if few.Nodes >= exact.Nodes || few.Nodes < 2 {
		t.Errorf("%d nodes of %d", few.Nodes, exact.Nodes)
	}
	var largest float64
	for i, v := range few.Values {
		largest = max(largest, math.Abs(v-exact.Values[i])/deviation)
	}
	if largest > 1e-4 || largest == 0 {
		t.Errorf("values differ by %g deviations", largest)
	}
}

func TestValuesOfManyInputsAddUp(t *testing.T) {
	w := newWorld(t, shape{d: 385, r: 2}, 8)
	x := w.rows(6, 9, 9)
	got := explainAll(t, w.Model, x, explain.Options{})
	if !(got.Additivity <= 1e-5) {
		t.Errorf("values of 385 inputs add up but for %g deviations", got.Additivity)
	}
	for p := range 6 {
		sum := got.Base
		for _, v := range got.Values[p*385 : (p+1)*385] {
			sum += v
		}
		testkit.Close(t, "sum", sum, w.mean(x, p, nil, 0, func(int) bool { return true }), 0, 1e-5*deviation)
	}
	t.Logf("%d of %d nodes, additivity %.2g", got.Nodes, got.Exact, got.Additivity)
}

func TestValuesDoNotDependOnWorkersNorOnBlocks(t *testing.T) {
	w := newWorld(t, shape{d: 7, dates: 1, splines: true, r: 5}, 10)
	x := w.rows(300, 9, 11)
	one := explainAll(t, w.Model, x, explain.Options{Workers: 1, Interactions: true})
	three := explainAll(t, w.Model, x, explain.Options{Workers: 3, Interactions: true})
	if !slices.Equal(one.Values, three.Values) || !slices.Equal(one.Interactions, three.Interactions) {
		t.Error("workers change the bits")
	}
}
