package buttress

import (
	"math"

	"beziergp/internal/kernel"
)

// rescaleEvery is the number of layers after which states are brought back near
// one: between two rescalings a chain may grow or shrink 2^5-fold a layer.
const rescaleEvery = 16

// Strip holds basis values at the points of a strip.
type Strip struct {
	// Points is the number of points, at most Stride.
	Points, Stride int
	// Phi holds, for every input, the values of its basis node by node: element
	// (i, p) of input γ at Phi[γ][i*Stride+p]. For a mean that is φ; for a
	// variance ς φ²; for a covariance ς φ(x) φ(z).
	Phi [][]float32
}

// States is the memory of one pass of a strip through one buttress. It serves
// any buttress of the ensemble that it was made for, one at a time.
type States struct {
	rows      []float32 // states of all layers, or of two in turn
	factors   []float32 // factor of each rescaling and point
	stride    int
	exponents []int32      // [stride] sum of the exponents taken out
	back      [2][]float32 // cotangents of two layers in turn
	ones      []float32
	kept      bool
}

// NewStates returns memory for [Ensemble.Forward]. With keep it holds the states
// of all layers, so that [Ensemble.Backward] can follow. stride is that of the
// strips.
func (e *Ensemble) NewStates(stride int, keep bool) *States {
	wide := e.widest() * stride
	s := &States{
		stride:    stride,
		exponents: make([]int32, stride),
		factors:   make([]float32, (1+e.Inputs()/rescaleEvery)*stride),
		ones:      make([]float32, wide),
		kept:      keep,
	}
	for i := range s.ones {
		s.ones[i] = 1
	}
	if keep {
		s.rows = make([]float32, e.nodes()*stride)
		s.back = [2][]float32{make([]float32, wide), make([]float32, wide)}
	} else {
		s.rows = make([]float32, 2*wide)
	}
	return s
}

// layer returns the states of layer g: of their own, or one of two in turn.
func (s *States) layer(g int, l *layer) []float32 {
	at := l.before * s.stride
	if !s.kept {
		at = (g % 2) * len(s.rows) / 2
	}
	return s.rows[at : at+l.cols*s.stride]
}

// rescaled tells whether states are rescaled after layer g of d: not for the sake
// of a few last layers.
func rescaled(g, d int) bool { return (g+1)%rescaleEvery == 0 && g+rescaleEvery/2 < d }

// hasRescaling tells whether states of d layers are rescaled at all.
func hasRescaling(d int) bool { return rescaled(rescaleEvery-1, d) }

// factor returns the factors of the rescaling after layer g.
func (s *States) factor(g int) []float32 {
	c := g / rescaleEvery
	return s.factors[c*s.stride : (c+1)*s.stride]
}

// Forward sends a strip through buttress k with weights w (the buttress's own,
// see [Ensemble.Weights]) and writes what arrives at the sink to out, length at
// least x.Points:
//
//	S_1 = W_1 ∘ φ_t(1),  S_γ = (W_γᵀ S_{γ−1}) ∘ φ_t(γ),  out = 1ᵀ S_d
//
// A value too large for float32 comes out infinite.
func (e *Ensemble) Forward(k int, w []float32, x *Strip, s *States, out []float32) {
	if x.Stride != s.stride {
		panic("buttress: states of another stride than the strip's")
	}
	layers := e.layers[k]
	if hasRescaling(len(layers)) {
		clear(s.exponents)
	}
	src := s.ones
	for g := range layers {
		l := &layers[g]
		dst := s.layer(g, l)
		kernel.Layer(dst, x.Phi[l.input], l.weights(w), src, l.cols, 1, l.rows, l.cols, x.Points, s.stride)
		if rescaled(g, len(layers)) {
			kernel.Rescale(dst, s.factor(g), s.exponents, l.cols, x.Points, s.stride)
		}
		src = dst
	}
	last := layers[len(layers)-1].cols
	kernel.Layer(out, s.ones, s.ones, src, 1, 1, last, 1, x.Points, s.stride)
	if hasRescaling(len(layers)) {
		for p, e := range s.exponents[:x.Points] {
			out[p] = scaleByPower(out[p], e)
		}
	}
}

// Backward follows [Ensemble.Forward] with the same arguments and adds to dw, of
// the length of w, the gradient of Σ_p cotangent[p] · out[p] with respect to w.
// The states are used up.
//
// With U_γ the cotangent of W_γᵀ S_{γ−1}, that is U_{γ−1} = (W_γ U_γ) ∘ φ_t(γ−1)
// and dW_γ = S_{γ−1} U_γᵀ.
func (e *Ensemble) Backward(k int, w []float32, x *Strip, s *States, cotangent, dw []float32) {
	if !s.kept {
		panic("buttress: Backward needs states that were kept")
	}
	layers := e.layers[k]
	n := x.Points
	last := &layers[len(layers)-1]
	if hasRescaling(len(layers)) {
		top := s.layer(len(layers)-1, last) // no longer needed: takes the scaled cotangent
		for p, c := range cotangent[:n] {
			top[p] = scaleByPower(c, s.exponents[p])
		}
		cotangent = top
	}
	u, spare := s.back[0], s.back[1]
	kernel.Layer(u, x.Phi[last.input], s.ones, cotangent, 1, 1, 1, last.cols, n, s.stride)
	for g := len(layers) - 1; g > 0; g-- {
		l, before := &layers[g], &layers[g-1]
		kernel.Outer(l.weights(dw), s.layer(g-1, before), u, l.rows, l.cols, n, s.stride)
		kernel.Layer(spare, x.Phi[before.input], l.weights(w), u, 1, l.cols, l.cols, l.rows, n, s.stride)
		u, spare = spare, u
		if rescaled(g-1, len(layers)) {
			kernel.Scale(u, s.factor(g-1), l.rows, n, s.stride)
		}
	}
	kernel.Outer(layers[0].weights(dw), s.ones, u, 1, layers[0].cols, n, s.stride)
}

// scaleByPower returns x · 2^e, infinite or zero where float32 ends.
func scaleByPower(x float32, e int32) float32 {
	if e == 0 {
		return x
	}
	return float32(math.Ldexp(float64(x), int(e)))
}
