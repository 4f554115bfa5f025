package surface

import (
	"fmt"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
)

// BenchmarkFill evaluates the bases of a tile whose rows come from a batch, as in
// training: what a worker does before it can begin with its buttresses.
func BenchmarkFill(b *testing.B) {
	for _, d := range []int{8, 31, 256, 1000, 1024, 2048} {
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			widths, bases, ordering := make([]int, d), make([]basis.Basis, d), make([]int, d)
			for i := range d {
				bases[i], _ = basis.NewBernstein(5)
				widths[i], ordering[i] = 6, i
			}
			e, err := buttress.New(widths, nil, [][]int{ordering})
			if err != nil {
				b.Fatal(err)
			}
			s, err := New(Group{Bases: bases, Ensemble: e})
			if err != nil {
				b.Fatal(err)
			}
			const rows = 512
			n, tile := s.TilePoints(), s.NewTile(0)
			x := make([]float32, rows*d)
			for i := range x {
				x[i] = float32(i%97) / 97
			}
			at := 0
			for b.Loop() {
				tile.Fill(x[at*d : (at+n)*d])
				at = (at + n) % rows
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*d), "ns/coordinate")
		})
	}
}
