package sgpr

import (
	"testing"

	"beziergp/rival/method/covariance"
	"beziergp/rival/method/oracle"
)

// The bound and its gradient at the size of the power set: 8611 rows, 500 points.
func BenchmarkBound(b *testing.B) {
	data := oracle.Sample(1, 8611, 4, 2)
	z, dz := oracle.Sample(2, 500, 4, 2).X, make([]float64, 2000)
	bound := newBound(data, 1)
	bound.first = 1e-6
	for b.Loop() {
		h := covariance.Start(covariance.RBF, 4)
		g := covariance.NewHyperGradient(4)
		if _, err := bound.value(&h, z, &g, dz); err != nil {
			b.Fatal(err)
		}
	}
}
