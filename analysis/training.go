package analysis

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/linear"
	"beziergp/measure"
	"beziergp/table"
)

// trained returns the law of the training rows as the model knows it, on single values: the
// averages φ̄ of the bases over the rows and, of a number, where its values lie. Of all laws
// on the knots of the scaling, which are quantiles of the rows, it is the one that has these
// averages and is nearest to what the knots and the profile say (the exponential tilt, of the
// smallest Kullback–Leibler divergence).
func trained(in box.Input, s *linear.Stack, p *profile.Profile, i int) *measure.Rule {
	averages := s.Averages()
	switch {
	case in.Kind == table.Category:
		return levels(in, s, averages)
	case in.Lo == in.Hi:
		return measure.Points([]float64{in.Lo}, []float64{1})
	}
	values, weights := support(in, p, i)
	if whole := wholeNumbers(in, s); whole != nil {
		values, weights = whole, slices.Repeat([]float64{1}, len(whole))
	}
	if averages != nil {
		k := finest(s)
		phi, width := valuesAt(s, in, values), s.Width()
		own := mat.NewDense(len(values), s.At[k+1]-s.At[k], nil)
		for r := range values {
			own.SetRow(r, phi[r*width+s.At[k]:r*width+s.At[k+1]])
		}
		tilt(weights, own, averages[s.At[k]:s.At[k+1]])
	}
	return measure.Points(values, weights)
}

// wholeNumbers returns the whole numbers of an input that has so few values that its basis has a
// function for each, like the days of a week: nil of another.
func wholeNumbers(in box.Input, s *linear.Stack) (values []float64) {
	n := in.Hi - in.Lo + 1
	if len(in.Knots) > 0 || n != float64(s.Bases[finest(s)].Nodes()) || in.Lo != math.Floor(in.Lo) {
		return nil
	}
	for v := in.Lo; v <= in.Hi; v++ {
		values = append(values, v)
	}
	return values
}

// finest returns the basis of most functions, of steps, or those that tell whether a value is known, only where there is no other: they
// say less of where in an interval values lie.
func finest(s *linear.Stack) (k int) {
	for i, b := range s.Bases {
		if own, best := saysLess(b), saysLess(s.Bases[k]); own == best && b.Nodes() > s.Bases[k].Nodes() || best && !own {
			k = i
		}
	}
	return k
}

func saysLess(b basis.Basis) bool {
	kind := b.Spec().Kind
	return kind == basis.KindSteps || kind == basis.KindKnown
}

// levels returns the law over levels: the averages of indicators are shares. Rows without one count as one more where
// they have a function.
func levels(in box.Input, s *linear.Stack, averages []float64) *measure.Rule {
	var values, weights []float64
	all := slices.IndexFunc(s.Bases, func(b basis.Basis) bool { return b.Nodes() == in.Functions() })
	for j := range in.Functions() {
		w := 1.0
		if averages != nil && all >= 0 {
			w = averages[s.At[all]+j]
		}
		if w > 0 {
			values, weights = append(values, float64(j)), append(weights, w)
		}
	}
	return measure.Points(values, weights)
}

// support returns values of an input with what the model says of their weights. The knots of
// a scaling by ranks are all values of the rows, or quantiles: each weighs half of the ranks
// from its neighbour before to that behind. Without knots it is the profile's bins, in each
// of which values are evenly spread, or all of the bounds.
func support(in box.Input, p *profile.Profile, i int) (values, weights []float64) {
	if n := len(in.Knots); n > 0 {
		for k, v := range in.Knots {
			lo, hi := in.Ranks[max(k-1, 0)], in.Ranks[min(k+1, n-1)]
			values, weights = append(values, v), append(weights, (hi-lo)/2)
		}
		return values, weights
	}
	edges, counts := []float64{in.Lo, in.Hi}, []float64{1}
	if p != nil && len(p.Inputs) > i && len(p.Inputs[i].Counts) == len(p.Inputs[i].Cuts)+3 {
		c := &p.Inputs[i]
		edges, counts = append(append([]float64{in.Lo}, c.Cuts...), in.Hi), nil
		for _, n := range c.Counts[1 : len(c.Counts)-1] {
			counts = append(counts, float64(n))
		}
	}
	const each = 16 // points of a bin
	for k, n := range counts {
		lo, hi := edges[k], edges[k+1]
		if n == 0 || !(lo <= hi) {
			continue
		}
		for j := range each {
			values = append(values, lo+(hi-lo)*(float64(j)+0.5)/each)
			weights = append(weights, n/each)
		}
	}
	return values, weights
}

// tilt multiplies weights by exp(λᵀφ), such that the averages of φ, [values, m], are those
// given as nearly as they can be: Newton's method on the convex dual
// log Σ w exp(λᵀ(φ − φ̄)) + ρ/2 |λ|². Without the last term it has no minimum where no weights
// have these averages, which are rounded and of more values than there are knots.
func tilt(weights []float64, phi *mat.Dense, want []float64) {
	const (
		steps = 60
		least = 1e-9
	)
	n, m := phi.Dims()
	base := append([]float64(nil), weights...)
	lambda, trial := make([]float64, m), make([]float64, m)
	value := dual(weights, base, phi, want, lambda)
	for range steps {
		gradient, hessian := mat.NewVecDense(m, nil), mat.NewSymDense(m, nil)
		for r := range n {
			own := phi.RawRowView(r)
			for i, v := range own {
				if v == 0 {
					continue
				}
				gradient.SetVec(i, gradient.AtVec(i)+weights[r]*v)
				for j := i; j < m; j++ {
					if u := own[j]; u != 0 {
						hessian.SetSym(i, j, hessian.At(i, j)+weights[r]*v*u)
					}
				}
			}
		}
		var worst float64
		mean := append([]float64(nil), gradient.RawVector().Data...)
		for i := range m {
			gradient.SetVec(i, mean[i]-want[i]+ridge*lambda[i])
			worst = max(worst, math.Abs(gradient.AtVec(i)))
			for j := i; j < m; j++ {
				v := hessian.At(i, j) - mean[i]*mean[j]
				if i == j {
					v += ridge
				}
				hessian.SetSym(i, j, v)
			}
		}
		var factor mat.Cholesky
		var step mat.VecDense
		if worst < least || !factor.Factorize(hessian) || factor.SolveVecTo(&step, gradient) != nil {
			break
		}
		length, better := 1.0, false
		for ; length > 1e-4 && !better; length /= 2 {
			for i := range trial {
				trial[i] = lambda[i] - length*step.AtVec(i)
			}
			next := dual(weights, base, phi, want, trial)
			if better = next <= value; better {
				value = next
				lambda, trial = trial, lambda
			}
		}
		if !better {
			dual(weights, base, phi, want, lambda)
			break
		}
	}
}

// ridge is ρ: averages are met up to ρ λ.
const ridge = 1e-7

// dual writes the tilted weights, which add up to one, and returns the dual at λ.
func dual(weights, base []float64, phi *mat.Dense, want, lambda []float64) float64 {
	top, shift := math.Inf(-1), 0.0
	for i, v := range want {
		shift += lambda[i]*v - ridge/2*lambda[i]*lambda[i]
	}
	for r := range weights {
		e := math.Log(base[r])
		for i, v := range phi.RawRowView(r) {
			if v != 0 {
				e += lambda[i] * v
			}
		}
		weights[r], top = e, max(top, e)
	}
	var sum float64
	for r, e := range weights {
		weights[r] = math.Exp(e - top)
		sum += weights[r]
	}
	for r := range weights {
		weights[r] /= sum
	}
	return top + math.Log(sum) - shift
}
