package knn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/rival/method"
)

// On a grid many distances are equal; the order of ties counts too.
func TestTreeFindsWhatGoingThroughAllRowsFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, d := range []int{1, 3, 6} {
		x := make([]float64, 500*d)
		for i := range x {
			x[i] = math.Round(3 * r.NormFloat64())
		}
		tr := grow(x, d)
		for trial := range 50 {
			query, skip := make([]float64, d), -1
			for j := range query {
				query[j] = math.Round(3 * r.NormFloat64())
			}
			if trial%2 == 0 {
				skip = trial
				copy(query, x[skip*d:])
			}
			var all []neighbour
			for row := range 500 {
				if row != skip {
					all = append(all, neighbour{row, squared(query, x[row*d:(row+1)*d])})
				}
			}
			slices.SortStableFunc(all, func(a, b neighbour) int {
				if a.before(b) {
					return -1
				}
				return 1
			})
			if got := tr.nearest(nil, query, 7, skip); !slices.Equal(got, all[:7]) {
				t.Fatalf("d = %d: %v, want %v", d, got, all[:7])
			}
		}
	}
}

func fit(t *testing.T, m Method, data method.Data) *regressor {
	t.Helper()
	r, err := m.Fit(context.Background(), data, method.Environment{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r.(*regressor)
}

// Without noise the nearest rows are best; of noise alone, as many as there are.
func TestNeighboursAreChosenByRowsLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	data := method.Data{X: make([]float64, 400), Y: make([]float64, 400), Inputs: 1}
	for i := range data.Y {
		data.X[i] = float64(i)
		data.Y[i] = math.Sin(float64(i) / 20)
	}
	if k := fit(t, Method{}, data).learned.Neighbours; k > 3 {
		t.Errorf("%d neighbours for a smooth curve", k)
	}
	for i := range data.Y {
		data.Y[i] = r.NormFloat64()
	}
	noisy := fit(t, Method{}, data)
	if noisy.learned.Neighbours < 13 {
		t.Errorf("%d neighbours for noise", noisy.learned.Neighbours)
	}
	// An average of k is off by 1 + 1/k.
	testkit.Close(t, "error", noisy.learned.Error, 1+1/float64(noisy.learned.Neighbours), 0.2, 0)
}

func TestErrorsAreLocal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	data := method.Data{X: make([]float64, 1000), Y: make([]float64, 1000), Inputs: 1}
	for i := range data.Y {
		data.X[i] = r.Float64()
		if data.X[i] > 0.5 {
			data.Y[i] = r.NormFloat64()
		}
	}
	std := make([]float64, 2)
	if err := fit(t, Method{Probe: 600}, data).Predict(context.Background(), []float64{0.25, 0.75}, make([]float64, 2), std); err != nil {
		t.Fatal(err)
	}
	if std[1] < 1.5*std[0] {
		t.Errorf("deviation %g where all is quiet, %g where it is not", std[0], std[1])
	}
}

func TestOptionsOutOfRange(t *testing.T) {
	data := method.Data{X: []float64{1, 2, 3}, Y: []float64{1, 2, 3}, Inputs: 1}
	for _, m := range []Method{{Neighbours: []int{0}}, {Probe: -1}, {Neighbours: []int{5}}, {Neighbours: []int{}}} {
		if _, err := m.Fit(context.Background(), data, method.Environment{}); err == nil {
			t.Errorf("%+v is accepted", m)
		}
	}
}

func TestLotDrawsEveryRowAlike(t *testing.T) {
	counts := make([]int, 10)
	for seed := range uint64(3000) {
		rows := sample(10, 3, seed)
		if len(rows) != 3 || !slices.IsSorted(rows) {
			t.Fatal(rows)
		}
		for _, row := range rows {
			counts[row]++
		}
	}
	for row, n := range counts {
		// 900 expected with a deviation of √(3000 · 0.3 · 0.7) = 25; four of them.
		if n < 800 || n > 1000 {
			t.Errorf("row %d is drawn %d times of 3000", row, n)
		}
	}
}
