package explain_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/explain"
	"beziergp/internal/limit"
	"beziergp/internal/testkit"
	"beziergp/table"
)

// everything is the whole row.
func everything(int) bool { return true }

// scaled is where a value on its own scale lies, by hand.
func (w *world) scaled(input int, v float64) float32 {
	in := w.inputs[input]
	switch {
	case in.Kind == table.Category:
		return float32(v)
	case in.Knots != nil:
		for k := 1; ; k++ {
			if v <= in.Knots[k] {
				return float32(in.Ranks[k-1] + (in.Ranks[k]-in.Ranks[k-1])*(v-in.Knots[k-1])/(in.Knots[k]-in.Knots[k-1]))
			}
		}
	}
	return float32((v - in.Lo) / (in.Hi - in.Lo))
}

// On their own scales parts of a date and levels that share a node are asked about, which no value
// of a column stands for.
func TestPartialDependenceOnScales(t *testing.T) {
	w := newWorld(t, shape{d: 9, dates: 1, splines: true, r: 2, pooled: true}, 21)
	const n = 40
	x := w.rows(n, 7, 22)
	d, err := explain.NewDependence(w.Model, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Add(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	for input, in := range w.inputs {
		values := []float64{in.Lo, 0.7*in.Lo + 0.3*in.Hi, in.Hi}
		if in.Kind == table.Category {
			values = []float64{0, 1, 2, 3}
		}
		got := d.AtScale(input, values)
		ice, err := d.ICEScale(context.Background(), x, input, values)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range values {
			var sum float64
			for p := range n {
				f := w.meanAt(x, p, nil, 0, everything, input, w.scaled(input, v))
				testkit.Close(t, fmt.Sprintf("ICE of %s at %g", in.Name, v), ice[p*len(values)+k], f, 0, 1e-5*deviation)
				sum += f / n
			}
			testkit.Close(t, fmt.Sprintf("dependence on %s at %g", in.Name, v), got[k], sum, 0, 1e-5*deviation)
		}
	}
}

// Accumulated local effects are sums of differences of predictions between edges, and their mean
// over the rows is 0.
func TestAccumulatedLocalEffects(t *testing.T) {
	w := newWorld(t, shape{d: 9, dates: 1, splines: true, r: 2}, 31)
	const n, intervals = 120, 5
	x := w.rows(n, 11, 32)
	x[1][3] = 7 // beyond the bounds
	edges, err := explain.Edges(w.Model, x, intervals, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var first [][]float64
	for _, workers := range []int{1, 3} {
		a, err := explain.NewAccumulation(w.Model, edges, explain.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		for _, part := range [][2]int{{0, 100}, {100, n}} {
			var block [][]float64
			for _, c := range x {
				block = append(block, c[part[0]:part[1]])
			}
			if err := a.Add(context.Background(), block); err != nil {
				t.Fatal(err)
			}
		}
		if a.Rows() != n || a.Outside()[3] != 1 {
			t.Errorf("%d rows, outside %v", a.Rows(), a.Outside())
		}
		var all [][]float64
		for input := range w.inputs {
			all = append(all, a.Of(input))
		}
		if first != nil && !slices.EqualFunc(first, all, slices.Equal) {
			t.Error("workers change the bits")
		}
		first = all
	}
	b := box.New(w.inputs)
	for input, in := range w.inputs {
		z := edges[input]
		if in.Kind == table.Category {
			if z != nil || len(first[input]) != 0 {
				t.Errorf("a category has edges %v and effects %v", z, first[input])
			}
			continue
		}
		if len(z) > intervals+1 || in.Part == "" && len(z) != intervals+1 {
			t.Fatalf("%s: edges %v", in.Name, z)
		}
		want, mean, rows := make([]float64, len(z)), 0.0, 0.0
		for k := 1; k < len(z); k++ {
			var sum, count float64
			for p := range n {
				v := x[b.Column(input)][p]
				if v != v {
					continue
				}
				own := min(max(in.Of(v), in.Lo), in.Hi)
				if own > z[k] || own < z[k-1] || own == z[k-1] && k > 1 {
					continue
				}
				sum += w.meanAt(x, p, nil, 0, everything, input, w.scaled(input, z[k])) - w.meanAt(x, p, nil, 0, everything, input, w.scaled(input, z[k-1]))
				count++
			}
			if in.Part == "" && count < n/intervals/2 {
				t.Errorf("%s: %g rows in (%g, %g]", in.Name, count, z[k-1], z[k])
			}
			want[k] = want[k-1] + sum/count
			mean, rows = mean+count*(want[k]+want[k-1])/2, rows+count
		}
		for k := range want {
			testkit.Close(t, fmt.Sprintf("local effect of %s at %g", in.Name, z[k]), first[input][k], want[k]-mean/rows, 0, 1e-5*deviation)
		}
	}
}

// Rows outside the box have no part under the policy that leaves them out.
func TestLocalEffectsLeaveOutFlaggedRows(t *testing.T) {
	w := newWorld(t, shape{d: 4, r: 2}, 33)
	x := w.rows(60, 0, 34)
	o := explain.Options{Policy: box.Flag}
	effects := func(x [][]float64) []float64 {
		edges, err := explain.Edges(w.Model, x, 4, o)
		if err != nil {
			t.Fatal(err)
		}
		a, err := explain.NewAccumulation(w.Model, edges, o)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if err := a.Add(context.Background(), x); err != nil {
			t.Fatal(err)
		}
		return append(a.Of(0), a.Of(2)...)
	}
	x[2][0] = 9
	var rest [][]float64
	for _, c := range x {
		rest = append(rest, c[1:])
	}
	if got, want := effects(x), effects(rest); !slices.Equal(got, want) {
		t.Errorf("%v, without the row %v", got, want)
	}
}

func TestAccumulationRefusesEdges(t *testing.T) {
	w := newWorld(t, shape{d: 2, r: 1}, 35)
	for _, edges := range [][][]float64{{{0, 1}}, {{0, 1}, {0, 1}}, {{1, 0}, nil}, {{0, math.NaN()}, nil}, {{math.Inf(-1), 0}, nil}} {
		var bad *limit.OptionError
		if _, err := explain.NewAccumulation(w.Model, edges, explain.Options{}); !errors.As(err, &bad) || bad.Option != "edges" {
			t.Errorf("%v: error %v", edges, err)
		}
	}
	a, err := explain.NewAccumulation(w.Model, [][]float64{{0, 1, 2}, nil}, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := a.Add(context.Background(), [][]float64{{0.5, 0.7}, {0, 1}}); err != nil {
		t.Fatal(err)
	}
	if got := a.Of(0); !math.IsNaN(got[2]) {
		t.Errorf("an interval without rows has the effects %v", got)
	}
}
