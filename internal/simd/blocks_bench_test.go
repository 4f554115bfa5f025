package simd

import (
	"fmt"
	"testing"
)

// blockBench is a batch of 512 points that goes in tiles through 20 buttresses of 9 inputs.
type blockBench struct {
	chains []*Chain
	w, dw  [][]float32
	states []float32
	phi    [][]float32 // by tile
	first  [][]int32
	back   *Cotangents
	tile   int
}

func newBlockBench(widths, supports []int, tile int) *blockBench {
	const buttresses, batch = 20, 512
	r := newRand(1)
	b := &blockBench{tile: tile}
	for range buttresses {
		c := NewChain(widths, supports, r.Perm(len(widths)), true)
		w := make([]float32, c.weights)
		for i := range w {
			w[i] = float32(r.NormFloat64())
		}
		b.chains, b.w, b.dw = append(b.chains, c), append(b.w, w), append(b.dw, make([]float32, len(w)))
	}
	c := b.chains[0]
	b.states, b.back = make([]float32, c.states*tile), c.NewCotangents(tile)
	for range batch / tile {
		phi, first := make([]float32, c.phi*tile), make([]int32, (1+len(widths))*tile)
		for i := range phi {
			phi[i] = 0.5 + r.Float32()
		}
		for i, m := range widths {
			if supports != nil && supports[i] != 0 {
				for p := range tile {
					first[(1+i)*tile+p] = int32(r.IntN(m - supports[i] + 1))
				}
			}
		}
		b.phi, b.first = append(b.phi, phi), append(b.first, first)
	}
	return b
}

func (b *blockBench) run(t *tier, both bool) {
	for k := range b.phi {
		for i, c := range b.chains {
			for p := range b.tile {
				b.states[p] = 1
			}
			t.Forward(c, 0, len(c.links), b.states, b.phi[k], b.first[k], b.w[i], b.tile, b.tile)
			if both {
				for p := range b.back.Last()[:4*b.tile] {
					b.back.Last()[p] = 1e-3
				}
				t.Backward(c, 0, len(c.links), b.dw[i], b.back, b.states, b.phi[k], b.first[k], b.w[i], b.tile, b.tile)
			}
		}
	}
}

// BenchmarkBlocks reports nanoseconds a point and layer, of splines local and dense.
func BenchmarkBlocks(b *testing.B) {
	for _, tier := range tiers {
		for _, m := range []int{4, 6, 8, 12, 16, 32, 64, 128} {
			for _, tile := range []int{128, 512} {
				for _, kind := range []string{"local", "dense"} {
					for _, both := range []bool{false, true} {
						b.Run(fmt.Sprintf("%s/m=%d/tile=%d/%s/both=%v", tier.name, m, tile, kind, both), func(b *testing.B) {
							var widths, supports []int
							for range 9 {
								widths = append(widths, m)
								if kind == "local" {
									supports = append(supports, 4)
								}
							}
							c := newBlockBench(widths, supports, tile)
							for b.Loop() {
								c.run(tier, both)
							}
							b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(20*512*9), "ns/point")
						})
					}
				}
			}
		}
	}
}
