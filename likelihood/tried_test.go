package likelihood

import (
	"fmt"
	"math"
	"testing"
)

// tried are laws to try at targets, all of the table among them.
var tried = []struct {
	law     Scalar
	targets []float64
}{
	{Bernoulli{}, []float64{0, 1}},
	{Bernoulli{Floors: [2]float64{0.1, 0.02}}, []float64{0, 1}},
	{Bernoulli{Floors: [2]float64{0, 1e-6}}, []float64{0, 1}},
	{Probit{}, []float64{0, 1}},
	{Poisson{}, []float64{0, 1, 7, 1000}},
	{NegativeBinomial{Dispersion: 0.5}, []float64{0, 1, 7, 1000}},
	{NegativeBinomial{Dispersion: 1e-4}, []float64{0, 3, 200}},
	{NegativeBinomial{Dispersion: 20}, []float64{0, 3, 200}},
	{ZeroInflatedPoisson{Zeros: 0.2}, []float64{0, 1, 7}},
	{ZeroInflatedPoisson{Zeros: 1e-4}, []float64{0, 5}},
	{ZeroInflatedPoisson{Zeros: 0.9}, []float64{0, 5}},
	{Gamma{Shape: 1}, []float64{1e-3, 0.7, 30}},
	{Gamma{Shape: 0.1}, []float64{1e-3, 0.7, 30}},
	{Gamma{Shape: 200}, []float64{0.7, 30}},
	{Exponential{}, []float64{1e-3, 0.7, 30}},
	{LogNormal{Deviation: 0.5}, []float64{1e-3, 0.7, 30}},
	{Beta{Precision: 10}, []float64{1e-6, 0.2, 0.999}},
	{Beta{Precision: 0.5}, []float64{1e-6, 0.2, 0.999}},
	{Beta{Precision: 3000}, []float64{0.01, 0.7}},
	{Tweedie{Dispersion: 1, Power: 1.5}, []float64{0, 0.01, 2, 500}},
	{Tweedie{Dispersion: 5, Power: 1.15}, []float64{0, 0.01, 2, 500}},
	{Tweedie{Dispersion: 0.3, Power: 1.9}, []float64{0, 0.01, 2, 500}},
	{Student{Scale: 0.5, Tails: 4}, []float64{-3, 0, 2.5}},
	{Student{Scale: 0.01, Tails: 2.5}, []float64{0, 2.5}},
	{Student{Scale: 100, Tails: 300}, []float64{0, 250}},
	{ordinal(0), []float64{0, 1}},
	{ordinal(-2, 0.5, 1e-3, 4), []float64{0, 1, 2, 3, 4}},
}

// ordinal returns the law of a first cut point and distances.
func ordinal(values ...float64) Scalar {
	l, err := Ordinal{}.With(values)
	if err != nil {
		panic(err)
	}
	return l
}

// eachTried runs a test of every law that is tried; those of the table must be.
func eachTried(t *testing.T, test func(t *testing.T, l Scalar, targets []float64)) {
	missing := map[string]bool{}
	for _, l := range scalars {
		missing[l.Name()] = true
	}
	for _, c := range tried {
		delete(missing, c.law.Name())
		name := c.law.Name()
		for _, p := range c.law.Parameters() {
			name += fmt.Sprintf(" %s=%g", p.Name, p.Value)
		}
		t.Run(name, func(t *testing.T) { test(t, c.law, c.targets) })
	}
	for name := range missing {
		t.Errorf("%s of the table is not tried", name)
	}
}

func TestTheTableOfScalars(t *testing.T) {
	for _, l := range scalars {
		named, err := ScalarNamed(l.Name())
		if err != nil || fmt.Sprint(named) != fmt.Sprint(l) {
			t.Errorf("%q is %v (%v), want %v", l.Name(), named, err, l)
		}
	}
	if _, err := ScalarNamed("normal"); err == nil {
		t.Error("a law of another name")
	}
}

func TestParametersGoInAndOut(t *testing.T) {
	eachTried(t, func(t *testing.T, l Scalar, _ []float64) {
		var values []float64
		for i, p := range l.Parameters() {
			values = append(values, p.Value)
			if !(p.Lo <= p.Value && p.Value <= p.Hi) || p.Log && p.Lo <= 0 {
				t.Errorf("%+v", p)
			}
			with := func(value float64) error {
				other := append(append([]float64{}, values[:i]...), value)
				for _, q := range l.Parameters()[i+1:] {
					other = append(other, q.Value)
				}
				_, err := l.With(other)
				return err
			}
			for _, wrong := range []float64{p.Lo - 1, p.Hi + 1, math.NaN(), math.Inf(1)} {
				if with(wrong) == nil {
					t.Errorf("%s = %g is taken", p.Name, wrong)
				}
			}
			for _, end := range []float64{p.Lo, p.Hi} {
				if err := with(end); err != nil {
					t.Errorf("%s at its bound: %v", p.Name, err)
				}
			}
		}
		again, err := l.With(values)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(l) {
			t.Errorf("%v (%v), want %v", again, err, l)
		}
		if l.Name() != "ordinal" {
			if _, err := l.With(append(values, 1)); err == nil {
				t.Error("a parameter too many is taken")
			}
		}
	})
}
