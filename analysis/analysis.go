// Package analysis tells what a fitted Bézier Gaussian process knows, in closed form: the
// effects of its inputs, Sobol indices, integrals over inputs, means over rows and the
// deviation of each by the process (Bayesian quadrature: O'Hagan, 1991; Rasmussen &
// Ghahramani, 2003). Inputs are independent, each with a law of its own (package measure), by
// default that of the training rows.
//
// All of them are linear functionals of f that factorise over the inputs, so that each takes
// one pass along every buttress (package linear). Where Var f was learned row by row deviations
// have the error in them that rows have in common, which residuals out of fold tell
// ([model.Residuals]). Values are those of the process: of a
// target that was transformed, in the units of the transformed one; of a model whose
// predictions are held within limits, before these limits.
package analysis

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"beziergp/box"
	"beziergp/internal/near"
	"beziergp/internal/process/linear"
	"beziergp/measure"
	"beziergp/model"
	"beziergp/table"
)

// Options choose what an analysis is taken over. The zero value is the documented default.
type Options struct {
	// Laws are those of inputs by name; others have that of the training rows.
	Laws map[string]measure.Law
	// Truncate cuts laws off at the bounds of their inputs, where they would be refused.
	Truncate bool
}

// Analysis is a model with laws of its inputs. It is immutable and safe for concurrent use.
type Analysis struct {
	model          *model.Model
	mean, variance *linear.Process // of E f and of Cov(f, f), one where the posterior holds both
	inputs         []input
	target         box.Target
	factor         float64 // of variances: a · SD²
	// meanOver and varianceOver are the functionals that integrate all inputs out.
	meanOver, varianceOver linear.Functional
	common                 *common
	excess                 []float64 // of the laws by input
}

// input is one input with its law.
type input struct {
	box.Input           // scaling of the mean
	wide      box.Input // and of the variance
	law       measure.Law
	rule      *measure.Rule
}

// InputError reports an input that the model has not.
type InputError struct {
	Name string
	Have []string
}

func (e *InputError) Error() string {
	text := fmt.Sprintf("the model has no input %q", e.Name)
	if names := near.Names(e.Name, e.Have); len(names) > 0 {
		return text + fmt.Sprintf("; there is %q", names[0])
	}
	if len(e.Have) <= 20 {
		return text + fmt.Sprintf("; it has %q", e.Have)
	}
	return text + "; beziergp inspect tells which it has"
}

