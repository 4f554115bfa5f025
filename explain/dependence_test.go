package explain_test

import (
	"context"
	"fmt"
	"math"
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
