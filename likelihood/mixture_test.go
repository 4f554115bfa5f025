package likelihood

import (
	"fmt"
	"math"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/predictive"
)

// mixing returns Σ over many nodes of f ~ N(mean, std²), far enough out for e^f and for targets far
// from the mean, close enough for a law that changes over that width.
func mixing(mean, std, width float64, g func(f float64) float64) (sum float64) {
	if std == 0 {
		return g(mean)
	}
	from, to := -10., 10+2*std
	step := min(0.05, 0.4*min(width, 1)/std)
	for z := from; z < to; z += step {
		sum += step * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * g(mean+std*z)
	}
	return sum
}

// eachMixture runs a test of predictions of every law that is tried.
func eachMixture(t *testing.T, test func(t *testing.T, d predictive.Distribution, l Scalar, targets []float64)) {
	eachTried(t, func(t *testing.T, l Scalar, targets []float64) {
		family := predictive.NewLawFamily(l)
		for _, f := range [][2]float64{{0.7, 0}, {0.7, 0.02}, {-2, 0.3}, {0.7, 0.7}, {0, 2}} {
			t.Run(fmt.Sprintf("f ~ N(%g, %g²)", f[0], f[1]), func(t *testing.T) {
				test(t, predictive.Distribution{Location: f[0], Scale: f[1], Family: family}, l, targets)
			})
		}
	})
}

func TestMixturesAgreeWithSums(t *testing.T) {
	eachMixture(t, func(t *testing.T, d predictive.Distribution, l Scalar, targets []float64) {
		var first, second float64
		lo, hi := l.Support()
		for _, y := range targets {
			_, _, width := l.Place(y)
			density := mixing(d.Location, d.Scale, width, func(f float64) float64 { return math.Exp(l.LogDensity(y, f)) })
			if density > 1e-250 && (d.Scale == 0 || math.Abs(math.Log(density)) < 30) {
				testkit.Close(t, fmt.Sprintf("log p(%g)", y), d.LogDensity(y), math.Log(density), 1e-6, 1e-6)
			}
			testkit.Close(t, fmt.Sprintf("F(%g)", y), d.CDF(y), mixing(d.Location, d.Scale, width, func(f float64) float64 { return l.CDF(y, f) }), 1e-6, 1e-7)
		}
		first = mixing(d.Location, d.Scale, 1, l.Mean)
		second = mixing(d.Location, d.Scale, 1, func(f float64) float64 { return l.Variance(f) + (l.Mean(f)-first)*(l.Mean(f)-first) })
		mean, std := d.Moments()
		testkit.Close(t, "mean", mean, first, 1e-7, 1e-9)
		testkit.Close(t, "deviation", std, math.Sqrt(second), 1e-6, 1e-9)
		if got := d.CDF(math.Nextafter(lo, -1)); !math.IsInf(lo, 0) && got != 0 {
			t.Errorf("%g lies below the support", got)
		}
		if got := d.CDF(hi); got != 1 {
			t.Errorf("%g lies in the support", got)
		}
	})
}

func TestQuantilesOfMixtures(t *testing.T) {
	eachMixture(t, func(t *testing.T, d predictive.Distribution, l Scalar, targets []float64) {
		lo, _ := l.Support()
		for _, q := range []float64{1e-4, 0.025, 0.5, 0.9, 0.975, 0.9999} {
			y := d.Quantile(q)
			if l.Discrete() {
				if y != math.Floor(y) || !(d.CDF(y) >= q) || y > lo && !(d.CDF(y-1) < q) {
					t.Errorf("Q(%g) = %g: F there is %g, before it %g", q, y, d.CDF(y), d.CDF(y-1))
				}
				continue
			}
			// As near as numbers are: y may lie between two, and a target may have a probability.
			before, behind := d.CDF(math.Nextafter(y-1e-15*math.Abs(y), math.Inf(-1))), d.CDF(y+1e-15*math.Abs(y)+math.SmallestNonzeroFloat64)
			if u := d.CDF(y); math.Abs(u-q) > 1e-8+1e-6*q && !(before <= q && q <= behind) {
				t.Errorf("F(Q(%g) = %g) = %g", q, y, u)
			}
		}
	})
}

