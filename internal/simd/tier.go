package simd

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// tierVariable names the environment variable that picks a tier by name, for
// tests and debugging. Of a name that this machine cannot run [Check] tells.
const tierVariable = "BEZIERGP_KERNEL"

// known are the names of the tiers of all machines.
var known = []string{"avx512", "avx2", "neon", "generic"}

// A tier is one instruction set's bodies. A nil body stands for the generic Go
// one. The bodies take pointers and check nothing: the methods of the same name
// check shapes, once.
type tier struct {
	name  string
	lanes int // float32 a register

	layer func(dst, phi, w, src *float32, wi, wj, mi, mj, n, ld int)
	outer func(dw, src, u *float32, mi, mj, n, ld int)

	forward  func(links *link, count int, states, phi, w *float32, n, ld int)
	backward func(last *link, count int, dw, u, spare, states, phi, w *float32, n, ld int)

	// By number of nodes; what is beyond or nil goes layer by layer.
	sweepForward, sweepBackward []sweep
	gradient                    []gradient // n ≤ shortTile

	// Of layers both sides of which are local, by how many functions do not vanish at a
	// point, of the layer before and of this one; gradient is what backward has of the weights.
	blockForward  [MostLocal + 1][MostLocal + 1]blockForward
	blockBackward [MostLocal + 1][MostLocal + 1]blockBackward
	blockGradient [MostLocal + 1][MostLocal + 1]blockGradient

	// Of layers one side of which is local, by its functions: gather to it, spread from it.
	gatherForward  [MostLocal + 1]gatherForward
	gatherBackward [MostLocal + 1]gatherBackward
	spreadForward  [MostLocal + 1]spreadForward
	spreadBackward [MostLocal + 1]spreadBackward

	loadLines func(dst, table *float32, at *int, count, n int)
	moveLines func(table *float32, at *int, grad, center, moved, edges, slots *float32, count, n int, beta2, rest2, rate, epsilon float32)
	transpose func(dst, src *float32, m, n, to, from int)

	bernstein    func(dst, t *float32, binomials *float64, order, n, ld int)
	scaledSquare func(dst, phi, scale *float32, m, n, ld int)
	rescale      func(s, factor *float32, exponent *int32, m, n, ld int)
	scale        func(s, factor *float32, m, n, ld int)

	exp        func(dst, v *float32, n int)
	adam       func(param, grad, m, v *float32, n int, rate, beta1, beta2, rest1, rest2, correction2, epsilon float32)
	adamBlocks func(param, grad, m, v *float32, n int, rate, beta1, beta2, rest1, rest2, correction2, epsilon float32)
	smooth     func(dw, w, before, after, above, below *float32, n int, lambda float32)
	keepTimes  func(kept, s, phi *float32, n int)
	addTimes   func(sum, a, s, phi *float32, n int)
	addRow     func(sum, w *float32, n int)
	pullRow    func(dw, w, center *float32, n int, lambda float32)
	pullTo     func(dw, w *float32, n int, center, lambda float32)

	pathForward          func(dst, a, c *float64, w *float32, mi, mj, power int)
	pathBackward         func(dst, b *float64, w *float32, mi, mj, power int)
	pathGradientMean     func(dw, w *float32, a, b *float64, mi, mj int)
	pathGradientVariance func(dv, w *float32, a, b *float64, mi, mj int, shift float64)

	panels               func(sums, a, b *float64, k int)
	panelRows, panelCols int

	peak func(rounds int) // 12 · lanes multiply-adds a round
}

// A sweep carries states through count layers that have the same number of nodes
// before and behind, from src to dst and then every step further on.
type sweep = func(links *int64, count int, dst *float32, step int, src, phi, w *float32, n, ld int)

// A gradient adds the gradient by the weights of such layers; u are the cotangents,
// step apart from the last layer's.
type gradient = func(links *int64, count int, dw, u *float32, step int, states *float32, n, ld int)

// The bodies of local layers do not check that the blocks are within the weights.
type (
	blockForward  = func(dst, phi, src *float32, from, to *int32, w *float32, cols, n int)
	blockBackward = func(back, phi, src, u, dw *float32, from, to *int32, w *float32, cols, n int)
	blockGradient = func(src, u *float32, from, to *int32, dw *float32, cols, n int)

	gatherForward  = func(dst, phi, src *float32, first *int32, w *float32, m, cols, n, ld int)
	gatherBackward = func(back, phi, src, u, dw *float32, first *int32, w *float32, m, cols, n, ld int)
	spreadForward  = func(dst, phi, src *float32, first *int32, w *float32, m, n, ld int)
	spreadBackward = func(back, phi, src, u, dw *float32, first *int32, w *float32, m, n, ld int)
)

// shortTile is the number of points up to which a gradient takes them.
const shortTile = 32

// tiers holds what this machine can run, best first; the last is generic.
var tiers = append(native(), &tier{name: "generic"})

// active is the tier behind the package's functions. Where the variable asks for what
// cannot be had it is the best, and errActive says so: an import must not panic.
var active, errActive = pick(tiers, os.Getenv(tierVariable))

// Check fails where the environment asks for an instruction set that there is not, or
// that this machine has not.
func Check() error { return errActive }

// pick returns the tier of that name, the best for none, and for a wrong one the best
// and what is wrong.
func pick(from []*tier, name string) (*tier, error) {
	have := namesOf(from)
	if name == "" {
		return from[0], nil
	}
	if i := slices.Index(have, name); i >= 0 {
		return from[i], nil
	}
	problem := "is no instruction set: there are " + strings.Join(known, ", ")
	if slices.Contains(known, name) {
		problem = "is none of this machine's instruction sets"
	}
	return from[0], fmt.Errorf("%s=%.40q %s; this machine has %s: name one of these, or unset %s for the best",
		tierVariable, name, problem, strings.Join(have, ", "), tierVariable)
}

// Tier returns the name of the instruction set in use: avx512, avx2, neon or
// generic. It is the best that the machine has, unless BEZIERGP_KERNEL names
// another one that it has; see [Check].
func Tier() string { return active.name }

// Sweeps tells whether the instruction set in use has kernels for runs of narrow
// layers, which are at their best at tiles of few points.
func Sweeps() bool { return active.sweepForward != nil }

// Tiers returns the names of the instruction sets that this machine can run,
// best first. The last is generic.
func Tiers() []string { return namesOf(tiers) }

func namesOf(tiers []*tier) []string {
	names := make([]string, len(tiers))
	for i, t := range tiers {
		names[i] = t.name
	}
	return names
}
