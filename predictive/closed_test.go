package predictive

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/internal/testkit"
)

// latent is the law of y = T(f + s ε), ε ~ N(0, 1), for a T that grows: for f ~ N(m, std²) y is that
// of f = m and s² + std², which is known in closed form. It is a law of every kind of support.
type latent struct {
	kind string // "line", "above 2", "interval" or "counts"
	s    float64
}

var kinds = []string{"line", "above 2", "interval", "counts"}

// to is T, the least of whose values is that of −∞, and from its inverse: of a count where the next one begins.
func (l latent) to(v float64) float64 {
	switch l.kind {
	case "above 2":
		return 2 + math.Exp(v)
	case "interval": // from −½ to 2½
		return 3/(1+math.Exp(-v)) - 0.5
	case "counts":
		return math.Floor(math.Exp(v))
	}
	return v
}

func (l latent) from(y float64) float64 {
	switch l.kind {
	case "above 2":
		return math.Log(y - 2)
	case "interval":
		return math.Log(y+0.5) - math.Log(2.5-y)
	case "counts":
		return math.Log(math.Floor(y) + 1)
	}
	return y
}

func (l latent) CDF(y, f float64) float64 {
	lo, hi := l.Support()
	switch {
	case y < lo:
		return 0
	case y >= hi:
		return 1
	}
	return normal((l.from(y) - f) / l.s)
}

func (l latent) LogDensity(y, f float64) float64 {
	lo, hi := l.Support()
	if y < lo || y >= hi || y == lo && !l.Discrete() || l.Discrete() && y != math.Floor(y) {
		return math.Inf(-1)
	}
	b := (l.from(y) - f) / l.s
	switch l.kind {
	case "above 2":
		return -b*b/2 - logSqrt2Pi - math.Log(l.s*(y-2))
	case "interval":
		return -b*b/2 - logSqrt2Pi - math.Log(l.s*(y+0.5)*(2.5-y)/3)
	case "counts":
		a := (math.Log(y) - f) / l.s
		if a > 0 { // in the tail that has the digits
			a, b = -b, -a
		}
		if b < -30 { // φ(b)/|b|, below what a float64 holds
			return -b*b/2 - logSqrt2Pi - math.Log(-b) + math.Log(-math.Expm1((b*b-a*a)/2))
		}
		return math.Log(normal(b) - normal(a))
	}
	return -b*b/2 - logSqrt2Pi - math.Log(l.s)
}

// expectation is E g(y) of f, by the rule of midpoints: of counts by adding up.
func (l latent) expectation(f float64, g func(y float64) float64) (sum float64) {
	if l.Discrete() {
		for k := 0.0; k < l.to(f+7*l.s)+1; k++ {
			sum += math.Exp(l.LogDensity(k, f)) * g(k)
		}
		return sum
	}
	const step = 1. / 8
	for z := -8.5; z <= 8.5; z += step {
		sum += step * math.Exp(-z*z/2) / sqrt2Pi * g(l.to(f+l.s*z))
	}
	return sum
}

// large tells whether counts are so large that what is cut off is as good as uniform.
func (l latent) large(f float64) bool { return l.Discrete() && f > math.Log(30)+l.s*l.s }

func (l latent) Mean(f float64) float64 {
	if l.large(f) {
		return math.Exp(f+l.s*l.s/2) - 0.5
	}
	return l.expectation(f, func(y float64) float64 { return y })
}

func (l latent) Variance(f float64) float64 {
	if l.large(f) {
		return math.Expm1(l.s*l.s)*math.Exp(2*f+l.s*l.s) + 1./12
	}
	mean := l.Mean(f)
	return l.expectation(f, func(y float64) float64 { return (y - mean) * (y - mean) })
}

func (l latent) Discrete() bool { return l.kind == "counts" }

func (l latent) Support() (lo, hi float64) {
	switch l.kind {
	case "above 2":
		return 2, math.Inf(1)
	case "counts":
		return 0, math.Inf(1)
	case "interval":
		return -0.5, 2.5
	}
	return math.Inf(-1), math.Inf(1)
}

func (l latent) Place(y float64) (lo, hi, width float64) {
	from, to := l.Support()
	at := l.from(min(max(y, math.Nextafter(from, to)), math.Nextafter(to, from)))
	if l.Discrete() {
		return math.Log(max(y, 0.5)), l.from(y), l.s
	}
	return at, at, l.s
}

// given is a latent law that knows its derivatives.
type given struct{ latent }

