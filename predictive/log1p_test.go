package predictive

import (
	"math"
	"testing"

	"beziergp/internal/testkit"
)

// Against integrals over the distribution by the trapezoidal rule in log(1 + y).
func TestLog1pScoresAgreeWithIntegrals(t *testing.T) {
	family, err := NewFamily(0, true)
	if err != nil {
		t.Fatal(err)
	}
	log1pDensity := func(y, location, scale float64) float64 {
		return Distribution{Location: location, Scale: scale, Family: family}.LogDensity(y)
	}
	for _, c := range []struct{ location, scale float64 }{{0, 1}, {1.5, 0.3}, {-0.5, 0.7}} {
		density := func(z float64) float64 {
			d := (z - c.location) / c.scale
			return math.Exp(-d*d/2) / (c.scale * math.Sqrt(2*math.Pi))
		}
		const steps = 40000
		from, to := c.location-10*c.scale, c.location+10*c.scale
		h := (to - from) / steps
		integrate := func(f func(z float64) float64) float64 {
			sum := (f(from) + f(to)) / 2
			for i := 1; i < steps; i++ {
				sum += f(from + float64(i)*h)
			}
			return sum * h
		}
		mean := integrate(func(z float64) float64 { return math.Expm1(z) * density(z) })
		square := integrate(func(z float64) float64 { return math.Expm1(z) * math.Expm1(z) * density(z) })
		gotMean, gotStd := log1pMoments(c.location, c.scale)
		testkit.Close(t, "mean", gotMean, mean, 1e-6, 1e-9)
		testkit.Close(t, "deviation", gotStd, math.Sqrt(square-mean*mean), 1e-5, 0)
		for _, y := range []float64{-0.9, 0, 0.5, 3, 20} {
			// dt = e^z dz; below from F is 0, above to it is 1.
			want := integrate(func(z float64) float64 {
				f := normal((z - c.location) / c.scale)
				if math.Log1p(y) <= z {
					f--
				}
				return f * f * math.Exp(z)
			})
			if z := math.Log1p(y); z < from {
				want += math.Exp(from) - math.Exp(z)
			} else if z > to {
				want += math.Exp(z) - math.Exp(to)
			}
			testkit.Close(t, "CRPS", log1pCRPS(y, c.location, c.scale), want, 2e-3, 1e-5)
			const e = 1e-5
			slope := (normal((math.Log1p(y+e)-c.location)/c.scale) - normal((math.Log1p(y-e)-c.location)/c.scale)) / (2 * e)
			if slope > 1e-4 {
				testkit.Close(t, "density", math.Exp(log1pDensity(y, c.location, c.scale)), slope, 1e-4, 0)
			}
		}
	}
	if d := log1pDensity(-1, 0, 1); !math.IsInf(d, -1) {
		t.Errorf("log density at −1 is %g", d)
	}
	testkit.Close(t, "CRPS below the support grows with the distance", log1pCRPS(-3, 0, 1)-log1pCRPS(-1, 0, 1), 2, 1e-12, 0)
}
