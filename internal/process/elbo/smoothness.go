package elbo

import (
	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Smoothness returns, for the weights w of buttress k of a group,
//
//	λ/2 · Σ_layers [Σ (w_ij − w_i,j−1)² + Σ (w_ij − w_i−1,j)²]
//
// and adds its gradient to dw: minus the logarithm of a Gaussian prior of the
// differences between weights of neighbouring nodes (P-splines, Eilers & Marx 1996), along
// both the nodes of a layer and those of the layer before. The levels of a category have no
// neighbours; their weights are shrunk to their mean instead, λ/2 Σ (w_i − w̄)².
func Smoothness(g surface.Group, k int, w, dw []float32, lambda float64) float64 {
	if lambda == 0 {
		return 0
	}
	var sum float64
	l := float32(lambda)
	at, rows, rowsOrdered := 0, 1, true
	for _, input := range g.Ensemble.Orderings()[k] {
		cols := g.Bases[input].Nodes()
		colsOrdered := basis.Ordered(g.Bases[input])
		own, slope := w[at:at+rows*cols], dw[at:at+rows*cols]
		if colsOrdered {
			sum += alongRows(slope, own, rows, cols, l)
		} else {
			for i := range rows {
				sum += fromMean(slope[i*cols:], own[i*cols:], cols, 1, l)
			}
		}
		if rowsOrdered {
			sum += acrossRows(slope, own, rows, cols, l)
		} else {
			for j := range cols {
				sum += fromMean(slope[j:], own[j:], rows, cols, l)
			}
		}
		at, rows, rowsOrdered = at+rows*cols, cols, colsOrdered
	}
	return 0.5 * lambda * sum
}

// alongRows adds up the squared differences of weights that follow each other in a
// row.
func alongRows(dw, w []float32, rows, cols int, l float32) float64 {
	if cols < 2 {
		return 0
	}
	last := cols - 1
	simd.Smooth(dw, w, w, w[1:], rows, 1, cols, l)
	return simd.Smooth(dw[1:], w[1:], w, w[2:], rows, cols-2, cols, l) +
		simd.Smooth(dw[last:], w[last:], w[last-1:], w[last:], rows, 1, cols, l)
}

// acrossRows adds up the squared differences of weights that follow each other in a
// column.
func acrossRows(dw, w []float32, rows, cols int, l float32) float64 {
	if rows < 2 {
		return 0
	}
	last, between := (rows-1)*cols, (rows-2)*cols
	simd.Smooth(dw, w, w, w[cols:], 1, cols, cols, l)
	return simd.Smooth(dw[cols:], w[cols:], w, w[2*cols:], 1, between, between, l) +
		simd.Smooth(dw[last:], w[last:], w[last-cols:], w[last:], 1, cols, cols, l)
}

// fromMean adds up the squared differences of n weights, which stand stride apart,
// from their mean.
func fromMean(dw, w []float32, n, stride int, l float32) float64 {
	var sum float64
	var mean float32
	for i := range n {
		mean += w[i*stride] / float32(n)
	}
	for i := range n {
		d := w[i*stride] - mean
		sum += float64(d) * float64(d)
		dw[i*stride] += l * d
	}
	return sum
}