func (l given) Given(y float64) (func(f float64) (value, first, second float64), bool) {
	return func(f float64) (value, first, second float64) {
		return l.LogDensity(y, f), (l.from(y) - f) / (l.s * l.s), -1 / (l.s * l.s)
	}, true
}

// eachLatent runs a test of predictions of every latent law, beside the law of the same y for f = m.
func eachLatent(t *testing.T, test func(t *testing.T, d Distribution, l latent)) {
	for _, kind := range kinds {
		for _, s := range []float64{0.1, 0.5, 1.5} {
			if kind == "counts" && s > 1 {
				continue // their mean is a long sum
			}
			for _, m := range []float64{-1.5, 3} {
				for _, std := range []float64{0, 0.01, 0.09, 0.3, 1.2, 4} {
					own := latent{kind, math.Hypot(s, std)}
					laws := []Law{latent{kind, s}}
					if kind != "counts" {
						laws = append(laws, given{latent{kind, s}})
					}
					for _, law := range laws {
						t.Run(fmt.Sprintf("%T %s, %g, f ~ N(%g, %g²)", law, kind, s, m, std), func(t *testing.T) {
							test(t, Distribution{Location: m, Scale: std, Family: NewLawFamily(law)}, own)
						})
					}
				}
			}
		}
	}
}

// F, log p and Q are those of the law with all of the deviation, also far out.
func TestMixturesInClosedForm(t *testing.T) {
	eachLatent(t, func(t *testing.T, d Distribution, l latent) {
		for _, z := range []float64{-7, -3, -0.8, 0, 1.1, 2.5, 6} {
			y := l.to(d.Location + l.s*z)
			testkit.Close(t, fmt.Sprintf("F(%g)", y), d.CDF(y), l.CDF(y, d.Location), 1e-7, 1e-8)
			if want := l.LogDensity(y, d.Location); want > -700 && (!l.Discrete() || want > -25) { // of counts until Φ has no digits
				testkit.Close(t, fmt.Sprintf("log p(%g)", y), d.LogDensity(y), want, 1e-7, 1e-7)
			}
		}
		for _, z := range []float64{-5, -1.9, -0.3, 0.7, 2, 4} {
			want := l.to(d.Location + l.s*z)
			if l.Discrete() {
				testkit.Close(t, fmt.Sprintf("Q at %g", z), d.Quantile(normal(z)), want, 0, 0)
				continue
			}
			got := (l.from(d.Quantile(normal(z))) - d.Location) / l.s
			testkit.Close(t, fmt.Sprintf("Q at %g", z), got, z, 1e-6, 1e-6)
		}
	})
}

// The CRPS is 2 ∫ (1{y ≤ x} − F(x)) (x − y) dF(x) over the law's own quantiles, and of counts a sum.
func TestCRPSInClosedForm(t *testing.T) {
	eachLatent(t, func(t *testing.T, d Distribution, l latent) {
		if l.s > 1.6 && l.kind != "line" && l.kind != "interval" || l.Discrete() && d.Location+5*l.s > math.Log(4000) {
			t.Skip("a tail that no sum follows")
		}
		for _, z := range []float64{-3, 0.2, 2} {
			y := l.to(d.Location + l.s*z)
			for _, y := range []float64{y, y + 0.5} {
				testkit.Close(t, fmt.Sprintf("CRPS at %g", y), d.CRPS(y), crpsOf(l, d.Location, y), 1e-4, 1e-7)
			}
		}
	})
}

func crpsOf(l latent, m, y float64) (sum float64) {
	if l.Discrete() {
		sum = max(0, -y)
		for k := 0.0; k < max(y, l.to(m+6.5*l.s))+1; k++ {
			u, next := l.CDF(k, m), k+1
			switch {
			case next <= y:
				sum += u * u
			case k >= y:
				sum += (1 - u) * (1 - u)
			default:
				sum += u*u*(y-k) + (1-u)*(1-u)*(next-y)
			}
		}
		return sum
	}
	const step = 1. / 256
	for z := -8.0; z <= 8; z += step {
		x := l.to(m + l.s*z)
		w := step * math.Exp(-z*z/2) / sqrt2Pi
		if y <= x {
			sum += 2 * w * normal(-z) * (x - y)
		} else {
			sum += 2 * w * normal(z) * (y - x)
		}
	}
	return sum
}

