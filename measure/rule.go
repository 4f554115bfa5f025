package measure

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"gonum.org/v1/gonum/integrate/quad"

	"beziergp/box"
	"beziergp/internal/near"
	"beziergp/table"
)

// Rule is a law as points, on the scale of its input, and weights that add up to one: an
// integral of g is Σ w g(x). Points of a category are the numbers of its nodes.
type Rule struct {
	Points, Weights []float64
	// Outside is the probability that the law has beyond the input's bounds, which is cut off.
	Outside float64
	// Quantile returns the value below which a share of the law lies.
	Quantile func(u float64) float64
	// Atoms says that the law has single values only, which are the points.
	Atoms bool
}

// tolerated is the mass beyond the bounds that is cut off without being asked for.
const tolerated = 1e-6

// OutsideError reports a law that is not within the bounds of its input.
type OutsideError struct {
	Input   string
	Law     Law
	Lo, Hi  float64
	Outside float64 // probability
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("input %q: %s has probability %.3g beyond the bounds [%g, %g] that the model knows; choose another distribution, or cut it off there (truncate)", e.Input, e.Law, e.Outside, e.Lo, e.Hi)
}

// LawError reports a law that its input cannot have.
type LawError struct {
	Input   string
	Problem string
}

func (e *LawError) Error() string { return fmt.Sprintf("input %q: %s", e.Input, e.Problem) }

// gaussPoints are those of an interval between two breaks. Between them the integrands are
// polynomials, of degree six at most where they are products of cubic splines, times a
// density that hardly bends over half a deviation.
const gaussPoints = 12

// Rule returns the law as points and weights for integrands that are smooth between the
// breaks, places on the input's scale in ascending order: by Gauss's rule between them. Its
// relative error is below 1e-9 for polynomials of degree 12 between breaks. Where the law
// has a probability of more than 1e-6 beyond the input's bounds it fails with an
// [OutsideError], unless truncate says to cut that off. The law must not be [Training].
func (l Law) Rule(in box.Input, breaks []float64, truncate bool) (*Rule, error) {
	switch {
	case l.IsTraining():
		panic("measure: the training rows are not a law on a scale")
	case l.name == fixed || l.name == levels:
		return l.single(in)
	case in.Kind == table.Category && l.args == nil:
		return uniformLevels(in), nil
	case in.Kind == table.Category:
		return nil, &LawError{in.Name, fmt.Sprintf("%s is of numbers, and this is a category; choose levels(…), uniform or at(…)", l)}
	case in.Lo == in.Hi:
		if l.args == nil {
			return points([]float64{in.Lo}, []float64{1}), nil
		}
		return nil, &LawError{in.Name, fmt.Sprintf("the training rows had one value, %g; at(%g) alone can be asked for", in.Lo, in.Lo)}
	case l.args == nil:
		l.args = []float64{in.Lo, in.Hi}
	}
	return l.smooth(in, breaks, truncate)
}

func (l Law) smooth(in box.Input, breaks []float64, truncate bool) (*Rule, error) {
	d, own := l.density()
	below, above := cdf(d, in.Lo), cdf(d, in.Hi)
	outside := below + 1 - above
	if outside > 1-tolerated || outside > tolerated && !truncate {
		return nil, &OutsideError{in.Name, l, in.Lo, in.Hi, outside}
	}
	const tail = 1e-13
	lo, hi := max(in.Lo, d.Quantile(tail)), min(in.Hi, d.Quantile(1-tail))
	cuts := []float64{lo, hi}
	for _, v := range append(slices.Clone(breaks), own...) {
		if v > lo && v < hi {
			cuts = append(cuts, v)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	r := &Rule{Outside: outside}
	x, w := make([]float64, gaussPoints), make([]float64, gaussPoints)
	var sum float64
	for k := 1; k < len(cuts); k++ {
		quad.Legendre{}.FixedLocations(x, w, cuts[k-1], cuts[k])
		for i, v := range x {
			weight := w[i] * d.Prob(v)
			r.Points, r.Weights = append(r.Points, v), append(r.Weights, weight)
			sum += weight
		}
	}
	if !(sum > 0) || math.IsInf(sum, 0) || math.Abs(sum-(above-below)) > 1e-6*(above-below) {
		return nil, &LawError{in.Name, fmt.Sprintf("%s cannot be integrated over [%g, %g]: it is too narrow, or too near the end of numbers", l, in.Lo, in.Hi)}
	}
	for i := range r.Weights {
		r.Weights[i] /= sum
	}
	r.Quantile = func(u float64) float64 { return min(max(d.Quantile(below+u*(above-below)), in.Lo), in.Hi) }
	return r, nil
}

// cdf is that of a law, 0 where its formula has no value: a logarithm of what is not positive.
func cdf(d continuous, x float64) float64 {
	if v := d.CDF(x); v == v {
		return v
	}
	return 0
}

// single returns the rule of a law over single values.
func (l Law) single(in box.Input) (*Rule, error) {
	var values, weights []float64
	for i, text := range l.levels {
		v, err := Value(in, text)
		if err != nil {
			return nil, err
		}
		values, weights = append(values, v), append(weights, l.weights[i])
	}
	return points(values, weights), nil
}

// Value returns a value of an input as points have it, of the text that a user writes. It
// fails where the model does not know it.
func Value(in box.Input, text string) (float64, error) {
	if in.Kind == table.Category {
		if i := slices.Index(in.Levels, text); i >= 0 {
			return float64(i), nil
		}
		if number, known := in.Pooled.Number(text); known {
			return float64(len(in.Levels) + number), nil
		}
		problem := fmt.Sprintf("the model has no level %q", text)
		if names := near.Names(text, in.Levels); len(names) > 0 {
			problem += fmt.Sprintf("; there is %q", names[0])
		}
		return 0, &LawError{in.Name, problem}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		if in.Kind == table.Boolean && (text == "true" || text == "false") {
			v, err = map[string]float64{"true": 1}[text], nil
		} else {
			return 0, &LawError{in.Name, fmt.Sprintf("%q is not a number", text)}
		}
	}
	if v < in.Lo || v > in.Hi {
		return 0, &OutsideError{in.Name, At(text), in.Lo, in.Hi, 1}
	}
	return v, nil
}

func uniformLevels(in box.Input) *Rule {
	values, weights := make([]float64, in.Nodes()), make([]float64, in.Nodes())
	for i := range values {
		values[i], weights[i] = float64(i), 1
	}
	return points(values, weights)
}

// Points returns the law of single values with weights above 0, in ascending order.
func Points(values, weights []float64) *Rule { return points(values, weights) }

func points(values, weights []float64) *Rule {
	order := make([]int, len(values))
	var sum float64
	for i, w := range weights {
		order[i] = i
		sum += w
	}
	sort.SliceStable(order, func(a, b int) bool { return values[order[a]] < values[order[b]] })
	r := &Rule{Atoms: true}
	cumulative, total := make([]float64, len(values)), 0.0
	for k, i := range order {
		r.Points, r.Weights = append(r.Points, values[i]), append(r.Weights, weights[i]/sum)
		total += weights[i] / sum
		cumulative[k] = total
	}
	r.Quantile = func(u float64) float64 {
		k := sort.SearchFloat64s(cumulative, u)
		return r.Points[min(k, len(r.Points)-1)]
	}
	return r
}
