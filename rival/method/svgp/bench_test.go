package svgp

import (
	"context"
	"testing"

	"beziergp/rival/method/covariance"
	"beziergp/rival/method/inducing"
	"beziergp/rival/method/oracle"
)

// A step of the default size: 512 rows, 500 points.
func BenchmarkStep(b *testing.B) {
	data, z := oracle.Sample(1, 512, 4, 2), oracle.Sample(2, 500, 4, 2).X
	dz, q := make([]float64, len(z)), inducing.NewGaussian(500)
	for b.Loop() {
		h := covariance.Start(covariance.RBF, 4)
		batch, err := inducing.NewBatch(context.Background(), 1, &h, z, 1e-6, data, 10000)
		if err != nil {
			b.Fatal(err)
		}
		if err := batch.Step(q, 0.1); err != nil {
			b.Fatal(err)
		}
		g := covariance.NewHyperGradient(4)
		if _, err := batch.Value(q, &g, dz, nil); err != nil {
			b.Fatal(err)
		}
	}
}
