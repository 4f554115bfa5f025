package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"beziergp/internal/limit"
	"beziergp/internal/process/linear"
)

// SobolOptions choose how far an analysis of variance goes. The zero value is the documented
// default.
type SobolOptions struct {
	// Samples are the points of the estimates, by default 4096; they are [Replicates] sets of
	// equal numbers.
	Samples int
	Seed    uint64
	Workers int // 0 for one
	// NoPairs leaves second-order indices out: their work grows as d².
	NoPairs bool
	// Groups are sets of at least two inputs, by their numbers, whose closed and total indices
	// are estimated.
	Groups [][]int
	// Progress is told which share is done; nil for nobody.
	Progress func(share float64)
}

// Replicates is the number of independently randomised sets of points of an estimate: its
// standard error is that of their mean.
const Replicates = 16

const defaultSamples = 4096

// Sobol is the decomposition of the variance of E f over the inputs' laws (Sobol', 1993),
//
//	f = μ + Σ f_i + Σ f_ij + …,  V = Σ V_i + Σ V_ij + …
//
// whose terms have mean zero over each of their inputs.
type Sobol struct {
	Mean float64 // μ
	// Variance is V, in squared units of the (transformed) target: that of first order, in
	// closed form, and an estimate of the rest.
	Variance Estimate
	First    []float64  // V_i / V by input
	Total    []Estimate // of input i: the share of V that ends where x_i is known last
	Pairs    []Pair     // largest first; nil without second order
	Groups   []Group
	Samples  int
}

// Estimate is a number with its standard error.
type Estimate struct{ Value, Error float64 }

// Pair is the interaction of two inputs, V_ij / V.
type Pair struct {
	I, J  int
	Index float64
}

// Group is the indices of a set of inputs: of what they explain together, interactions among
// them included, and of all in which one of them has a part.
type Group struct {
	Inputs        []int
	Closed, Total Estimate
}

// errConstant says that there is no variance to decompose.
var errConstant = errors.New("f does not vary under these distributions: there is no variance to decompose")

// Sobol decomposes the variance of the posterior mean. First and second orders are in closed
// form: with the Gram matrix G = Σ w (φ − φ̄)(φ − φ̄)ᵀ of an input under its law
//
//	V_i = cᵀ G_i c,  V_ij = tr(Cᵀ G_i C G_j)
//
// for E[f | x_i] = cᵀ φ(x_i) and E[f | x_i, x_j] = φ(x_i)ᵀ C φ(x_j). The variance and total
// indices are means over points u of randomised low discrepancy,
//
//	V = Σ V_i + E[(f − μ − Σ f_i)²],  V_Ti = E[c(x_∼i)ᵀ G_i c(x_∼i)]
//
// where c(x_∼i) of all inputs take one pass a point: along x_i itself nothing is sampled.
func (a *Analysis) Sobol(ctx context.Context, o SobolOptions) (*Sobol, error) {
	if o.Samples == 0 {
		o.Samples = defaultSamples
	}
	if err := errors.Join(checkSamples(o.Samples), limit.CheckWorkers(o.Workers), checkGroups(o.Groups, len(a.inputs)), a.checkWidths()); err != nil {
		return nil, err
	}
	v := a.variances()
	var pairs []Pair
	var err error
	if !o.NoPairs {
		if pairs, err = a.pairs(ctx, v, o); err != nil {
			return nil, err
		}
	}
	s, err := a.sample(ctx, v, o)
	if err != nil {
		return nil, err
	}
	rest := estimate(s.rest)
	total := rest.Value
	for _, own := range v.first {
		total += own
	}
	scale := a.target.SD * a.target.SD
	if !(total > 1e-12*(1+v.mean*v.mean)) { // as little as rounding makes
		return nil, errConstant
	}
	out := &Sobol{
		Mean: a.target.Mean + a.target.SD*v.mean, Variance: Estimate{scale * total, scale * rest.Error},
		Samples: o.Samples / Replicates * Replicates, Pairs: pairs,
	}
	for i, own := range v.first {
		out.First = append(out.First, own/total)
		out.Total = append(out.Total, s.ratio(s.totals[i], v.first))
	}
	for k := range out.Pairs {
		out.Pairs[k].Index /= total
	}
	slices.SortStableFunc(out.Pairs, func(p, q Pair) int { return cmp.Compare(q.Index, p.Index) })
	for g, inputs := range o.Groups {
		out.Groups = append(out.Groups, Group{inputs, s.ratio(s.closed[g], v.first), s.ratio(s.groups[g], v.first)})
	}
	return out, nil
}

