package likelihood

import (
	"math"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"

	"beziergp/predictive"
)

// Refit returns the law with the parameters that maximise
//
//	Σ_i w_i log ∫ p(y_i | f) N(f; mean_i, variance_i) df
//
// over n rows, within their bounds, where the weight of a row may be negative: by BFGS on a scale where bounds are infinitely far, from the
// parameters that the law has. It is the law itself where that has none, where no row counts,
// and where nothing better is found. The same rows give the same bits.
//
// A row costs about a predictive log density for each of some 20 · (1 + 2 · parameters) steps.
func Refit(law Scalar, n int, at func(i int) (y, weight, mean, variance float64)) Scalar {
	s := newSearch(law)
	if len(s.parameters) == 0 || n == 0 {
		return law
	}
	var weights float64
	for i := range n {
		_, w, _, _ := at(i)
		weights += w
	}
	if !(weights > 0) {
		return law
	}
	value := func(x []float64) float64 {
		own, err := law.With(s.values(x))
		if err != nil {
			return math.Inf(1)
		}
		family := predictive.NewLawFamily(own)
		var sum float64
		for i := range n {
			y, w, mean, variance := at(i)
			if w != 0 {
				sum -= w * predictive.Distribution{Location: mean, Scale: math.Sqrt(variance), Family: family}.LogDensity(y)
			}
		}
		if math.IsNaN(sum) {
			return math.Inf(1)
		}
		return sum / weights
	}
	return s.best(law, value)
}

// search is that of a law's parameters, each as the x on the real line with
// lo + (hi − lo)/(1 + e^−x), where lo and hi are logarithms if it is looked for there.
type search struct {
	parameters []Parameter
	start      []float64
}

func newSearch(law Scalar) (s search) {
	s.parameters = law.Parameters()
	for _, p := range s.parameters {
		lo, hi, v := p.scaled()
		const edge = 1e-3 // a start at a bound could not leave it
		share := 0.5
		if lo < hi { // else it is given
			share = min(max((v-lo)/(hi-lo), edge), 1-edge)
		}
		s.start = append(s.start, math.Log(share/(1-share)))
	}
	return s
}

// scaled returns the bounds and the value on the scale of the search.
func (p Parameter) scaled() (lo, hi, v float64) {
	if p.Log {
		return math.Log(p.Lo), math.Log(p.Hi), math.Log(p.Value)
	}
	return p.Lo, p.Hi, p.Value
}

// values are the parameters at x.
func (s search) values(x []float64) (values []float64) {
	for i, p := range s.parameters {
		lo, hi, _ := p.scaled()
		v := lo + (hi-lo)*sigmoid(x[i])
		if p.Log {
			v = math.Exp(v)
		}
		values = append(values, min(max(v, p.Lo), p.Hi))
	}
	return values
}

// best returns the law at the least value.
func (s search) best(law Scalar, value func(x []float64) float64) Scalar {
	problem := optimize.Problem{
		Func: value,
		Grad: func(gradient, x []float64) {
			fd.Gradient(gradient, value, x, &fd.Settings{Formula: fd.Central, Step: 1e-4})
		},
	}
	settings := &optimize.Settings{
		GradientThreshold: 1e-7,
		MajorIterations:   100,
		Converger:         &optimize.FunctionConverge{Absolute: 1e-10, Iterations: 3},
	}
	was := value(s.start)
	// An error may come after good steps: what counts is the best of them.
	result, _ := optimize.Minimize(problem, s.start, settings, &optimize.BFGS{})
	if result == nil || !(result.F < was) {
		return law
	}
	found, failed := law.With(s.values(result.X))
	if failed != nil {
		return law
	}
	return found
}
