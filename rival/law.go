package rival

import (
	"fmt"
	"math"

	"beziergp/likelihood"
	"beziergp/rival/method"
)

// NewLaw returns a law as methods see it, nil for a Gaussian. Its natural parameter is all of
// f: the base that a [likelihood.Likelihood] begins with is 0.
func NewLaw(l likelihood.Likelihood) (method.Law, error) {
	switch l := likelihood.OrGaussian(l).(type) {
	case likelihood.Gaussian:
		return nil, nil
	case likelihood.Law:
		return &scalar{likelihood.NewLaw(l.Scalar, 0)}, nil
	case likelihood.Classes:
		return classes{likelihood.Classes{Base: make([]float64, len(l.Base))}}, nil
	}
	return nil, fmt.Errorf("the likelihood %s is not one that rivals know", l.Name())
}

// stored returns the law of a regressor, a Gaussian of nil.
func stored(law method.Law) likelihood.Likelihood {
	switch law := law.(type) {
	case *scalar:
		return law.Law
	case classes:
		return law.Classes
	}
	return likelihood.Gaussian{}
}

// scalar is a law of one natural parameter.
type scalar struct{ likelihood.Law }

// Latents is 1.
func (*scalar) Latents() int { return 1 }

// Loss implements [method.Law].
func (l *scalar) Loss(y float64, f, slope []float64) float64 {
	value, first, _ := l.Log(y, f[0])
	slope[0] = -first
	return -value
}

// Link implements [method.Law].
func (l *scalar) Link(mean, f []float64) { f[0] = l.Law.Link(mean[0]) }

// Proportional tells whether the link is the logarithm.
func (l *scalar) Proportional() bool {
	return math.Abs(l.Law.Link(3)-l.Law.Link(1)-math.Log(3)) < 1e-9
}

// refitRows are enough to learn the parameters of a law.
const refitRows = 10_000

// Refit implements [method.Law], by every so many rows where there are many.
func (l *scalar) Refit(n int, at func(i int, f []float64) float64) (method.Law, bool) {
	if l.Parameters() == nil {
		return l, false
	}
	every := (n + refitRows - 1) / refitRows
	var y, means []float64
	f := make([]float64, 1)
	for i := 0; i < n; i += every {
		y, means = append(y, at(i, f)), append(means, f[0])
	}
	found := likelihood.Refit(l.Scalar, len(y), func(i int) (float64, float64, float64, float64) { return y[i], 1, means[i], 0 })
	return &scalar{likelihood.NewLaw(found, 0)}, true
}

// classes is the categorical law.
type classes struct{ likelihood.Classes }

// Loss implements [method.Law].
func (l classes) Loss(y float64, f, slope []float64) float64 {
	return l.Losses(f, []float32{float32(y)}, slope)
}

// Link implements [method.Law]: the logarithms of shares.
func (l classes) Link(mean, f []float64) {
	for k, share := range mean {
		f[k] = math.Log(share)
	}
}

// Proportional is false: classes take no offset.
func (classes) Proportional() bool { return false }

// Refit implements [method.Law]: there are no parameters.
func (l classes) Refit(int, func(int, []float64) float64) (method.Law, bool) { return l, false }
