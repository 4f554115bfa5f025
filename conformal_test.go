package beziergp_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp"
	"beziergp/model"
)

// heavy draws rows whose errors have heavy tails: Student's t with two degrees of
// freedom, so without a variance.
func heavy(t testing.TB, rows int, seed uint64) *beziergp.Table {
	rng := rand.New(rand.NewPCG(seed, 3))
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = rng.Float64()
		y[i] = 4*x[i]*x[i] + rng.NormFloat64()/math.Sqrt(rng.ExpFloat64()) // half a χ² of two
	}
	return mustTable(t, column("x", x...), column("y", y...))
}

// Conformal intervals cover as promised whatever the distribution of the errors.
func TestConformalIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes its time")
	}
	m, err := beziergp.Fit(context.Background(), heavy(t, 4000, 1), "y", beziergp.Options{Recipe: brief})
	if err != nil {
		t.Fatal(err)
	}
	fresh := heavy(t, 20000, 2)
	p, err := m.Predict(context.Background(), fresh, beziergp.PredictOptions{Interval: model.ConformalInterval})
	if err != nil {
		t.Fatal(err)
	}
	y, _ := fresh.Column("y")
	inside := 0
	for i, v := range y {
		if p.Lower[i] <= v && v <= p.Upper[i] {
			inside++
		}
	}
	// 0.95 within five deviations of a share of 4000 rows, which the score comes from.
	if share := float64(inside) / float64(len(y)); share < 0.933 || share > 0.967 {
		t.Errorf("%g of the fresh rows lie in their intervals, want 0.95", share)
	}
}
