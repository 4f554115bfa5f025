package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"beziergp/box"
	"beziergp/dataset/profile"
	"beziergp/internal/limit"
	"beziergp/measure"
)

// Values writes the predictions of n rows, columns [columns][n] as a model of any kind takes
// them, to dst [n].
type Values func(ctx context.Context, columns [][]float64, dst []float64) error

// Estimator is a function whose values alone can be asked for, with laws of its columns. What an
// [Analysis] has in closed form it estimates by points of randomised low discrepancy. It is
// immutable, and as safe for concurrent use as the function.
type Estimator struct {
	f      Values
	inputs []input
	spread []string // see Spread
}

// ByColumn returns what laws of an estimator are of: an input for every column. A date-time is one,
// in days since the beginning of 1970, from which all its parts follow.
func ByColumn(inputs []box.Input) []box.Input {
	all, _ := byColumn(inputs)
	return all
}

// byColumn returns these inputs with their numbers among the model's.
func byColumn(inputs []box.Input) (all []box.Input, at []int) {
	b := box.New(inputs)
	for i, in := range b.Inputs {
		k := b.Column(i)
		if k == len(all) {
			all, at = append(all, in), append(at, i)
		} else if in.Part == box.Time {
			all[k], at[k] = in, i
		}
	}
	for k := range all {
		if all[k].Part == box.Time {
			all[k].Name = all[k].Column
		}
	}
	return all, at
}

// NewEstimator returns the estimator of a model's function by its inputs and the profile of its
// training rows, nil for none. It fails as [New] does, and where a law is [measure.Training] of a
// column of which the profile tells nothing.
func NewEstimator(f Values, inputs []box.Input, p *profile.Profile, o Options) (*Estimator, error) {
	e := &Estimator{f: f}
	own, at := byColumn(inputs)
	var names []string
	for _, in := range own {
		names = append(names, in.Name)
	}
	if err := known(o.Laws, names); err != nil {
		return nil, err
	}
	for k, in := range own {
		e.inputs = append(e.inputs, input{Input: in, law: o.Laws[in.Name]})
		var err error
		if law := o.Laws[in.Name]; law.IsTraining() {
			var even bool
			if e.inputs[k].rule, even, err = profiled(in, p, at[k]); even {
				e.spread = append(e.spread, in.Name)
			}
		} else if in.Part != "" && in.Part != box.Time {
			err = &measure.LawError{Input: in.Name, Problem: fmt.Sprintf("the model knows the %s of this date alone, of which no law makes a date", in.Part)}
		} else {
			e.inputs[k].rule, err = law.Rule(in, nil, o.Truncate)
		}
		if err != nil {
			return nil, err
		}
	}
	return e, nil
}

// Inputs returns what laws are of, in the order of columns.
func (e *Estimator) Inputs() (all []box.Input) {
	for _, in := range e.inputs {
		all = append(all, in.Input)
	}
	return all
}

// Law returns the law of an input.
func (e *Estimator) Law(i int) measure.Law { return e.inputs[i].law }

// Rule returns it as points and weights. It must not be changed.
func (e *Estimator) Rule(i int) *measure.Rule { return e.inputs[i].rule }

// Spread returns the names of the inputs whose values in the training rows are known by the bins of
// the profile alone: standard errors do not tell how far these laws are from the rows' own.
func (e *Estimator) Spread() []string { return e.spread }

// Input returns the number of an input, or an [*InputError].
func (e *Estimator) Input(name string) (int, error) { return find(e.inputs, name) }

// Mean returns the mean of the function over all laws by so many points, with its standard error.
func (e *Estimator) Mean(ctx context.Context, samples int, seed uint64) (Estimate, error) {
	if err := checkSamples(samples); err != nil {
		return Estimate{}, err
	}
	means := make([]float64, Replicates)
	for r := range means {
		f, err := e.at(ctx, uniforms(samples/Replicates, len(e.inputs), seed, uint64(r)), [][]bool{make([]bool, len(e.inputs))})
		if err != nil {
			return Estimate{}, err
		}
		means[r] = average(f[0])
	}
	return estimate(means), nil
}

func checkSamples(samples int) error {
	if err := limit.Check("samples", samples, limit.Count); err != nil {
		return err
	}
	if samples < Replicates {
		return &limit.OptionError{Option: "samples", Problem: "there must be at least 16, one a replicate"}
	}
	return nil
}

// pointsAtOnce is about how many points the function is asked for at once.
const pointsAtOnce = 1 << 14

// at returns the function at points u [n, d] or, of inputs that a set has, at the further columns of
// u [n, 2d]: by set.
func (e *Estimator) at(ctx context.Context, u *mat.Dense, sets [][]bool) ([][]float64, error) {
	n, dimensions := u.Dims()
	d := len(e.inputs)
	x := make([][]float64, dimensions)
	for j := range x {
		in := &e.inputs[j%d]
		for p := range n {
			v := in.rule.Quantile(u.At(p, j))
			if in.Part == box.Time {
				v *= 24 * 60 * 60 // seconds, as columns have them
			}
			x[j] = append(x[j], v)
		}
	}
	var all [][]float64
	for block := max(1, pointsAtOnce/n); len(all) < len(sets); {
		some := sets[len(all):min(len(all)+block, len(sets))]
		columns, f := make([][]float64, d), make([]float64, n*len(some))
		for i := range columns {
			for _, set := range some {
				from := i
				if set[i] {
					from += d
				}
				columns[i] = append(columns[i], x[from]...)
			}
		}
		if err := e.f(ctx, columns, f); err != nil {
			return nil, err
		}
		for k := range some {
			all = append(all, f[k*n:(k+1)*n])
		}
		for _, v := range f {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, errors.New("a prediction within the distributions is no number")
			}
		}
	}
	return all, ctx.Err()
}

func average(values []float64) (mean float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	return mean
}
