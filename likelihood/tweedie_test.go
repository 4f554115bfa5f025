package likelihood

import (
	"fmt"
	"math"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/predictive"
)

// The CRPS is ∫ (F(t) − 1{y ≤ t})² dt, here by the rule of midpoints at known f.
func TestCRPSOfTweedie(t *testing.T) {
	for _, l := range []Tweedie{{1, 1.5}, {5, 1.15}, {0.3, 1.9}} {
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
