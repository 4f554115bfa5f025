package likelihood

import "testing"

// Deviances of amounts under a Tweedie law are comparable: their power is not the law's.
func TestDeviancePower(t *testing.T) {
	for _, c := range []struct {
		law   Scalar
		power float64
	}{{Poisson{}, 1}, {NegativeBinomial{Dispersion: 2}, 1}, {Gamma{Shape: 3}, 2}, {LogNormal{Deviation: 1}, 2}, {Tweedie{Dispersion: 1, Power: 1.2}, 1.5}, {Tweedie{Dispersion: 3, Power: 1.8}, 1.5}, {Beta{Precision: 2}, 0}} {
		if power, ok := DeviancePower(NewLaw(c.law, 0)); power != c.power || ok != (c.power > 0) {
			t.Errorf("%s: power %g (%t), want %g", c.law.Name(), power, ok, c.power)
		}
	}
	if power, ok := DeviancePower(Gaussian{}); ok {
		t.Errorf("a Gaussian has power %g", power)
	}
}
