package auto

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
)

// additive returns the component of an additive model, f(x) = Σ_i a_i(x_i): a straight line of each
// number, or with more than two nodes a spline, and any function of each category. Ridge regression
// finds it exactly, so that nothing is lost where an additive model is the truth, or all that the
// rows can tell.
func additive(nodes int) component {
	c := component{Kind: basis.KindSpline, Nodes: nodes, Orderings: 2, Amplitude: additiveAmplitude}
	if nodes == 2 {
		c.Kind = basis.KindBernstein
	}
	return c
}

// additiveAmplitude is c in c Π(1 + a_i/2c) − c Π(1 − a_i/2c) = Σ a_i + O(f³/c²): so large
// that the remainder, about f³/24c², is negligible, and so small that the difference
// keeps its digits in float32.
const additiveAmplitude = 64

// isAdditive tells whether the structure is that of an additive model.
func (s structure) isAdditive() bool {
	return len(s.Components) == 1 && s.Components[0].isAdditive()
}

func (c component) isAdditive() bool { return c == additive(c.Nodes) }

// isStraight tells whether an additive model has lines alone.
func (c component) isStraight() bool { return c.Nodes == 2 }

// What the regression takes at most: features f, rows n of them, and products f² n where n
// is more than 4 f.
const (
	additiveFeatures = 2500
	additiveRows     = 100_000
	additiveProducts = 4e9
)

// features returns the number of regressors of an additive model.
func (d *dataset) features(c component) (sum int) {
	for i, b := range d.bases {
		switch {
		case !basis.Ordered(b):
			sum += b.Nodes()
		case d.distinct[i] < 2:
		case c.isStraight():
			sum++
		default:
			sum += c.nodesOf(d.distinct[i])
		}
	}
	return sum
}

// fitAdditive finds the additive model by ridge regression, min ‖y − Z b‖² + λ ‖b‖², on
// standardised numbers, or the functions of their bases, and the indicators of categories.
func fitAdditive(ctx context.Context, w worker, data *dataset, numbers []int, s structure, seed uint64) (m member, err error) {
	if m.surface, err = s.surface(data, seed); err != nil {
		return m, err
	}
	if err := ctx.Err(); err != nil {
		return m, err
	}
	c := s.Components[0]
	f := data.features(c)
	most := max(4*f, int(min(additiveRows, additiveProducts/square(float64(max(f, 1))))))
	rows := data.some(numbers, most)
	w.fit.descent(1)(0)
	if !data.gaussian() {
		m.params, err = reweighted(ctx, m.surface, c, data, rows, s.Smoothness)
		return m, err
	}
	y, weight := make([]float64, len(rows)), make([]float64, len(rows))
	for p, j := range rows {
		y[p], weight[p] = float64(data.Y[j]), data.Weight(j)
	}
	design := newDesign(m.surface, c, data, rows, y, weight)
	m.params = design.params(m.surface, design.solve(s.Smoothness))
	return m, nil
}

// some returns so many of the rows at most: the first, where they are in a random order,
// and else such as lie evenly, for rows of a fold are neighbours in time or of few groups.
func (d *dataset) some(numbers []int, most int) []int {
	if len(numbers) <= most || d.keys.IsZero() {
		return numbers[:min(len(numbers), most)]
	}
	some := make([]int, most)
	for i := range some {
		some[i] = numbers[i*len(numbers)/most]
	}
	return some
}

// design is the regression of an additive model: the values of its functions at rows,
// standardised.
type design struct {
	z           *mat.Dense // [n, features], rows scaled by the roots of their weights
	y           []float64  // the same of targets, less their mean
	mean        float64
	means, unit []float64 // of the functions
	input, node []int     // whose values they are
}

