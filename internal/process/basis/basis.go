// Package basis holds the functions of one input that span a Bézier Gaussian
// process: Bernstein polynomials, splines or steps for a number, indicators for a category, and
// for either whether it is known.
//
// A layer of a Bézier buttress has one node for every function of its input's
// basis. The basis knows nothing of buttresses, and a buttress sees only values.
package basis

import (
	"encoding/binary"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Basis is a set of functions φ_0 … φ_{m−1} of one coordinate t that add up to
// one everywhere. Implementations are immutable and safe for concurrent use; but for
// [Averaged], they can be keys of maps.
//
// Values and Derivatives fill dst, stored node by node: φ_i at point p goes to
// dst[i*ld+p], for n points t[0:n] with n ≤ ld. They panic when dst or t is too
// short. A coordinate outside the basis's domain is a mistake of the caller:
// the box maps every value into it.
type Basis interface {
	// Nodes returns m, the number of functions.
	Nodes() int
	// Values fills dst, [m, ld], with the functions at n coordinates.
	Values(dst, t []float32, n, ld int)
	// Derivatives fills dst, [m, ld], with dφ_i/dt at n coordinates.
	Derivatives(dst, t []float32, n, ld int)
	// Mean returns the functions' averages over the domain, length m.
	Mean() []float64
	// Gram returns the averages of the functions' products, [m, m].
	Gram() *mat.SymDense
	// PriorVariance returns ς, the variances of a priori independent control
	// points for which Σ_i ς_i φ_i(t)² is one at the nodes, length m; all are
	// positive. It fails where no such variances exist.
	PriorVariance() ([]float64, error)
	// Support returns how many functions may not vanish at a point; they follow one
	// another.
	Support() int
	// LocalValues writes the first of them at n coordinates to first, and their values to
	// [n, slot] by rows, with slot at least Support and zeros behind.
	LocalValues(first []int32, values, t []float32, n, slot int)
	// Spec describes the basis, so that New makes it again.
	Spec() Spec
}

// Kind names a family of bases in a model file.
type Kind string

const (
	KindBernstein Kind = "bernstein"
	KindIndicator Kind = "indicator"
	KindSpline    Kind = "spline"
	KindSteps     Kind = "steps"
	KindPooled    Kind = "pooled"
	KindKnown     Kind = "known"
)

// families are the kinds there are, each with what makes a basis of so many nodes.
var families = []struct {
	kind Kind
	make func(s Spec) (Basis, error)
}{
	{KindBernstein, func(s Spec) (Basis, error) { return NewBernstein(s.Nodes - 1) }},
	{KindIndicator, func(s Spec) (Basis, error) { return NewIndicator(s.Nodes) }},
	{KindSpline, func(s Spec) (Basis, error) { return NewSpline(s.Nodes) }},
	{KindSteps, func(s Spec) (Basis, error) { return NewSteps(s.Nodes) }},
	{KindPooled, func(s Spec) (Basis, error) { return NewPooled(s.Nodes, s.Pool) }},
	{KindKnown, func(s Spec) (Basis, error) {
		if s.Nodes != 2 {
			return nil, fmt.Errorf("%d functions that tell whether a coordinate is known; there are two", s.Nodes)
		}
		return Known{}, nil
	}},
}

// Kinds returns the kinds there are.
func Kinds() (kinds []Kind) {
	for _, f := range families {
		kinds = append(kinds, f.kind)
	}
	return kinds
}

// Spec describes a basis in a model file.
type Spec struct {
	Kind Kind `json:"kind"`
	// Nodes is the number of functions: the order plus one, or the levels.
	Nodes int `json:"nodes"`
	// Pool holds the levels of a [Pooled] that share a function.
	Pool Pool `json:"pool,omitzero"`
	// Average holds the functions' values where the coordinate is not known; see
	// [Averaged]. It may be nil.
	Average []float64 `json:"average,omitempty"`
}

// Key returns what two bases share that are the same, and no others do.
func (s Spec) Key() string {
	key := append([]byte(s.Kind), ' ')
	for _, n := range []int{s.Nodes, s.Pool.From, s.Pool.To, len(s.Average)} {
		key = binary.AppendUvarint(key, uint64(n))
	}
	for _, v := range s.Average {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	return string(key)
}

// New makes the basis that spec describes.
func New(spec Spec) (Basis, error) {
	if spec.Average != nil {
		average := spec.Average
		spec.Average = nil
		b, err := New(spec)
		if err != nil {
			return nil, err
		}
		return NewAveraged(b, average)
	}
	if spec.Pool != (Pool{}) && spec.Kind != KindPooled {
		return nil, fmt.Errorf("a pool of levels of a basis of kind %q", spec.Kind)
	}
	for _, f := range families {
		if f.kind == spec.Kind {
			return f.make(spec)
		}
	}
	return nil, fmt.Errorf("basis %q is unknown; this version knows %q", spec.Kind, Kinds())
}

// Ordered reports whether the functions of b have neighbours; those of a category have
// none.
func Ordered(b Basis) bool {
	_, category := Bare(b).(Category)
	return !category
}

// Category is a basis of levels, whose numbers are the coordinates: an [Indicator] or one that is [Pooled].
type Category interface {
	Basis
	Levels() int                    // that there are
	Function(level int) int         // that is one at a level
	First(function int) (level int) // the first level that has a function
}

var (
	_ Category = Indicator{}
	_ Category = Pooled{}
)

// zero clears dst, [nodes, ld], at n points.
func zero(dst []float32, nodes, n, ld int) {
	for i := range nodes {
		clear(dst[i*ld : i*ld+n])
	}
}

// diagonal returns the matrix with these values on its diagonal.
func diagonal(values []float64) *mat.SymDense {
	g := mat.NewSymDense(len(values), nil)
	for i, v := range values {
		g.SetSym(i, i, v)
	}
	return g
}
