package likelihood

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"beziergp/internal/testkit"
	"beziergp/predictive"
)

func TestLogDerivatives(t *testing.T) {
	eachTried(t, func(t *testing.T, l Scalar, targets []float64) {
		for _, y := range targets {
			if err := l.Check(y); err != nil {
				t.Fatal(err)
			}
			for _, f := range []float64{-50, -8, -1, 0, 0.7, 6, 29, 50} {
				what := fmt.Sprintf("y = %g, f = %g", y, f)
				value, first, second := l.Log(y, f)
				testkit.Close(t, what+": log density", l.LogDensity(y, f), value, 1e-12, 1e-12)
				const h = 1e-5
				_, above, bend := l.Log(y, f+h)
				_, below, _ := l.Log(y, f-h)
				high, low := l.LogDensity(y, f+h), l.LogDensity(y, f-h)
				testkit.Close(t, what+": slope", first, (high-low)/(2*h), 1e-4, 1e-8*(1+math.Abs(value)+math.Abs(bend)))
				testkit.Close(t, what+": bend", second, (above-below)/(2*h), 1e-4, 1e-9*(1+math.Abs(first)))
			}
		}
	})
}

// wide returns E log p and the expectations of its derivatives, the second halved, by the trapezoidal
// rule at many nodes: as far out as e^f matters, and where steps are small beside the law's
// narrowest place.
func wide(l Scalar, y, mean, variance float64) (value, byMean, byVariance float64) {
	if variance == 0 {
		value, byMean, byVariance = l.Log(y, mean)
		return value, byMean, byVariance / 2
	}
	reach, finest := 24., 0.05
	if s, ok := l.(Student); ok { // which grows like log f
		reach, finest = 9, 0.12*s.Scale*math.Sqrt(s.Tails)
	}
	std := math.Sqrt(variance)
	step := min(1./16, finest/std)
	for k := -math.Ceil(reach / step); k <= reach/step; k++ {
		z := k * step
		w := step * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		v, first, second := l.Log(y, mean+std*z)
		value, byMean, byVariance = value+w*v, byMean+w*first, byVariance+w*second/2
	}
	return value, byMean, byVariance
}

func TestExpectedAgreesWithQuadrature(t *testing.T) {
	eachTried(t, func(t *testing.T, l Scalar, targets []float64) {
		for _, y := range targets {
			for _, mean := range []float64{-50, -3, 0.7, 9, 50} {
				for _, v := range []float64{0, 1e-6, 0.02, 0.3, 7, 100} {
					what := fmt.Sprintf("y = %g, f ~ N(%g, %g)", y, mean, v)
					value, byMean, byVariance := l.Expected(y, mean, v)
					want, wantByMean, wantByVariance := wide(l, y, mean, v)
					testkit.Close(t, what, value, want, 1e-9, 1e-9)
					testkit.Close(t, what+": by the mean", byMean, wantByMean, 1e-9, 1e-9)
					testkit.Close(t, what+": by the variance", byVariance, wantByVariance, 1e-9, 1e-9)
				}
			}
		}
	})
}

// Where expectations ask for more than one way has: residuals of a t law beyond the reach of f, of which
// the scale is far below the deviation of f, and zeros of a law that hardly has others, whose singularities
// come as near as π/2 where e^f is large.
func TestExpectedAtAwkwardPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		law               Scalar
		y, mean, variance float64
	}{
		"far residual":        {Student{Scale: 1e-4, Tails: 4}, 0.5, 0, 1e-6},
		"farther residual":    {Student{Scale: 1e-4, Tails: 4}, -0.9, 0.05, 1e-6},
		"zeros, small counts": {ZeroInflatedPoisson{Zeros: 0.9999}, 0, 1, 2},
		"zeros":               {ZeroInflatedPoisson{Zeros: 0.9999}, 0, 3, 4},
		"zeros, large counts": {ZeroInflatedPoisson{Zeros: 0.999}, 0, 6, 7},
	} {
		value, byMean, byVariance := c.law.Expected(c.y, c.mean, c.variance)
		want, wantByMean, wantByVariance := wide(c.law, c.y, c.mean, c.variance)
		testkit.Close(t, name, value, want, 1e-11, 0)
		testkit.Close(t, name+": by the mean", byMean, wantByMean, 1e-10, 0)
		testkit.Close(t, name+": by the variance", byVariance, wantByVariance, 1e-9, 0)
	}
}

