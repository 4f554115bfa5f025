package svgp

import (
	"context"
	"testing"

	"beziergp/rival/method/covariance"
	"beziergp/rival/method/oracle"
)

// A step of the default size: 512 rows, 500 points.
func BenchmarkStep(b *testing.B) {
	data, z := oracle.Sample(1, 512, 4, 2), oracle.Sample(2, 500, 4, 2).X
	dz, q := make([]float64, len(z)), newGaussian(500)
	for b.Loop() {
		h := covariance.Start(covariance.RBF, 4)
		batch, err := newBatch(context.Background(), 1, &h, z, 1e-6, data, 10000)
		if err != nil {
			b.Fatal(err)
		}
		if err := batch.step(q, 0.1); err != nil {
			b.Fatal(err)
		}
		g := covariance.HyperGradient{Gradient: covariance.Gradient{LogLengths: make([]float64, 4)}}
		if _, err := batch.value(q, &g, dz); err != nil {
			b.Fatal(err)
		}
	}
}
