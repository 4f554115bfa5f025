package buttress

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkNarrow compares points whose lacking coordinates are told apart with all of them together, forward and backward
// through 20 buttresses of 9 inputs, of which each lacks one.
func BenchmarkNarrow(b *testing.B) {
	for _, m := range []int{16, 31, 61, 121} {
		for _, n := range []int{1, 4, 16, 64} {
			for _, narrow := range []bool{true, false} {
				b.Run(fmt.Sprintf("m=%d/points=%d/narrow=%v", m, n, narrow), func(b *testing.B) {
					const d, stride = 9, 128
					rng := rand.New(rand.NewPCG(1, 1))
					e, err := New(slices.Repeat([]int{m}, d), slices.Repeat([]int{4}, d), RandomOrderings(d, 20, rng))
					if err != nil || !e.HasLocal() {
						b.Skip(err)
					}
					s := e.NewKeptStates(stride)
					x := &Tile{Points: stride, Stride: stride, Phi: make([]float32, e.Rows()*stride), First: make([]int32, (1+d)*stride), Whole: &Whole{}}
					x.Whole.Tile = Tile{Points: n, Stride: stride, Phi: normals(e.WholeRows()*stride, 0.1, 0.01, rng)}
					for i := range d {
						for p := range n * 4 {
							if p%4 == 0 {
								if i == 0 {
									x.Whole.At = append(x.Whole.At, p/4)
								}
								x.First[(1+i)*stride+p/4] = int32(rng.IntN(m - 4))
							}
							if p/4%d != i {
								x.Phi[e.Row(i)*stride+p] = 0.25
							}
						}
					}
					if narrow {
						for i := range d {
							x.Whole.Averages = append(x.Whole.Averages, normals(m, 1/float64(m), 0, rng))
							x.Whole.Lacking = append(x.Whole.Lacking, nil)
							for p := range n {
								if p%d == i {
									x.Whole.Lacking[i] = append(x.Whole.Lacking[i], p)
								}
							}
						}
					} else {
						x.Whole.Together = n
					}
					w, dw := normals(e.Size(), 1, 0.1, rng), make([]float32, e.Size())
					out, cotangent := make([]float32, stride), slices.Repeat([]float32{1e-3}, stride)
					x.Points = n
					for b.Loop() {
						for k := range e.Buttresses() {
							e.Forward(k, e.Weights(w, k), x, s, out)
							e.Backward(k, e.Weights(w, k), x, s, cotangent, e.Weights(dw, k))
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20, "ns/buttress")
				})
			}
		}
	}
}