// mass returns the integral of the density between two targets.
func mass(l Scalar, f, from, to float64) float64 {
	return quad.Fixed(func(y float64) float64 { return math.Exp(l.LogDensity(y, f)) }, from, to, 60, quad.Legendre{}, 0)
}

// The CDF adds up the density, from nearly 0 to nearly 1.
func TestCDFAddsUpTheDensity(t *testing.T) {
	eachTried(t, func(t *testing.T, l Scalar, targets []float64) {
		for _, f := range []float64{-2, 0, 0.7, 3} {
			if l.Discrete() {
				var sum float64
				_, hi := l.Support()
				for y := 0.0; y <= min(hi, 20000); y++ {
					sum += math.Exp(l.LogDensity(y, f))
					if y < 50 || y == hi {
						testkit.Close(t, fmt.Sprintf("P(y ≤ %g | %g)", y, f), l.CDF(y, f), sum, 1e-9, 1e-10)
						testkit.Close(t, fmt.Sprintf("P(y ≤ %g | %g)", y+0.5, f), l.CDF(y+0.5, f), sum, 1e-9, 1e-10)
					}
					if sum > 1-1e-11 {
						break
					}
				}
				testkit.Close(t, fmt.Sprintf("all at %g", f), sum, 1, 1e-6, 0)
				continue
			}
			// Between neighbours along a grid that holds nearly all, close where it is dense.
			centre, std := l.Mean(f), math.Sqrt(l.Variance(f))
			lo, hi := l.Support()
			grid := []float64{}
			for i := -120; i <= 120; i++ {
				x := float64(i) / 12
				y := centre + std*math.Sinh(x)
				if !math.IsInf(lo, -1) {
					y = math.Exp(math.Log(centre) + min(std/centre, 1)*x)
				}
				if hi == 1 {
					y = 1 / (1 + math.Exp(-(math.Log(centre/(1-centre)) + min(3, std/centre/(1-centre))*x)))
				}
				if y < hi-1e-6 && (len(grid) == 0 || y > grid[len(grid)-1]) {
					grid = append(grid, y)
				}
			}
			for i := range len(grid) - 1 {
				a, b := grid[i], grid[i+1]
				testkit.Close(t, fmt.Sprintf("P(%g < y ≤ %g | %g)", a, b, f), l.CDF(b, f)-l.CDF(a, f), mass(l, f, a, b), 1e-5, 1e-9)
			}
			zero := 0.
			if lo == 0 {
				zero = math.Exp(l.LogDensity(0, f))
				testkit.Close(t, fmt.Sprintf("P(0 | %g)", f), l.CDF(0, f), zero, 1e-9, 1e-12)
			}
			if held := zero + l.CDF(grid[len(grid)-1], f) - l.CDF(grid[0], f); held < 0.25 {
				t.Errorf("the targets that were tried at %g hold %g", f, held)
			}
			if l.CDF(lo-1, f) != 0 || l.CDF(math.Nextafter(lo, -1), f) != 0 {
				t.Error("something below the least target")
			}
		}
	})
}

// Mean and variance are those of quantiles, as the CDF has them: ∫ (1 − F) and its like.
func TestMomentsOfTheLawItself(t *testing.T) {
	eachTried(t, func(t *testing.T, l Scalar, targets []float64) {
		for _, f := range []float64{-2, 0.7, 3} {
			var first, second float64
			centre, std := l.Mean(f), math.Sqrt(l.Variance(f))
			lo, hi := l.Support()
			switch {
			case l.Discrete():
				for y := 0.0; y <= min(hi, 30000); y++ {
					p := math.Exp(l.LogDensity(y, f))
					first, second = first+p*y, second+p*(y-centre)*(y-centre)
				}
			default:
				// E g = g(a) + ∫_a (1 − F) g′ − ∫^a F g′, here from the mean.
				add := func(from, to float64, above bool) {
					if !(from < to) {
						return
					}
					n := 40
					x, w := make([]float64, n), make([]float64, n)
					quad.Legendre{}.FixedLocations(x, w, from, to)
					for i, y := range x {
						p := -l.CDF(y, f)
						if above {
							p++
						}
						first, second = first+w[i]*p, second+w[i]*p*2*(y-centre)
					}
				}
				first = centre
				far := 16. // beyond it 1 − F is rounding, if tails are light
				if _, ok := l.(Student); ok {
					far = 60
				}
				for e := -60.0; e < far; e++ {
					a, b := math.Exp(e/4)*std, math.Exp((e+1)/4)*std
					if e == -60 {
						a = 0
					}
					add(min(centre+a, hi), min(centre+b, hi), true)
					add(max(centre-b, lo), max(centre-a, lo), false)
				}
			}
			what := fmt.Sprintf("f = %g", f)
			tolerance := 1e-5
			if s, ok := l.(Student); ok && s.Tails < 10 {
				tolerance = 0.01 // what lies beyond the integral
				if s.Tails < 3 {
					tolerance = 0.2
				}
			}
			testkit.Close(t, what+": mean", l.Mean(f), first, 1e-6, 1e-6)
			testkit.Close(t, what+": variance", l.Variance(f), second, tolerance, 1e-9)
			if got := l.Link(l.Mean(f)); math.Abs(got-f) > 1e-6 {
				t.Errorf("the link of the mean at %g is %g", f, got)
			}
		}
	})
}

