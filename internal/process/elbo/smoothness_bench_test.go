package elbo_test

import (
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
)

// A buttress of nine inputs with 61 nodes, as large tables have them.
func BenchmarkSmoothness(b *testing.B) {
	const inputs, nodes = 9, 61
	g := surface.Group{Part: surface.MeanOnly}
	var widths []int
	for range inputs {
		bernstein, err := basis.NewBernstein(nodes - 1)
		if err != nil {
			b.Fatal(err)
		}
		averaged, err := basis.NewAveraged(bernstein, bernstein.Mean())
		if err != nil {
			b.Fatal(err)
		}
		g.Bases, widths = append(g.Bases, averaged), append(widths, nodes)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	var err error
	if g.Ensemble, err = buttress.New(widths, nil, buttress.RandomOrderings(inputs, 1, rng)); err != nil {
		b.Fatal(err)
	}
	w, dw := make([]float32, g.Size()), make([]float32, g.Size())
	for i := range w {
		w[i] = float32(rng.NormFloat64())
	}
	for b.Loop() {
		elbo.Smoothness(g, 0, w, dw, 1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(w)), "ns/weight")
}
