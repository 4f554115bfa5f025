package auto

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// blocks are those of ZᵀWZ + λP of every input, and for μ the sum of the weights. Conjugate gradients go by their inverse (a block Jacobi preconditioner), so that
// they have to find no more than what inputs have in common.
type blocks struct {
	inputs []block
	sum    float64
}

// block is that of an input's functions about their means m over the rows that have it, of weight w: B − w mmᵀ with the band matrix B = Σ_p w_p φφᵀ + λP.
type block struct {
	from, to int                   // the functions
	band     blas64.TriangularBand // the Cholesky factor of B
	solved   []float64             // B⁻¹m
	factor   float64               // w / (1 − w mᵀB⁻¹m), by Sherman & Morrison (1950)
}

// blocks returns those of the rows with their weights, and whether they are numbers.
func (r *regression) blocks(lambda float64) (blocks, bool) {
	all := blocks{sum: r.sum}
	bands, sums, weights := r.bands(lambda)
	for i, band := range bands {
		b := block{from: r.first[i], to: r.first[i] + band.N}
		var ok bool
		if b.band, ok = lapack64.Pbtrf(band); !ok {
			return all, false
		}
		if w := weights[i]; w > 0 {
			mean := sums[b.from:b.to]
			floats.Scale(1/w, mean)
			b.solved = make([]float64, band.N)
			copy(b.solved, mean)
			b.solve(b.solved)
			b.factor = w / (1 - w*floats.Dot(mean, b.solved))
		}
		all.inputs = append(all.inputs, b)
	}
	return all, true
}

// bands returns the matrices B of all inputs, the sums of w_p φ, [f], and the weights of the rows that have an input, [d].
func (r *regression) bands(lambda float64) (bands []blas64.SymmetricBand, sums, weights []float64) {
	var size int
	diagonal := make([]int, len(r.averages)) // where its elements are, with those beside them behind
	for i, from := range r.first {
		for a := from; a < r.end(i); a++ {
			diagonal[a] = size
			size += r.rows.support[i]
		}
	}
	every := max(1, len(r.weight)/rowsOfBands)
	all := r.added(size+len(r.averages), func(all []float64, from, to int) {
		if from == 0 {
			r.addPenalties(all, diagonal, lambda)
		}
		r.addBands(all[:size], all[size:], diagonal, from, to, every)
	})
	elements, sums := all[:size], all[size:]
	for i, from := range r.first {
		n, k := r.end(i)-from, r.rows.support[i]
		bands = append(bands, blas64.SymmetricBand{Uplo: blas.Upper, N: n, K: k - 1, Stride: k, Data: elements[diagonal[from] : diagonal[from]+n*k]})
		weights = append(weights, floats.Sum(sums[from:r.end(i)])) // functions add up to one
	}
	return bands, sums, weights
}

// addPenalties adds λP to the elements.
func (r *regression) addPenalties(elements []float64, diagonal []int, lambda float64) {
	for a, at := range diagonal {
		elements[at] += lambda * r.penalty[a]
	}
	for _, a := range r.bends { // what (v_a − 2 v_{a+1} + v_{a+2})² has beside the diagonal
		elements[diagonal[a]+1] -= 2 * lambda * bending
		elements[diagonal[a]+2] += lambda * bending
		elements[diagonal[a+1]+1] -= 2 * lambda * bending
	}
}

// rowsOfBands are enough for the blocks of splines, which need not be exact; a level may have few of all rows.
const rowsOfBands = 8192

// addBands adds those of some rows to the elements of Σ_p w_p φφᵀ and to the sums of w_p φ; of functions beside which others do not vanish either, one of every so
// many rows stands for all.
func (r *regression) addBands(elements, sums []float64, diagonal []int, from, to, every int) {
	alone := slices.Contains(r.rows.support, 1)
	for p := from; p < to; p++ {
		left := p%every != 0
		if left && !alone {
			continue
		}
		first, values := r.rows.row(p)
		for i, a := range first {
			n, w := r.rows.support[i], r.weight[p]
			own := values[:n]
			values = values[n:]
			if int(a) >= len(sums) || n > 1 && left {
				continue
			}
			if n > 1 {
				w *= float64(every)
			}
			for k, v := range own {
				v := w * float64(v)
				at := diagonal[int(a)+k]
				sums[int(a)+k] += v
				for l, o := range own[k:] {
					elements[at+l] += v * float64(o)
				}
			}
		}
	}
}

// end returns the first function beyond those of an input.
func (r *regression) end(input int) int {
	if input+1 < len(r.first) {
		return r.first[input+1]
	}
	return len(r.averages)
}

// solve makes v, [to − from], B⁻¹ v.
func (b block) solve(v []float64) {
	lapack64.Pbtrs(b.band, blas64.General{Rows: len(v), Cols: 1, Stride: 1, Data: v})
}

// solved returns the inverse of all blocks times v, [f+1] with that of μ behind it.
func (all blocks) solved(v []float64) []float64 {
	z := make([]float64, len(v))
	copy(z, v)
	for _, b := range all.inputs {
		own := z[b.from:b.to]
		b.solve(own)
		if b.solved != nil {
			floats.AddScaled(own, b.factor*floats.Dot(b.solved, v[b.from:b.to]), b.solved)
		}
	}
	z[len(z)-1] /= all.sum
	return z
}
