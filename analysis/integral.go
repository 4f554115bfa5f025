package analysis

// Integral returns ∫ f p, the average of f over all inputs under their laws: its posterior
// mean and deviation (Bayesian quadrature). An input whose law is [measure.At] is given, not
// integrated over.
func (a *Analysis) Integral() Number {
	return a.number(a.mean.Mean().NewPass().Value(a.meanOver),
		a.variance.Variance().NewPass().Value(a.variance.Product(a.varianceOver, a.varianceOver)), a.over())
}
