package predictive

import (
	"fmt"
	"math"
	"testing"

	"beziergp/internal/testkit"
)

// shares returns densities on the unit interval at the nodes.
func shares(w func(u float64) float64) []float64 {
	all := make([]float64, Nodes)
	for i := range all {
		all[i] = w(float64(i) * cell)
	}
	Normalize(all)
	return all
}

// A density ratio beside a law multiplies the density of the mixture, and all else follows by integrals of the product: sums
// over many targets are the same.
func TestATiltedMixtureIsAnIntegral(t *testing.T) {
	ratios := map[string][]float64{
		"one":    shares(func(float64) float64 { return 1 }),
		"peaked": shares(func(u float64) float64 { return 0.1 + 4*u*u*(1-u) }),
		"tails":  shares(func(u float64) float64 { return 0.2 + math.Abs(u-0.4) }),
	}
	for name, w := range ratios {
		for _, law := range []Law{logistic{}, given{latent{"above 2", 0.3}}, given{latent{"above 2", 1.2}}, latent{"interval", 0.8}} {
			for _, std := range []float64{0, 0.1, 1} {
				d := Distribution{Location: 0.5, Scale: std, Family: NewLawFamily(law), Density: w}
				plain := d
				plain.Density = nil
				about := fmt.Sprintf("%s, %+v, deviation %g of f: ", name, law, std)
				lo, hi := plain.Quantile(1e-12), plain.Quantile(1-1e-12)
				c := chart{}
				c.lo, c.hi = law.Support()
				const cells = 5000
				from, step := c.to(lo), (c.to(hi)-c.to(lo))/cells
				y := c.from(from + 0.61*cells*step)
				var mass, below, first, second, score float64
				for i := range cells {
					s := c.from(from + (float64(i)+0.5)*step)
					p := math.Exp(d.LogDensity(s)) * c.slope(s) * step
					mass, first, second = mass+p, first+p*s, second+p*s*s
					if s < y {
						below += p
					}
					f := mass - p/2
					if s >= y {
						f = 1 - f
					}
					score += f * f * c.slope(s) * step
				}
				mean, deviation := d.Moments()
				testkit.Close(t, about+"mass", mass, 1, 0, 1e-3)
				testkit.Close(t, about+"F", d.CDF(y), below, 0, 1e-3)
				testkit.Close(t, about+"Q(F)", d.Quantile(d.CDF(y)), y, 1e-4, 1e-4)
				testkit.Close(t, about+"mean", mean, first, 1e-3, 5e-4*deviation)
				testkit.Close(t, about+"deviation", deviation, math.Sqrt(second-first*first), 2e-3, 0)
				testkit.Close(t, about+"CRPS", d.CRPS(y), score, 5e-3, 0)
				if a, b := d.PITRange(y); a != b || a != d.CDF(y) {
					t.Errorf("%sa jump at %g from %g to %g", about, y, a, b)
				}
				if name == "one" {
					testkit.Close(t, about+"log p without a ratio", d.LogDensity(y), plain.LogDensity(y), 1e-12, 1e-12)
					testkit.Close(t, about+"CRPS without a ratio", d.CRPS(y), plain.CRPS(y), 5e-3, 0)
				}
			}
		}
	}
}

func TestTiltedMixturesOfNoNumber(t *testing.T) {
	w := shares(func(u float64) float64 { return 1 + u })
	for _, d := range []Distribution{{Location: math.NaN(), Scale: 1}, {Scale: math.NaN()}} {
		d.Family, d.Density = NewLawFamily(logistic{}), w
		mean, std := d.Moments()
		for i, v := range []float64{d.LogDensity(1), d.CDF(1), d.Quantile(0.5), d.CRPS(1), mean, std} {
			if v == v {
				t.Errorf("of %+v the %d. number is %g", d, i, v)
			}
		}
	}
	d := Distribution{Scale: 1, Family: NewLawFamily(logistic{}), Density: w}
	if v := d.CRPS(math.Inf(1)); !math.IsInf(v, 1) {
		t.Errorf("CRPS of infinity is %g", v)
	}
	if v := d.CRPS(math.NaN()); v == v {
		t.Errorf("CRPS of NaN is %g", v)
	}
}
