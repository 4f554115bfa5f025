package likelihood

import (
	"fmt"
	"math"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/predictive"
)

// The CRPS of a log-normal law is y (2Φ(ω) − 1) − 2 E y (Φ(ω − σ) + Φ(σ/√2) − 1), ω = (log y − f)/σ (Baran
// and Lerch 2015), and it stays one when f is a Gaussian.
func TestCRPSOfLogNormals(t *testing.T) {
	for _, c := range [][2]float64{{0.2, 0.1}, {0.5, 0.5}, {1, 1}, {2, 1}} {
		l := LogNormal{Deviation: c[0]}
		d := predictive.Distribution{Location: 0.3, Scale: c[1], Family: predictive.NewLawFamily(l)}
		s := math.Hypot(c[0], c[1])
		for _, y := range []float64{0, 0.01, 1, 1.5, 40} {
			z := (math.Log(y) - 0.3) / s
			want := y*(2*normal(z)-1) - 2*math.Exp(0.3+s*s/2)*(normal(z-s)+normal(s/math.Sqrt2)-1)
			testkit.Close(t, fmt.Sprintf("σ = %g, s = %g: CRPS at %g", c[0], c[1], y), d.CRPS(y), want, 1e-4, 0)
			// The same without the closed form of the mixture.
			g := predictive.Distribution{Location: 0.3, Scale: c[1], Family: predictive.NewLawFamily(plain{l})}
			testkit.Close(t, fmt.Sprintf("σ = %g, s = %g: CRPS at %g, as any law", c[0], c[1], y), g.CRPS(y), want, 1e-4, 0)
			if y > 0 {
				testkit.Close(t, "log p", g.LogDensity(y), d.LogDensity(y), 1e-8, 1e-8)
				testkit.Close(t, "F", g.CDF(y), d.CDF(y), 1e-7, 1e-8)
			}
		}
	}
}

// plain hides what a law knows more of itself.
type plain struct{ predictive.Law }
