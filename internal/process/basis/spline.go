package basis

import (
	"fmt"
	"math"
	"slices"

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
type Spline struct {
	degree, intervals int
	pieces            *[]piece // one an interval
}

// piece holds the degree + 1 functions that do not vanish on an interval, as
// polynomials of the place in it, from 0 to 1.
type piece [splineDegree + 1]polynomial

// polynomial holds the coefficient of the k-th power at [k].
type polynomial [splineDegree + 1]float64

func (c *polynomial) at(x float64) float64 { return ((c[3]*x+c[2])*x+c[1])*x + c[0] }

func (c *polynomial) slope(x float64) float64 { return (3*c[3]*x+2*c[2])*x + c[1] }

// add adds q times constant + slope · x.
func (c *polynomial) add(q polynomial, constant, slope float64) {
	for k, v := range q {
		c[k] += constant * v
		if k > 0 {
			c[k] += slope * q[k-1]
		}
	}
}

// NewSpline returns the basis of that many functions, 1 to [MaxSplineNodes].
func NewSpline(nodes int) (Spline, error) {
	if nodes < 1 || nodes > MaxSplineNodes {
		return Spline{}, fmt.Errorf("%d nodes: a spline basis has from 1 to %d", nodes, MaxSplineNodes)
	}
	degree := min(splineDegree, nodes-1)
	b := Spline{degree, nodes - degree, new([]piece)}
	for j := range b.intervals {
		*b.pieces = append(*b.pieces, b.piece(j))
	}
	return b, nil
}

// Nodes returns the number of functions.
func (b Spline) Nodes() int { return b.intervals + b.degree }

// Spec describes the basis.
func (b Spline) Spec() Spec { return Spec{Kind: KindSpline, Nodes: b.Nodes()} }

// knot returns the i-th knot in units of an interval: the ends repeat.
func (b Spline) knot(i int) float64 {
	return float64(min(max(i-b.degree, 0), b.intervals))
}

// interval returns the interval that holds t and the place in it.
func (b Spline) interval(t float64) (int, float64) {
	u := t * float64(b.intervals)
	j := min(max(int(u), 0), b.intervals-1)
	return j, u - float64(j)
}

// piece returns the functions on an interval by the recursion of Cox and de Boor.
func (b Spline) piece(interval int) (functions piece) {
	functions[0][0] = 1
	at := interval + b.degree // the knot on the left
	for k := 1; k <= b.degree; k++ {
		var next piece
		for r := range k {
			left, right := b.knot(at+1+r-k), b.knot(at+1+r)
			here, width := float64(interval), right-left
			next[r].add(functions[r], (right-here)/width, -1/width)
			next[r+1].add(functions[r], (here-left)/width, 1/width)
		}
		functions = next
	}
	return functions
}

// Values fills dst with B_i(t[p]) at [i*ld+p].
func (b Spline) Values(dst, t []float32, n, ld int) {
	zero(dst, b.Nodes(), n, ld)
	pieces := *b.pieces
	for p, v := range t[:n] {
		j, x := b.interval(float64(v))
		functions := &pieces[j]
		for i := range b.degree + 1 {
			dst[(j+i)*ld+p] = float32(functions[i].at(x))
		}
	}
}

// Support returns the degree plus one.
func (b Spline) Support() int { return b.degree + 1 }

// LocalValues fills values with those of the functions on the interval that holds t[p].
func (b Spline) LocalValues(first []int32, values, t []float32, n, slot int) {
	pieces := *b.pieces
	for p, v := range t[:n] {
		j, x := b.interval(float64(v))
		functions := &pieces[j]
		first[p] = int32(j)
		own := values[p*slot:][:slot]
		clear(own)
		for i := range b.degree + 1 {
			own[i] = float32(functions[i].at(x))
		}
	}
}

// Polynomials returns the functions that do not vanish on an interval, in order, as the
// coefficients of the powers of the place in it, from 0 to 1, lowest first: [degree+1][degree+1].
func (b Spline) Polynomials(interval int) [][]float64 {
	var all [][]float64
	for i := range b.degree + 1 {
		all = append(all, slices.Clone((*b.pieces)[interval][i][:b.degree+1]))
	}
	return all
}

// Derivatives fills dst with B_i'(t[p]) at [i*ld+p].
func (b Spline) Derivatives(dst, t []float32, n, ld int) {
	zero(dst, b.Nodes(), n, ld)
	pieces := *b.pieces
	for p, v := range t[:n] {
		j, x := b.interval(float64(v))
		for i := range b.degree + 1 {
			dst[(j+i)*ld+p] = float32(float64(b.intervals) * pieces[j][i].slope(x))
		}
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
	for interval, functions := range *b.pieces {
		for k, x := range gaussPoints {
			weight := gaussWeights[k] / 2 / float64(b.intervals)
			for i := range b.degree + 1 {
				for j := i; j <= b.degree; j++ {
					product := functions[i].at((1+x)/2) * functions[j].at((1+x)/2)
					g.SetSym(interval+i, interval+j, g.At(interval+i, interval+j)+weight*product)
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
		j, x := b.interval(b.greville(i))
		for k := range b.degree + 1 {
			a.Set(i, j+k, math.Pow((*b.pieces)[j][k].at(x), 2))
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
