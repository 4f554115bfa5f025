package elbo

import (
	"beziergp/basis"
	"beziergp/surface"
)

// Smoothness returns, for the weights w of buttress k of a group,
//
//	λ/2 · Σ_layers [Σ (w_ij − w_i,j−1)² + Σ (w_ij − w_i−1,j)²]
//
// and adds its gradient to dw: minus the logarithm of a Gaussian prior by which
// weights of neighbouring nodes are alike (P-splines, Eilers & Marx 1996), along both
// the nodes of a layer and those of the layer before. The levels of a category have
// no neighbours; theirs are drawn to their mean instead.
func Smoothness(g surface.Group, k int, w, dw []float32, lambda float64) float64 {
	if lambda == 0 {
		return 0
	}
	var sum float64
	at, rows, rowsOrdered := 0, 1, true
	for _, input := range g.Ensemble.Orderings()[k] {
		cols := g.Bases[input].Nodes()
		colsOrdered := g.Bases[input].Spec().Kind != basis.KindIndicator
		own, slope := w[at:at+rows*cols], dw[at:at+rows*cols]
		for i := range rows {
			sum += along(own[i*cols:], slope[i*cols:], cols, 1, colsOrdered, lambda)
		}
		for j := range cols {
			sum += along(own[j:], slope[j:], rows, cols, rowsOrdered, lambda)
		}
		at, rows, rowsOrdered = at+rows*cols, cols, colsOrdered
	}
	return 0.5 * lambda * sum
}

// along adds up squared differences of n weights that stand stride apart: of
// neighbours where the nodes are ordered, from the mean otherwise.
func along(w, dw []float32, n, stride int, ordered bool, lambda float64) float64 {
	if n < 2 {
		return 0
	}
	var sum float64
	l := float32(lambda)
	if ordered {
		for i := 1; i < n; i++ {
			d := w[i*stride] - w[(i-1)*stride]
			sum += float64(d) * float64(d)
			dw[i*stride] += l * d
			dw[(i-1)*stride] -= l * d
		}
		return sum
	}
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
