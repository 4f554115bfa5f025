// Package measure has the distributions that an input may be given: what effects,
// sensitivities and integrals are taken over. A law is on the input's own scale; a [Rule]
// makes points and weights of it, so that an integral is a sum.
package measure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Law is a distribution of one input. The zero value is [Training].
type Law struct {
	name    string
	args    []float64
	levels  []string // of a law over single values; NaN-free numbers or levels as text
	weights []float64
}

// The names of laws.
const (
	Training   = "training"   // the training rows' own
	uniform    = "uniform"    // (a, b), or over the input's bounds or all levels
	normal     = "normal"     // (mean, deviation)
	logNormal  = "lognormal"  // (mean, deviation) of the logarithm
	triangular = "triangular" // (lowest, likeliest, highest)
	levels     = "levels"     // (value:weight, …)
	fixed      = "at"         // (value)
)

// Names returns how the laws are written.
func Names() []string {
	return []string{"training", "uniform", "uniform(a,b)", "normal(mean,sd)", "lognormal(mean,sd)", "triangular(a,c,b)", "levels(v:w,…)", "at(v)"}
}

// At returns the law of an input that has one value: a number, or a level of a category.
func At(value string) Law { return Law{name: fixed, levels: []string{value}, weights: []float64{1}} }

// Uniform returns the uniform distribution on [a, b].
func Uniform(a, b float64) (Law, error) { return of(uniform, a, b) }

// Normal returns the Gaussian of this mean and deviation.
func Normal(mean, sd float64) (Law, error) { return of(normal, mean, sd) }

// IsTraining tells whether the law is the training rows' own.
func (l Law) IsTraining() bool { return l.name == "" || l.name == Training }

// String returns the law as Parse reads it.
func (l Law) String() string {
	var parts []string
	for _, v := range l.args {
		parts = append(parts, strconv.FormatFloat(v, 'g', -1, 64))
	}
	for i, level := range l.levels {
		if strings.ContainsAny(level, `,:"()`) {
			level = strconv.Quote(level)
		}
		if l.name != fixed {
			level += ":" + strconv.FormatFloat(l.weights[i], 'g', -1, 64)
		}
		parts = append(parts, level)
	}
	switch {
	case l.IsTraining():
		return Training
	case parts == nil:
		return l.name
	}
	return l.name + "(" + strings.Join(parts, ",") + ")"
}

// arguments are how many numbers a law takes.
var arguments = map[string]int{uniform: 2, normal: 2, logNormal: 2, triangular: 3}

func of(name string, args ...float64) (Law, error) {
	l := Law{name: name, args: args}
	if want := arguments[name]; len(args) != want {
		return l, fmt.Errorf("%s takes %d numbers, not %d", name, want, len(args))
	}
	for _, v := range args {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return l, fmt.Errorf("%s: %g is not a finite number", name, v)
		}
	}
	switch {
	case name == uniform && !(args[0] < args[1]):
		return l, fmt.Errorf("%s: its bounds do not ascend", l)
	case (name == normal || name == logNormal) && !(args[1] > 0):
		return l, fmt.Errorf("%s: its deviation must be above 0", l)
	case name == triangular && !(args[0] <= args[1] && args[1] <= args[2] && args[0] < args[2]):
		return l, fmt.Errorf("%s: it takes the lowest, the likeliest and the highest value, which ascend", l)
	}
	return l, nil
}

// continuous is what a law with a density can do.
type continuous interface {
	Prob(x float64) float64
	CDF(x float64) float64
	Quantile(p float64) float64
}

// density returns a law's, nil where it has none; breaks are where a polynomial would have
// trouble with it.
func (l Law) density() (d continuous, breaks []float64) {
	switch l.name {
	case uniform:
		return distuv.Uniform{Min: l.args[0], Max: l.args[1]}, l.args
	case normal:
		return distuv.Normal{Mu: l.args[0], Sigma: l.args[1]}, steps(l.args[0], l.args[1], false)
	case logNormal:
		return distuv.LogNormal{Mu: l.args[0], Sigma: l.args[1]}, steps(l.args[0], l.args[1], true)
	case triangular:
		return distuv.NewTriangle(l.args[0], l.args[2], l.args[1], nil), l.args
	}
	return nil, nil
}

// steps returns places half a deviation apart, up to eight deviations from the mean.
func steps(mean, sd float64, exponential bool) (at []float64) {
	for k := -16; k <= 16; k++ {
		v := mean + sd*float64(k)/2
		if exponential {
			v = math.Exp(v)
		}
		at = append(at, v)
	}
	return at
}
