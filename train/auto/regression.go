package auto

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"beziergp/internal/process/basis"
	"beziergp/internal/simd"
)

// regression is the ridge regression of main effects by conjugate gradients: z_pa = φ_a(x_p) − φ̄_a, with φ̄_a what the function has where its input
// is missing, so that a missing value has no effect. Of a row only the functions that do not vanish are kept.
type regression struct {
	rows     sparseRows
	averages []float64 // [f] φ̄
	penalty  []float64 // [f] the diagonal of P
	bends    []int     // the first functions of all second differences
	input    []int     // [f] of a function
	first    []int     // [d] the first function of an input
	weight   []float64 // [n]
	sum      float64   // of the weights

	pool  *simd.Pool
	parts int         // of the rows, which workers share out; they do not depend on how many workers there are
	sums  [][]float64 // [parts] of those of a part
}

// Parts have so many rows at least, and are so many at most, for each has sums of its own.
const (
	rowsOfPart = 4096
	mostParts  = 8
)

// newRegression returns the regression on some rows, by one basis of every input.
func newRegression(pool *simd.Pool, bases []basis.Basis, data *dataset, numbers []int) *regression {
	r := &regression{pool: pool, parts: max(1, min(mostParts, len(numbers)/rowsOfPart))}
	r.sums = make([][]float64, r.parts)
	for i, b := range bases {
		r.first = append(r.first, len(r.averages))
		for _, v := range averageOf(b) {
			r.averages, r.input = append(r.averages, float64(v)), append(r.input, i)
		}
		if bends(b) {
			for a := r.first[i]; a+2 < len(r.averages); a++ {
				r.bends = append(r.bends, a)
			}
		}
	}
	r.penalty = r.penalties()
	for _, j := range numbers {
		r.weight = append(r.weight, data.Weight(j))
	}
	r.sum = floats.Sum(r.weight)
	r.rows = newSparseRows(bases, len(numbers))
	r.each(func(_, from, to int) { r.rows.fill(bases, r.first, len(r.averages), data, numbers, from, to) })
	return r
}

// each calls do for every part of the rows, from ≤ p < to.
func (r *regression) each(do func(part, from, to int)) {
	n := len(r.weight)
	r.pool.Do(r.parts, func(_, part int) { do(part, part*n/r.parts, (part+1)*n/r.parts) })
}

// added returns the sum over the parts of the rows of what add adds to a vector of so many elements, which is zero before.
func (r *regression) added(size int, add func(sum []float64, from, to int)) []float64 {
	r.each(func(part, from, to int) {
		if cap(r.sums[part]) < size {
			r.sums[part] = make([]float64, size)
		}
		r.sums[part] = r.sums[part][:size]
		clear(r.sums[part])
		add(r.sums[part], from, to)
	})
	all := slices.Clone(r.sums[0])
	for _, sum := range r.sums[1:] {
		floats.Add(all, sum)
	}
	return all
}

// weigh gives the rows other weights, [n].
func (r *regression) weigh(weight []float64) { r.weight, r.sum = weight, floats.Sum(weight) }

// averageOf returns what the functions of a basis have where the coordinate is missing.
func averageOf(b basis.Basis) []float32 {
	if a, ok := b.(basis.Averaged); ok {
		return a.Average()
	}
	all := make([]float32, 0, b.Nodes())
	for _, v := range b.Mean() {
		all = append(all, float32(v))
	}
	return all
}

// shifted returns factors [f] with, behind them, what an input's functions have on average, [d], and the sum of these.
func (r *regression) shifted(b []float64) (all []float64, shift float64) {
	f := len(r.averages)
	all = make([]float64, r.rows.places(f))
	copy(all, b)
	for a, v := range r.averages {
		all[f+r.input[a]] += v * b[a]
		shift += v * b[a]
	}
	return all, shift
}

// line is f = μ + Z b, with a factor of every function, [f].
type line struct {
	mu float64
	b  []float64
}

// fitted returns μ + Z b.
func (r *regression) fitted(l line) []float64 {
	all, shift := r.shifted(l.b)
	fitted := make([]float64, len(r.weight))
	r.each(func(_, from, to int) {
		for p := from; p < to; p++ {
			fitted[p] = l.mu - shift + r.rows.along(p, all)
		}
	})
	return fitted
}

// bending is how many times the squares of second differences of a number's factors count as much as those of factors: what is left of the targets stays
// smooth then, as the other components can learn it.
const bending = 10

// bends tells whether the functions of an input have second differences: those of a number, but not those that tell its values apart.
func bends(b basis.Basis) bool {
	_, steps := basis.Bare(b).(basis.Steps)
	return basis.Ordered(b) && !steps && b.Nodes() >= 3
}

// penalties returns the diagonal of P.
func (r *regression) penalties() []float64 {
	diagonal := slices.Repeat([]float64{1}, len(r.averages))
	for _, a := range r.bends {
		diagonal[a] += bending
		diagonal[a+1] += 4 * bending
		diagonal[a+2] += bending
	}
	return diagonal
}

// penalised adds λ P v to a vector [f], with bᵀ P b = ‖b‖² + c Σ (b_a − 2 b_{a+1} + b_{a+2})², the sum over the functions of numbers.
func (r *regression) penalised(sum, v []float64, lambda float64) {
	for a := range r.averages {
		sum[a] += lambda * v[a]
	}
	for _, a := range r.bends {
		d := lambda * bending * (v[a] - 2*v[a+1] + v[a+2])
		sum[a] += d
		sum[a+1] -= 2 * d
		sum[a+2] += d
	}
}
