package auto

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/predictive"
)

// averagingGain returns the noise variance of the average of the members over that of one
// member. Out-of-fold errors are errors of single members; the average f̄ of M members errs
// less, by the ambiguity of these (Krogh & Vedelsby, NIPS 7, 1995):
//
//	(f̄ − y)² = 1/M Σ_m (f_m − y)² − 1/M Σ_m (f_m − f̄)²
//	1/M Σ_m (f_m − f̄)² = 1/M² Σ_{l<m} (f_l − f_m)²
//
// A replicate differs from its member in the random start alone; (f − f′)² of the two at
// rows that neither was trained on estimates the ambiguity.
func averagingGain(ctx context.Context, w worker, p plan, data *dataset, f *forecasts, ratio *densityRatio) (float64, error) {
	if f.replicates == nil || !p.averages {
		return 1, nil
	}
	beyond, err := foldAmbiguity(ctx, w, data, f.ensemble, p.seed)
	if err != nil {
		return 0, err
	}
	replicates := f.replicates[:min(len(f.replicates), calibrationRows)]
	pairs, err := f.sample(ctx, w, data, ratio, f.rows()[:len(replicates)])
	if err != nil {
		return 0, err
	}
	// The factor is relative to the σ² that is likeliest for single members: at the same
	// rows where these are few, because then the draw of the rows decides it; else at rows
	// of all folds, because then the draw of the members does. Folds of whole groups or
	// stretches of time are not alike, and rows of one are not compared with those of others.
	reference := pairs
	if data.Len() > fewRows && data.keys.IsZero() {
		if reference, err = f.sample(ctx, w, data, ratio, someOf(f.folds)); err != nil {
			return 0, err
		}
	}
	average := ofAverage(data.Y, pairs, replicates, ambiguity(len(f.members), len(f.members)-len(f.folds), beyond))
	return min(1, f.likeliest(pairs, average)/f.likeliest(reference, reference.own)), nil
}

// ambiguity returns 1/M Σ_m (f_m − f̄)² of members in units of ½ (f_l − f_m)² of a
// replicate and its member. Pairs without different folds are further apart, by a factor.
func ambiguity(members, replicates int, beyond float64) float64 {
	k, same := float64(members), float64(replicates)
	return 2 / (k * k) * (same + (k*(k-1)/2-same)*beyond)
}

// ofAverage returns means that err as much as the average of all members would. That of a
// member and its replicate, f̄ = (f + f′)/2, has lost the ambiguity of two, ¼ (f − f′)²;
// what else all have is taken from the squared errors row by row,
//
//	(f̄ − y)² − (ambiguity · ½ − ¼) (f − f′)²
//
// so that averaging changes no error on which all members agree.
func ofAverage(y []float32, pairs *sample, replicates []float64, ambiguity float64) []float64 {
	mean := make([]float64, len(replicates))
	for i, j := range pairs.rows {
		target := float64(y[j])
		off := (pairs.own[i]+replicates[i])/2 - target
		apart := (pairs.own[i] - replicates[i]) / 2
		mean[i] = target + math.Copysign(math.Sqrt(max(0, off*off-(2*ambiguity-1)*apart*apart)), off)
	}
	return mean
}

// sample is some rows with their out-of-fold predictions.
type sample struct {
	rows   []int
	own    []float64
	ratios []float64 // of densities, [len(rows), predictive.Nodes]; nil where these are one
}

func (f *forecasts) sample(ctx context.Context, w worker, data *dataset, ratio *densityRatio, rows []int) (*sample, error) {
	s := &sample{rows: rows, own: f.of(rows)}
	if ratio == nil {
		return s, nil
	}
	var err error
	s.ratios, err = ratio.at(ctx, w, data, rows, s.own)
	return s, err
}

// likeliest returns the factor of the noise that maximises the likelihood of the targets
// around a mean. The likelihood is that of the whole distribution, density ratio included,
// so that modes that are the same for all members do not count as noise that averages out.
func (f *forecasts) likeliest(s *sample, mean []float64) float64 {
	at := func(step float64) (sum float64) {
		c := f.calibration
		c.Noise *= math.Pow(factorStep, step)
		for i, j := range s.rows {
			d := predictive.Distribution{Location: mean[i], Scale: math.Sqrt(c.squaredScale(j, f.noise, f.epistemic)), Family: f.family}
			if s.ratios != nil {
				d.Density = s.ratios[i*predictive.Nodes:][:predictive.Nodes]
			}
			sum += f.data.Weight(j) * d.LogDensity(f.target(j))
		}
		return sum
	}
	return math.Pow(factorStep, climb(at))
}

