package explain_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"beziergp/box"
	"beziergp/explain"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/model"
)

// usual returns a model of d numbers and of the shape that effort default gives most tables, with
// random weights near one: six members of 30 coarse buttresses and 20 of splines.
func usual(t testing.TB, d, spline int) *model.Model {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, uint64(d)))
	inputs := make([]box.Input, d)
	for i := range inputs {
		inputs[i] = box.Input{Name: fmt.Sprintf("x%d", i), Lo: 0, Hi: 1}
	}
	var groups []surface.Group
	for range 6 {
		for _, c := range []struct {
			basis.Spec
			buttresses int
		}{{basis.Spec{Kind: basis.KindBernstein, Nodes: 6}, 30}, {basis.Spec{Kind: basis.KindSpline, Nodes: spline}, 20}} {
			g := surface.Group{Part: surface.MeanOnly}
			var widths []int
			for range d {
				b, err := basis.New(c.Spec)
				if err != nil {
					t.Fatal(err)
				}
				if b, err = basis.NewAveraged(b, b.Mean()); err != nil {
					t.Fatal(err)
				}
				g.Bases, widths = append(g.Bases, b), append(widths, c.Nodes)
			}
			var err error
			if g.Ensemble, err = buttress.New(widths, surface.Supports(g.Bases), buttress.RandomOrderings(d, c.buttresses, rng)); err != nil {
				t.Fatal(err)
			}
			groups = append(groups, g)
		}
	}
	groups = append(groups, surface.Group{Part: surface.VarianceOnly, Bases: groups[0].Bases, Ensemble: groups[0].Ensemble})
	s, err := surface.New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(1 + 0.1*rng.NormFloat64())
	}
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(model.Parts{Posterior: q, Inputs: inputs, Policy: box.Clip, Outputs: []model.Output{{Target: box.Target{Name: "y", SD: 1}, Noise: 0.1}}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// BenchmarkDependence is the partial dependence on ten inputs over 10⁵ rows in blocks, by two
// workers, beside predictions of these rows in the same run; one value in so many is missing.
func BenchmarkDependence(b *testing.B) {
	const d, n, block, workers = 10, 100_000, 8192, 2
	for _, spline := range []int{31, 61, 121} {
		for _, missing := range []int{0, 100} {
			b.Run(fmt.Sprintf("splines of %d, missing one in %d", spline, missing), func(b *testing.B) {
				m, rng := usual(b, d, spline), rand.New(rand.NewPCG(1, 1))
				columns := make([][]float64, d)
				for i := range columns {
					columns[i] = make([]float64, n)
					for row := range columns[i] {
						columns[i][row] = rng.Float64()
						if missing > 0 && rng.IntN(missing) == 0 {
							columns[i][row] = math.NaN()
						}
					}
				}
				p, err := m.NewPredictor(model.PredictOptions{Workers: workers, MeanAlone: true})
				if err != nil {
					b.Fatal(err)
				}
				defer p.Close()
				var predicting, depending time.Duration
				var out model.Predictions
				each := func(f func(columns [][]float64) error) time.Duration {
					began := time.Now()
					for from := 0; from < n; from += block {
						part := make([][]float64, d)
						for i := range part {
							part[i] = columns[i][from:min(from+block, n)]
						}
						if err := f(part); err != nil {
							b.Fatal(err)
						}
					}
					return time.Since(began)
				}
				for b.Loop() {
					predicting += each(func(part [][]float64) error { return p.Predict(context.Background(), part, &out) })
					e, err := explain.NewDependence(m, explain.Options{Workers: workers})
					if err != nil {
						b.Fatal(err)
					}
					depending += each(func(part [][]float64) error { return e.Add(context.Background(), part) })
					began := time.Now()
					for i := range d {
						e.At(i, []float64{0, 0.5, 1})
					}
					depending += time.Since(began)
					e.Close()
				}
				b.ReportMetric(predicting.Seconds()/float64(b.N), "s/prediction")
				b.ReportMetric(depending.Seconds()/float64(b.N), "s/dependence")
				b.ReportMetric(depending.Seconds()/predicting.Seconds(), "predictions")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