// The mean of a law with a log link is e times as large where f is one more, and of no other law.
func TestLogLink(t *testing.T) {
	for _, c := range tried {
		proportional := true
		for _, f := range []float64{-3, 0, 2} {
			proportional = proportional && math.Abs(c.law.Mean(f+1)/c.law.Mean(f)-math.E) < 1e-9
		}
		if got := LogLink(NewLaw(c.law, 0.7)); got != proportional {
			t.Errorf("%+v: log link %t, and the mean is proportional to e^f: %t", c.law, got, proportional)
		}
	}
	if LogLink(Gaussian{}) || LogLink(Classes{Base: []float64{0, 0}}) {
		t.Error("a Gaussian or classes have a log link")
	}
}

// What a law says of a target that is given is what it says of it, and so is the loss of a row with its offset, at both ends of what f may be as well.
func TestGiven(t *testing.T) {
	for _, c := range tried {
		law := NewLaw(c.law, 0.3)
		for _, y := range c.targets {
			given, ok := c.law.(predictive.Given)
			for _, f := range []float64{-690, -30, -1.5, 0, 0.7, 4, 30, 690} {
				value, first, second := c.law.Log(y, f)
				same := func(what string, v, d1, d2 float64) {
					for i, got := range []float64{v, d1, d2} {
						testkit.Close(t, fmt.Sprintf("%+v: %s of %g at %g, derivative %d", c.law, what, y, f, i), got, []float64{value, first, second}[i], 1e-13, 1e-290)
					}
				}
				if ok {
					log, _ := given.Given(y)
					v, d1, d2 := log(f)
					same("given", v, d1, d2)
				}
				const offset = 0.25
				v, d1, d2 := law.LossGiven([]float32{float32(y), offset})(f - law.Base - offset)
				value, first, second = c.law.Log(float64(float32(y)), law.Base+offset+(f-law.Base-offset))
				same("loss", -v, -d1, -d2)
			}
		}
	}
}

// A place is as wide as f may be off for a target one deviation away from its mean: the deviation of y over the
// slope of the mean, 1 at most.
func TestWidthsOfPlaces(t *testing.T) {
	for _, c := range tried {
		switch c.law.(type) {
		case Beta, Gamma, Exponential, Poisson, NegativeBinomial:
		default:
			continue // of which it is the scale, or 1
		}
		for _, y := range c.targets {
			f, _, width := c.law.Place(y)
			want := min(1, math.Sqrt(c.law.Variance(f))/slope(c.law.Mean, f, 1e-5))
			testkit.Close(t, fmt.Sprintf("%+v: width of the place of %g", c.law, y), width, want, 1e-6, 0)
		}
	}
}

// What is said of a number that is no share tells the ends from what lies beyond them.
func TestSharesThatThereAreNot(t *testing.T) {
	for y, says := range map[float64]string{0: "take bernoulli", 1: "take bernoulli", -0.5: "-0.5: a share is", 1.5: "1.5: a share is"} {
		if err := (Beta{Precision: 1}).Check(y); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("share %g: error %v, want one that says %q", y, err, says)
		}
	}
}

// Cut points are numbered as levels are: the first is that below level 1.
func TestNamesOfCutPoints(t *testing.T) {
	var names []string
	for _, p := range ordinal(-2, 0.5, 1, 4).Parameters() {
		names = append(names, p.Name)
	}
	if want := []string{"cut-1", "gap-2", "gap-3", "gap-4"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
