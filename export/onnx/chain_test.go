package onnx

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Rescaled layers have the same product, and a bound of states near one on the way, whatever
// the layers' sizes.
func TestRescaledChains(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const m = 3
	for _, size := range []func(i int) float64{
		func(i int) float64 { return 8 },
		func(i int) float64 { return 1.0 / 64 },
		func(i int) float64 { return math.Ldexp(1, 40*(i%2)-20) },
		func(i int) float64 { return math.Ldexp(1, map[bool]int{true: 4, false: -4}[i < 30]) },
		func(i int) float64 { return 1.001 },
	} {
		var c chain
		for i := range 60 {
			l := layer{input: i, rows: m, m: m, largest: 1}
			for range m * m {
				l.weights = append(l.weights, size(i)*rng.NormFloat64())
			}
			c.layers = append(c.layers, l)
		}
		before := log2(c)
		if err := c.rescale(-1); err != nil {
			t.Fatal(err)
		}
		if after := log2(c) + float64(c.exponent); math.Abs(after-before) > 1e-9 {
			t.Errorf("a product of 2^%g became 2^%g", before, after)
		}
		bound := 0.0
		for i, l := range c.layers {
			largest := 0.0
			for _, v := range l.weights {
				largest = max(largest, math.Abs(v))
			}
			if bound += math.Log2(largest); math.Abs(bound) > unscaled+1 {
				t.Fatalf("the bound after layer %d is 2^%g", i, bound)
			}
		}
	}
}

// log2 is the logarithm of the largest element of the product of a chain's layers, by powers of
// two taken out of every state.
func log2(c chain) (log float64) {
	state := []float64{1, 0.5, 0.25}
	for _, l := range c.layers {
		next := make([]float64, l.m)
		for i, s := range state {
			for j := range next {
				next[j] += s * l.weights[i*l.m+j]
			}
		}
		largest := 0.0
		for _, v := range next {
			largest = max(largest, math.Abs(v))
		}
		log += math.Log2(largest)
		for j := range next {
			next[j] /= largest
		}
		state = next
	}
	return log
}
