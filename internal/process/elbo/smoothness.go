package elbo

import (
	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// Smoothness adds to dw, for the weights w of buttress k of a group, the gradient of
//
//	λ/2 · Σ_layers [Σ (w_ij − w_i,j−1)² + Σ (w_ij − w_i−1,j)²]
//
// which is minus the logarithm of a Gaussian prior of the differences between weights of
// neighbouring nodes (P-splines, Eilers & Marx 1996), along both the nodes of a layer and
// those of the layer before. The levels of a category have no neighbours; their weights
// are shrunk to their mean instead, λ/2 Σ (w_i − w̄)².
func Smoothness(g surface.Group, k int, w, dw []float32, lambda float64) {
	l := float32(lambda)
	at, rows, rowsOrdered := 0, 1, true
	for _, input := range g.Ensemble.Orderings()[k] {
		cols := g.Bases[input].Nodes()
		colsOrdered := basis.Ordered(g.Bases[input])
		SmoothLayer(w[at:at+rows*cols], dw[at:at+rows*cols], rows, rowsOrdered, colsOrdered, l)
		at, rows, rowsOrdered = at+rows*cols, cols, colsOrdered
	}
}

// SmoothLayer is [Smoothness] of one layer, whose rows and columns are nodes that have
// neighbours, are ordered, or levels of a category.
func SmoothLayer(w, dw []float32, rows int, rowsOrdered, colsOrdered bool, lambda float32) {
	cols := len(w) / rows
	if colsOrdered || rowsOrdered {
		simd.Smooth(dw, w, rows, cols, colsOrdered, rowsOrdered, lambda)
	}
	if !colsOrdered {
		for i := range rows {
			fromMean(dw[i*cols:], w[i*cols:], cols, 1, lambda)
		}
	}
	if !rowsOrdered {
		for j := range cols {
			fromMean(dw[j:], w[j:], rows, cols, lambda)
		}
	}
}

// fromMean takes n weights, which stand stride apart, towards their mean.
func fromMean(dw, w []float32, n, stride int, l float32) {
	var mean float32
	for i := range n {
		mean += w[i*stride] / float32(n)
	}
	for i := range n {
		dw[i*stride] += l * (w[i*stride] - mean)
	}
}
