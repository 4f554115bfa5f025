package simd

import (
	"fmt"
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	var values []float32
	// Far beyond overflow and underflow, at a step that is no binary fraction.
	for x := float32(-130); x < 130; x += 0.0137 {
		values = append(values, x)
	}
	// Both sides of where the result leaves the range and the normal range.
	for _, edge := range []float32{0, 88.722839, -87.336544, -103.278929, -103.972084} {
		for _, step := range []float32{-1e-3, -1e-5, 0, 1e-5, 1e-3} {
			values = append(values, edge+step)
		}
	}
	values = append(values, inf, -inf, nan, 1e38, -1e38, 0x1p-149, -0x1p-149, float32(math.Copysign(0, -1)))
	for _, tier := range tiers {
		dst := make([]float32, len(values))
		tier.Exp(dst, values)
		for i, v := range values {
			// 1.2e-38 is the smallest normal number: results below may be flushed.
			want := sum{value: math.Exp(float64(v)), floor: 1.2e-38}
			want.scale, want.peak = want.value, want.value
			infinite := want.value > math.MaxFloat32*(1+tolerance)
			if x := dst[i]; !want.near(x) && !(infinite && x == inf) || infinite && x != inf || x < 0 {
				t.Errorf("%s: exp(%v) = %v, want %v", tier.name, v, x, want.value)
			}
		}
	}
}

func TestExpCounts(t *testing.T) {
	r := newRand(31)
	for _, n := range counts {
		v := newMatrix(1, n, n, normal(r))
		for _, tier := range tiers {
			name := fmt.Sprintf("%s n=%d", tier.name, n)
			got, same := newMatrix(1, n, n, normal(r)), v.clone()
			tier.Exp(got.data, v.data)
			tier.Exp(same.data, same.data)
			got.checkGuards(t, name)
			same.checkGuards(t, name)
			for i, x := range got.data {
				want := math.Exp(float64(v.data[i]))
				if math.Abs(float64(x)-want) > tolerance*want {
					t.Fatalf("%s: exp(%v) = %v, want %v", name, v.data[i], x, want)
				}
				if same.data[i] != x {
					t.Fatalf("%s: exp(%v) is %v, in place %v", name, v.data[i], x, same.data[i])
				}
			}
		}
	}
}

func TestAdam(t *testing.T) {
	r := newRand(32)
	step := AdamStep{Rate: 0.02, Beta1: 0.9, Beta2: 0.999, Correction2: 1 / (1 - 0.999*0.999), Epsilon: 1e-8}
	for _, n := range counts {
		param, grad := newMatrix(1, n, n, normal(r)), newMatrix(1, n, n, spread(r, -30, 10))
		m, v := newMatrix(1, n, n, spread(r, -30, 10)), newMatrix(1, n, n, func() float32 { return abs(spread(r, -40, 10)()) })
		for _, tier := range tiers {
			name := fmt.Sprintf("%s n=%d", tier.name, n)
			p2, g2, m2, v2 := param.clone(), grad.clone(), m.clone(), v.clone()
			tier.Adam(p2.data, g2.data, m2.data, v2.data, step)
			for _, a := range []*matrix{p2, g2, m2, v2} {
				a.checkGuards(t, name)
			}
			for i := range n {
				// The constants 1 − β are float32 in the kernel.
				g, b1, b2 := float64(grad.data[i]), float64(step.Beta1), float64(step.Beta2)
				wantM := b1*float64(m.data[i]) + float64(1-step.Beta1)*g
				sizeM := math.Abs(b1*float64(m.data[i])) + math.Abs(float64(1-step.Beta1)*g)
				wantV := b2*float64(v.data[i]) + float64(1-step.Beta2)*g*g
				root := math.Sqrt(wantV*float64(step.Correction2)) + float64(step.Epsilon)
				move, size := float64(step.Rate)*wantM/root, float64(step.Rate)*sizeM/root
				wantP := float64(param.data[i]) - move
				for what, c := range map[string]struct {
					got, want, size float64
				}{
					"m":     {float64(m2.data[i]), wantM, sizeM},
					"v":     {float64(v2.data[i]), wantV, wantV},
					"param": {float64(p2.data[i]), wantP, math.Abs(float64(param.data[i])) + size},
				} {
					if math.Abs(c.got-c.want) > tolerance*c.size+smallest {
						t.Fatalf("%s: %s[%d] = %v, want %v", name, what, i, c.got, c.want)
					}
				}
			}
		}
	}
}
