package auto

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// marks returns of the inputs of so many repeated values as are tried those whose values explain enough of what a
// candidate leaves unexplained of the rows that it has learned from, or of those held out, beside those that it tells apart already; nil where there are none.
// Those that explain most come first, and those whose weights would be too many beside theirs are left out.
func (t *tournament) marks(ctx context.Context, w worker, best candidate, tried func(values int) bool) ([]int, error) {
	rows, f, err := t.learnedBy(ctx, w, best)
	if err != nil {
		return nil, err
	}
	// Members that learn their rows by heart leave little there of what rows of a value have in common, but all of it at rows held out.
	held := best.ensemble.rows()
	of := []residualsAt{{rows, t.data.residuals(rows, f)}, {held, t.data.residuals(held, best.ensemble.of(held))}}
	own, tells := make([]int, t.data.Inputs), slices.ContainsFunc(best.Components, component.hasTies)
	copy(own, t.data.ties)
	type mark struct {
		input int
		share float64 // of the residuals' squares that it explains
	}
	var found []mark
	for i, n := range t.repeated {
		if n == 0 || own[i] > 0 && tells || !tried(n) || t.data.levelsOf(i) != nil && t.data.neighbours.uses(i) {
			continue
		}
		if share := max(t.shareOfTies(of[0], i), t.shareOfTies(of[1], i)); share >= gainOfTies {
			found = append(found, mark{i, share})
		}
	}
	slices.SortStableFunc(found, func(a, b mark) int { return cmp.Compare(b.share, a.share) })
	some := false
	for _, m := range found {
		own[m.input] = t.repeated[m.input]
		if t.data.weightsOfTies(t.ties(), own) > mostWeightsOfTies(t.data.Len()) {
			own[m.input] = 0
		} else {
			some = true
		}
	}
	if !some {
		return nil, nil
	}
	return own, nil
}

// residualsAt are residuals at rows, [n, T].
type residualsAt struct {
	rows      []int
	residuals []float64
}

// shareOfTies returns the share of the residuals' squares that rows of one value of an input explain, 0 where it is not
// beyond what chance tells.
func (t *tournament) shareOfTies(at residualsAt, input int) float64 {
	var gained, plain, variance float64
	outputs, levels := t.data.latents(), t.data.levelsOf(input) != nil
	for k := range outputs {
		r := make([]residual, 0, len(at.rows))
		for i, j := range at.rows {
			own := residual{t.data.tieAt(j, input), t.data.Weight(j), at.residuals[i*outputs+k]}
			switch {
			case own.value == own.value:
				r = append(r, own)
			case levels: // which the share is one of all rows of
				plain += own.weight * own.r * own.r
			}
		}
		more, of, spread := explainedByTies(r, !levels)
		gained, plain, variance = gained+more, plain+of, variance+spread
	}
	if !(gained > certainly*math.Sqrt(variance)) {
		return 0
	}
	return gained / plain
}

// residuals returns minus the derivative of the loss by every process at rows of which f is predicted, [rows, T]: y − f
// of a Gaussian, y − E[y | f] of a class or of a count of Poisson's law.
func (d *dataset) residuals(rows []int, f []float64) []float64 {
	t := d.latents()
	all := make([]float64, len(f))
	for at, j := range rows {
		d.slopes(j, f[at*t:(at+1)*t], all[at*t:(at+1)*t])
	}
	for i := range all {
		all[i] = -all[i]
	}
	return all
}

// residual is that of a row, with the value of an input there.
type residual struct {
	value  float32
	weight float64
	r      float64
}

// explainedByTies returns what of the residuals' squares, all of which are plain, the mean of the other rows of the same value
// explains, less that which the mean of rows of the values next to it on either side does: what a
// smooth function of an ordered input can tell is no reason for ties. Those are two values, and of more than a
// thousand as many as lie half as far from it as the next of the finest nodes. With r_j of the rows j of a value v,
//
//	Σ_v Σ_{j∈v} r_j (mean of r in v without j − mean of r in the values beside v)
//
// No row has a part in what explains it, so that of residuals that have nothing in common this is 0 on average, however few rows
// a value has. The variance of it is about the sum of the squares of the values' terms.
func explainedByTies(all []residual, ordered bool) (gained, plain, variance float64) {
	slices.SortStableFunc(all, func(a, b residual) int { return cmp.Compare(a.value, b.value) })
	var whole tie
	var ties []tie
	of := make([]int, len(all))
	for k, v := range all {
		whole.add(v.weight, v.r)
		if k == 0 || v.value != all[k-1].value {
			ties = append(ties, tie{})
		}
		of[k] = len(ties) - 1
		ties[of[k]].add(v.weight, v.r)
	}
	mean := whole.mean()
	alike := make([]float64, len(ties))
	for k, v := range all {
		own, r := ties[of[k]], v.r-mean
		plain += v.weight * r * r
		if others := (tie{own.weight - v.weight, own.sum - v.weight*v.r}); others.weight > 1e-9*own.weight {
			alike[of[k]] += v.weight * r * (others.mean() - mean)
		}
	}
	beside := max(2, len(ties)/(4*finest))
	near := make([]float64, len(ties))
	for i, own := range ties {
		var around tie
		for next := max(0, i-beside); next <= min(len(ties)-1, i+beside); next++ {
			if next != i {
				around.add(ties[next].weight, ties[next].mean())
			}
		}
		if around.weight > 0 {
			near[i] = (own.sum - own.weight*mean) * (around.mean() - mean)
		}
	}
	smooth := ordered && floats.Sum(near) > 0
	for i, own := range alike {
		if smooth {
			own -= near[i]
		}
		gained, variance = gained+own, variance+own*own
	}
	return gained, plain, variance
}

// tie is the rows of a value.
type tie struct{ weight, sum float64 }

// add adds so many rows of a mean.
func (t *tie) add(weight, mean float64) { t.weight, t.sum = t.weight+weight, t.sum+weight*mean }

// mean returns that of the rows, 0 of none.
func (t tie) mean() float64 {
	if t.weight == 0 {
		return 0
	}
	return t.sum / t.weight
}
