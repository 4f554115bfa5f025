package likelihood

import (
	"math"
	"testing"

	"beziergp/internal/testkit"
)

// Far out the logarithm of Φ is that of Laplace's continued fraction, Φ(−t) = φ(t)/(t + 1/(t + 2/(t + …))),
// and its derivatives are r and −r (r + x), of r = φ/Φ.
func TestLogOfTheNormalFarOut(t *testing.T) {
	for _, far := range []float64{29.9, 30, 30.1, 35, 60, 1e4} {
		r := far
		for k := 60.; k >= 1; k-- {
			r = far + k/r
		}
		// r − t = 1/(t + 2/(t + …)), without cancellation.
		rest := far
		for k := 60.; k >= 2; k-- {
			rest = far + k/rest
		}
		value, first, second := logNormal(-far)
		testkit.Close(t, "log Φ", value, -far*far/2-logSqrt2Pi-math.Log(r), 1e-14, 0)
		testkit.Close(t, "slope", first, r, 4e-14, 0)
		testkit.Close(t, "curvature", second, -r/rest, 1e-9, 0) // r + x is small beside both
		// The fraction has the digits of the series, which the value hides behind t²/2.
		if far > 30 {
			testkit.Close(t, "r − t", first-far, 1/rest, 1e-13*far*far, 0)
		}
	}
}

// Stirling's series is what log Γ has beyond its leading terms, to the digits that the difference leaves.
func TestStirlingsSeries(t *testing.T) {
	for x := 20.0; x < 60; x += 3 {
		log, sign := math.Lgamma(x)
		want := log - (x-0.5)*math.Log(x) + x - logSqrt2Pi
		testkit.Close(t, "stirling", stirling(x), want, 0, 4e-16*log)
		if sign != 1 {
			t.Fatal("Γ is below 0")
		}
	}
}

// And to 1e-16: one term less another is (x + ½) log(1 + 1/x) − 1 = Σ_j z^2j/(2j + 1), z = 1/(2x + 1), of which
// nothing cancels, and far out there is the first of the series alone.
func TestStirlingsSeriesHasAllDigits(t *testing.T) {
	for _, x := range []float64{20, 21.5, 30} {
		const far = 2000
		want := 1/(12*(x+far)) - 1/(360*(x+far)*(x+far)*(x+far))
		for k := far - 1.; k >= 0; k-- {
			z := 1 / (2*(x+k) + 1)
			var sum float64
			for j := 12.; j >= 1; j-- {
				sum = z * z * (1/(2*j+1) + sum)
			}
			want += sum
		}
		testkit.Close(t, "stirling", stirling(x), want, 0, 1e-16)
	}
}

// Of a small dispersion Tweedie's law is about normal: at its mean the density is that of a variance φ μ^p.
func TestTweedieOfASmallDispersion(t *testing.T) {
	for _, power := range []float64{1.1, 1.5, 1.9} {
		for _, dispersion := range []float64{1e-9, 1e-6, 1e-4, 5e-4} {
			for _, mean := range []float64{1, 3} {
				l := Tweedie{Dispersion: dispersion, Power: power}
				testkit.Close(t, "log p(μ)", l.LogDensity(mean, math.Log(mean)), -math.Log(2*math.Pi*l.Variance(math.Log(mean)))/2, 0, 3e-3)
			}
		}
	}
}

// Zeros of a count with more of them bring in a second mode; other counts have one.
func TestWhichCountsAreConcave(t *testing.T) {
	l := ZeroInflatedPoisson{Zeros: 0.3}
	for y, want := range map[float64]bool{0: false, 1: true, 7: true} {
		if _, concave := l.Given(y); concave != want {
			t.Errorf("log p(%g | f) is concave: %v", y, concave)
		}
	}
}

// A zero of Tweedie's law becomes probable where P(0) = e^−λ is that of λ = 1: there f has one end of its place.
func TestPlaceOfZeros(t *testing.T) {
	for _, l := range []Tweedie{{Dispersion: 0.4, Power: 1.3}, {Dispersion: 3, Power: 1.7}} {
		for _, y := range []float64{0, 1e-6, 1, 1e6} {
			lo, hi, _ := l.Place(y)
			ends := 0
			for _, f := range []float64{lo, hi} {
				if p := l.CDF(0, f); math.Abs(p-math.Exp(-1)) < 1e-9 {
					ends++
				}
			}
			if ends == 0 {
				t.Errorf("%+v: the place of %g is from %g to %g, where zeros have %g and %g", l, y, lo, hi, l.CDF(0, lo), l.CDF(0, hi))
			}
		}
	}
}

// The probability of a zero keeps its digits where it is nearly 1: log P = −(1 − z) e^f then.
func TestZerosOfSmallMeans(t *testing.T) {
	l := ZeroInflatedPoisson{Zeros: 0.3}
	for _, f := range []float64{-20, -30, -100} {
		value, _, _ := l.Log(0, f)
		testkit.Close(t, "log P(0)", value, -0.7*math.Exp(f), 1e-8, 0)
	}
	for _, f := range []float64{-0.5, 0.2, 2} {
		value, _, _ := l.Log(0, f)
		testkit.Close(t, "log P(0)", value, math.Log(0.3+0.7*math.Exp(-math.Exp(f))), 1e-12, 0)
	}
}

// The text of a law is its name, with what it has learned.
func TestTextOfALaw(t *testing.T) {
	for want, l := range map[string]Likelihood{
		gaussianName: Gaussian{}, "poisson": NewLaw(Poisson{}, 1), "student (scale 2, tails 5)": NewLaw(Student{Scale: 2, Tails: 5}, 1),
	} {
		if got := Text(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
