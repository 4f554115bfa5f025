package predictive

import (
	"fmt"
	"math"
	"testing"

	"beziergp/internal/testkit"
)

// counted is a latent law that counts how often F is asked for, and whose mean may mislead.
type counted struct {
	latent
	calls *int
	off   float64 // of where the mean is said to be, in f
}

func (l counted) CDF(y, f float64) float64 {
	*l.calls++
	return l.latent.CDF(y, f)
}

func (l counted) Mean(f float64) float64 { return l.latent.Mean(f + l.off) }

// The normal score of F is linear on the chart of a latent law, so that its secant finds a quantile at
// once, but for the last digits, which are rounding; halvings alone take 30 values of F for 1e-9 of a
// deviation, and from a guess that is far off more.
func TestQuantilesTakeFewValuesOfF(t *testing.T) {
	for _, kind := range kinds[:3] {
		for _, s := range []float64{0.02, 0.5, 3} {
			for _, c := range []struct {
				off  float64 // in deviations
				most int
			}{{0, 20}, {4, 40}, {-4, 40}, {40, 40}, {-40, 40}} {
				if kind != "line" && s*math.Abs(c.off) > 30 {
					continue // the mean is 0 or infinite, or an end
				}
				calls := 0
				law := counted{latent{kind, s}, &calls, s * c.off}
				d := Distribution{Location: 0.3, Family: NewLawFamily(law)}
				for _, z := range []float64{-6, -1.3, 0.1, 2, 5} {
					calls = 0
					got := (law.from(d.Quantile(normal(z))) - 0.3) / s
					name := fmt.Sprintf("%s, s %g, %g deviations off: Q at %g", kind, s, c.off, z)
					testkit.Close(t, name, got, z, 1e-8, 1e-8)
					if calls > c.most {
						t.Errorf("%s takes F %d times, want at most %d", name, calls, c.most)
					}
				}
			}
		}
	}
}

// Of counts a quantile is found outwards from a guess, by doublings, and then by halvings: from a guess
// that is right in a few, and else in some log₂ of the distance.
func TestQuantilesOfCountsTakeFewValuesOfF(t *testing.T) {
	for _, m := range []float64{-1, 2, 5, 9, 13} {
		for _, c := range []struct {
			off   float64
			extra float64
		}{{0, 0}, {20, 6}, {-20, 6}} {
			calls := 0
			law := counted{latent{"counts", 0.1}, &calls, 0.1 * c.off}
			d := Distribution{Location: m, Family: NewLawFamily(law)}
			for _, z := range []float64{-5, -1, 0.3, 3} {
				calls = 0
				want := law.to(m + 0.1*z)
				got := d.Quantile(normal(z))
				name := fmt.Sprintf("f %g, %g deviations off: Q at %g", m, c.off, z)
				testkit.Close(t, name, got, want, 0, 0)
				// The first F is at 0; the guess is off by a part of a deviation, 0.1 of the count.
				if most := 8 + int(math.Log2(1+want)+c.extra); calls > most {
					t.Errorf("%s takes F %d times, want at most %d", name, calls, most)
				}
			}
		}
	}
}

// Newton's method within a bracket finds the mode of a concave integrand, to a part of its width, in a few
// steps: of a quadratic one in one or two, of that of counts, which is as steep as e^f on one side, in
// some more.
func TestModesTakeFewSteps(t *testing.T) {
	// Where a Gaussian lies far up, every step of counts takes e^f down by a factor of e.
	for name, c := range map[string]struct {
		log  func(y float64) func(f float64) (value, first, second float64)
		most int
	}{
		"quadratic": {func(y float64) func(f float64) (value, first, second float64) {
			return func(f float64) (value, first, second float64) { return -(y - f) * (y - f) / 2, y - f, -1 }
		}, 3},
		"counts": {func(y float64) func(f float64) (value, first, second float64) {
			return func(f float64) (value, first, second float64) {
				e := math.Exp(min(f, 700))
				return y*f - e, y - e, -e
			}
		}, 64},
	} {
		for _, mean := range []float64{-30, -2, 0.4, 6, 30} {
			for _, std := range []float64{0.1, 1, 20} {
				for _, y := range []float64{0, 1, 70, 1e5} {
					calls, log := 0, c.log(y)
					m := mixture{mean: mean, std: std}
					got, curvature := m.mode(func(f float64) (value, first, second float64) {
						calls++
						return log(f)
					}, 1/(std*std))
					slope := func(f float64) float64 {
						_, first, _ := log(f)
						return first - (f-mean)/(std*std)
					}
					lo, hi := min(mean, -40), max(mean, 1e5+1)
					for range 200 {
						if at := lo + (hi-lo)/2; slope(at) > 0 {
							lo = at
						} else {
							hi = at
						}
					}
					_, _, second := log(lo)
					what := fmt.Sprintf("%s of %g, f ~ N(%g, %g²)", name, y, mean, std)
					testkit.Close(t, what+": mode", got, lo, 0, 0.03/math.Sqrt(1/(std*std)-second))
					testkit.Close(t, what+": curvature", curvature, 1/(std*std)-second, math.Expm1(0.03/math.Sqrt(1/(std*std)-second)), 0)
					if calls > c.most {
						t.Errorf("%s: %d values, want at most %d", what, calls, c.most)
					}
				}
			}
		}
	}
}

// asked is a latent law that counts how often log p is asked for.
type asked struct {
	latent
	calls *int
}

func (l asked) LogDensity(y, f float64) float64 {
	*l.calls++
	return l.latent.LogDensity(y, f)
}

// A score adds up the density at fewer places than a node every twelfth of a deviation would be over ten
// deviations, for steps grow outwards; that of counts in fewer than 300, of a sum of thousands.
func TestCRPSTakesFewDensities(t *testing.T) {
	for _, kind := range kinds {
		for _, s := range []float64{0.1, 0.5, 1.5} {
			for _, m := range []float64{-0.2, 2, 6} {
				if kind == "counts" && s > 1 {
					continue // the sum of the test would be long
				}
				calls, most := 0, 10*finer
				if kind == "counts" {
					most = 300
				}
				law := asked{latent{kind, s}, &calls}
				d := Distribution{Location: m, Family: NewLawFamily(law)}
				for _, z := range []float64{-4, -1, 0, 2, 5} {
					y := law.to(m + s*z)
					calls = 0
					got := d.CRPS(y)
					name := fmt.Sprintf("%s, f %g, s %g: CRPS at %g", kind, m, s, y)
					if calls > most {
						t.Errorf("%s takes %d densities, want at most %d", name, calls, most)
					}
					testkit.Close(t, name, got, crpsOf(law.latent, m, y), 1e-4, 1e-9)
				}
			}
		}
	}
}