// The moments are those of the law with all of the deviation.
func TestMomentsInClosedForm(t *testing.T) {
	eachLatent(t, func(t *testing.T, d Distribution, l latent) {
		if l.s > 1.3 && l.kind != "line" && l.kind != "interval" || l.Discrete() && d.Location > 1 {
			t.Skip("means that grow like e^f are for laws that know their moments")
		}
		mean, std := d.Moments()
		testkit.Close(t, "mean", mean, l.Mean(d.Location), 1e-6, 1e-9)
		testkit.Close(t, "deviation", std, math.Sqrt(l.Variance(d.Location)), 1e-5, 1e-9)
	})
}

// closed is a latent law that says what f ~ N(mean, variance) makes of it.
type closed struct{ latent }

func (l closed) Absorb(mean, variance float64) (Law, float64) {
	return latent{l.kind, math.Sqrt(l.s*l.s + variance)}, mean
}

// knowing is a latent law that knows moments, which no other way has.
type knowing struct{ latent }

func (knowing) Moments(mean, variance float64) (expected, std float64) { return mean, variance }

// What a law knows in closed form is asked of it, with the variance of f.
func TestWhatLawsKnow(t *testing.T) {
	for _, std := range []float64{0, 0.7} {
		d := Distribution{Location: 0.4, Scale: std, Family: NewLawFamily(closed{latent{"line", 0.5}})}
		own := math.Hypot(0.5, std)
		testkit.Close(t, "F", d.CDF(1), normal(0.6/own), 1e-14, 0)
		testkit.Close(t, "log p", d.LogDensity(1), -0.36/(own*own)/2-logSqrt2Pi-math.Log(own), 1e-14, 0)
	}
	d := Distribution{Location: 0.4, Scale: 3, Family: NewLawFamily(knowing{latent{"line", 0.5}})}
	if mean, std := d.Moments(); mean != 0.4 || std != 9 {
		t.Errorf("of N(0.4, 3²) the law is asked moments of %g and %g", mean, std)
	}
}

// Transforms of counts are uniform where predictions are right, row by row in the order of the
// golden section; F says how much of it lies below a count, and 0 below the least value.
func TestTransformsOfCounts(t *testing.T) {
	l := latent{"counts", 0.5}
	d := Distribution{Location: 0.4, Scale: 0.3, Family: NewLawFamily(l)}
	const n, bins = 4000, 20
	var counts [bins]float64
	for k := range n {
		u := distuv.UnitNormal.Quantile((float64(k) + 0.5) / n)
		y := l.to(d.Location + math.Hypot(d.Scale, l.s)*u)
		for at := range 7 { // rows of any number have the same law
			counts[min(int(d.Transform(y, k*7919+at)*bins), bins-1)] += bins / (7. * n)
		}
		lo, hi := d.PITRange(y)
		if before := d.CDF(y - 1); math.Abs(lo-before) > 1e-12 || hi != d.CDF(y) || d.Transform(y, k) < lo || d.Transform(y, k) > hi {
			t.Fatalf("transforms at %g are from %g to %g, want from %g", y, lo, hi, before)
		}
	}
	for i, share := range counts {
		testkit.Close(t, fmt.Sprintf("share of part %d", i), share, 1, 0.1, 0)
	}
}

// What a law does not give has no density, also where f is not known.
func TestTargetsBeyondTheSupport(t *testing.T) {
	for kind, beyond := range map[string][]float64{"above 2": {2, 1}, "interval": {-0.5, -1, 2.5, 3}, "counts": {-1, 0.5}} {
		for _, law := range []Law{latent{kind, 0.5}, given{latent{kind, 0.5}}} {
			for _, std := range []float64{0, 0.05, 0.4, 2} {
				d := Distribution{Location: 0.3, Scale: std, Family: NewLawFamily(law)}
				for _, y := range beyond {
					if got := d.LogDensity(y); !math.IsInf(got, -1) {
						t.Errorf("%s, std %g: log p(%g) = %g", kind, std, y, got)
					}
				}
			}
		}
	}
}

// A count is the quantile of its own F: no count below has as much.
func TestCountsAreQuantilesOfTheirF(t *testing.T) {
	for _, c := range []struct{ m, std float64 }{{0.4, 0}, {0.4, 0.3}, {3, 0.05}, {7, 0}} {
		d := Distribution{Location: c.m, Scale: c.std, Family: NewLawFamily(latent{"counts", 0.5})}
		for z := -3.; z <= 3; z += 0.25 {
			k := math.Floor(math.Exp(c.m + 0.5*z))
			if before, own := d.CDF(k-1), d.CDF(k); d.Quantile(own) != k || own-before < 1e-9 {
				t.Errorf("N(%g, %g²): Q(F(%g) = %g) = %g; F before it is %g", c.m, c.std, k, own, d.Quantile(own), before)
			}
		}
	}
}
