package predictive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/testkit"
)

// Quantiles are the inverse of the distribution function, far into the tails, and
// symmetric. The distribution function is another library's.
func TestStudentQuantiles(t *testing.T) {
	for _, tails := range []float64{2.01, 3, 4, 7.5, 30, LightestTails} {
		f, err := NewFamily(tails, false)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 4000 {
			u := math.Exp2(-0.01 * float64(k+100)) // down to 2^−41
			z := f.quantile(u)
			exact := f.student().Quantile(u)
			testkit.Close(t, fmt.Sprintf("tails %g: quantile at %g", tails, u), z, exact, 3e-8, 1e-8)
			if v := 1 - u; v < 1 && 1-v == u && f.quantile(v) != -z {
				t.Fatalf("tails %g: quantiles at %g and %g are %g and %g", tails, u, v, z, f.quantile(v))
			}
		}
		if z := f.quantile(0.5); z != 0 {
			t.Errorf("tails %g: the median is %g", tails, z)
		}
	}
}

// Moments by the factors of a family are those of the cells one by one.
func TestShapedMomentsAreThoseOfTheCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		tails float64
		log1p bool
	}{{0, false}, {3, false}, {30, false}, {0, true}} {
		f, err := NewFamily(c.tails, c.log1p)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			w := make([]float64, Nodes)
			for i := range w {
				w[i] = 3 * rng.NormFloat64()
			}
			FromLog(w)
			d := Distribution{Location: rng.NormFloat64(), Scale: math.Exp(rng.NormFloat64() - 1), Density: w, Family: f}
			mean, std := d.Moments()
			wantMean, wantStd := d.numericMoments(nil)
			name := fmt.Sprintf("tails %g, log1p %v", c.tails, c.log1p)
			testkit.Close(t, name+": mean", mean, wantMean, 1e-9, 1e-9*std)
			testkit.Close(t, name+": deviation", std, wantStd, 1e-8, 0)
		}
	}
}

// A logarithm that is the same everywhere is the reference, whatever it is, and no other takes a
// hundredth of the reference away.
func TestDensitiesOfLogarithms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, spread := range []float64{0, 1, 30} {
		w, sum := make([]float64, Nodes), 0.0
		for i := range w {
			w[i] = 5 + spread*rng.NormFloat64()
		}
		FromLog(w)
		for i, v := range w {
			if v < 0.01 || spread == 0 && math.Abs(v-1) > 1e-12 {
				t.Errorf("spread %g: density %g at node %d", spread, v, i)
			}
			sum += v
			if i > 0 {
				sum += v * float64(min(1, Nodes-1-i)) // trapezoids: inner nodes are of two
			}
		}
		testkit.Close(t, "∫ w", sum/2*cell, 1, 1e-12, 0)
	}
}

// BenchmarkShaped is what an interval and moments of a distribution with a density cost.
func BenchmarkShaped(b *testing.B) {
	w := make([]float64, Nodes)
	for i := range w {
		w[i] = 1 + 0.5*math.Sin(float64(i))
	}
	Normalize(w)
	for _, c := range []struct {
		tails float64
		log1p bool
	}{{4, false}, {0, true}} {
		f, err := NewFamily(c.tails, c.log1p)
		if err != nil {
			b.Fatal(err)
		}
		d := Distribution{Location: 0.3, Scale: 0.7, Density: w, Family: f}
		b.Run(fmt.Sprintf("tails %g, log1p %v", c.tails, c.log1p), func(b *testing.B) {
			for b.Loop() {
				d.Moments()
				d.Quantile(0.025)
				d.Quantile(0.975)
			}
		})
	}
}
