package deepgp

import (
	"math"

	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

// size is the number of parameters of a layer.
func (l *layer) size() int {
	m := l.roots.Cols
	return 1 + len(l.kernel.Lengths) + len(l.inputs) + len(l.means.Data) + l.means.Rows*m*(m+1)/2
}

// pack writes the parameters to x as the optimiser sees them: log v, log ℓ [d], Z, μ, and
// of every T_o its rows up to the diagonal, of which it has the logarithms.
func (l *layer) pack(x []float64) {
	x[0] = math.Log(l.kernel.Variance)
	for j, v := range l.kernel.Lengths {
		x[1+j] = math.Log(v)
	}
	l.each(x, func(i, j int, at *float64) {
		*at = l.roots.Data[i*l.roots.Stride+j]
		if i%l.roots.Cols == j {
			*at = math.Log(*at)
		}
	}, func(part, own []float64) { copy(part, own) }, l.inputs, l.means.Data)
}

// unpack is the inverse of pack. It fails with [covariance.ErrReach].
func (l *layer) unpack(x []float64) error {
	d := len(l.kernel.Lengths)
	for _, v := range x[:1+d] {
		if !(math.Abs(v) <= covariance.Reach) {
			return covariance.ErrReach
		}
	}
	l.kernel.Variance = math.Exp(x[0])
	for j := range l.kernel.Lengths {
		l.kernel.Lengths[j] = math.Exp(x[1+j])
	}
	var err error
	l.each(x, func(i, j int, at *float64) {
		v := *at
		if i%l.roots.Cols == j {
			if !(math.Abs(v) <= covariance.Reach) {
				err = covariance.ErrReach
				return
			}
			v = math.Exp(v)
		}
		l.roots.Data[i*l.roots.Stride+j] = v
	}, func(part, own []float64) { copy(own, part) }, l.inputs, l.means.Data)
	return err
}

// packGradient writes g to x as the gradient with respect to what pack writes.
func (l *layer) packGradient(x []float64, g *gradient) {
	x[0] = g.LogVariance
	copy(x[1:], g.LogLengths)
	l.each(x, func(i, j int, at *float64) {
		*at = g.roots.Data[i*g.roots.Stride+j]
		if i%g.roots.Cols == j {
			*at *= dense.Row(l.roots, i)[j]
		}
	}, func(part, own []float64) { copy(part, own) }, g.inputs, g.means.Data)
}

// clamp moves logarithms that pack has written, and a step has changed, back within the
// range that unpack accepts.
func (l *layer) clamp(x []float64) {
	within := func(v float64) float64 { return max(-covariance.Reach, min(covariance.Reach, v)) }
	for i := range 1 + len(l.kernel.Lengths) {
		x[i] = within(x[i])
	}
	l.each(x, func(i, j int, at *float64) {
		if i%l.roots.Cols == j {
			*at = within(*at)
		}
	}, func(_, _ []float64) {}, l.inputs, l.means.Data)
}

// each calls list for the parts of x behind the kernel's, beside what they are of, and
// root for those of the places i, j of the roots.
func (l *layer) each(x []float64, root func(i, j int, at *float64), list func(part, own []float64), lists ...[]float64) {
	x = x[1+len(l.kernel.Lengths):]
	for _, own := range lists {
		list(x[:len(own)], own)
		x = x[len(own):]
	}
	for i := range l.roots.Rows {
		for j := range i%l.roots.Cols + 1 {
			root(i, j, &x[0])
			x = x[1:]
		}
	}
}
