package basis

import "gonum.org/v1/gonum/mat"

// Known is the basis of two functions that tell whether a coordinate is known: one where it is, and one where it is not, which has all of
// the average that belongs to it,
//
//	φ(t) = (1, 0), φ(NaN) = (0, 1).
//
// It takes the coordinates of numbers and those of levels.
type Known struct{}

// NewKnown returns the basis with the values that it has at NaN.
func NewKnown() Averaged {
	return Averaged{Basis: Known{}, average: []float32{0, 1}, zeros: []float32{0, 0}}
}

// Nodes returns 2.
func (Known) Nodes() int { return 2 }

// Spec describes the basis.
func (Known) Spec() Spec { return Spec{Kind: KindKnown, Nodes: 2} }

// Values sets the first function to one; it is NaN where the coordinate is.
func (Known) Values(dst, t []float32, n, ld int) {
	clear(dst[ld : ld+n])
	for p, v := range t[:n] {
		dst[p] = 1 + 0*v
	}
}

// Support returns 1.
func (Known) Support() int { return 1 }

// LocalValues sets one value a point, as Values does.
func (Known) LocalValues(first []int32, values, t []float32, n, slot int) {
	clear(first[:n])
	clear(values[:n*slot])
	for p, v := range t[:n] {
		values[p*slot] = 1 + 0*v
	}
}

// Derivatives fills dst with zeros.
func (Known) Derivatives(dst, _ []float32, n, ld int) { zero(dst, 2, n, ld) }

// Mean returns that of the first function, 1, and that of the other, 0.
func (Known) Mean() []float64 { return []float64{1, 0} }

// Gram returns the diagonal matrix of Mean.
func (b Known) Gram() *mat.SymDense { return diagonal(b.Mean()) }

// PriorVariance returns one for either function.
func (Known) PriorVariance() ([]float64, error) { return []float64{1, 1}, nil }
