package auto

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
)

// design is the regression of an additive model: the values of its functions at rows, of which most
// vanish where categories have many levels, so that products are those of what does not.
type design struct {
	rows        [][]value
	weight      []float64
	y           []float64 // targets less their mean
	mean        float64
	means, unit []float64 // of the functions
	input, node []int     // whose values they are
}

// value is that of a function at a row.
type value struct {
	function int
	v        float64 // in units of the function
}

// newDesign returns the regression of y at some rows with weights.
func newDesign(s *surface.Surface, c component, data *dataset, numbers []int, y, weight []float64) *design {
	n, bases := len(numbers), s.Group(0).Bases
	d := &design{rows: make([][]value, n), weight: weight, y: make([]float64, n)}
	sum := 0.0
	for p, w := range weight {
		sum += w
		d.mean += w * y[p]
	}
	d.mean /= sum
	for p := range y {
		d.y[p] = y[p] - d.mean
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
			d.add(values[node*n:(node+1)*n], sum, line, i, node)
		}
	}
	return d
}

// add appends a function of one input: numbers in units of their deviation, indicators and splines as
// they are, so that the penalty shrinks rare levels most, and splines where rows are few.
func (d *design) add(values []float32, sum float64, line bool, input, node int) {
	var mean, variance float64
	for p, v := range values {
		mean += d.weight[p] * float64(v) / sum
	}
	for p, v := range values {
		variance += d.weight[p] * square(float64(v)-mean) / sum
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
		if v != 0 {
			d.rows[p] = append(d.rows[p], value{at, float64(v) / unit})
		}
	}
	d.means, d.unit = append(d.means, mean/unit), append(d.unit, unit)
	d.input, d.node = append(d.input, input), append(d.node, node)
}

// solve returns the factors b of the functions that minimise Σ_p w_p (y_p − Σ_a b_a (v_pa − m_a))² + λ ‖b‖²: through
// the products of rows where these are fewer than the functions.
func (d *design) solve(lambda float64) []float64 {
	n, f := len(d.rows), len(d.means)
	lambda = max(lambda, 1e-6*float64(n)) // columns may be singular: copies of an input share its factor
	if n < f {
		return d.solveByRows(lambda)
	}
	gram, right := mat.NewSymDense(max(f, 1), nil), make([]float64, max(f, 1))
	products := gram.RawSymmetric()
	var sum float64
	for p, row := range d.rows {
		w := d.weight[p]
		sum += w
		for k, a := range row { // functions are in order, so that these are above the diagonal
			right[a.function] += w * a.v * d.y[p]
			line := products.Data[a.function*products.Stride:]
			for _, b := range row[k:] {
				line[b.function] += w * a.v * b.v
			}
		}
	}
	for a, mean := range d.means {
		line := products.Data[a*products.Stride:]
		for b := a; b < f; b++ {
			line[b] -= sum * mean * d.means[b]
		}
	}
	return solved(gram, right, lambda)
}

// solveByRows returns the same by b = Zᵀ (Z Zᵀ + λ)⁻¹ √w y with Z of √w_p (v_pa − m_a).
func (d *design) solveByRows(lambda float64) []float64 {
	n := len(d.rows)
	gram, right := mat.NewSymDense(n, nil), make([]float64, n)
	var square float64
	for _, m := range d.means {
		square += m * m
	}
	full, byMeans := make([]float64, len(d.means)), make([]float64, n)
	for p, row := range d.rows {
		for _, a := range row {
			byMeans[p] += a.v * d.means[a.function]
		}
	}
	for p, row := range d.rows {
		for _, a := range row {
			full[a.function] = a.v
		}
		root := math.Sqrt(d.weight[p])
		right[p] = root * d.y[p]
		for q := range p + 1 {
			product := square - byMeans[p] - byMeans[q]
			for _, b := range d.rows[q] {
				product += b.v * full[b.function]
			}
			gram.SetSym(q, p, root*math.Sqrt(d.weight[q])*product)
		}
		for _, a := range row {
			full[a.function] = 0
		}
	}
	b := make([]float64, len(d.means))
	var sum float64
	for p, v := range solved(gram, right, lambda) {
		v *= math.Sqrt(d.weight[p])
		sum += v
		for _, a := range d.rows[p] {
			b[a.function] += v * a.v
		}
	}
	for a, mean := range d.means {
		b[a] -= sum * mean
	}
	return b
}

// solved returns (G + λ)⁻¹ times the right side, zeros where G is not positive definite: only where numbers end.
func solved(gram *mat.SymDense, right []float64, lambda float64) []float64 {
	for i := range gram.SymmetricDim() {
		gram.SetSym(i, i, gram.At(i, i)+lambda)
	}
	var chol mat.Cholesky
	b := mat.NewVecDense(len(right), nil)
	if chol.Factorize(gram) {
		_ = chol.SolveVecTo(b, mat.NewVecDense(len(right), right)) // a large condition number is no error here
	}
	return b.RawVector().Data
}

// fitted returns what the regression says of its rows.
func (d *design) fitted(b []float64) []float64 {
	constant := d.mean
	for a, mean := range d.means {
		constant -= b[a] * mean
	}
	f := make([]float64, len(d.rows))
	for p, row := range d.rows {
		f[p] = constant
		for _, a := range row {
			f[p] += b[a.function] * a.v
		}
	}
	return f
}

// lines are the functions of an additive model, a constant and what every input adds at its nodes.
type lines struct {
	constant float64
	values   [][]float64
}

// noLines returns those of f = 0 on a surface.
func noLines(s *surface.Surface) (l lines) {
	for _, m := range s.Group(0).Ensemble.Widths() {
		l.values = append(l.values, make([]float64, m))
	}
	return l
}

// lines returns those of factors of the functions.
func (d *design) lines(s *surface.Surface, b []float64) lines {
	l := noLines(s)
	l.constant = d.mean
	for k, factor := range b[:len(d.means)] {
		l.values[d.input[k]][d.node[k]] = factor / d.unit[k]
		l.constant -= factor * d.means[k]
	}
	return l
}

// halfway moves to the middle between these and others.
func (l *lines) halfway(others lines) {
	l.constant = (l.constant + others.constant) / 2
	for i, own := range l.values {
		floats.Add(own, others.values[i])
		floats.Scale(0.5, own)
	}
}

// params returns the weights of the surface whose group the additive model is.
func (l lines) params(s *surface.Surface) []float32 {
	params := make([]float32, s.Size())
	layAdditive(s.Group(0), s.Mean(params, 0), 0, l.values, l.constant)
	return params
}