// New returns the analysis of a model. It fails with an [*InputError], a
// [*measure.LawError] or a [*measure.OutsideError] where a law is not one of an input, and
// where the model has inputs that follow from others, which are not independent.
func New(m *model.Model, o Options) (*Analysis, error) {
	if len(m.Neighbours()) > 0 {
		return nil, errors.New("the model has inputs that it makes of neighbouring rows: they follow from the others, so that inputs are not independent; fit again without them")
	}
	if err := m.CheckFunction(); err != nil {
		return nil, err
	}
	out := m.Output()
	a := &Analysis{model: m, mean: linear.New(m.Posterior()), target: out.Target, factor: out.VarianceScale * out.Target.SD * out.Target.SD, common: newCommon(m)}
	a.variance = a.mean
	wide := m.Inputs()
	if out.Epistemic != nil {
		a.variance, wide = linear.New(out.Epistemic.Surface), out.Epistemic.Inputs
	}
	var names []string
	for i, in := range m.Inputs() {
		names = append(names, in.Name)
		a.inputs = append(a.inputs, input{Input: in, wide: wide[i], law: o.Laws[in.Name]})
	}
	if err := known(o.Laws, names); err != nil {
		return nil, err
	}
	for i := range a.inputs {
		if err := a.measure(i, o.Truncate); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// known returns an [*InputError] for a law of what is none of the inputs.
func known(laws map[string]measure.Law, names []string) error {
	for _, name := range slices.Sorted(maps.Keys(laws)) {
		if !slices.Contains(names, name) {
			return &InputError{name, names}
		}
	}
	return nil
}

// measure finds the rule of an input's law, and the functionals that integrate it out.
func (a *Analysis) measure(i int, truncate bool) (err error) {
	in := &a.inputs[i]
	mean, variance := a.mean.Stack(i), a.variance.Stack(i)
	if in.law.IsTraining() {
		in.rule = trained(in.Input, mean, a.model.Profile(), i)
	} else if in.rule, err = in.law.Rule(in.Input, a.breaks(i), truncate); err != nil {
		return err
	}
	a.meanOver = append(a.meanOver, in.average(mean, in.Input))
	a.varianceOver = append(a.varianceOver, in.average(variance, in.wide))
	a.excess = append(a.excess, a.common.under(i, in.law, in.rule, in.Input))
	return nil
}

// average returns the functions of a stack averaged over the law: of the training rows' own,
// what the bases have.
func (in *input) average(s *linear.Stack, scaling box.Input) []float64 {
	if in.law.IsTraining() {
		if average := s.Averages(); average != nil {
			return average
		}
	}
	return over(in.rule, s, scaling)
}

// over returns the functions of a stack averaged over a rule.
func over(r *measure.Rule, s *linear.Stack, scaling box.Input) []float64 {
	width := s.Width()
	values, sum := valuesAt(s, scaling, r.Points), make([]float64, width)
	for p, w := range r.Weights {
		for j, v := range values[p*width:][:width] {
			sum[j] += w * v
		}
	}
	return sum
}

// valuesAt returns the functions of a stack at values of an input, [n, M] by rows.
func valuesAt(s *linear.Stack, scaling box.Input, x []float64) []float64 {
	t := make([]float32, len(x))
	for p, v := range x {
		t[p] = coordinate(scaling, v)
	}
	values := make([]float64, len(x)*s.Width())
	s.Values(values, t)
	return values
}

// coordinate returns the place in the domain of the bases: of a category, whose values here
// are nodes, the node. That of a missing value, and of what is none, is NaN, at which bases have averages.
func coordinate(in box.Input, v float64) float32 {
	switch {
	case v != v, !hasValue(in, v):
		return float32(math.NaN())
	case in.Kind == table.Category:
		return float32(v)
	}
	return in.Coordinate(v)
}

// hasValue tells whether a number is a value of an input: of a category a node, or NaN, the missing value of any input.
func hasValue(in box.Input, v float64) bool {
	return in.Kind != table.Category || v != v || v >= 0 && v < float64(in.Functions()) && v == math.Trunc(v)
}

// breaks returns where the functions of an input bend on its own scale: the knots of its
// scalings and of its bases.
func (a *Analysis) breaks(i int) (at []float64) {
	in := &a.inputs[i]
	if in.Kind == table.Category {
		return nil
	}
	for _, own := range []struct {
		scaling box.Input
		stack   *linear.Stack
	}{{in.Input, a.mean.Stack(i)}, {in.wide, a.variance.Stack(i)}} {
		at = append(at, own.scaling.Knots...)
		for _, b := range own.stack.Bases {
			if m := b.Nodes(); b.Support() < m { // a spline; a polynomial bends nowhere
				intervals := m - b.Support() + 1
				for k := 1; k < intervals; k++ {
					at = append(at, own.scaling.Value(float64(k)/float64(intervals)))
				}
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// Inputs returns the inputs' scalings in the model's order. They must not be changed.
func (a *Analysis) Inputs() []box.Input { return a.model.Inputs() }

// Law returns the law of an input.
func (a *Analysis) Law(i int) measure.Law { return a.inputs[i].law }

// Rule returns it as points and weights. It must not be changed.
func (a *Analysis) Rule(i int) *measure.Rule { return a.inputs[i].rule }

// Input returns the number of an input, or an [*InputError].
func (a *Analysis) Input(name string) (int, error) { return find(a.inputs, name) }

func find(inputs []input, name string) (int, error) {
	var names []string
	for i := range inputs {
		if inputs[i].Name == name {
			return i, nil
		}
		names = append(names, inputs[i].Name)
	}
	return 0, &InputError{name, names}
}
