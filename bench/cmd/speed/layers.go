package main

import (
	"time"

	"beziergp/internal/simd"
)

// layerSpeeds are the seconds that a batch takes forward and backward through splines, by
// layers of the functions that do not vanish at a point and by layers of all nodes.
type layerSpeeds struct {
	Nodes   int     `json:"nodes"`
	Workers int     `json:"workers"`
	Points  int     `json:"points"` // times layers
	Local   float64 `json:"local"`
	Dense   float64 `json:"dense"`
	Bound   float64 `json:"bound"` // what memory takes for the weights; 0 where not measured
}

// nanoseconds returns those of a point and layer.
func (s layerSpeeds) nanoseconds(seconds float64) float64 { return 1e9 * seconds / float64(s.Points) }

// keepQuicker takes up the times of another round that are shorter.
func (s *layerSpeeds) keepQuicker(o layerSpeeds) {
	s.Local, s.Dense, s.Bound = min(s.Local, o.Local), min(s.Dense, o.Dense), min(s.Bound, o.Bound)
}

// beyondCache is the number of nodes of which a buttress's weights and their gradient leave
// a core's own cache.
const beyondCache = 128

// layerNodes are the numbers of nodes that are measured, the first of them the fewest of
// which layers are local.
func layerNodes() []int { return []int{crossover(), 16, 32, 64, beyondCache} }

// crossover returns the fewest nodes of nine splines of which layers are local.
func crossover() int {
	m := 4
	for !splines(m, true).surface().Group(0).Ensemble.HasLocal() {
		m++
	}
	return m
}

// measureLayers measures splines of m nodes.
func measureLayers(m, workers int, least time.Duration) layerSpeeds {
	pool := simd.NewPool(workers)
	defer pool.Close()
	local, dense := newChain(splines(m, true), pool), newChain(splines(m, false), pool)
	s := local.ensemble
	out := layerSpeeds{Nodes: m, Workers: workers, Points: len(local.f) * s.Inputs() * s.Buttresses()}
	out.Local, out.Dense = median(local.both, least), median(dense.both, least)
	if m == beyondCache {
		out.Bound = 3 * float32Bytes * float64(len(local.w)) / copyRate(local, least)
	}
	return out
}

const float32Bytes = 4

// copyRate returns the bytes a second that are read and written where the chain's weights
// are copied to where their gradient is, buttress by buttress as the passes take them: both
// lie in the same memory as in a pass, which reads the weights and the gradient and writes
// the gradient. It copies no more at a time than what goes through the caches.
func copyRate(c *chain, least time.Duration) float64 {
	const piece = 8 << 10
	seconds := median(func() {
		c.pool.Do(len(c.out), func(_, k int) {
			w, dw := c.ensemble.Weights(c.w, k), c.ensemble.Weights(c.dw, k)
			for from := 0; from < len(w); from += piece {
				to := min(from+piece, len(w))
				copy(dw[from:to], w[from:to])
			}
		})
	}, least)
	return 2 * float32Bytes * float64(len(c.w)) / seconds
}