// checkGroups fails unless every group has two inputs at least, of d, each once.
func checkGroups(groups [][]int, d int) error {
	for _, group := range groups {
		if len(group) < 2 {
			return &limit.OptionError{Option: "groups", Problem: fmt.Sprintf("%v has fewer than two inputs", group)}
		}
		for k, i := range group {
			if i < 0 || i >= d {
				return &limit.OptionError{Option: "groups", Problem: fmt.Sprintf("%v: there is no input %d; they are 0 to %d", group, i, d-1)}
			}
			if slices.Contains(group[:k], i) {
				return &limit.OptionError{Option: "groups", Problem: fmt.Sprintf("%v: input %d stands twice", group, i)}
			}
		}
	}
	return nil
}

// moments are what the closed forms need, all of E f in deviations of the target.
type moments struct {
	over  linear.Functional // the averages by the rules
	c     linear.Functional // of E[f | x_i]
	gram  []*mat.SymDense   // G by input
	mean  float64           // μ
	first []float64         // V_i
}

// variances returns first orders. Averages are those of the rules, so that G is never
// negative.
func (a *Analysis) variances() *moments {
	v := &moments{c: a.mean.Mean().NewFunctional()}
	for i := range a.inputs {
		in, s := &a.inputs[i], a.mean.Stack(i)
		average := over(in.rule, s, in.Input)
		v.over = append(v.over, average)
		v.gram = append(v.gram, gram(valuesAt(s, in.Input, in.rule.Points), in.rule.Weights, average))
	}
	v.mean = a.mean.Mean().NewPass().Coefficients(v.over, v.c)
	for i, c := range v.c {
		v.first = append(v.first, quadratic(v.gram[i], c))
	}
	return v
}

// mostGram is the most functions of an input whose Gram matrix is made: it takes 2 GiB.
const mostGram = 1 << 14

// checkWidths refuses inputs of more functions, as one whose values a component of ties tells apart.
func (a *Analysis) checkWidths() error {
	for i := range a.inputs {
		if n := a.mean.Stack(i).Width(); n > mostGram {
			return fmt.Errorf("input %q has %d functions, and the variance is decomposed over %d at most: leave the input out, or fit by --shapes without ties", a.inputs[i].Name, n, mostGram)
		}
	}
	return nil
}

// gram returns Σ w (φ − φ̄)(φ − φ̄)ᵀ of values [n, M] by rows.
func gram(values, weights, average []float64) *mat.SymDense {
	m := len(average)
	g := mat.NewSymDense(m, nil)
	data := g.RawSymmetric().Data
	var at []int
	for p, w := range weights {
		own := values[p*m:][:m]
		at = at[:0]
		for j, v := range own {
			if v != 0 {
				at = append(at, j)
			}
		}
		for k, i := range at {
			for _, j := range at[k:] {
				data[i*m+j] += w * own[i] * own[j]
			}
		}
	}
	for i := range m {
		for j := i; j < m; j++ {
			data[i*m+j] -= average[i] * average[j]
		}
	}
	return g
}

// quadratic returns cᵀ G c, not below zero.
func quadratic(g *mat.SymDense, c []float64) float64 {
	m := len(c)
	data := g.RawSymmetric().Data
	var sum float64
	for i, v := range c {
		row := data[i*m+i : (i+1)*m]
		own := row[0] * v / 2
		for j, u := range row[1:] {
			own += u * c[i+1+j]
		}
		sum += 2 * v * own
	}
	return max(0, sum)
}

// pairs returns V_ij of all pairs, in deviations of the target.
func (a *Analysis) pairs(ctx context.Context, v *moments, o SobolOptions) ([]Pair, error) {
	d := len(a.inputs)
	index := make([][]Pair, d)
	err := share(ctx, o.Workers, d, func() func(i int) {
		pass := a.mean.Mean().NewPass()
		return func(i int) {
			for j := i + 1; j < d && ctx.Err() == nil; j++ {
				if a.mean.Stack(i).Width() == 1 || a.mean.Stack(j).Width() == 1 {
					continue // constant
				}
				c := pass.Pair(v.over, i, j)
				var gc, cg mat.Dense
				gc.Mul(v.gram[i], c)
				cg.Mul(c, v.gram[j])
				var sum float64
				for k, x := range gc.RawMatrix().Data {
					sum += x * cg.RawMatrix().Data[k]
				}
				index[i] = append(index[i], Pair{i, j, max(0, sum)})
			}
		}
	}, o.Progress, 0, 0.5)
	return slices.Concat(index...), err
}

// estimate returns the mean of replicates with its standard error.
func estimate(replicates []float64) Estimate {
	var sum, square float64
	for _, v := range replicates {
		sum += v
	}
	n := float64(len(replicates))
	mean := sum / n
	for _, v := range replicates {
		square += (v - mean) * (v - mean)
	}
	return Estimate{mean, math.Sqrt(square / (n - 1) / n)}
}
