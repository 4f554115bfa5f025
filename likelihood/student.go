package likelihood

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Student is y = f + s t, t having a Student's t distribution with ν degrees of freedom, s being
// the scale:
//
//	log p(y | f) = log Γ((ν + 1)/2) − log Γ(ν/2) − ½ log πν s² − (ν + 1)/2 log(1 + (y − f)²/ν s²)
type Student struct{ Scale, Tails float64 }

var _ Scalar = Student{}

// Name returns "student".
func (Student) Name() string { return "student" }

// Parameters returns the scale and the degrees of freedom.
func (l Student) Parameters() []Parameter {
	return []Parameter{{"scale", l.Scale, 1e-6, 1e6, true}, {"tails", l.Tails, 2.01, 1000, true}}
}

// With returns the law with another scale and other tails.
func (l Student) With(values []float64) (Scalar, error) {
	if err := checkValues(l, values); err != nil {
		return l, err
	}
	return Student{values[0], values[1]}, nil
}

// Check wants a finite number.
func (Student) Check(y float64) error {
	if math.IsNaN(y) || math.IsInf(y, 0) {
		return fmt.Errorf("%g: a target is a finite number", y)
	}
	return nil
}

// Link is the mean.
func (Student) Link(mean float64) float64 { return mean }

// width is √ν s.
func (l Student) width() float64 { return l.Scale * math.Sqrt(l.Tails) }

// constant is log p at y = f.
func (l Student) constant() float64 {
	n := l.Tails
	return lgamma((n+1)/2) - lgamma(n/2) - math.Log(math.Pi)/2 - math.Log(l.width())
}

// Log is the logarithm of the density.
func (l Student) Log(y, f float64) (value, first, second float64) {
	value, first, second = l.log((y - f) / l.width())
	return l.constant() + value, first, second
}

// log is Log less the constant, r being the residual in widths.
func (l Student) log(r float64) (value, first, second float64) {
	if r = min(max(r, -1e150), 1e150); math.Abs(r) > 1e8 { // r² + 1 = r²
		r = 1 / r
		return (l.Tails + 1) * math.Log(math.Abs(r)), (l.Tails + 1) * r / l.width(), (l.Tails + 1) * r * r / l.width() / l.width()
	}
	w := 1 + r*r
	return -(l.Tails + 1) / 2 * math.Log1p(r*r), (l.Tails + 1) * r / w / l.width(), (l.Tails + 1) * (r*r - 1) / (w * w) / l.width() / l.width()
}

// Expected is by quadrature. The logarithm is singular at y ± i √ν s; where that is near for the
// Gaussian, f = y + √ν s sinh t takes it away.
func (l Student) Expected(y, mean, variance float64) (value, byMean, byVariance float64) {
	width, off := l.width(), y-mean
	near := digits + (width*width-off*off)/(2*variance) // −log of what is left of the singularity
	strip := math.Inf(1)
	if near > 0 {
		strip = width
	}
	if std := math.Sqrt(variance); strip > std {
		return quadrature(mean, variance, strip, func(f float64) (value, first, second float64) { return l.Log(y, f) })
	}
	const (
		reach = 8.5
		step  = 0.07
	)
	std := math.Sqrt(variance)
	from, to := math.Asinh((-off-reach*std)/width), math.Asinh((-off+reach*std)/width)
	var sum float64
	for k, n := 0.0, math.Ceil((to-from)/step); k <= n; k++ {
		t := from + (to-from)*k/n
		r := math.Sinh(t)
		z := (width*r + off) / std
		w := math.Exp(-z*z/2) * math.Cosh(t)
		v, first, second := l.log(-r)
		value, byMean, byVariance, sum = value+w*v, byMean+w*first, byVariance+w*second, sum+w
	}
	return l.constant() + value/sum, byMean / sum, byVariance / sum / 2
}

// LogDensity is the logarithm of the density.
func (l Student) LogDensity(y, f float64) float64 { return logDensity(l, y, f) }

// CDF is that of Student's t at (y − f)/s.
func (l Student) CDF(y, f float64) float64 {
	r := (y - f) / l.width()
	// The smaller of both tails, without cancellation.
	tail := 0.5
	if r != 0 {
		tail = mathext.RegIncBeta(l.Tails/2, 0.5, 1/(1+r*r)) / 2
	}
	if r > 0 {
		return 1 - tail
	}
	return tail
}

// Mean is f.
func (Student) Mean(f float64) float64 { return f }

// Variance is s² ν/(ν − 2).
func (l Student) Variance(float64) float64 { return l.Scale * l.Scale * l.Tails / (l.Tails - 2) }

// Discrete is false.
func (Student) Discrete() bool { return false }

// Support is everywhere.
func (Student) Support() (lo, hi float64) { return math.Inf(-1), math.Inf(1) }

// Place is y, over the scale.
func (l Student) Place(y float64) (lo, hi, width float64) { return y, y, l.Scale }

// Moments are those of a sum.
func (l Student) Moments(mean, variance float64) (expected, std float64) {
	return mean, math.Sqrt(variance + l.Variance(mean))
}
