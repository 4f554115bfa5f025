package analysis

import (
	"cmp"
	"context"
	"errors"
)

// SobolEstimate is the decomposition of a function's variance by its values alone: that of a
// [Sobol], with standard errors of all, without pairs.
type SobolEstimate struct {
	Mean, Variance Estimate
	First, Total   []Estimate // by input
	Groups         []Group
	Samples        int
}

// Sobol estimates the decomposition, by Samples · (d + 2 + groups) values of the function. Of
// independent points a and b, and the point a_b that has the inputs of a set from b and the others
// from a,
//
//	closed: V_S = E[(f(b) − μ) (f(a_b) − f(a))]  (Saltelli et al., 2010)
//	total:  V_TS = E[(f(a) − f(a_b))²] / 2       (Jansen, 1999)
//
// over points of randomised low discrepancy; an input is a set of one. NoPairs is of no
// consequence: there are none. Workers are the function's own.
func (e *Estimator) Sobol(ctx context.Context, o SobolOptions) (*SobolEstimate, error) {
	o.Samples = cmp.Or(o.Samples, defaultSamples)
	d := len(e.inputs)
	if err := errors.Join(checkSamples(o.Samples), checkGroups(o.Groups, d)); err != nil {
		return nil, err
	}
	sets := e.sets(o.Groups)
	each := o.Samples / Replicates
	s := newSums(len(sets) - 2)
	var origin float64 // values are taken from it, so that squares keep their digits
	for r := range Replicates {
		f, err := e.at(ctx, uniforms(each, 2*d, o.Seed, uint64(r)), sets)
		if err != nil {
			return nil, err
		}
		if r == 0 {
			origin = average(f[0])
		}
		s.add(r, f, origin)
		if o.Progress != nil {
			o.Progress(float64(r+1) / Replicates)
		}
	}
	return s.decompose(d, origin, each*Replicates, o.Groups)
}

// sets returns which inputs are from b: none, all, each alone, groups.
func (e *Estimator) sets(groups [][]int) [][]bool {
	d := len(e.inputs)
	sets := [][]bool{make([]bool, d), make([]bool, d)}
	for i := range d {
		sets[1][i] = true
		sets = append(sets, make([]bool, d))
		sets[2+i][i] = true
	}
	for _, group := range groups {
		own := make([]bool, d)
		for _, i := range group {
			own[i] = true
		}
		sets = append(sets, own)
	}
	return sets
}

// sums are means over the points of every replicate, of values less the origin.
type sums struct {
	mean, square  []float64   // of f(a) and f(b), [replicates]
	product, gain [][]float64 // f(b) (f(a_b) − f(a)) and f(a_b) − f(a), [sets][replicates]
	total         [][]float64
}

func newSums(sets int) *sums {
	return &sums{mean: make([]float64, Replicates), square: make([]float64, Replicates), product: rows(sets), gain: rows(sets), total: rows(sets)}
}

// add takes in replicate r: f by set, [sets][points].
func (s *sums) add(r int, f [][]float64, origin float64) {
	n := float64(len(f[0]))
	for p := range f[0] {
		a, b := f[0][p]-origin, f[1][p]-origin
		s.mean[r] += (a + b) / 2 / n
		s.square[r] += (a*a + b*b) / 2 / n
		for k := range s.gain {
			gain := f[2+k][p] - origin - a
			s.product[k][r] += b * gain / n
			s.gain[k][r] += gain / n
			s.total[k][r] += gain * gain / 2 / n
		}
	}
}

// decompose makes indices of the sums.
func (s *sums) decompose(d int, origin float64, samples int, groups [][]int) (*SobolEstimate, error) {
	mean := estimate(s.mean)
	out := &SobolEstimate{Mean: Estimate{origin + mean.Value, mean.Error}, Samples: samples}
	variances := make([]float64, Replicates)
	for r, square := range s.square {
		variances[r] = square - 2*mean.Value*s.mean[r] + mean.Value*mean.Value
	}
	out.Variance = estimate(variances)
	if !(out.Variance.Value > 1e-24*out.Mean.Value*out.Mean.Value) { // as little as rounding makes
		return nil, errConstant
	}
	var closed, total []Estimate
	for k := range s.gain {
		own := make([]float64, Replicates)
		for r := range own {
			own[r] = s.product[k][r] - mean.Value*s.gain[k][r]
		}
		closed, total = append(closed, ratio(own, variances)), append(total, ratio(s.total[k], variances))
	}
	out.First, out.Total = closed[:d], total[:d]
	for k, inputs := range groups {
		out.Groups = append(out.Groups, Group{inputs, closed[d+k], total[d+k]})
	}
	return out, nil
}

// ratio returns the ratio of two estimates by replicate: its error is that of the linearised one.
func ratio(top, bottom []float64) Estimate {
	below := estimate(bottom).Value
	value := estimate(top).Value / below
	residuals := make([]float64, len(top))
	for r, v := range top {
		residuals[r] = (v - value*bottom[r]) / below
	}
	return Estimate{value, estimate(residuals).Error}
}
