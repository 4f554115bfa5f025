package deepgp

import (
	"math/rand/v2"
	"testing"

	"beziergp/rival/method/covariance"
	"beziergp/rival/method/oracle"
)

// A step of the default size on nine inputs: 512 rows, 100 points a layer.
func BenchmarkStep(b *testing.B) {
	w := random(1, covariance.Matern52, 9, 9, 100, 1)
	rows, normals := oracle.Sample(2, 512, 9, 1), w.normals(rand.New(rand.NewPCG(3, 0)), 512)
	size, _ := w.sizes()
	at, gradient := make([]float64, size), make([]float64, size)
	w.pack(at)
	for b.Loop() {
		if _, err := w.bound(b.Context(), 1, rows, 10000, normals, 0.01, gradient); err != nil {
			b.Fatal(err)
		}
		if err := w.unpack(at); err != nil {
			b.Fatal(err)
		}
	}
}
