package simd

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
)

// pointShapes calls f with the shapes that the kernels over points are tested at.
func pointShapes(f func(m, n, ld int)) {
	for m := range 27 {
		f(m, counts[(7*m)%len(counts)], 257)
	}
	for _, n := range counts {
		for _, m := range []int{1, 4, 21} {
			f(m, n, n+n%5)
		}
	}
	f(256, 33, 40)
}

func TestScaledSquare(t *testing.T) {
	r := newRand(21)
	pointShapes(func(m, n, ld int) {
		phi, scale, dst := newMatrix(m, n, ld, spread(r, -40, 40)), newMatrix(1, m, m, normal(r)), newMatrix(m, n, ld, normal(r))
		for _, tier := range tiers {
			name := fmt.Sprintf("%s m=%d n=%d ld=%d", tier.name, m, n, ld)
			got := dst.clone()
			tier.ScaledSquare(got.data, phi.data, scale.data, m, n, ld)
			got.checkGuards(t, name)
			for i := range m {
				for p := range n {
					c, f := float64(scale.data[i]), float64(phi.data[i*ld+p])
					want := sum{value: c * f * f, scale: math.Abs(c * f * f), floor: (1 + math.Abs(f)) * smallest}
					if x := got.data[i*ld+p]; !want.near(x) {
						t.Fatalf("%s: dst[%d,%d] = %v, want %v", name, i, p, x, want.value)
					}
				}
			}
		}
	})
}

func TestScale(t *testing.T) {
	r := newRand(22)
	pointShapes(func(m, n, ld int) {
		start, factor := newMatrix(m, n, ld, spread(r, -60, 60)), newMatrix(1, n, n, spread(r, -60, 60))
		for _, tier := range tiers {
			name := fmt.Sprintf("%s m=%d n=%d ld=%d", tier.name, m, n, ld)
			got := start.clone()
			tier.Scale(got.data, factor.data, m, n, ld)
			got.checkGuards(t, name)
			for i := range m {
				for p := range n {
					// One rounding: there is no other answer.
					if x, want := got.data[i*ld+p], start.data[i*ld+p]*factor.data[p]; x != want {
						t.Fatalf("%s: s[%d,%d] = %v, want %v", name, i, p, x, want)
					}
				}
			}
		}
	})
}

func TestRescale(t *testing.T) {
	r := newRand(23)
	bad := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0, 0x1p-140, 0x1p-126, math.MaxFloat32, -0x1p127, 0x1p126}
	k := 0
	pointShapes(func(m, n, ld int) {
		values := spread(r, -149, 127)
		start := newMatrix(m, n, ld, func() float32 {
			if k++; k%11 == 0 {
				return bad[k/11%len(bad)]
			}
			return values()
		})
		before := make([]int32, n)
		for p := range before {
			before[p] = int32(r.IntN(2000) - 1000)
		}
		for _, tier := range tiers {
			name := fmt.Sprintf("%s m=%d n=%d ld=%d", tier.name, m, n, ld)
			got, factor := start.clone(), newMatrix(1, n, n+1, normal(r))
			exponent := append(slices.Clone(before), 12345, 12345) // two guards
			tier.Rescale(got.data, factor.data, exponent[:n], m, n, ld)
			got.checkGuards(t, name)
			factor.checkGuards(t, name)
			if exponent[n] != 12345 || exponent[n+1] != 12345 {
				t.Fatalf("%s: wrote past the exponents", name)
			}
			for p := range n {
				// The definition, by math.Frexp and without bits.
				top, finite := 0.0, true
				for i := range m {
					x := math.Abs(float64(start.data[i*ld+p]))
					finite = finite && !math.IsNaN(x) && !math.IsInf(x, 0)
					top = max(top, x)
				}
				e := 0
				if finite && top >= 0x1p-126 {
					_, e = math.Frexp(top)
					e = min(e-1, 126)
				}
				if f := math.Ldexp(1, -e); float64(factor.data[p]) != f || exponent[p] != before[p]+int32(e) {
					t.Fatalf("%s: point %d, top %v: factor %v and exponent %+d, want %v and %+d",
						name, p, top, factor.data[p], exponent[p]-before[p], f, e)
				}
				for i := range m {
					want := start.data[i*ld+p] * factor.data[p]
					if x := got.data[i*ld+p]; x != want && (x == x || want == want) {
						t.Fatalf("%s: s[%d,%d] = %v, want %v", name, i, p, x, want)
					}
				}
			}
		}
	})
}

// bernsteinExact is one Bernstein polynomial in 200 bits.
func bernsteinExact(order, i int, t float32) float64 {
	const bits = 200
	x := new(big.Float).SetPrec(bits).SetFloat64(float64(t))
	y := new(big.Float).SetPrec(bits).Sub(big.NewFloat(1).SetPrec(bits), x)
	v := new(big.Float).SetPrec(bits).SetInt(new(big.Int).Binomial(int64(order), int64(i)))
	for range i {
		v.Mul(v, x)
	}
	for range order - i {
		v.Mul(v, y)
	}
	f, _ := v.Float64()
	return f
}

func TestBernstein(t *testing.T) {
	r := newRand(24)
	for order := range MaxOrder + 1 {
		n := counts[(order*5)%len(counts)]
		if order == 20 || order == 64 {
			n = 129
		}
		ld := n + order%3
		points := newMatrix(1, n, n, func() float32 {
			switch r.IntN(8) {
			case 0:
				return float32(r.IntN(2))
			case 1:
				return float32(math.Exp2(-100 * r.Float64()))
			case 2:
				return 1 - 0x1p-24*float32(1+r.IntN(100))
			default:
				return r.Float32()
			}
		})
		for _, tier := range tiers {
			name := fmt.Sprintf("%s order=%d n=%d", tier.name, order, n)
			got := newMatrix(order+1, n, ld, normal(r))
			tier.Bernstein(got.data, points.data, order, n, ld)
			got.checkGuards(t, name)
			for p := range min(n, 40) {
				for i := range order + 1 {
					want, x := bernsteinExact(order, i, points.data[p]), float64(got.data[i*ld+p])
					exact := points.data[p] == 0 || points.data[p] == 1
					if exact && x != want || math.Abs(x-want) > tolerance*want+smallest {
						t.Fatalf("%s: b[%d](%v) = %v, want %v", name, i, points.data[p], x, want)
					}
				}
			}
		}
	}
	// Every point, tails included, is the same point computed alone.
	for _, tier := range tiers {
		const order, n = 20, 67
		points, together := newMatrix(1, n, n, r.Float32), newMatrix(order+1, n, n, normal(r))
		tier.Bernstein(together.data, points.data, order, n, n)
		for p := range n {
			var alone [order + 1]float32
			tier.Bernstein(alone[:], points.data[p:p+1], order, 1, 1)
			for i, x := range alone {
				if together.data[i*n+p] != x {
					t.Fatalf("%s: b[%d] of point %d is %v among others and %v alone", tier.name, i, p, together.data[i*n+p], x)
				}
			}
		}
	}
}