// The CRPS is ∫ 2 (1{y ≤ Q(q)} − q)(Q(q) − y) dq over quantiles, here by the rule of midpoints in normal scores.
func TestCRPSOfMixtures(t *testing.T) {
	eachMixture(t, func(t *testing.T, d predictive.Distribution, l Scalar, targets []float64) {
		_, jumps := l.(Tweedie)
		if _, std := d.Moments(); jumps || l.Discrete() || std > 20*math.Abs(d.Quantile(0.9)) {
			t.Skip("quantiles say too little of jumps, or of the tail")
		}
		const n, reach = 80, 6.5
		const step = 2 * reach / n
		var quantiles, probabilities, weights []float64
		for i := range n {
			z := -reach + step*(float64(i)+0.5)
			u := normal(z)
			quantiles, probabilities = append(quantiles, d.Quantile(u)), append(probabilities, u)
			weights = append(weights, step*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
		}
		for _, y := range targets {
			var want float64
			for i, x := range quantiles {
				if y <= x {
					want += 2 * weights[i] * (1 - probabilities[i]) * (x - y)
				} else {
					want += 2 * weights[i] * probabilities[i] * (y - x)
				}
			}
			testkit.Close(t, fmt.Sprintf("CRPS at %g", y), d.CRPS(y), want, 5e-3, 1e-5)
		}
	})
}

// Exactly, for counts: Σ_k (F(k) − 1{k ≥ y})².
func TestCRPSOfCounts(t *testing.T) {
	eachMixture(t, func(t *testing.T, d predictive.Distribution, l Scalar, targets []float64) {
		if !l.Discrete() || d.Quantile(1-1e-9) > 4000 {
			t.Skip()
		}
		for _, y := range targets {
			_, end := l.Support()
			end = min(end, d.Quantile(1-1e-9), 4000)
			var want float64
			for k := 0.0; k < max(y, end); k++ {
				u := d.CDF(k)
				if k >= y {
					u = 1 - u
				}
				want += u * u
			}
			testkit.Close(t, fmt.Sprintf("CRPS at %g", y), d.CRPS(y), want, 1e-4, 1e-7)
		}
	})
}

func TestPITOfMixtures(t *testing.T) {
	eachMixture(t, func(t *testing.T, d predictive.Distribution, l Scalar, targets []float64) {
		for _, y := range targets {
			lo, hi := d.PITRange(y)
			want := 0.
			if l.Discrete() || y == 0 {
				if support, _ := l.Support(); l.Discrete() || support == 0 {
					want = math.Exp(d.LogDensity(y))
				}
			}
			testkit.Close(t, fmt.Sprintf("jump at %g", y), hi-lo, want, 1e-6, 1e-7)
			if u := d.Transform(y, 5); u < lo || u > hi {
				t.Errorf("the transform at %g is %g, not from %g to %g", y, u, lo, hi)
			}
		}
	})
}

func BenchmarkMixtures(b *testing.B) {
	for _, l := range scalars {
		d := predictive.Distribution{Location: 1.2, Scale: 0.3, Family: predictive.NewLawFamily(l)}
		y := d.Quantile(0.7)
		for name, f := range map[string]func(){
			"log":      func() { d.LogDensity(y) },
			"cdf":      func() { d.CDF(y) },
			"quantile": func() { d.Quantile(0.975) },
			"moments":  func() { d.Moments() },
			"crps":     func() { d.CRPS(y) },
			"expected": func() { l.Expected(y, 1.2, 0.09) },
		} {
			b.Run(l.Name()+"/"+name, func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
	}
}

// Of targets that a law has drawn the transforms are uniform, where single targets have
// probabilities, too.
func TestTransformsAreUniform(t *testing.T) {
	levels, err := NewOrdinal(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []Scalar{Poisson{}, Tweedie{Dispersion: 1, Power: 1.5}, levels, Gamma{Shape: 2}} {
		d := predictive.Distribution{Location: 0.3, Scale: 0.4, Family: predictive.NewLawFamily(l)}
		const rows, bins = 2000, 10
		var counts [bins]int
		for i := range rows {
			_, u := math.Modf(float64(i+1) * math.Sqrt2)
			counts[min(int(d.Transform(d.Quantile(u), i)*bins), bins-1)]++
		}
		for k, n := range counts {
			if math.Abs(float64(n)-rows/bins) > 60 {
				t.Errorf("%s: %d of %d transforms in part %d of %d", l.Name(), n, rows, k, bins)
			}
		}
	}
}

// summed counts the probabilities that a mixture asks for.
type summed struct {
	Bernoulli
	calls *int
}

func (l summed) Probability(y, f float64) float64 {
	*l.calls++
	return l.Bernoulli.Probability(y, f)
}

// The log-density of a truth value is that of a few probabilities where f is known to 1, however unlikely the value
// is: the same as by panels, which all laws without more to tell have. A wider f takes other ways.
func TestTruthsOfFewProbabilities(t *testing.T) {
	for _, floors := range [][2]float64{{}, {0.02, 0}} {
		law := Bernoulli{Floors: floors}
		for _, mean := range []float64{-2000, -500, -50, -3, 0, 2, 40, 500, 2000} {
			for _, std := range []float64{0.01, 0.2, 0.21, 0.5, 1, 1.5} {
				for _, y := range []float64{0, 1} {
					calls := 0
					d := predictive.Distribution{Location: mean, Scale: std, Family: predictive.NewLawFamily(summed{law, &calls})}
					byPanels := d
					byPanels.Family = predictive.NewLawFamily(struct{ Scalar }{law})
					what := fmt.Sprintf("log p(%g), floors %v, f ~ N(%g, %g²)", y, floors, mean, std)
					testkit.Close(t, what, d.LogDensity(y), byPanels.LogDensity(y), 1e-8, 1e-9)
					if most := 45; calls > most || (calls > 0) != (std <= 1) {
						t.Errorf("%s takes %d probabilities", what, calls)
					}
				}
			}
		}
	}
}
