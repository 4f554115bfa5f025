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
	fromMeanRow(dw, w, outputs, lambda)
}

// SmoothLayer is [Smoothness] of one layer, whose rows and columns are nodes that have
// neighbours, are ordered, or levels of a category.
func SmoothLayer(w, dw []float32, rows int, rowsOrdered, colsOrdered bool, lambda float32) {
	cols := len(w) / rows
	if colsOrdered || rowsOrdered {
		simd.Smooth(dw, w, rows, cols, colsOrdered, rowsOrdered, lambda)
	}
	if !colsOrdered {
		for at := 0; at < len(w); at += cols {
			fromMean(dw[at:at+cols], w[at:at+cols], lambda)
		}
	}
	if !rowsOrdered {
		fromMeanRow(dw, w, cols, lambda)
	}
}

// fromMean takes weights towards their mean.
func fromMean(dw, w []float32, l float32) {
	var sums [4]float32 // so that one addition need not wait for the last
	i := 0
	for ; i+4 <= len(w); i += 4 {
		four := w[i : i+4]
		sums[0] += four[0]
		sums[1] += four[1]
		sums[2] += four[2]
		sums[3] += four[3]
	}
	for ; i < len(w); i++ {
		sums[0] += w[i]
	}
	mean := (sums[0] + sums[1] + sums[2] + sums[3]) / float32(len(w))
	dw = dw[:len(w)]
	for i, v := range w {
		dw[i] += l * (v - mean)
	}
}

// fromMeanRow takes the rows of a layer towards the mean of all rows, of a stripe of columns
// at a time.
func fromMeanRow(dw, w []float32, cols int, l float32) {
	var means [stripe]float32
	for from := 0; from < cols; from += stripe {
		end := min(from+stripe, cols)
		mean := means[:end-from]
		clear(mean)
		for at := 0; at < len(w); at += cols {
			for j, v := range w[at+from : at+end][:len(mean)] {
				mean[j] += v
			}
		}
		for j := range mean {
			mean[j] *= float32(cols) / float32(len(w))
		}
		for at := 0; at < len(w); at += cols {
			own, slope := w[at+from : at+end][:len(mean)], dw[at+from : at+end][:len(mean)]
			for j, v := range own {
				slope[j] += l * (v - mean[j])
			}
		}
	}
}

// stripe is how many columns' means are kept at a time.
const stripe = 64
