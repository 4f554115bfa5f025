package likelihood

import (
	"fmt"
	"strings"
)

// Text returns the name of a law and what it has learned, for people.
func Text(l Likelihood) string {
	if noise := LabelNoise(l); noise > 0 {
		return fmt.Sprintf("%s (label noise %.4g)", l.Name(), noise)
	}
	law, ok := l.(Law)
	if !ok || law.Parameters() == nil {
		return l.Name()
	}
	var all []string
	for _, p := range law.Parameters() {
		all = append(all, fmt.Sprintf("%s %.4g", p.Name, p.Value))
	}
	return l.Name() + " (" + strings.Join(all, ", ") + ")"
}

// DeviancePower returns the power p of the variance function μ^p by whose deviance
// predictions under a law are scored beside others: 1 of counts, 2 of positive amounts, and 1.5 of
// amounts of a [Tweedie] law, whatever power it has learned: deviances of different powers are
// no measure of which predictions are better. Other laws have none.
func DeviancePower(l Likelihood) (power float64, ok bool) {
	law, ok := l.(Law)
	if !ok {
		return 0, false
	}
	switch law.Scalar.(type) {
	case Poisson, NegativeBinomial, ZeroInflatedPoisson:
		return 1, true
	case Gamma, Exponential, LogNormal:
		return 2, true
	case Tweedie:
		return 1.5, true
	}
	return 0, false
}
