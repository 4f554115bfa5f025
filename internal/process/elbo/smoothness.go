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
//
// The columns of several outputs' layer have no such term across: outputs have neither
// neighbours nor a mean that they come from, for the sign of an output means nothing, and the
// prior is to be the same when one changes. Along its rows, the nodes of the last input, it is a
// layer like the others.
func Smoothness(g surface.Group, k int, w, dw []float32, lambda float64) {
	l := float32(lambda)
	at, rows, rowsOrdered := 0, 1, true
	for _, input := range g.Ensemble.Orderings()[k] {
		cols := g.Bases[input].Nodes()
		colsOrdered := basis.Ordered(g.Bases[input])
		SmoothLayer(w[at:at+rows*cols], dw[at:at+rows*cols], rows, rowsOrdered, colsOrdered, l)
		at, rows, rowsOrdered = at+rows*cols, cols, colsOrdered
	}
	if g.Ensemble.Outputs() > 1 {
		SmoothOutputs(w[at:], dw[at:], rows, rowsOrdered, l)
	}
}

// SmoothOutputs is [Smoothness] of several outputs' layer, [rows, T].
func SmoothOutputs(w, dw []float32, rows int, rowsOrdered bool, lambda float32) {
	outputs := len(w) / rows
	if rowsOrdered {
		simd.Smooth(dw, w, rows, outputs, false, true, lambda)
		return
	}
	simd.PullToMeanRow(dw, w, outputs, lambda)
}

// SmoothLayer is [Smoothness] of one layer, whose rows and columns are nodes that have
// neighbours, are ordered, or levels of a category.
func SmoothLayer(w, dw []float32, rows int, rowsOrdered, colsOrdered bool, lambda float32) {
	cols := len(w) / rows
	if colsOrdered || rowsOrdered {
		simd.Smooth(dw, w, rows, cols, colsOrdered, rowsOrdered, lambda)
	}
	if !colsOrdered {
		simd.PullToMean(dw, w, cols, lambda)
	}
	if !rowsOrdered {
		simd.PullToMeanRow(dw, w, cols, lambda)
	}
}