// Factors of the noise that are compared: powers of factorStep up to the factorSteps-th
// and down to its inverse.
const (
	factorStep  = 1.2
	factorSteps = 10
)

// climb returns where f is highest: it goes uphill from zero in whole steps, and then
// to the top of the parabola through the highest and its neighbours.
func climb(f func(step float64) float64) float64 {
	left, here, right := f(-1), f(0), f(1)
	var at float64
	for ; right > here && at < factorSteps; at++ {
		left, here, right = here, right, f(at+2)
	}
	for ; left > here && at > -factorSteps; at-- {
		left, here, right = f(at-2), left, here
	}
	bend := left - 2*here + right
	if bend >= 0 || here < max(left, right) {
		return at
	}
	return at + (left-right)/(2*bend)
}

// foldAmbiguity returns E (f_l − f_m)² of members that lack different folds over E (f − f′)²
// of a member and its replicate, at least 1. Members fit the rows that they were trained on
// closely, so they are compared at rows that none was trained on: training rows of which
// one input is that of another row. E is the median over rows, which is robust against
// outliers, averaged over pairs. Where folds are whole groups or stretches of time, a row of
// a fold that one of two members lacks is new to it in more than one input: such rows are
// left out.
func foldAmbiguity(ctx context.Context, w worker, data *dataset, e *ensemble, seed uint64) (float64, error) {
	said, from, err := e.atRedrawn(ctx, w, data, seed)
	if err != nil {
		return 0, err
	}
	lacks := e.lacks(data)
	var same, others []float64
	for k, a := range said {
		for l, b := range said[:k] {
			squares := make([]float64, 0, len(a))
			for j := range a {
				if !lacks(k, from[j]) && !lacks(l, from[j]) {
					squares = append(squares, square(a[j]-b[j]))
				}
			}
			if len(squares) == 0 {
				continue
			}
			slices.Sort(squares)
			if median := stat.Quantile(0.5, stat.Empirical, squares, nil); l == k-len(e.folds) {
				same = append(same, median)
			} else {
				others = append(others, median)
			}
		}
	}
	if mean := stat.Mean(same, nil); mean > 0 && others != nil {
		return max(1, stat.Mean(others, nil)/mean), nil
	}
	return 1, nil
}

// lacks returns whether a member lacks the fold of one of two rows, for folds that are no
// random draw of rows; else it lacks none.
func (e *ensemble) lacks(data *dataset) func(member int, rows [2]int) bool {
	if data.keys.IsZero() {
		return func(int, [2]int) bool { return false }
	}
	fold := slices.Repeat([]int{noFold}, data.Len())
	for k, rows := range e.folds {
		for _, j := range rows {
			fold[j] = k
		}
	}
	return func(member int, rows [2]int) bool {
		own := member % len(e.folds) // of a replicate that of its member
		return fold[rows[0]] == own || fold[rows[1]] == own
	}
}

// rowsToCompare are enough for a median.
const rowsToCompare = 2000

// atRedrawn returns the predictions of every member at rows of which one input is drawn
// anew, from its values in all rows, and which two rows each is made of.
func (e *ensemble) atRedrawn(ctx context.Context, w worker, data *dataset, seed uint64) (said [][]float64, from [][2]int, err error) {
	rows := data.some(data.order, rowsToCompare)
	n := len(rows)
	x, rng := data.Coordinates(rows), descent.Random(seed, descent.StreamRedrawn)
	for j := range n {
		i, other := rng.IntN(data.Inputs), data.order[rng.IntN(len(data.order))]
		x[j*data.Inputs+i] = data.Row(other)[i]
		from = append(from, [2]int{rows[j], other})
	}
	redrawn := &dataset{Rows: descent.Rows{Batch: elbo.Batch{X: x}, Inputs: data.Inputs}, limits: data.limits}
	said = make([][]float64, len(e.members))
	for k, m := range e.members {
		if said[k], err = m.predict(ctx, w, redrawn, upTo(n)); err != nil {
			return nil, nil, err
		}
	}
	return said, from, nil
}
