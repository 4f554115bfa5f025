package basis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// MaxSplineNodes is the largest number of functions of a spline basis.
const MaxSplineNodes = 256

// splineDegree is that of all but the smallest bases.
const splineDegree = 3

// Spline is the basis of the cubic B-splines over equal intervals of [0, 1] with
// clamped ends: a composite Bézier curve, two derivatives of which are continuous.
// Unlike Bernstein polynomials its functions are local, so it can have many. With
// fewer than four functions its degree is lower, and there is one interval: then it
// is [Bernstein].
type Spline struct{ degree, intervals int }

// NewSpline returns the basis of that many functions, 1 to [MaxSplineNodes].
func NewSpline(nodes int) (Spline, error) {
	if nodes < 1 || nodes > MaxSplineNodes {
		return Spline{}, fmt.Errorf("%d nodes: a spline basis has from 1 to %d", nodes, MaxSplineNodes)
	}
	degree := min(splineDegree, nodes-1)
	return Spline{degree, nodes - degree}, nil
}

// Nodes returns the number of functions.
func (b Spline) Nodes() int { return b.intervals + b.degree }

// Spec describes the basis.
func (b Spline) Spec() Spec { return Spec{Kind: KindSpline, Nodes: b.Nodes()} }

// knot returns the i-th knot in units of an interval: the ends repeat.
func (b Spline) knot(i int) float64 {
	return float64(min(max(i-b.degree, 0), b.intervals))
}

// interval returns the interval that holds t and t in units of an interval.
func (b Spline) interval(t float64) (int, float64) {
	u := t * float64(b.intervals)
	return min(max(int(u), 0), b.intervals-1), u
}

// local returns the degree + 1 functions of some degree that do not vanish on an
// interval, by the recursion of Cox and de Boor.
func (b Spline) local(degree, interval int, u float64) (values [splineDegree + 1]float64) {
	values[0] = 1
	at := interval + b.degree // the knot on the left
	for k := 1; k <= degree; k++ {
		var carried float64
		for r := range k {
			left, right := b.knot(at+1+r-k), b.knot(at+1+r)
			share := values[r] / (right - left)
			values[r] = carried + (right-u)*share
			carried = (u - left) * share
		}
		values[k] = carried
	}
	return values
}

// Values fills dst with B_i(t[p]) at [i*ld+p].
func (b Spline) Values(dst, t []float32, n, ld int) {
	b.zero(dst, n, ld)
	for p, v := range t[:n] {
		j, u := b.interval(float64(v))
		for i, value := range b.local(b.degree, j, u) {
			if i <= b.degree {
				dst[(j+i)*ld+p] = float32(value)
			}
		}
	}
}

// Derivatives fills dst with B_i'(t[p]), differences of the splines of one degree
// less, at [i*ld+p].
func (b Spline) Derivatives(dst, t []float32, n, ld int) {
	b.zero(dst, n, ld)
	for p, v := range t[:n] {
		j, u := b.interval(float64(v))
		lower := b.local(b.degree-1, j, u)
		for i := range b.degree {
			first := j + i + 1 // of the two functions that the lower one tells apart
			slope := float64(b.degree*b.intervals) * lower[i] / (b.knot(first+b.degree) - b.knot(first))
			dst[(first-1)*ld+p] -= float32(slope)
			dst[first*ld+p] += float32(slope)
		}
	}
}

func (b Spline) zero(dst []float32, n, ld int) {
	for i := range b.Nodes() {
		clear(dst[i*ld : i*ld+n])
	}
}

// Mean returns ∫₀¹ B_i(t) dt, the length of the support over the degree plus one.
func (b Spline) Mean() []float64 {
	mean := make([]float64, b.Nodes())
	for i := range mean {
		mean[i] = (b.knot(i+b.degree+1) - b.knot(i)) / float64((b.degree+1)*b.intervals)
	}
	return mean
}

// Gram returns ∫₀¹ B_i(t) B_j(t) dt, by Gauss's rule of four points an interval,
// which is exact up to degree seven.
func (b Spline) Gram() *mat.SymDense {
	g := mat.NewSymDense(b.Nodes(), nil)
	for interval := range b.intervals {
		for k, x := range gaussPoints {
			values := b.local(b.degree, interval, float64(interval)+(1+x)/2)
			weight := gaussWeights[k] / 2 / float64(b.intervals)
			for i := range b.degree + 1 {
				for j := i; j <= b.degree; j++ {
					g.SetSym(interval+i, interval+j, g.At(interval+i, interval+j)+weight*values[i]*values[j])
				}
			}
		}
	}
	return g
}

// Points and weights of Gauss's rule of order four on [−1, 1].
var (
	gaussInner   = math.Sqrt(3./7 - 2./7*math.Sqrt(6./5))
	gaussOuter   = math.Sqrt(3./7 + 2./7*math.Sqrt(6./5))
	gaussPoints  = [4]float64{-gaussOuter, -gaussInner, gaussInner, gaussOuter}
	gaussWeights = [4]float64{(18 - math.Sqrt(30)) / 36, (18 + math.Sqrt(30)) / 36, (18 + math.Sqrt(30)) / 36, (18 - math.Sqrt(30)) / 36}
)

// PriorVariance returns ς = A⁻¹ 1 with A_ij = B_j(ξ_i)² at the Greville abscissae
// ξ_i, where the i-th function is near its top: as for Bernstein polynomials, whose
// abscissae are i/ν. All are positive, since a function weighs more there than the
// others together.
func (b Spline) PriorVariance() ([]float64, error) {
	m := b.Nodes()
	a := mat.NewDense(m, m, nil)
	for i := range m {
		j, u := b.interval(b.greville(i))
		for k, v := range b.local(b.degree, j, u) {
			if k <= b.degree {
				a.Set(i, j+k, v*v)
			}
		}
	}
	var s mat.VecDense
	if err := s.SolveVec(a, mat.NewVecDense(m, repeat(1, m))); err != nil {
		return nil, fmt.Errorf("spline of %d nodes: prior variances: %w", m, err)
	}
	for i, v := range s.RawVector().Data {
		if !(v > 0) {
			return nil, fmt.Errorf("spline of %d nodes: prior variance of node %d is %g", m, i, v)
		}
	}
	return s.RawVector().Data, nil
}

// greville returns the mean of the inner knots of function i.
func (b Spline) greville(i int) float64 {
	var sum float64
	for k := 1; k <= b.degree; k++ {
		sum += b.knot(i + k)
	}
	return sum / float64(max(1, b.degree)*b.intervals)
}
