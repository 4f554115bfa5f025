package auto

import (
	"slices"

	"beziergp/internal/process/basis"
)

// sparseRows are the functions of all inputs that do not vanish at each of n rows: of every input where they begin, and their values. Where a row lacks
// an input they begin beyond the f functions, at a place of the input's own, and have the values 1, 0, ….
type sparseRows struct {
	support []int // [d] the functions of an input that do not vanish at a point
	slots   int   // of a row, Σ support
	most    int   // the largest support
	first   []int32
	values  []float32 // [n, slots]
}

func newSparseRows(bases []basis.Basis, n int) (r sparseRows) {
	for _, b := range bases {
		r.support, r.slots = append(r.support, b.Support()), r.slots+b.Support()
	}
	r.most = slices.Max(r.support)
	r.first, r.values = make([]int32, n*len(bases)), make([]float32, n*r.slots)
	return r
}

// places returns the length of a vector of what stands at f functions, with places of the inputs behind them, and some that support reaches into.
func (r *sparseRows) places(f int) int { return f + len(r.support) + r.most }

// localRows are filled in at once.
const localRows = 256

// fill takes the rows from ≤ p < to from those of data with the numbers; first are the first functions of the inputs, of f.
func (r *sparseRows) fill(bases []basis.Basis, first []int, f int, data *dataset, numbers []int, from, to int) {
	d := len(bases)
	t, begins, values := make([]float32, localRows), make([]int32, localRows), make([]float32, localRows*r.most)
	for ; from < to; from += localRows {
		block := numbers[from:min(from+localRows, to)]
		slot := 0
		for i, b := range bases {
			n := r.support[i]
			for p, j := range block {
				t[p] = data.Row(j)[i]
			}
			b.LocalValues(begins, values, t, len(block), n)
			for p := range block {
				own, at := r.values[(from+p)*r.slots+slot:][:n], int32(first[i])+begins[p]
				if t[p] == t[p] {
					copy(own, values[p*n:])
				} else {
					own[0], at = 1, int32(f+i)
				}
				r.first[(from+p)*d+i] = at
			}
			slot += n
		}
	}
}

// row returns where the functions of every input begin at a row, [d], and their values, [slots].
func (r *sparseRows) row(p int) (first []int32, values []float32) {
	d := len(r.support)
	return r.first[p*d : (p+1)*d], r.values[p*r.slots : (p+1)*r.slots]
}

// along returns the sum over the functions at a row of their values times what stands at their places.
func (r *sparseRows) along(p int, all []float64) float64 {
	var s0, s1 float64 // one would wait for itself
	first, values := r.row(p)
	for i, a := range first {
		switch n := r.support[i]; n {
		case 1:
			s0 += float64(values[0]) * all[a]
			values = values[1:]
		case 4:
			v, own := values[:4:4], all[a:a+4:a+4]
			s0 += float64(v[0])*own[0] + float64(v[1])*own[1]
			s1 += float64(v[2])*own[2] + float64(v[3])*own[3]
			values = values[4:]
		default:
			for k, v := range values[:n] {
				s0 += float64(v) * all[int(a)+k]
			}
			values = values[n:]
		}
	}
	return s0 + s1
}

// add adds the values of the functions at a row, times v, to what stands at their places.
func (r *sparseRows) add(p int, v float64, all []float64) {
	first, values := r.row(p)
	for i, a := range first {
		switch n := r.support[i]; n {
		case 1:
			all[a] += float64(values[0]) * v
			values = values[1:]
		case 4:
			u, own := values[:4:4], all[a:a+4:a+4]
			own[0] += float64(u[0]) * v
			own[1] += float64(u[1]) * v
			own[2] += float64(u[2]) * v
			own[3] += float64(u[3]) * v
			values = values[4:]
		default:
			for k, u := range values[:n] {
				all[int(a)+k] += float64(u) * v
			}
			values = values[n:]
		}
	}
}
