package simd

import (
	"fmt"
	"testing"
)

// chainCase is a chain with random weights and bases inside guard zones.
type chainCase struct {
	chain           *Chain
	widths          []int
	states, phi     *matrix
	w, dw           *matrix
	u               *Cotangents
	n, ld, from, to int
}

// newChainCase draws a chain of layers of these widths, taken in order, that
// starts at layer from.
func newChainCase(widths []int, keep bool, n, ld, from int, seed uint64) *chainCase {
	r := newRand(seed)
	ordering := make([]int, len(widths))
	for g := range ordering {
		ordering[g] = len(widths) - 1 - g // bases out of the layers' order
	}
	c := &chainCase{chain: NewChain(widths, nil, ordering, keep), widths: widths, n: n, ld: ld, from: from, to: len(widths)}
	c.states = newMatrix(c.chain.states, n, ld, normal(r))
	c.phi = newMatrix(c.chain.phi, n, ld, func() float32 { return 0.5 + r.Float32() })
	c.w = newMatrix(1, c.chain.weights, c.chain.weights, normal(r))
	c.dw = newMatrix(1, c.chain.weights, c.chain.weights, normal(r))
	c.u = c.chain.NewCotangents(ld)
	for i := range c.u.slots {
		c.u.slots[i] = canary
	}
	m := c.chain.links[c.to-1].cols
	for j := range int(m) {
		for p := range n {
			c.u.slots[j*ld+p] = float32(r.NormFloat64())
		}
	}
	return c
}

// size returns the largest magnitude of a slice, to which errors are relative:
// states of later layers are sums over states of earlier ones.
func size(s []float32) float32 {
	var top float32
	for _, x := range s {
		if !isCanary(x) {
			top = max(top, abs(x))
		}
	}
	return top
}

// chainWidths are runs of equal layers, short and long, of every number of nodes
// that has kernels of its own, and what lies between.
func chainWidths() [][]int {
	var all [][]int
	for m := 1; m <= 9; m++ {
		var same []int
		for range 2*sweepLayers + 3 {
			same = append(same, m)
		}
		all = append(all, same, same[:2], same[:1])
	}
	return append(all, []int{6, 6, 6, 3, 6, 6, 2, 2, 2, 2, 1, 1, 1, 5, 5, 21, 21, 4, 4, 4})
}

// Every tier carries states through a chain as layers one by one would in the
// generic tier, and touches nothing else.
func TestChainForward(t *testing.T) {
	generic := tiers[len(tiers)-1]
	for seed, widths := range chainWidths() {
		for i, n := range []int{1, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 100} {
			for _, keep := range []bool{true, false} {
				from := (seed + i) % 2
				want := newChainCase(widths, keep, n, n+n%3, min(from, len(widths)-1), uint64(seed))
				generic.Forward(want.chain, want.from, want.to, want.states.data, want.phi.data, nil, want.w.data, n, want.ld)
				for _, tier := range tiers {
					name := fmt.Sprintf("%s widths=%v n=%d keep=%v", tier.name, widths, n, keep)
					got := newChainCase(widths, keep, n, want.ld, want.from, uint64(seed))
					tier.Forward(got.chain, got.from, got.to, got.states.data, got.phi.data, nil, got.w.data, n, got.ld)
					got.states.checkGuards(t, name)
					layers := []int{got.to - 1} // in turn, only the last layer's states are promised
					if keep {
						layers = nil
						for g := got.from; g < got.to; g++ {
							layers = append(layers, g)
						}
					}
					for _, g := range layers {
						first, m, _ := got.chain.State(g)
						a, b := got.states.data[first*got.ld:], want.states.data[first*got.ld:]
						rows := (m-1)*got.ld + n
						compare(t, fmt.Sprintf("%s: states of layer %d", name, g), a[:rows], b[:rows])
					}
				}
			}
		}
	}
}

// And cotangents back.
func TestChainBackward(t *testing.T) {
	generic := tiers[len(tiers)-1]
	for seed, widths := range chainWidths() {
		for i, n := range []int{1, 15, 16, 17, 31, 32, 33, 48, 64, 65} {
			from := (seed + i) % 2
			if len(widths) == 1 {
				from = 0
			}
			run := func(tier *tier) *chainCase {
				c := newChainCase(widths, true, n, n+n%3, from, uint64(seed))
				tier.Backward(c.chain, c.from, c.to, c.dw.data, c.u, c.states.data, c.phi.data, nil, c.w.data, n, c.ld)
				return c
			}
			want := run(generic)
			for _, tier := range tiers {
				name := fmt.Sprintf("%s widths=%v n=%d", tier.name, widths, n)
				got := run(tier)
				got.dw.checkGuards(t, name)
				got.states.checkGuards(t, name)
				for g := from; g < got.to; g++ {
					l := got.chain.links[g]
					end := int(l.w) + int(l.rows*l.cols)
					compare(t, fmt.Sprintf("%s: gradient of layer %d", name, g), got.dw.data[l.w:end], want.dw.data[l.w:end])
				}
				if from > 0 {
					m := int(got.chain.links[from].rows)
					rows := (m-1)*got.ld + n
					compare(t, name+": last cotangent", got.u.Last()[:rows], want.u.Last()[:rows])
				}
			}
		}
	}
}

// compare fails the test unless a and b agree up to rounding relative to b's size.
// The gaps between rows are to be untouched in both.
func compare(t *testing.T, name string, a, b []float32) {
	t.Helper()
	within := 20 * tolerance * size(b)
	for i := range a {
		if isCanary(a[i]) && isCanary(b[i]) {
			continue
		}
		if !(abs(a[i]-b[i]) <= within) {
			t.Fatalf("%s: element %d is %v, want %v", name, i, a[i], b[i])
		}
	}
}

func TestChainRefusesWhatIsTooShort(t *testing.T) {
	c := newChainCase([]int{3, 3, 3}, true, 8, 8, 0, 1)
	for name, call := range map[string]func(){
		"states":  func() { c.chain.Forward(0, 3, c.states.data[1:], c.phi.data, nil, c.w.data, 8, 8) },
		"phi":     func() { c.chain.Forward(0, 3, c.states.data, c.phi.data[1:], nil, c.w.data, 8, 8) },
		"weights": func() { c.chain.Forward(0, 3, c.states.data, c.phi.data, nil, c.w.data[1:], 8, 8) },
		"dw": func() {
			c.chain.Backward(0, 3, c.dw.data[1:], c.u, c.states.data, c.phi.data, nil, c.w.data, 8, 8)
		},
		"cotangents": func() {
			c.chain.Backward(0, 3, c.dw.data, c.chain.NewCotangents(7), c.states.data, c.phi.data, nil, c.w.data, 8, 8)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}
