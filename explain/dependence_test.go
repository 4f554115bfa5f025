package explain_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"beziergp/explain"
	"beziergp/internal/testkit"
	"beziergp/table"
)

// Partial dependence is the mean over rows of predictions with one column at a value.
func TestPartialDependenceIsTheMeanOfPredictions(t *testing.T) {
	w := newWorld(t, shape{d: 8, splines: true, r: 3}, 14)
	const n = 150
	x := w.rows(n, 9, 15)
	var first []float64
	for _, workers := range []int{1, 3} {
		d, err := explain.NewDependence(w.Model, explain.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		for _, part := range [][2]int{{0, 100}, {100, n}} { // blocks
			var block [][]float64
			for _, c := range x {
				block = append(block, c[part[0]:part[1]])
			}
			if err := d.Add(context.Background(), block); err != nil {
				t.Fatal(err)
			}
		}
		if d.Rows() != n {
			t.Errorf("%d rows", d.Rows())
		}
		var all []float64
		for input, f := range w.Columns() {
			values := []float64{-1, 0.3, 3, math.NaN()}
			if f.Kind == table.Category {
				values = []float64{0, 1, 2, math.NaN()}
			}
			got := d.At(input, values)
			all = append(all, got...)
			if workers > 1 {
				continue
			}
			ice, err := d.ICE(context.Background(), x, input, values)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range values {
				own := slices.Clone(x)
				own[input] = slices.Repeat([]float64{v}, n)
				var sum float64
				for p := range n {
					f := w.mean(own, p, nil, 0, func(int) bool { return true })
					sum += f / n
					testkit.Close(t, fmt.Sprintf("ICE of %d at %g", input, v), ice[p*len(values)+k], f, 0, 1e-5*deviation)
				}
				testkit.Close(t, fmt.Sprintf("dependence on %d at %g", input, v), got[k], sum, 0, 1e-5*deviation)
			}
		}
		if first != nil && !slices.Equal(first, all) {
			t.Error("workers change the bits")
		}
		first = all
	}
}

// Over 10⁵ rows it is still the mean of f at every row: of a number and a category, or by
// BEZIERGP_LONG=1 of all ten inputs of local bases at more values.
func TestPartialDependenceOverManyRows(t *testing.T) {
	if testing.Short() {
		t.Skip("goes over 10⁵ rows one by one")
	}
	const n, block = 100_000, 8192
	s, inputs, numbers, levels := shape{d: 5, r: 1}, 2, []float64{0.3}, []float64{1}
	if os.Getenv("BEZIERGP_LONG") != "" {
		s, inputs, numbers, levels = shape{d: 10, splines: true, r: 3}, 10, []float64{-1, 0.3, 2.9, math.NaN()}, []float64{0, 1, math.NaN()}
	}
	w := newWorld(t, s, 16)
	x := w.rows(n, 50, 17)
	d, err := explain.NewDependence(w.Model, explain.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for from := 0; from < n; from += block {
		var part [][]float64
		for _, c := range x {
			part = append(part, c[from:min(from+block, n)])
		}
		if err := d.Add(context.Background(), part); err != nil {
			t.Fatal(err)
		}
	}
	largest := 0.0
	for input, f := range w.Columns()[:inputs] {
		values := numbers
		if f.Kind == table.Category {
			values = levels
		}
		got := d.At(input, values)
		for k, v := range values {
			own := slices.Clone(x)
			own[input] = slices.Repeat([]float64{v}, n)
			var sum float64
			for p := range n {
				sum += w.mean(own, p, nil, 0, func(int) bool { return true }) / n
			}
			testkit.Close(t, fmt.Sprintf("dependence on %d at %g", input, v), got[k], sum, 0, 1e-5*deviation)
			largest = max(largest, math.Abs(got[k]-sum)/deviation)
		}
	}
	t.Logf("at most %.1e deviations of the target apart", largest)
}
