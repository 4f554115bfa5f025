package likelihood

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/predictive"
)

// drawn are rows of a law at known f.
type drawn struct{ y, f []float64 }

func draw(l Scalar, n int, seed uint64) (rows drawn) {
	rng := rand.New(rand.NewPCG(seed, 7))
	family := predictive.NewLawFamily(l)
	for range n {
		f := 1 + 0.8*rng.NormFloat64()
		rows.f = append(rows.f, f)
		rows.y = append(rows.y, predictive.Distribution{Location: f, Family: family}.Quantile(rng.Float64()))
	}
	return rows
}

func (r drawn) at(variance float64) func(i int) (y, weight, mean, v float64) {
	return func(i int) (y, weight, mean, v float64) { return r.y[i], 1, r.f[i], variance }
}

// On the scale of the search the parameters found lie around the true ones: over 20 tables their
// average is as far off as the average of 20 may be.
func TestRefitRecoversParameters(t *testing.T) {
	const tables, rows = 20, 400
	covered := map[string]bool{}
	for _, c := range []struct{ truth, start Scalar }{
		{NegativeBinomial{Dispersion: 0.7}, NegativeBinomial{Dispersion: 5}},
		{ZeroInflatedPoisson{Zeros: 0.3}, ZeroInflatedPoisson{Zeros: 0.05}},
		{Gamma{Shape: 3}, Gamma{Shape: 0.3}},
		{LogNormal{Deviation: 0.4}, LogNormal{Deviation: 2}},
		{Beta{Precision: 8}, Beta{Precision: 100}},
		{Tweedie{Dispersion: 1.5, Power: 1.6}, Tweedie{Dispersion: 0.5, Power: 1.3}},
		{Student{Scale: 0.5, Tails: 4}, Student{Scale: 3, Tails: 30}},
		{ordinal(-0.5, 1, 1.5), ordinal(0, 0.3, 0.3)},
	} {
		covered[c.truth.Name()] = true
		t.Run(c.truth.Name(), func(t *testing.T) {
			sums := make([][2]float64, len(c.truth.Parameters()))
			for seed := range uint64(tables) {
				found := Refit(c.start, rows, draw(c.truth, rows, seed).at(0))
				for i, p := range found.Parameters() {
					_, _, v := p.scaled()
					_, _, want := c.truth.Parameters()[i].scaled()
					sums[i][0] += (v - want) / tables
					sums[i][1] += (v - want) * (v - want) / tables
				}
			}
			for i, s := range sums {
				name := c.truth.Parameters()[i].Name
				std := math.Sqrt(s[1] - s[0]*s[0])
				t.Logf("%s: off by %.3f on average, deviation %.3f", name, s[0], std)
				if math.Abs(s[0]) > 3.5*std/math.Sqrt(tables) || std > 0.5 || std == 0 {
					t.Errorf("%s is off by %g on average, deviation %g", name, s[0], std)
				}
			}
		})
	}
	for _, l := range scalars {
		if len(l.Parameters()) > 0 && !covered[l.Name()] {
			t.Errorf("%s has parameters that nothing recovers", l.Name())
		}
	}
}

// A parameter that is given stays as it is, and the others are those that are likeliest with it: at the power that is
// likeliest the dispersion is that of both.
func TestParametersThatAreGiven(t *testing.T) {
	rows := draw(Tweedie{Dispersion: 1.5, Power: 1.6}, 2000, 3)
	free := Refit(Tweedie{Dispersion: 0.5, Power: 1.3}, len(rows.y), rows.at(0)).(Tweedie)
	for _, power := range []float64{free.Power, 1.2, 1.01} {
		law, err := Named(fmt.Sprintf("tweedie:power=%v", power))
		if err != nil {
			t.Fatal(err)
		}
		found := Refit(law.(Law).Scalar, len(rows.y), rows.at(0)).(Tweedie)
		if found.Power != power || !found.Held || found.Dispersion == 1 {
			t.Errorf("of a power of %v: %+v", power, found)
		}
		if power == free.Power && math.Abs(found.Dispersion/free.Dispersion-1) > 1e-3 {
			t.Errorf("dispersion %v, and %v with the power learned", found.Dispersion, free.Dispersion)
		}
		again, err := Restore(Describe(NewLaw(found, 2)))
		if err != nil || Text(again) != Text(NewLaw(found, 2)) {
			t.Errorf("a file has %v, %v", again, err)
		}
	}
	for text, want := range map[string]string{
		"tweedie:": `"" is no parameter with a number`, "tweedie:power": "is no parameter with a number", "tweedie:power=x": "is no parameter with a number", "tweedie:power=2": "must be from 1.01 to 1.99",
		"tweedie:dispersion=1": `"dispersion" cannot be given`, "gamma:shape=2": "learns its parameters", "gaussian:sd=1": "takes no parameter", "categorical:k=2": "takes no parameter", "Tweedie:power=1.5": "is unknown",
	} {
		if _, err := Named(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want one with %q", text, err, want)
		}
	}
}

