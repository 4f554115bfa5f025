package predictive

import (
	"fmt"
	"math"
	"testing"
	"time"

	"beziergp/internal/testkit"
)

// logistic is y = f + a logistic number, a law that knows nothing more of itself.
type logistic struct{}

func (logistic) CDF(y, f float64) float64 { return 1 / (1 + math.Exp(f-y)) }
func (l logistic) LogDensity(y, f float64) float64 {
	return math.Log(l.CDF(y, f)) + math.Log(l.CDF(f, y))
}
func (logistic) Mean(f float64) float64                  { return f }
func (logistic) Variance(float64) float64                { return math.Pi * math.Pi / 3 }
func (logistic) Discrete() bool                          { return false }
func (logistic) Support() (lo, hi float64)               { return math.Inf(-1), math.Inf(1) }
func (logistic) Place(y float64) (lo, hi, width float64) { return y, y, 1 }
func (logistic) sum(std float64, g func(f float64) float64) (s float64) {
	const step = 1. / 32
	for z := -9.; z <= 9; z += step {
		s += step * math.Exp(-z*z/2) / sqrt2Pi * g(std*z)
	}
	return s
}

func TestAMixtureIsAnIntegral(t *testing.T) {
	l := logistic{}
	family := NewLawFamily(l)
	if family.Law() != (logistic{}) || (*Family)(nil).Law() != nil {
		t.Error("the law of a family is not its own")
	}
	for _, std := range []float64{0.05, 0.6, 3} {
		d := Distribution{Scale: std, Family: family}
		for _, y := range []float64{-4, 0, 0.3, 7} {
			testkit.Close(t, "F", d.CDF(y), l.sum(std, func(f float64) float64 { return l.CDF(y, f) }), 1e-7, 1e-9)
			want := l.sum(std, func(f float64) float64 { return math.Exp(l.LogDensity(y, f)) })
			testkit.Close(t, "log p", d.LogDensity(y), math.Log(want), 1e-7, 1e-7)
			testkit.Close(t, "F(Q)", d.Quantile(d.CDF(y)), y, 1e-5, 1e-6)
			if lo, hi := d.PITRange(y); lo != hi || d.Transform(y, 7) != lo {
				t.Errorf("a jump at %g from %g to %g", y, lo, hi)
			}
		}
		mean, deviation := d.Moments()
		testkit.Close(t, "mean", mean, 0, 0, 1e-9)
		testkit.Close(t, "deviation", deviation, math.Sqrt(std*std+math.Pi*math.Pi/3), 1e-7, 0)
	}
	// ∫ (F − 1{y ≤ t})² dt of the logistic distribution itself is |y| + 2 log(1 + e^−|y|) − 1.
	for _, y := range []float64{-3, 0, 0.5} {
		own := Distribution{Family: family}.CRPS(y)
		testkit.Close(t, "CRPS", own, math.Abs(y)+2*math.Log1p(math.Exp(-math.Abs(y)))-1, 1e-4, 0)
	}
	if got := (Distribution{Location: 3, Scale: 1, Family: family}).Back(2.5); got != 2.5 {
		t.Errorf("E[y | f = 2.5] is %g", got)
	}
}

// Far from the mean the logarithm of the density keeps its digits: the tails are those of the law,
// e^(std²/2 − |y|).
func TestMixturesFarOut(t *testing.T) {
	d := Distribution{Scale: 0.7, Family: NewLawFamily(logistic{})}
	for _, y := range []float64{-60, 300} {
		testkit.Close(t, "log p", d.LogDensity(y), 0.49/2-math.Abs(y), 1e-9, 0)
	}
}

// An f that is certain but for a deviation that is lost beside its mean is its mean, in as little time, and one
// that is hardly more is an integral yet.
func TestMixturesOfHardlyAnyDeviation(t *testing.T) {
	family := NewLawFamily(given{latent{"counts", 0.5}})
	for _, mean := range []float64{-11.7, 1, 30} {
		want := Distribution{Location: mean, Family: family}.LogDensity(2)
		for std := 1e-25; std < 1e-5; std *= 10 {
			began := time.Now()
			testkit.Close(t, fmt.Sprintf("log p of mean %g and deviation %g", mean, std), Distribution{Location: mean, Scale: std, Family: family}.LogDensity(2), want, 1e-6, 1e-6)
			if took := time.Since(began); took > time.Second {
				t.Fatalf("it took %s", took)
			}
		}
	}
}

func TestMixturesOfNoNumber(t *testing.T) {
	family := NewLawFamily(logistic{})
	for _, d := range []Distribution{{Location: math.NaN(), Scale: 1, Family: family}, {Scale: math.NaN(), Family: family}} {
		mean, std := d.Moments()
		for i, v := range []float64{d.LogDensity(1), d.CDF(1), d.Quantile(0.5), d.CRPS(1), d.Transform(1, 3), mean, std} {
			if v == v {
				t.Errorf("of %+v the %d. number is %g", d, i, v)
			}
		}
	}
	d := Distribution{Scale: 1, Family: family}
	for i, v := range []float64{d.LogDensity(math.NaN()), d.CDF(math.NaN()), d.Quantile(math.NaN()), d.CRPS(math.NaN())} {
		if v == v {
			t.Errorf("at NaN the %d. number is %g", i, v)
		}
	}
	if d.Quantile(0) != math.Inf(-1) || d.Quantile(1) != math.Inf(1) {
		t.Error("quantiles of nothing and of all are not the ends")
	}
}

func TestLawsStandAlone(t *testing.T) {
	family := NewLawFamily(logistic{})
	for what, call := range map[string]func(){
		"no law": func() { NewLawFamily(nil) },
		"a density": func() {
			Distribution{Scale: 1, Family: NewLawFamily(latent{"counts", 0.5}), Density: make([]float64, Nodes)}.CDF(0)
		},
		"few nodes":   func() { Distribution{Scale: 1, Family: family, Density: make([]float64, 3)}.CDF(0) },
		"a range":     func() { Distribution{Scale: 1, Family: family, Range: &Range{0, 1}}.CDF(0) },
		"scale below": func() { Distribution{Scale: -1, Family: family}.LogDensity(0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", what)
				}
			}()
			call()
		}()
	}
}
