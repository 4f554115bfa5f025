package kernel

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// A chain is the work of one training step on the mean buttresses: r orderings
// of d layers of m nodes, over a batch of points in strips.
type chain struct {
	m, d, r, batch, strip int
	order                 [][]int      // of the inputs, by ordering
	phi                   []float32    // [batch/strip, d, m, strip]
	w, dw                 []float32    // [r, d, m, m]
	states                []float32    // [r, d, m, strip]
	u                     [2][]float32 // [m, strip]
	ones                  []float32
}

func newChain(m, d, r, batch, strip int) *chain {
	random := newRand(1)
	fill := func(n int) []float32 {
		s := make([]float32, n)
		for i := range s {
			s[i] = 1 + 0.01*float32(random.NormFloat64())
		}
		return s
	}
	c := &chain{m: m, d: d, r: r, batch: batch, strip: strip,
		phi: fill(batch * d * m), w: fill(r * d * m * m), dw: make([]float32, r*d*m*m),
		states: fill(r * d * m * strip), u: [2][]float32{fill(m * strip), fill(m * strip)}, ones: fill(m * strip),
	}
	for i := range c.phi {
		c.phi[i] /= float32(m)
	}
	for range r {
		c.order = append(c.order, random.Perm(d))
	}
	return c
}

func (c *chain) flops() float64 {
	return 3 * 2 * float64(c.m*c.m) * float64(c.batch) * float64(c.d) * float64(c.r)
}

// step runs all strips forward through all orderings, keeping states, then
// backward: the residual that the backward pass starts from needs them all.
func (c *chain) step(t *tier) {
	mm, row := c.m*c.m, c.m*c.strip
	for s := range c.batch / c.strip {
		phi := c.phi[s*c.d*row:]
		for k := range c.r {
			src := c.ones
			for g, x := range c.order[k] {
				l := k*c.d + g
				dst := c.states[l*row : (l+1)*row]
				t.Layer(dst, phi[x*row:][:row], c.w[l*mm:][:mm], src, c.m, 1, c.m, c.m, c.strip, c.strip)
				src = dst
			}
		}
		for k := range c.r {
			u := c.u[0]
			for g := c.d - 1; g >= 0; g-- {
				l := k*c.d + g
				src, x := c.ones, c.order[k][max(g-1, 0)]
				if g > 0 {
					src = c.states[(l-1)*row:][:row]
				}
				t.Outer(c.dw[l*mm:][:mm], src, u, c.m, c.m, c.strip, c.strip)
				next := c.u[(c.d-g)&1]
				t.Layer(next, phi[x*row:][:row], c.w[l*mm:][:mm], u, 1, c.m, c.m, c.m, c.strip, c.strip)
				u = next
			}
		}
	}
}

func BenchmarkChain(b *testing.B) {
	for _, shape := range [][2]int{{21, 4}, {21, 17}, {6, 385}, {4, 1000}} {
		for _, tier := range tiers {
			if tier.layer == nil {
				continue
			}
			for _, strip := range []int{32, 64, 128, 256, 512} {
				b.Run(fmt.Sprintf("m=%d/d=%d/strip=%d/%s", shape[0], shape[1], strip, tier.name), func(b *testing.B) {
					c := newChain(shape[0], shape[1], 20, 512, strip)
					c.step(tier)
					peak := Peak(tier.name)
					best := time.Duration(math.MaxInt64)
					b.ResetTimer()
					for range b.N {
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
