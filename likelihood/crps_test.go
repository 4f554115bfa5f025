package likelihood

import (
	"testing"

	"beziergp/internal/testkit"
	"beziergp/predictive"
)

// A score of counts ends, wherever rounding leaves a little of the probability that is added up.
func TestCRPSOfCountsEnds(t *testing.T) {
	d := predictive.Distribution{Location: 3.54511, Scale: 0.07204, Family: predictive.NewLawFamily(Poisson{})}
	for y := range 120 {
		want := 0.0
		for k := range 400 {
			f := d.CDF(float64(k))
			if k >= y {
				f = 1 - f
			}
			want += f * f
		}
		testkit.Close(t, "score", d.CRPS(float64(y)), want, 1e-4, 1e-6)
	}
}