// What f leaves open is no dispersion of the law: with f blurred, and its variance said, the
// parameters are the same.
func TestRefitKnowsTheDoubtOfF(t *testing.T) {
	const rows, std = 1500, 0.5
	for _, c := range []struct {
		truth Scalar
		slack float64
	}{{NegativeBinomial{Dispersion: 0.7}, 0.25}, {Gamma{Shape: 3}, 0.25}, {LogNormal{Deviation: 0.4}, 0.15}} {
		r := draw(c.truth, rows, 3)
		rng := rand.New(rand.NewPCG(4, 4))
		for i := range r.f {
			r.f[i] += std * rng.NormFloat64()
		}
		// f given its blurred value is a Gaussian, too: that of the draws is N(1, 0.8²).
		share := 0.64 / (0.64 + std*std)
		for i, f := range r.f {
			r.f[i] = 1 + share*(f-1)
		}
		_, _, want := c.truth.Parameters()[0].scaled()
		_, _, with := Refit(c.truth, rows, r.at(0.64*(1-share))).Parameters()[0].scaled()
		_, _, without := Refit(c.truth, rows, r.at(0)).Parameters()[0].scaled()
		if math.Abs(with-want) > c.slack || math.Abs(without-want) < c.slack {
			t.Errorf("%s: log %g, with variances %g, without %g", c.truth.Name(), want, with, without)
		}
	}
}

func TestRefitOfDegenerateRows(t *testing.T) {
	eachTried(t, func(t *testing.T, l Scalar, targets []float64) {
		inside := func(what string, found Scalar) {
			for _, p := range found.Parameters() {
				if !(p.Value >= p.Lo && p.Value <= p.Hi) {
					t.Errorf("%s: %+v", what, p)
				}
			}
		}
		constant := func(i int) (y, weight, mean, variance float64) { return targets[0], 1, l.Link(targets[0]), 0 }
		inside("the same target", Refit(l, 20, constant))
		inside("one row", Refit(l, 1, constant))
		inside("far off", Refit(l, 6, func(i int) (y, weight, mean, variance float64) {
			return targets[i%len(targets)], 1, float64(20 * (i - 3)), 0
		}))
		nothing := func(i int) (y, weight, mean, variance float64) { return targets[0], 0, 0, 0 }
		if got := Refit(l, 3, nothing); fmt.Sprint(got) != fmt.Sprint(l) {
			t.Errorf("of rows that do not count: %v", got)
		}
		if got := Refit(l, 0, nothing); fmt.Sprint(got) != fmt.Sprint(l) {
			t.Errorf("of no rows: %v", got)
		}
	})
}

func TestRefitWeighs(t *testing.T) {
	r := draw(Gamma{Shape: 3}, 200, 1)
	twice := Refit(Gamma{Shape: 1}, 300, func(i int) (y, weight, mean, variance float64) { return r.y[i%200], 1, r.f[i%200], 0 })
	weighed := Refit(Gamma{Shape: 1}, 200, func(i int) (y, weight, mean, variance float64) {
		weight = 1
		if i < 100 {
			weight = 2
		}
		return r.y[i], weight, r.f[i], 0
	})
	if a, b := twice.(Gamma).Shape, weighed.(Gamma).Shape; math.Abs(a-b) > 1e-5*a {
		t.Errorf("rows twice %g, of weight 2 %g", a, b)
	}
}

// Rows that do not count may hold anything, the last one, too.
func TestRefitLeavesOutRowsOfNoWeight(t *testing.T) {
	r := draw(Gamma{Shape: 3}, 200, 2)
	want := Refit(Gamma{Shape: 1}, 200, r.at(0))
	got := Refit(Gamma{Shape: 1}, 202, func(i int) (y, weight, mean, variance float64) {
		if i == 0 || i == 201 {
			return -1, 0, 0, 0 // of which log p is −∞
		}
		return r.y[i-1], 1, r.f[i-1], 0
	})
	if got != want {
		t.Errorf("%+v, without the rows %+v", got, want)
	}
}

// The unit of weights does not matter, to the bit for powers of two.
func TestRefitTakesWeightsInAnyUnit(t *testing.T) {
	r := draw(Student{Scale: 0.5, Tails: 4}, 100, 2)
	start := Student{Scale: 3, Tails: 30}
	want := Refit(start, 100, r.at(0))
	for _, unit := range []float64{1. / (1 << 30), 1 << 30} {
		got := Refit(start, 100, func(i int) (y, weight, mean, variance float64) { return r.y[i], unit, r.f[i], 0 })
		if got != want {
			t.Errorf("in weights of %g %+v, of 1 %+v", unit, got, want)
		}
	}
}

// The search starts from the law's own parameters, from near a bound where they are at it, so that it can leave
// it.
func TestRefitStartsFromTheLaw(t *testing.T) {
	eachTried(t, func(t *testing.T, l Scalar, _ []float64) {
		s := newSearch(l)
		for i, v := range s.values(s.start) {
			p := s.parameters[i]
			lo, hi, want := p.scaled()
			p.Value = v
			_, _, got := p.scaled()
			testkit.Close(t, p.Name, got, min(max(want, lo+(hi-lo)/1000), hi-(hi-lo)/1000), 1e-9, 1e-9)
		}
	})
	r := draw(Gamma{Shape: 3}, 400, 1)
	want := Refit(Gamma{Shape: 1}, 400, r.at(0)).(Gamma).Shape
	for _, bound := range []float64{1e-2, 1e6} {
		testkit.Close(t, "from a bound", Refit(Gamma{Shape: bound}, 400, r.at(0)).(Gamma).Shape, want, 1e-3, 0)
	}
}

// A law stays what it is, to the bit, where no parameters are better.
func TestRefitKeepsALawThatNothingBetters(t *testing.T) {
	impossible := func(int) (y, weight, mean, variance float64) { return -1, 1, 0, 0 } // for a gamma law
	for _, l := range []Gamma{{Shape: 3}, {Shape: 1e6}} {
		if got := Refit(l, 5, impossible); got != l {
			t.Errorf("%+v becomes %+v", l, got)
		}
	}
}
