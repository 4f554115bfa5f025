package simd

import (
	"fmt"
	"math"
	"testing"
)

func TestAdamBlocks(t *testing.T) {
	r := newRand(34)
	step := AdamStep{Rate: 0.02, Beta1: 0.9, Beta2: 0.999, Correction2: 1 / (1 - 0.999*0.999), Epsilon: 1e-8}
	for _, n := range append([]int{15, 16, 31, 32, 64, 67, 96, 3721}, counts...) {
		blocks := (n + 31) / 32
		param, grad := newMatrix(1, n, n, normal(r)), newMatrix(1, n, n, spread(r, -30, 10))
		m, v := newMatrix(1, n, n, spread(r, -30, 10)), newMatrix(1, blocks, blocks, func() float32 { return abs(spread(r, -40, 10)()) })
		for _, tier := range tiers {
			name := fmt.Sprintf("%s %d", tier.name, n)
			p2, g2, m2, v2 := param.clone(), grad.clone(), m.clone(), v.clone()
			tier.AdamBlocks(p2.data, g2.data, m2.data, v2.data, step)
			for _, a := range []*matrix{p2, g2, m2, v2} {
				a.checkGuards(t, name)
			}
			for b := range blocks {
				from, to := 32*b, min(32*b+32, n)
				var square float64
				for _, g := range grad.data[from:to] {
					square += float64(g) * float64(g) / float64(to-from)
				}
				wantV := float64(step.Beta2)*float64(v.data[b]) + float64(1-step.Beta2)*square
				root := math.Sqrt(wantV*float64(step.Correction2)) + float64(step.Epsilon)
				near(t, name+" v", v2.data[b], wantV, wantV)
				for k := from; k < to; k++ {
					g, old := float64(1-step.Beta1)*float64(grad.data[k]), float64(step.Beta1)*float64(m.data[k])
					size := math.Abs(g) + math.Abs(old)
					near(t, name+" m", m2.data[k], old+g, size)
					near(t, name+" param", p2.data[k], float64(param.data[k])-float64(step.Rate)*(old+g)/root,
						math.Abs(float64(param.data[k]))+float64(step.Rate)*size/root)
					if g2.data[k] != 0 {
						t.Fatalf("%s: gradient %d is %v, not cleared", name, k, g2.data[k])
					}
				}
			}
		}
	}
}

func TestSmooth(t *testing.T) {
	r := newRand(33)
	const lambda = 0.7
	for _, n := range counts {
		for _, m := range []int{0, 1, 2, 4, 37} {
			dw, w := newMatrix(m, n, n, spread(r, -30, 10)), newMatrix(m, n, n, spread(r, -30, 10))
			for kind := range 4 {
				along, across := kind&1 != 0, kind&2 != 0
				for _, tier := range tiers {
					name := fmt.Sprintf("%s %d×%d %v %v", tier.name, m, n, along, across)
					got := dw.clone()
					tier.Smooth(got.data, w.data, m, n, along, across, lambda)
					got.checkGuards(t, name)
					for i := range m {
						for j := range n {
							v := float64(w.data[i*n+j])
							want, size := float64(dw.data[i*n+j]), math.Abs(float64(dw.data[i*n+j]))
							add := func(is bool, i, j int) {
								if is && i >= 0 && i < m && j >= 0 && j < n {
									other := float64(w.data[i*n+j])
									want += lambda * (v - other)
									size += lambda * (math.Abs(v) + math.Abs(other))
								}
							}
							add(along, i, j-1)
							add(along, i, j+1)
							add(across, i-1, j)
							add(across, i+1, j)
							near(t, name, got.data[i*n+j], want, size)
						}
					}
				}
			}
		}
	}
}

// near fails the test where got is not want, but for rounding of numbers of some size.
func near(t *testing.T, name string, got float32, want, size float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= tolerance*size+smallest) {
		t.Fatalf("%s: %v, want %v", name, got, want)
	}
}
