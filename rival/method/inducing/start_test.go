package inducing

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/rival/method"
)

func TestFewDistinctRowsAreAllTaken(t *testing.T) {
	z, err := Start(context.Background(), 1, []float64{1, 2, 1, 2, 1, 3, 4, 0, 4, 0}, 2, 3, 0)
	if err != nil || !slices.Equal(z, []float64{1, 2, 1, 3, 4, 0}) {
		t.Errorf("%g, %v", z, err)
	}
}

// Tight clusters far apart have a point each.
func TestMeansFindClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	data := method.Data{Inputs: 2}
	for i := range 2000 {
		cluster := i % 20
		data.X = append(data.X, 10*float64(cluster%5)+0.1*r.NormFloat64(), 10*float64(cluster/5)+0.1*r.NormFloat64())
		data.Y = append(data.Y, 0)
	}
	var first []float64
	for _, workers := range []int{1, 4} {
		z, err := Start(context.Background(), workers, data.X, 2, 20, 5)
		if err != nil {
			t.Fatal(err)
		}
		for c := range 20 {
			centre, nearest := []float64{10 * float64(c%5), 10 * float64(c/5)}, math.Inf(1)
			for i := 0; i < len(z); i += 2 {
				nearest = min(nearest, math.Hypot(z[i]-centre[0], z[i+1]-centre[1]))
			}
			// 100 rows give a mean within 0.1/√100 · 5 of the centre.
			if nearest > 0.05 {
				t.Errorf("cluster %d has no point within %g", c, nearest)
			}
		}
		if first == nil {
			first = z
		} else if !slices.Equal(first, z) {
			t.Error("the start depends on the number of workers")
		}
	}
}
