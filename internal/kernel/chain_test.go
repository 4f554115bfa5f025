package kernel

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// A chain is the products of one training step on the mean buttresses: r
// orderings of d layers of m nodes, over a batch of points in strips. A strip
// goes forward through all orderings before it goes back through any, because
// the residual in between needs them all. Every every-th state is kept for that;
// the states between are computed again.
type chain struct {
	m, d, r, batch, strip, every int

	order   [][]int      // of the inputs, by ordering
	phi     []float32    // [batch/strip, d, m, strip]
	w, dw   []float32    // [r, d, m, m]
	kept    []float32    // [r, ⌈d/every⌉, m, strip]
	segment []float32    // [every, m, strip]
	u       [2][]float32 // [m, strip]
	ones    []float32    // [m, strip]
}

func newChain(m, d, r, batch, strip, every int) *chain {
	random := newRand(1)
	fill := func(n int) []float32 {
		s := make([]float32, n)
		for i := range s {
			s[i] = 1 + 0.01*float32(random.NormFloat64())
		}
		return s
	}
	c := &chain{
		m: m, d: d, r: r, batch: batch, strip: strip, every: every,
		phi: fill(batch * d * m), w: fill(r * d * m * m), dw: make([]float32, r*d*m*m),
		kept: make([]float32, r*((d+every-1)/every)*m*strip), segment: make([]float32, every*m*strip),
		u: [2][]float32{make([]float32, m*strip), make([]float32, m*strip)}, ones: fill(m * strip),
	}
	for i := range c.phi {
		c.phi[i] /= float32(m) // so that states stay near one
	}
	for range r {
		c.order = append(c.order, random.Perm(d))
	}
	return c
}

// flops counts a product of a layer forward, one back and one for its gradient;
// what is computed again does not count.
func (c *chain) flops() float64 {
	return 3 * 2 * float64(c.m*c.m) * float64(c.batch) * float64(c.d) * float64(c.r)
}

// row is state k of states.
func (c *chain) row(states []float32, k int) []float32 {
	size := c.m * c.strip
	return states[k*size:][:size]
}

// layer carries src through layer g of ordering k.
func (c *chain) layer(t *tier, dst, phi, src []float32, k, g int) {
	l, mm := k*c.d+g, c.m*c.m
	t.Layer(dst, c.row(phi, c.order[k][g]), c.w[l*mm:][:mm], src, c.m, 1, c.m, c.m, c.strip, c.strip)
}

func (c *chain) forward(t *tier, phi []float32, k int) {
	src, segments := c.ones, len(c.kept)/c.r/len(c.ones)
	for g := range c.d {
		dst := c.u[g&1]
		if (g+1)%c.every == 0 {
			dst = c.row(c.kept, k*segments+g/c.every)
		}
		c.layer(t, dst, phi, src, k, g)
		src = dst
	}
}

func (c *chain) backward(t *tier, phi []float32, k int) {
	mm, segments := c.m*c.m, len(c.kept)/c.r/len(c.ones)
	flip := 0
	for s := segments - 1; s >= 0; s-- {
		start, end := s*c.every, min((s+1)*c.every, c.d)
		first := c.ones
		if s > 0 {
			first = c.row(c.kept, k*segments+s-1)
		}
		src := first
		for g := start; g < end-1; g++ {
			dst := c.row(c.segment, g-start)
			c.layer(t, dst, phi, src, k, g)
			src = dst
		}
		for g := end - 1; g >= start; g-- {
			src := first
			if g > start {
				src = c.row(c.segment, g-start-1)
			}
			u, next := c.u[flip], c.u[flip^1]
			flip ^= 1
			w, dw := c.w[(k*c.d+g)*mm:][:mm], c.dw[(k*c.d+g)*mm:][:mm]
			// Layer first: Outer needs nothing of it and covers its latency.
			t.Layer(next, c.row(phi, c.order[k][max(g-1, 0)]), w, u, 1, c.m, c.m, c.m, c.strip, c.strip)
			t.Outer(dw, src, u, c.m, c.m, c.strip, c.strip)
		}
	}
}

func (c *chain) step(t *tier) {
	for s := range c.batch / c.strip {
		phi := c.phi[s*c.d*c.m*c.strip:]
		for k := range c.r {
			c.forward(t, phi, k)
		}
		for k := range c.r {
			copy(c.u[0], c.ones)
			c.backward(t, phi, k)
		}
	}
}

// Computing states again must not change a bit of the gradient.
func TestChainRecomputed(t *testing.T) {
	for _, tier := range tiers {
		keep, again := newChain(7, 10, 2, 64, 32, 1), newChain(7, 10, 2, 64, 32, 4)
		keep.step(tier)
		again.step(tier)
		for i, x := range keep.dw {
			if x == 0 || x != again.dw[i] {
				t.Fatalf("%s: dw[%d] = %v with all states kept, %v with every fourth", tier.name, i, x, again.dw[i])
			}
		}
	}
}

// BenchmarkChain reports the best step, because other work on the machine only
// ever adds.
func BenchmarkChain(b *testing.B) {
	for _, shape := range [][2]int{{21, 4}, {21, 17}, {6, 385}, {4, 1000}} {
		for _, tier := range tiers {
			if tier.layer == nil {
				continue
			}
			for _, strip := range []int{64, 128, 256} {
				for _, every := range []int{1, 16} {
					if every > shape[1] {
						continue
					}
					b.Run(fmt.Sprintf("m=%d/d=%d/%s/strip=%d/every=%d", shape[0], shape[1], tier.name, strip, every), func(b *testing.B) {
						c := newChain(shape[0], shape[1], 20, 512, strip, every)
						c.step(tier)
						peak := Peak(tier.name)
						best := time.Duration(math.MaxInt64)
						for b.Loop() {
							start := time.Now()
							c.step(tier)
							best = min(best, time.Since(start))
						}
						rate := c.flops() / best.Seconds()
						b.ReportMetric(rate/1e9, "GFLOP/s")
						b.ReportMetric(100*rate/peak, "%peak")
					})
				}
			}
		}
	}
}
