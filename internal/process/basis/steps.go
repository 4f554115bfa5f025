package basis

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// MaxSteps is the largest number of functions of a basis of steps.
const MaxSteps = 65536

// Steps is the basis of the splines of degree 0 over equal intervals of [0, 1]: one function an
// interval, one in it and zero elsewhere. A value of a number that many rows share has an
// interval to itself where intervals are narrow enough.
type Steps struct{ intervals int }

// NewSteps returns the basis of that many functions, 1 to [MaxSteps].
func NewSteps(nodes int) (Steps, error) {
	if nodes < 1 || nodes > MaxSteps {
		return Steps{}, fmt.Errorf("%d nodes: a basis of steps has from 1 to %d", nodes, MaxSteps)
	}
	return Steps{nodes}, nil
}

// Nodes returns the number of intervals.
func (b Steps) Nodes() int { return b.intervals }

// Spec describes the basis.
func (b Steps) Spec() Spec { return Spec{Kind: KindSteps, Nodes: b.intervals} }

// Interval returns the one that holds t; the last one holds 1, too.
func (b Steps) Interval(t float32) int {
	return min(max(int(float64(t)*float64(b.intervals)), 0), b.intervals-1)
}

// Values sets one element a point, that of its interval; it is NaN where the coordinate is.
func (b Steps) Values(dst, t []float32, n, ld int) {
	zero(dst, b.intervals, n, ld)
	for p, v := range t[:n] {
		dst[b.Interval(v)*ld+p] = 1 + 0*v
	}
}

// Support returns 1.
func (b Steps) Support() int { return 1 }

// LocalValues sets one value a point, as Values does.
func (b Steps) LocalValues(first []int32, values, t []float32, n, slot int) {
	for p, v := range t[:n] {
		first[p] = int32(b.Interval(v))
		own := values[p*slot:][:slot]
		clear(own)
		own[0] = 1 + 0*v
	}
}

// Derivatives fills dst with zeros: nothing varies within an interval.
func (b Steps) Derivatives(dst, _ []float32, n, ld int) {
	zero(dst, b.intervals, n, ld)
}

// Mean returns 1/m for every function.
func (b Steps) Mean() []float64 { return repeat(1/float64(b.intervals), b.intervals) }

// Gram returns the diagonal matrix of Mean.
func (b Steps) Gram() *mat.SymDense { return diagonal(b.Mean()) }

// PriorVariance returns one for every function.
func (b Steps) PriorVariance() ([]float64, error) { return repeat(1, b.intervals), nil }
