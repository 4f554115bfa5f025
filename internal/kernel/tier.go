package kernel

import "os"

// tierVariable names the environment variable that picks a tier by name, for
// tests and debugging. A name that this machine cannot run is ignored; what runs
// is told by [Tier].
const tierVariable = "BEZIERGP_KERNEL"

// A tier is one instruction set's bodies. A nil body stands for the generic Go
// one. The bodies take pointers and check nothing: the methods of the same name
// check shapes, once.
type tier struct {
	name  string
	lanes int // float32 a register

	layer func(dst, phi, w, src *float32, wi, wj, mi, mj, n, ld int)
	outer func(dw, src, u *float32, mi, mj, n, ld int)

	bernstein    func(dst, t *float32, binomials *float64, order, n, ld int)
	scaledSquare func(dst, phi, scale *float32, m, n, ld int)
	rescale      func(s, factor *float32, exponent *int32, m, n, ld int)
	scale        func(s, factor *float32, m, n, ld int)

	exp  func(dst, v *float32, n int)
	adam func(param, grad, m, v *float32, n int, rate, beta1, beta2, rest1, rest2, correction2, epsilon float32)

	pathForward          func(dst, a, c *float64, w *float32, mi, mj, power int)
	pathBackward         func(dst, b *float64, w *float32, mi, mj, power int)
	pathGradientMean     func(dw, w *float32, a, b *float64, mi, mj int)
	pathGradientVariance func(dv, w *float32, a, b *float64, mi, mj int, shift float64)

	peak func(rounds int) // 12 · lanes multiply-adds a round
}

// tiers holds what this machine can run, best first; the last is generic.
var tiers = append(native(), &tier{name: "generic"})

// active is the tier behind the package's functions.
var active = pick(tiers, os.Getenv(tierVariable))

// pick returns the tier of that name, or the best where there is none.
func pick(from []*tier, name string) *tier {
	for _, t := range from {
		if t.name == name {
			return t
		}
	}
	return from[0]
}

// Tier returns the name of the instruction set in use: avx512, avx2, neon or
// generic. It is the best that the machine has, unless BEZIERGP_KERNEL names
// another one that it has.
func Tier() string { return active.name }

// Tiers returns the names of the instruction sets that this machine can run,
// best first. The last is generic.
func Tiers() []string {
	names := make([]string, len(tiers))
	for i, t := range tiers {
		names[i] = t.name
	}
	return names
}
