package basis

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"beziergp/internal/simd"
)

const (
	// MaxOrder is the largest order of a Bernstein basis.
	MaxOrder = simd.MaxOrder
	// MaxPriorOrder is the largest order for which the inverse squared Bernstein
	// adjusted prior has positive variances only (paper, section 2).
	MaxPriorOrder = 25
)

// Bernstein is the basis of the Bernstein polynomials of one order ν,
//
//	B_i(t) = C(ν, i) tⁱ (1 − t)^(ν−i),  i = 0 … ν,  t in [0, 1]
//
// (paper, equation of the Bernstein polynomials). Order 0 is the constant one.
type Bernstein struct{ order int }

// NewBernstein returns the basis of the given order, 0 to [MaxOrder].
func NewBernstein(order int) (Bernstein, error) {
	if order < 0 || order > MaxOrder {
		return Bernstein{}, fmt.Errorf("order %d: a Bernstein basis has an order from 0 to %d", order, MaxOrder)
	}
	return Bernstein{order}, nil
}

// Order returns ν.
func (b Bernstein) Order() int { return b.order }

// Nodes returns ν + 1.
func (b Bernstein) Nodes() int { return b.order + 1 }

// Spec describes the basis.
func (b Bernstein) Spec() Spec { return Spec{Kind: KindBernstein, Nodes: b.Nodes()} }

// Of an order from flushedFrom a value below least is zero.
const (
	flushedFrom = 8
	least       = 0x1p-30
	leastBits   = (127 - 30) << 23 // of the float32
)

// Values fills dst with B_i(t[p]) at [i*ld+p]. Of high orders tⁱ is so small near the ends that products over several inputs are
// below the normal range of float32, where a processor takes many times as long. So values below [least] are zero: all of
// them together are at most half of the last bit of Σ B_i = 1.
func (b Bernstein) Values(dst, t []float32, n, ld int) {
	simd.Bernstein(dst, t, b.order, n, ld)
	if b.order < flushedFrom {
		return
	}
	for i := range b.Nodes() {
		row := dst[i*ld:][:n]
		for p, v := range row { // without a branch, which values would make guesswork of: no value is negative, so bits are ordered as values are
			bits := math.Float32bits(v)
			row[p] = math.Float32frombits(bits &^ uint32(int32(bits-leastBits)>>31))
		}
	}
}

// Support returns the number of all functions.
func (b Bernstein) Support() int { return b.Nodes() }

// LocalValues fills values with all functions, so that few of them can stand beside those
// of other bases.
func (b Bernstein) LocalValues(first []int32, values, t []float32, n, slot int) {
	const block = localBlock
	memory := panels.Get().(*[(MaxOrder + 1) * localBlock]float32)
	defer panels.Put(memory)
	clear(first[:n])
	clear(values[:n*slot])
	for from := 0; from < n; from += block {
		points := min(block, n-from)
		b.Values(memory[:], t[from:], points, block)
		for i := range b.Nodes() {
			for p, v := range memory[i*block:][:points] {
				values[(from+p)*slot+i] = v
			}
		}
	}
}

// localBlock are the points whose functions LocalValues takes at a time.
const localBlock = 32

// panels has memory for these, [nodes, points].
var panels = sync.Pool{New: func() any { return new([(MaxOrder + 1) * localBlock]float32) }}

// Derivatives fills dst with B_i'(t[p]) = ν (B_{i−1}^{ν−1} − B_i^{ν−1}) at [i*ld+p].
func (b Bernstein) Derivatives(dst, t []float32, n, ld int) {
	if b.order == 0 {
		clear(dst[:n])
		return
	}
	// The polynomials of order ν−1 go to rows 1 … ν; row i then becomes the
	// difference of its neighbours, from the first row on.
	simd.Bernstein(dst[ld:], t, b.order-1, n, ld)
	nu := float32(b.order)
	for p := range n {
		var left float32
		for i := range b.order {
			here := dst[(i+1)*ld+p]
			dst[i*ld+p] = nu * (left - here)
			left = here
		}
		dst[b.order*ld+p] = nu * left
	}
}

// Mean returns ∫₀¹ B_i(t) dt = 1/(ν+1).
func (b Bernstein) Mean() []float64 {
	return repeat(1/float64(b.Nodes()), b.Nodes())
}

// Gram returns ∫₀¹ B_i(t) B_j(t) dt = C(ν,i) C(ν,j) / ((2ν+1) C(2ν,i+j)).
func (b Bernstein) Gram() *mat.SymDense {
	single, double := binomials(b.order), binomials(2*b.order)
	g := mat.NewSymDense(b.Nodes(), nil)
	for i := range b.Nodes() {
		for j := i; j < b.Nodes(); j++ {
			g.SetSym(i, j, single[i]/double[i+j]*single[j]/float64(2*b.order+1))
		}
	}
	return g
}

// PriorVariance returns ς = A⁻¹ 1 with A_ij = B_j(i/ν)², the inverse squared
// Bernstein adjusted prior (paper, equation prioradjusting). Above
// [MaxPriorOrder] some ς are negative and it fails.
func (b Bernstein) PriorVariance() ([]float64, error) {
	if b.order > MaxPriorOrder {
		return nil, fmt.Errorf("order %d: the inverse squared Bernstein adjusted prior has negative variances above order %d; choose a smaller order", b.order, MaxPriorOrder)
	}
	m := b.Nodes()
	a := mat.NewDense(m, m, nil)
	for i := range m {
		for j, v := range b.at(float64(i) / math.Max(1, float64(b.order))) {
			a.Set(i, j, v*v)
		}
	}
	var s mat.VecDense
	if err := s.SolveVec(a, mat.NewVecDense(m, repeat(1, m))); err != nil {
		return nil, fmt.Errorf("order %d: prior variances: %w", b.order, err)
	}
	for i, v := range s.RawVector().Data {
		if !(v > 0) {
			return nil, fmt.Errorf("order %d: prior variance of node %d is %g", b.order, i, v)
		}
	}
	return s.RawVector().Data, nil
}

// at returns the polynomials at one coordinate in float64.
func (b Bernstein) at(t float64) []float64 {
	v := binomials(b.order)
	for i := range v {
		v[i] *= math.Pow(t, float64(i)) * math.Pow(1-t, float64(b.order-i))
	}
	return v
}

// binomials returns C(n, 0) … C(n, n).
func binomials(n int) []float64 {
	c := make([]float64, n+1)
	c[0], c[n] = 1, 1
	for k := 1; k <= n/2; k++ {
		c[k] = c[k-1] * float64(n-k+1) / float64(k)
		c[n-k] = c[k]
	}
	return c
}

func repeat(v float64, n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = v
	}
	return s
}
