package likelihood

import (
	"fmt"
	"strconv"
	"strings"

	"beziergp/predictive"
)

// Scalar is p(y | f) of one target y given one natural parameter f, offsets included. It is
// immutable and safe for concurrent use.
//
// Nothing overflows: where e^f or its expectation is beyond [Largest] it is taken as that,
// and derivatives stay finite.
type Scalar interface {
	predictive.Law
	// Name returns the name that files and the command line have.
	Name() string
	// Parameters returns the law's own parameters in order; nil where it has none.
	Parameters() []Parameter
	// With returns the law with other values of its parameters, in the order of Parameters. It
	// fails where their number is another or one lies outside its bounds.
	With(values []float64) (Scalar, error)
	// Check says why y is no value that the law gives, and what it gives; nil where it is one.
	Check(y float64) error
	// Link returns the f whose mean this is, kept within what f can be.
	Link(mean float64) float64
	// Log returns log p(y | f) and its first and second derivative by f.
	Log(y, f float64) (value, first, second float64)
	// Expected returns E log p(y | f), f ~ N(mean, variance), and its derivatives by the mean,
	// E ∂ log p/∂f, and by the variance, ½ E ∂² log p/∂f².
	Expected(y, mean, variance float64) (value, byMean, byVariance float64)
}

// Parameter is one of a law's own.
type Parameter struct {
	Name   string
	Value  float64
	Lo, Hi float64 // its bounds, ends included
	Log    bool    // it is positive and looked for on the scale of its logarithm
}

// scalars are all there are: those that files and the command line can name, with the
// parameters that they start from.
var scalars = []Scalar{
	Bernoulli{},
	Probit{},
	Poisson{},
	NegativeBinomial{Dispersion: 0.5},
	ZeroInflatedPoisson{Zeros: 0.2},
	Gamma{Shape: 1},
	Exponential{},
	LogNormal{Deviation: 0.5},
	Beta{Precision: 10},
	Tweedie{Dispersion: 1, Power: 1.5},
	Student{Scale: 0.5, Tails: 4},
	equalLevels(2),
}

// Holder is a law that takes a parameter as given, which it does not learn: its bounds are its value then.
type Holder interface {
	Scalar
	// Hold returns the law with this value of a parameter.
	Hold(name string, value float64) (Scalar, error)
}

// hold returns a law with the parameters of a text, as "power=1.5".
func hold(s Scalar, text string) (Scalar, error) {
	for _, one := range strings.Split(text, ",") {
		name, number, _ := strings.Cut(one, "=")
		value, err := strconv.ParseFloat(number, 64)
		h, ok := s.(Holder)
		switch {
		case !ok:
			return nil, fmt.Errorf("%s learns its parameters, and takes none as given", s.Name())
		case err != nil:
			return nil, fmt.Errorf("%s: %q is no parameter with a number, as power=1.5 is", s.Name(), one)
		}
		if s, err = h.Hold(name, value); err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name(), err)
		}
	}
	return s, nil
}

// ScalarNamed returns the law of a name, with the parameters that it starts from.
func ScalarNamed(name string) (Scalar, error) {
	var names []string
	for _, l := range scalars {
		if l.Name() == name {
			return l, nil
		}
		names = append(names, l.Name())
	}
	return nil, fmt.Errorf("%.40q is unknown; this version knows %s", name, strings.Join(names, ", "))
}