// newDesign returns the regression of y at some rows with weights.
func newDesign(s *surface.Surface, c component, data *dataset, numbers []int, y, weight []float64) *design {
	n, bases := len(numbers), s.Group(0).Bases
	d := &design{z: mat.NewDense(n, max(data.features(c), 1), nil), y: make([]float64, n)}
	sum := 0.0
	for p, w := range weight {
		sum += w
		d.mean += w * y[p]
	}
	d.mean /= sum
	for p, w := range weight {
		d.y[p] = math.Sqrt(w) * (y[p] - d.mean)
	}
	t := make([]float32, n)
	for i, b := range bases {
		first := 0
		line := c.isStraight() && basis.Ordered(b)
		if line {
			first = 1 // the functions add up to one
		}
		if b.Nodes() <= first {
			continue
		}
		for p, j := range numbers {
			t[p] = data.Row(j)[i]
		}
		values := make([]float32, b.Nodes()*n)
		b.Values(values, t, n, n)
		for node := first; node < b.Nodes(); node++ {
			d.add(values[node*n:(node+1)*n], weight, sum, line, i, node)
		}
	}
	return d
}

// add appends a function of one input: numbers in units of their deviation, indicators and splines as
// they are, so that the penalty shrinks rare levels most, and splines where rows are few.
func (d *design) add(values []float32, weight []float64, sum float64, line bool, input, node int) {
	var mean, variance float64
	for p, v := range values {
		mean += weight[p] * float64(v) / sum
	}
	for p, v := range values {
		variance += weight[p] * square(float64(v)-mean) / sum
	}
	unit := 1.0
	if line {
		unit = math.Sqrt(variance)
	}
	if variance < 1e-14 { // the same in all of these rows
		unit = math.Inf(1)
	}
	at := len(d.means)
	for p, v := range values {
		d.z.Set(p, at, math.Sqrt(weight[p])*(float64(v)-mean)/unit)
	}
	d.means, d.unit = append(d.means, mean), append(d.unit, unit)
	d.input, d.node = append(d.input, input), append(d.node, node)
}

// solve returns the factors of the functions that minimise ‖y − Z b‖² + λ ‖b‖²: through
// the products of rows where these are fewer than the functions.
func (d *design) solve(lambda float64) []float64 {
	n, f := d.z.Dims()
	lambda = max(lambda, 1e-6*float64(n)) // Z may be singular: copies of an input share its factor
	z, size := d.z.T(), f
	if n < f {
		z, size = d.z, n
	}
	gram := mat.NewSymDense(size, nil)
	gram.SymOuterK(1, z)
	for i := range size {
		gram.SetSym(i, i, gram.At(i, i)+lambda)
	}
	var chol mat.Cholesky
	b, y := mat.NewVecDense(f, nil), mat.NewVecDense(n, d.y)
	if !chol.Factorize(gram) {
		return b.RawVector().Data // not positive definite: only where numbers end
	}
	if n < f {
		var v mat.VecDense
		if err := chol.SolveVecTo(&v, y); err == nil {
			b.MulVec(d.z.T(), &v)
		}
	} else {
		var v mat.VecDense
		v.MulVec(d.z.T(), y)
		_ = chol.SolveVecTo(b, &v) // a large condition number is no error here
	}
	return b.RawVector().Data
}

// params returns the weights of two buttresses. A layer multiplies the chain by
// 1 ± a_i(x_i)/2c, with a_i the function of its input, and the sum of both is
//
//	f = c Π_i (1 + a_i/2c) − c Π_i (1 − a_i/2c) = Σ_i a_i + terms of third order
func (d *design) params(s *surface.Surface, b []float64) []float32 {
	params, e := make([]float32, s.Size()), s.Group(0).Ensemble
	values := make([][]float64, s.Inputs())
	for i, m := range e.Widths() {
		values[i] = make([]float64, m)
	}
	constant := d.mean
	for k, factor := range b[:len(d.means)] {
		factor /= d.unit[k]
		values[d.input[k]][d.node[k]] = factor
		constant -= factor * d.means[k]
	}
	for j := range values[0] {
		values[0][j] += constant
	}
	for k := range e.Buttresses() {
		w, rows, sign := e.Weights(s.Mean(params, 0), k), 1, float64(1-2*(k%2))
		for g, input := range e.Orderings()[k] {
			own := values[input]
			for i := range rows {
				for j, a := range own {
					v := 1 + sign*a/(2*additiveAmplitude)
					if g == 0 {
						v *= sign * additiveAmplitude
					}
					w[i*len(own)+j] = float32(v)
				}
			}
			w, rows = w[rows*len(own):], len(own)
		}
	}
	return params
}
