package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

var planned = step{Work: 4, Spread: 0.05, Values: 60e6, Exchanges: 10, Latency: 30e-6, Bandwidth: 1.25e9, Adding: 2e9}

// The formula is near what the messages come to, one by one.
func TestFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, ranks := range []int{1, 2, 3, 8, 64} {
		got, want := planned.time(ranks), planned.simulate(ranks, 100, rng)
		if math.Abs(got-want) > 0.05*want {
			t.Errorf("%d ranks: %g by the formula, %g message by message", ranks, got, want)
		}
	}
}

// Without latency, stragglers and additions, two ranks halve the work and send half of the values
// each.
func TestTwoRanks(t *testing.T) {
	s := step{Work: 4, Values: 60e6, Exchanges: 3, Bandwidth: 1e9, Adding: math.Inf(1)}
	if got := s.time(2); math.Abs(got-2.03) > 1e-12 {
		t.Error(got)
	}
	if got := s.pays(1024); s.time(2*got) <= 0.75*s.time(got) || s.time(got) > 0.75*s.time(got/2) {
		t.Errorf("%d ranks pay", got)
	}
}

func TestLine(t *testing.T) {
	sizes := []float64{0, 100, 1000, 1e6}
	var times []float64
	for _, n := range sizes {
		times = append(times, 3e-5+2e-9*n)
	}
	if alpha, beta := line(sizes, times); math.Abs(alpha-3e-5) > 1e-12 || math.Abs(beta-2e-9) > 1e-16 {
		t.Error(alpha, beta)
	}
}
