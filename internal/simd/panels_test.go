package simd

import (
	"fmt"
	"math"
	"testing"
)

func TestMulPanels(t *testing.T) {
	r := newRand(61)
	for _, tier := range tiers {
		rows, cols := tier.panelShape()
		for _, k := range counts {
			name := fmt.Sprintf("%s k=%d", tier.name, k)
			a, b, sums := newLine(rows*k, r.NormFloat64), newLine(cols*k, r.NormFloat64), newLine(rows*cols, r.NormFloat64)
			tier.MulPanels(sums.data, a.data, b.data, k)
			for i := range rows {
				for j := range cols {
					var want, size float64
					for p := range k {
						term := a.data[p*rows+i] * b.data[p*cols+j]
						want += term
						size += math.Abs(term)
					}
					if got := sums.data[i*cols+j]; !(math.Abs(got-want) <= 2*exact*size) {
						t.Fatalf("%s: sum %d, %d is %v, want %v", name, i, j, got, want)
					}
				}
			}
			sums.checkGuards(t, name)
		}
	}
}

// A NaN stays in its row and column.
func TestMulPanelsNotFinite(t *testing.T) {
	const k = 5
	for _, tier := range tiers {
		rows, cols := tier.panelShape()
		one := func() float64 { return 1 }
		a, b, sums := newLine(rows*k, one), newLine(cols*k, one), newLine(rows*cols, one)
		a.data[2*rows+1], b.data[3*cols+2] = math.NaN(), math.Inf(1)
		tier.MulPanels(sums.data, a.data, b.data, k)
		for at, got := range sums.data {
			want := float64(k)
			if at%cols == 2 {
				want = math.Inf(1)
			}
			if at/cols == 1 {
				want = math.NaN()
			}
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: sum %d, %d is %v, want %v", tier.name, at/cols, at%cols, got, want)
			}
		}
	}
}

func BenchmarkMulPanels(b *testing.B) {
	const k = 512
	for _, tier := range tiers {
		rows, cols := tier.panelShape()
		x, y, sums := make([]float64, rows*k), make([]float64, cols*k), make([]float64, rows*cols)
		b.Run(tier.name, func(b *testing.B) {
			for b.Loop() {
				tier.MulPanels(sums, x, y, k)
			}
			b.ReportMetric(2e-9*float64(b.N)*float64(rows*cols*k)/b.Elapsed().Seconds(), "GFLOP/s")
		})
	}
}
