package buttress

import (
	"slices"

	"beziergp/internal/simd"
)

// Outputs returns T.
func (e *Ensemble) Outputs() int { return e.outputs }

// Single returns the ensemble of the same inputs and orderings with one output: the shape of
// the weights that [Ensemble.OutputWeights] returns.
func (e *Ensemble) Single() *Ensemble {
	if e.outputs == 1 {
		return e
	}
	return e.single()
}

// OutputWeights returns the weights, length Size of [Ensemble.Single], of the buttresses that
// give output t alone, of the weights w of all outputs, length Size. The layer of the outputs
// multiplies the columns of the last input's layer:
//
//	W_d[i,j] · W_out[j,t]
func (e *Ensemble) OutputWeights(w []float32, t int) []float32 {
	return e.outputOf(w, t, func(v, out float32) float32 { return v * out })
}

// OutputLogWeights is the same of log-weights, V_d[i,j] + V_out[j,t].
func (e *Ensemble) OutputLogWeights(v []float32, t int) []float32 {
	return e.outputOf(v, t, func(v, out float32) float32 { return v + out })
}

func (e *Ensemble) outputOf(w []float32, t int, meet func(v, out float32) float32) []float32 {
	single := e.Single()
	all := make([]float32, single.Size())
	for k, layers := range e.layers {
		from, to := e.Weights(w, k), single.Weights(all, k)
		copy(to, from)
		if e.outputs == 1 {
			continue
		}
		last, out := layers[len(layers)-2], layers[len(layers)-1].weights(from)
		own := last.weights(to)
		for i := range own {
			own[i] = meet(own[i], out[i%last.cols*e.outputs+t])
		}
	}
	return all
}

// depth returns the number of layers: d, and one more where there are several outputs.
func (e *Ensemble) depth() int { return len(e.layers[0]) }

// newChain returns the layers of an ordering. That of several outputs is one more, of an input
// with T nodes of which all functions are one: what arrives at the nodes are the outputs.
func (e *Ensemble) newChain(ordering []int, keep bool) *simd.Chain {
	widths, local := e.widths, e.local
	if e.outputs > 1 {
		widths, ordering = append(slices.Clone(widths), e.outputs), append(slices.Clone(ordering), len(widths))
		if local != nil {
			local = append(slices.Clone(local), 0)
		}
	}
	return simd.NewChain(widths, local, ordering, keep)
}

// needsOne panics where there are several outputs.
func (e *Ensemble) needsOne(what string) {
	if e.outputs > 1 {
		panic("buttress: " + what + " of several outputs: take them one by one, by OutputWeights")
	}
}

// copyRows copies n points of rows that are a stride apart.
func copyRows(dst, src []float32, rows, n, stride int) {
	for t := range rows {
		copy(dst[t*stride:][:n], src[t*stride:])
	}
}
