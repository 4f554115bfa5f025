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
	ends     []int // [n] where the entries of a row end
	entries  []entry
	averages []float64 // [f] φ̄
	penalty  []float64 // [f] the diagonal of P
	bends    []int     // the first functions of all second differences
	input    []int     // [f] of a function
	first    []int     // [d] the first function of an input
	support  []int     // [d] the functions of an input that do not vanish at a point
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

// entry is the value of a function at a row, or, beyond the functions, tells that the row lacks an input.
type entry struct {
	at    int32
	value float32
}

// newRegression returns the regression on some rows, by one basis of every input.
func newRegression(pool *simd.Pool, bases []basis.Basis, data *dataset, numbers []int) *regression {
	r := &regression{pool: pool, parts: max(1, min(mostParts, len(numbers)/rowsOfPart))}
	r.sums = make([][]float64, r.parts)
	perRow := 0
	for i, b := range bases {
		r.first, r.support = append(r.first, len(r.averages)), append(r.support, b.Support())
		for _, v := range averageOf(b) {
			r.averages, r.input = append(r.averages, float64(v)), append(r.input, i)
		}
		perRow += b.Support()
		if bends(b) {
			for a := r.first[i]; a+2 < len(r.averages); a++ {
				r.bends = append(r.bends, a)
			}
		}
	}
	r.penalty = r.penalties()
	r.entries = make([]entry, 0, perRow*len(numbers))
	local := newLocals(bases)
	for from := 0; from < len(numbers); from += localRows {
		block := numbers[from:min(from+localRows, len(numbers))]
		local.fill(data, block)
		for p, j := range block {
			w := data.Weight(j)
			r.weight, r.sum = append(r.weight, w), r.sum+w
			for i := range bases {
				r.add(local[i], p, i)
			}
			r.ends = append(r.ends, len(r.entries))
		}
	}
	return r
}

// each calls do for every part of the rows, from ≤ p < to.
func (r *regression) each(do func(part, from, to int)) {
	n := len(r.ends)
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

// add appends the functions of one input at row p of a block.
func (r *regression) add(l local, p, input int) {
	if t := l.t[p]; t != t {
		r.entries = append(r.entries, entry{int32(len(r.averages) + input), 1})
		return
	}
	at := r.first[input] + int(l.first[p])
	for k, v := range l.values[p*l.slot : (p+1)*l.slot] {
		if v != 0 {
			r.entries = append(r.entries, entry{int32(at + k), v})
		}
	}
}

// locals are the functions of every input that do not vanish at a block of rows.
type locals []local

// local are those of one input: the coordinates, of every row the first function, and the values, [localRows, slot].
type local struct {
	basis     basis.Basis
	slot      int
	t, values []float32
	first     []int32
}

// localRows are the rows of a block.
const localRows = 256

func newLocals(bases []basis.Basis) (all locals) {
	for _, b := range bases {
		n := b.Support()
		all = append(all, local{b, n, make([]float32, localRows), make([]float32, localRows*n), make([]int32, localRows)})
	}
	return all
}

func (all locals) fill(data *dataset, block []int) {
	for i, l := range all {
		for p, j := range block {
			l.t[p] = data.Row(j)[i]
		}
		l.basis.LocalValues(l.first, l.values, l.t, len(block), l.slot)
	}
}

// row returns the entries of a row.
func (r *regression) row(p int) []entry {
	from := 0
	if p > 0 {
		from = r.ends[p-1]
	}
	return r.entries[from:r.ends[p]]
}

// shifted returns factors [f] with, behind them, what an input's functions have on average, [d], and the sum of these.
func (r *regression) shifted(b []float64) (all []float64, shift float64) {
	f := len(r.averages)
	all = make([]float64, f+len(r.first))
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
	fitted := make([]float64, len(r.ends))
	r.each(func(_, from, to int) {
		for p := from; p < to; p++ {
			fitted[p] = l.mu - shift + along(r.row(p), all)
		}
	})
	return fitted
}

// along returns Σ of the entries of a row times what stands at their places: four sums at a time, for one would wait for itself.
func along(row []entry, all []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(row) >= 4; row = row[4:] {
		s0 += float64(row[0].value) * all[row[0].at]
		s1 += float64(row[1].value) * all[row[1].at]
		s2 += float64(row[2].value) * all[row[2].at]
		s3 += float64(row[3].value) * all[row[3].at]
	}
	for _, e := range row {
		s0 += float64(e.value) * all[e.at]
	}
	return (s0 + s1) + (s2 + s3)
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
