package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/train"
)

// additiveData draws rows of two numbers, one of them missing at times, a category and a
// constant, and the sum that they stand for.
func additiveData(t *testing.T, n int) train.Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	number, err := basis.NewBernstein(1)
	if err != nil {
		t.Fatal(err)
	}
	category, err := basis.New(basis.Spec{Kind: basis.KindIndicator, Nodes: 3})
	if err != nil {
		t.Fatal(err)
	}
	constant, err := basis.New(basis.Spec{Kind: basis.KindIndicator, Nodes: 1})
	if err != nil {
		t.Fatal(err)
	}
	data := train.Data{Bases: []basis.Basis{number, category, constant, number}}
	for range n {
		x := []float32{rng.Float32(), float32(rng.IntN(3)), 0, rng.Float32()}
		y := 3*float64(x[0]) - float64(x[3]) + []float64{0, -2, 1}[int(x[1])]
		if rng.IntN(5) == 0 {
			x[0] = float32(math.NaN())
		}
		data.X, data.Y = append(data.X, x...), append(data.Y, float32(y+0.1*rng.NormFloat64()))
		data.Weights = append(data.Weights, 0.5+rng.Float32())
	}
	return data
}

// An additive structure is what the normal equations say, written out for numbers about their means
// and indicators of the levels, be there more rows than functions or fewer.
func TestAdditiveIsRidgeRegression(t *testing.T) {
	for _, n := range []int{4, 6, 300} {
		data := additiveData(t, n)
		d, _, w := prepared(data, 1)
		const lambda = 0.3
		m, err := fitAdditive(context.Background(), w, d, upTo(n), structure{train.Linear, []component{additive(2)}, lambda}, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.predict(context.Background(), w, &dataset{Rows: d.Rows}, upTo(n))
		if err != nil {
			t.Fatal(err)
		}
		w.pool.Close()
		want := ridge(data.Rows(), lambda)
		for j := range got {
			if math.Abs(got[j]-want[j]) > 2e-3 {
				t.Errorf("%d rows: row %d has %g, by the normal equations %g", n, j, got[j], want[j])
			}
		}
	}
}

// Splines in the place of lines have the penalty on what each function adds, as levels have.
func TestAdditiveOfSplinesIsRidgeRegression(t *testing.T) {
	const n, lambda = 300, 0.3
	data := additiveData(t, n)
	d, _, w := prepared(data, 1)
	defer w.pool.Close()
	s := structure{train.ByRanks, []component{additive(8)}, lambda}
	m, err := fitAdditive(context.Background(), w, d, upTo(n), s, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.predict(context.Background(), w, &dataset{Rows: d.Rows}, upTo(n))
	if err != nil {
		t.Fatal(err)
	}
	var columns [][]float64
	for i, b := range m.surface.Group(0).Bases {
		x := make([]float32, n)
		for j := range x {
			x[j] = d.Row(j)[i]
		}
		values := make([]float32, b.Nodes()*n)
		b.Values(values, x, n, n)
		for ; len(values) > 0 && i != 2; values = values[n:] {
			column := make([]float64, n)
			for j := range column {
				column[j] = float64(values[j])
			}
			columns = append(columns, column)
		}
	}
	if len(columns) != 8+3+8 || d.features(s.Components[0]) != len(columns)+1 {
		t.Fatalf("%d functions, of which %d vary", d.features(s.Components[0]), len(columns))
	}
	want := ridgeOf(data.Rows(), columns, 0, lambda)
	for j := range got {
		if math.Abs(got[j]-want[j]) > 2e-3 {
			t.Errorf("row %d has %g, by the normal equations %g", j, got[j], want[j])
		}
	}
}

// ridge is the oracle of lines: predictions at the rows.
func ridge(data descent.Rows, lambda float64) []float64 {
	n := data.Len()
	var columns [][]float64
	for _, i := range []int{0, 3} {
		var column []float64
		var known, count float64
		for j := range n {
			if v := float64(data.Row(j)[i]); v == v {
				known, count = known+v, count+1
			}
		}
		for j := range n {
			v := float64(data.Row(j)[i])
			if v != v {
				v = known / count // the average stands for what is missing
			}
			column = append(column, v)
		}
		columns = append(columns, column)
	}
	for level := range 3 {
		column := make([]float64, n)
		for j := range n {
			if int(data.Row(j)[1]) == level {
				column[j] = 1
			}
		}
		columns = append(columns, column)
	}
	return ridgeOf(data, columns, 2, lambda)
}

// ridgeOf returns the predictions of the regression on columns, the first of which, so many, are standardised.
func ridgeOf(data descent.Rows, columns [][]float64, standardised int, lambda float64, bends ...int) []float64 {
	n := data.Len()
	average := func(v func(j int) float64) (sum float64) {
		var weights float64
		for j := range n {
			sum, weights = sum+data.Weight(j)*v(j), weights+data.Weight(j)
		}
		return sum / weights
	}
	z := mat.NewDense(n, len(columns), nil)
	for k, column := range columns {
		mean := average(func(j int) float64 { return column[j] })
		unit := 1.0
		if k < standardised {
			unit = math.Sqrt(average(func(j int) float64 { return square(column[j] - mean) }))
		}
		for j := range n {
			z.Set(j, k, (column[j]-mean)/unit)
		}
	}
	mean := average(func(j int) float64 { return float64(data.Y[j]) })
	normal, right := mat.NewDense(len(columns), len(columns), nil), mat.NewVecDense(len(columns), nil)
	for a := range columns {
		normal.Set(a, a, lambda)
		for j := range n {
			right.SetVec(a, right.AtVec(a)+data.Weight(j)*z.At(j, a)*(float64(data.Y[j])-mean))
			for b := range columns {
				normal.Set(a, b, normal.At(a, b)+data.Weight(j)*z.At(j, a)*z.At(j, b))
			}
		}
	}
	for _, first := range bends {
		for i, v := range []float64{1, -2, 1} {
			for j, u := range []float64{1, -2, 1} {
				normal.Set(first+i, first+j, normal.At(first+i, first+j)+lambda*bending*u*v)
			}
		}
	}
	var factors, fitted mat.VecDense
	if err := factors.SolveVec(normal, right); err != nil {
		panic(err)
	}
	fitted.MulVec(z, &factors)
	out := make([]float64, n)
	for j := range out {
		out[j] = mean + fitted.AtVec(j)
	}
	return out
}
