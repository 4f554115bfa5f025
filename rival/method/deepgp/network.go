package deepgp

import (
	"context"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/inducing"
)

// network is layers one behind the other, the last a sparse process of one output.
type network struct {
	layers []*layer
	last   covariance.Hyper
	inputs []float64 // Z of the last layer [M, W]
	q      *inducing.Gaussian
	jitter float64
}

// sizes returns the number of parameters, and how many numbers of noise a row takes.
func (w *network) sizes() (parameters, normals int) {
	parameters = w.last.Len() + len(w.inputs)
	for _, l := range w.layers {
		parameters += l.size()
		normals += l.means.Rows
	}
	return parameters, normals
}

func (w *network) pack(x []float64) {
	for _, l := range w.layers {
		l.pack(x)
		x = x[l.size():]
	}
	w.last.Pack(x)
	copy(x[w.last.Len():], w.inputs)
}

func (w *network) clamp(x []float64) {
	for _, l := range w.layers {
		l.clamp(x)
		x = x[l.size():]
	}
	w.last.Clamp(x)
}

func (w *network) unpack(x []float64) error {
	for _, l := range w.layers {
		if err := l.unpack(x); err != nil {
			return err
		}
		x = x[l.size():]
	}
	copy(w.inputs, x[w.last.Len():])
	return w.last.Unpack(x)
}

// bound returns the estimate of the bound (Salimbeni and Deisenroth, Doubly stochastic
// variational inference for deep Gaussian processes, 2017, equation 18) by a mini-batch of
// n standardised rows and one sample of the inner layers, made of normals [B, W a layer]:
//
//	F = n/B Σ_j E_q[log p(y_j | f(h_j))] − Σ_layers KL
//
// where the expectation over the last layer has a closed form. Before, unless rho is 0,
// the last layer's Gaussian takes a natural step of that size. Unless nil, gradient, as
// long as what pack writes, is set to the gradient with that Gaussian and the normals held.
func (w *network) bound(ctx context.Context, workers int, rows method.Data, n int, normals [][]float64, rho float64, gradient []float64) (float64, error) {
	passes := make([]*pass, len(w.layers))
	x := rows.X
	for i, l := range w.layers {
		var err error
		if passes[i], err = l.forward(ctx, workers, w.jitter, x, normals[i]); err != nil {
			return 0, err
		}
		x = passes[i].output
	}
	width := len(w.last.Lengths)
	b, err := inducing.NewBatch(ctx, workers, &w.last, w.inputs, w.jitter, method.Data{X: x, Y: rows.Y, Inputs: width}, n)
	if err != nil {
		return 0, err
	}
	if rho > 0 {
		if err := b.Step(w.q, rho); err != nil {
			return 0, err
		}
	}
	if gradient == nil {
		value, err := b.Value(w.q, nil, nil, nil)
		for _, l := range w.layers {
			value -= l.divergence(nil)
		}
		return value, err
	}
	clear(gradient)
	own := len(gradient) - w.last.Len() - len(w.inputs)
	last := gradient[own:]
	g := covariance.NewHyperGradient(width)
	var cotangent []float64
	if len(passes) > 0 {
		cotangent = make([]float64, len(x))
	}
	value, err := b.Value(w.q, &g, last[w.last.Len():], cotangent)
	if err != nil {
		return 0, err
	}
	g.Pack(last, &w.last)
	for i := len(passes) - 1; i >= 0; i-- {
		l, g := w.layers[i], w.layers[i].newGradient()
		var back []float64
		if i > 0 {
			back = make([]float64, len(passes[i-1].output))
		}
		if err := passes[i].backward(ctx, workers, cotangent, g, back); err != nil {
			return 0, err
		}
		value -= l.divergence(g)
		own -= l.size()
		l.packGradient(gradient[own:], g)
		cotangent = back
	}
	return value, nil
}
