package simd

import (
	"fmt"
	"math"
	"testing"
)

func TestKeepTimes(t *testing.T) {
	r := newRand(41)
	for _, n := range counts {
		s, phi := newMatrix(1, n, n, normal(r)), newMatrix(1, n, n, normal(r))
		for _, tier := range tiers {
			name := fmt.Sprintf("%s n=%d", tier.name, n)
			kept, got := newMatrix(1, n, n, normal(r)), s.clone()
			tier.KeepTimes(kept.data, got.data, phi.data)
			kept.checkGuards(t, name)
			got.checkGuards(t, name)
			for i, v := range s.data {
				if kept.data[i] != v || got.data[i] != v*phi.data[i] {
					t.Fatalf("%s: kept[%d] = %v, s = %v; want %v, %v", name, i, kept.data[i], got.data[i], v, v*phi.data[i])
				}
			}
		}
	}
}

func TestAddTimes(t *testing.T) {
	r := newRand(42)
	for _, n := range counts {
		sum, a := newMatrix(1, n, n, normal(r)), newMatrix(1, n, n, normal(r))
		s, phi := newMatrix(1, n, n, normal(r)), newMatrix(1, n, n, normal(r))
		for _, tier := range tiers {
			name := fmt.Sprintf("%s n=%d", tier.name, n)
			to, got := sum.clone(), s.clone()
			tier.AddTimes(to.data, a.data, got.data, phi.data)
			to.checkGuards(t, name)
			got.checkGuards(t, name)
			for i, v := range s.data {
				product := float64(a.data[i]) * float64(v)
				want, size := float64(sum.data[i])+product, math.Abs(float64(sum.data[i]))+math.Abs(product)
				if math.Abs(float64(to.data[i])-want) > tolerance*size || got.data[i] != v*phi.data[i] {
					t.Fatalf("%s: sum[%d] = %v, s = %v; want %v, %v", name, i, to.data[i], got.data[i], want, v*phi.data[i])
				}
			}
		}
	}
}
