package predictive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/testkit"
)

// distributions returns one of every kind, with what stands in its name.
func distributions(t *testing.T) map[string]Distribution {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	all := map[string]Distribution{}
	for _, tails := range []float64{0, 3, 4, 30} {
		for _, log1p := range []bool{false, true} {
			if log1p && tails != 0 {
				continue
			}
			f, err := NewFamily(tails, log1p)
			if err != nil {
				t.Fatal(err)
			}
			w := make([]float64, Nodes)
			for i := range w {
				w[i] = 0.05 + rng.Float64()
			}
			Normalize(w)
			name := fmt.Sprintf("tails %g, log1p %v", tails, log1p)
			all[name] = Distribution{Location: 0.3, Scale: 0.7, Family: f}
			all[name+", shaped"] = Distribution{Location: 0.3, Scale: 0.7, Density: w, Family: f}
		}
	}
	return all
}

// What a distribution says of itself agrees: its density is the slope of its
// distribution function, whose inverse are its quantiles, and moments and CRPS are
// their integrals.
func TestDistributionsAgreeWithThemselves(t *testing.T) {
	for name, d := range distributions(t) {
		t.Run(name, func(t *testing.T) {
			for i := 1; i < 200; i++ {
				q := float64(i) / 200
				y := d.Quantile(q)
				testkit.Close(t, "F(Q(q))", d.CDF(y), q, 1e-7, 1e-7)
				h := 1e-5 * (1 + math.Abs(y))
				slope := (d.CDF(y+h) - d.CDF(y-h)) / (2 * h)
				testkit.Close(t, "density", math.Exp(d.LogDensity(y)), slope, 1e-2, 1e-4)
			}
			// By the rule of midpoints in q, which is another integral than that of the cells.
			const n = 50000
			var first, second float64
			for i := range n {
				y := d.Quantile((float64(i) + 0.5) / n)
				first, second = first+y/n, second+y*y/n
			}
			mean, std := d.Moments()
			testkit.Close(t, "mean", mean, first, 3e-3, 3e-3)
			if d.Family.Tails() != 3 { // whose second moment lies in rarer values yet
				testkit.Close(t, "deviation", std, math.Sqrt(second-first*first), 2e-2, 0)
			}
			for _, y := range []float64{-0.7, 0.1, 0.9, 4} {
				// ∫ 2 (1{y ≤ Q(q)} − q)(Q(q) − y) dq, the same score as a sum over quantiles.
				var want float64
				const m = 5000
				for i := range m {
					q := (float64(i) + 0.5) / m
					x := d.Quantile(q)
					if y <= x {
						want += 2 * (1 - q) * (x - y) / m
					} else {
						want += 2 * q * (y - x) / m
					}
				}
				testkit.Close(t, "CRPS", d.CRPS(y), want, 5e-3, 1e-3)
			}
		})
	}
}

func TestAWideStudentIsAGaussian(t *testing.T) {
	f, err := NewFamily(LightestTails, false)
	if err != nil {
		t.Fatal(err)
	}
	student, gaussian := Distribution{Location: 2, Scale: 3, Family: f}, Distribution{Location: 2, Scale: 3}
	for _, y := range []float64{-5, 0, 2, 7} {
		testkit.Close(t, "log density", student.LogDensity(y), gaussian.LogDensity(y), 5e-3, 0)
		testkit.Close(t, "CDF", student.CDF(y), gaussian.CDF(y), 0, 1e-3)
		testkit.Close(t, "CRPS", student.CRPS(y), gaussian.CRPS(y), 5e-3, 0)
	}
}

func TestCertain(t *testing.T) {
	f, err := NewFamily(4, false)
	if err != nil {
		t.Fatal(err)
	}
	d := Distribution{Location: 2, Family: f}
	mean, std := d.Moments()
	if mean != 2 || std != 0 || d.Quantile(0.1) != 2 || d.CRPS(5) != 3 || d.CDF(1) != 0 || d.CDF(3) != 1 {
		t.Errorf("mean %g, deviation %g, quantile %g, CRPS %g, CDF %g and %g", mean, std, d.Quantile(0.1), d.CRPS(5), d.CDF(1), d.CDF(3))
	}
}

func TestFamiliesThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		tails float64
		log1p bool
	}{{2, false}, {-1, false}, {math.NaN(), false}, {math.Inf(1), false}, {4, true}} {
		if _, err := NewFamily(c.tails, c.log1p); err == nil {
			t.Errorf("tails %g with log1p %v are a family", c.tails, c.log1p)
		}
	}
}

func BenchmarkStudentQuantile(b *testing.B) {
	f, err := NewFamily(4, false)
	if err != nil {
		b.Fatal(err)
	}
	d := Distribution{Scale: 1, Family: f}
	for b.Loop() {
		d.Quantile(0.025)
	}
}
