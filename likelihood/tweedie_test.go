package likelihood

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"beziergp/internal/testkit"
	"beziergp/predictive"
)

// The CRPS is ∫ (F(t) − 1{y ≤ t})² dt, here by the rule of midpoints at known f.
func TestCRPSOfTweedie(t *testing.T) {
	for _, l := range []Tweedie{{Dispersion: 1, Power: 1.5}, {Dispersion: 5, Power: 1.15}, {Dispersion: 0.3, Power: 1.9}} {
		d := predictive.Distribution{Location: 0.7, Family: predictive.NewLawFamily(l)}
		for _, y := range []float64{0, 0.01, 2, 30} {
			var want float64
			const n = 4000
			end := max(d.Quantile(1-1e-8), y)
			for i := range n {
				// Squares: close where F rises steeply, at 0.
				from, to := end*math.Pow(float64(i)/n, 2), end*math.Pow(float64(i+1)/n, 2)
				at := (from + to) / 2
				u := l.CDF(at, 0.7)
				if at >= y {
					u = 1 - u
				}
				want += u * u * (to - from)
			}
			testkit.Close(t, fmt.Sprintf("%+v: CRPS at %g", l, y), d.CRPS(y), want, 2e-3, 0)
		}
	}
}

// Where many terms of the series matter another formula has its place, which is the same.
func TestTweedieSeriesMeetsTheSaddlepoint(t *testing.T) {
	for _, power := range []float64{1.2, 1.5, 1.8} {
		l := Tweedie{Dispersion: 1, Power: power}
		at := func(epsilon float64) float64 { return math.Pow(epsilon, 1/(power-2)) }
		// What the saddlepoint's formula leaves out is of the order of ε².
		for _, y := range []float64{at(0.0010001), at(0.000999)} {
			epsilon := math.Pow(y, power-2)
			a, b := power-1, 2-power
			want := -(math.Log(2*math.Pi)+power*math.Log(y))/2 + epsilon*power*(power-3)/24 + (1/a+1/b)/epsilon
			testkit.Close(t, fmt.Sprintf("p = %g: log a(%g)", power, y), l.logA(y)-want, 0, 0, 1e-6)
		}
	}
}

// The CDF is the sum over numbers of amounts, all of them one by one, in the lower tail as in the middle:
// where it takes every so many of them, too.
func TestCDFOfTweedieIsTheSumOverAmounts(t *testing.T) {
	for _, power := range []float64{1.01, 1.1, 1.5, 1.9} {
		alpha := (2 - power) / (power - 1)
		for _, lambda := range []float64{0.5, 12, 31, 60, 400} {
			// At f = 0 the mean is λ α θ = 1.
			l := Tweedie{Dispersion: 1 / (lambda * (2 - power)), Power: power}
			for _, amounts := range []float64{0.3, 8, 0.5 * lambda, lambda, 1.2 * lambda} {
				y := amounts / lambda
				want := math.Exp(-lambda)
				for n := 1.0; n < 2*lambda+40; n++ {
					want += math.Exp(n*math.Log(lambda)-lambda-lgamma(n+1)) * mathext.GammaIncReg(n*alpha, y*lambda*alpha)
				}
				testkit.Close(t, fmt.Sprintf("p = %g, λ = %g: F(%g)", power, lambda, y), l.CDF(y, 0), want, 1e-9, 1e-11)
			}
		}
	}
}

// Of very many amounts the sum is normal: deviations from the mean have the probabilities of Φ, on either
// side of where the CDF changes its form, at λ = 1e14.
func TestCDFOfTweedieOfVeryManyAmounts(t *testing.T) {
	for _, l := range []Tweedie{{Dispersion: 1e-6, Power: 1.01}, {Dispersion: 1e-4, Power: 1.5}} {
		for _, lambda := range []float64{0.5e14, 2e14, 1e20} {
			f := math.Log(lambda*l.Dispersion*(2-l.Power)) / (2 - l.Power)
			for _, z := range []float64{-3, -1, 0, 0.5, 2} {
				y := math.Exp(f) + z*math.Sqrt(l.Variance(f))
				testkit.Close(t, fmt.Sprintf("%+v, λ = %g: F at %g deviations", l, lambda, z), l.CDF(y, f), normal(z), 1e-4, 1e-6)
			}
		}
	}
}
