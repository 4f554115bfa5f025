package basis

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// MaxLevels is the largest number of levels of an indicator basis.
const MaxLevels = 65536

// Indicator is the basis of a categorical input: one function a level, one where
// the coordinate is that level's number and zero elsewhere.
type Indicator struct{ levels int }

// NewIndicator returns the basis of a category with the given number of levels,
// whose coordinates are 0 … levels−1.
func NewIndicator(levels int) (Indicator, error) {
	if levels < 1 || levels > MaxLevels {
		return Indicator{}, fmt.Errorf("%d levels: a category has from 1 to %d", levels, MaxLevels)
	}
	return Indicator{levels}, nil
}

// Nodes returns the number of levels.
func (b Indicator) Nodes() int { return b.levels }

// Levels returns their number, too.
func (b Indicator) Levels() int { return b.levels }

// Function returns the function of a level, its own.
func (b Indicator) Function(level int) int { return level }

// First returns the level of a function.
func (b Indicator) First(function int) int { return function }

// Spec describes the basis.
func (b Indicator) Spec() Spec { return Spec{Kind: KindIndicator, Nodes: b.levels} }

// Values sets one element a point: that of its level. It panics where a
// coordinate is not a level.
func (b Indicator) Values(dst, t []float32, n, ld int) {
	zero(dst, b.levels, n, ld)
	for p, level := range t[:n] {
		dst[b.level(level)*ld+p] = 1
	}
}

func (b Indicator) level(t float32) int {
	i := int(t)
	if float32(i) != t || i < 0 || i >= b.levels {
		panic(fmt.Sprintf("basis: coordinate %g is none of %d levels", t, b.levels))
	}
	return i
}

// Support returns 1.
func (b Indicator) Support() int { return 1 }

// LocalValues sets one value a point, and panics where Values does.
func (b Indicator) LocalValues(first []int32, values, t []float32, n, slot int) {
	for p, level := range t[:n] {
		first[p] = int32(b.level(level))
		own := values[p*slot:][:slot]
		clear(own)
		own[0] = 1
	}
}

// Derivatives fills dst with zeros: nothing varies within a level.
func (b Indicator) Derivatives(dst, _ []float32, n, ld int) {
	zero(dst, b.levels, n, ld)
}

// Mean returns 1/levels for every level: the average over levels of equal weight.
func (b Indicator) Mean() []float64 {
	return repeat(1/float64(b.levels), b.levels)
}

// Gram returns the diagonal matrix of Mean.
func (b Indicator) Gram() *mat.SymDense {
	return diagonal(b.Mean())
}

// PriorVariance returns one for every level.
func (b Indicator) PriorVariance() ([]float64, error) {
	return repeat(1, b.levels), nil
}
