package auto

import (
	"cmp"
	"context"
	"slices"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
)

// A number whose values many rows share may say more than how large it is: rows of one value may
// belong together, as measurements of one day or parts of one batch. A component of ties has a
// function of its own for each value, as of a category's level, and neighbouring values are shrunk
// to one another.

// tiesOf is the component. Its other numbers have splines.
func tiesOf(orderings int) component {
	return component{Kind: basis.KindSpline, Nodes: 12, Orderings: orderings, Amplitude: 0.1, Cells: basis.MaxSteps}
}

func (c component) hasTies() bool { return c.Cells > 0 }

// ties returns the component that a step can pay for.
func (p plan) ties() component {
	return p.memberCost(p.memberBatch).within(tiesOf(p.tieOrderings), p.rowTime)
}

// stepsOf returns the steps for an input of so many values: twice as many, for those of few rows
// are near one another, and fewer where weights of so many would fill a file.
func stepsOf(values int) int {
	if values <= descent.ManySteps {
		return min(2*values, descent.ManySteps)
	}
	return min(3*values/2, basis.MaxSteps)
}

const (
	// fewestTied and mostTied are the values that an input has at least and at most, and rowsOfTie the rows of one on
	// average, for its values to be tried: fewer values have a node each in other components, and
	// more have none of their own in steps.
	fewestTied = 20
	mostTied   = basis.MaxSteps
	rowsOfTie  = 8
	// gainOfTies is the share of the residuals' variance that rows of one value have to explain,
	// beyond what rows of neighbouring values do.
	gainOfTies = 0.02
	// finest are the nodes of the finest component.
	finest = 121
	// weightsOfTied are those that a component of ties has at most.
	weightsOfTied = 5e7
)

// weightsOfTies returns how many weights the component has where it tells so many values of inputs apart, 0 for none, on
// average over orderings: any two of the d inputs, of w_i and w_j functions, lie next to each other in 2/d of these,
//
//	r Σ_{i≠j} w_i w_j / d
func (c component) weightsOfTies(distinct, values []int) float64 {
	var sum, squares float64
	for i, n := range distinct {
		w := float64(c.nodesOf(n))
		if values[i] > 0 {
			w = float64(min(c.Cells, stepsOf(values[i])))
		}
		sum, squares = sum+w, squares+w*w
	}
	return float64(c.Orderings) * (sum*sum - squares) / float64(len(distinct))
}

// repeated returns of every input how many values it has, where they repeat often enough, and
// else 0; nil where none has.
func (d *dataset) repeated() []int {
	counts, some := make([]int, d.Inputs), false
	for i := range counts {
		if !basis.Ordered(d.bases[i]) || d.distinct[i] < fewestTied {
			continue
		}
		most := min(mostTied, d.Len()/rowsOfTie)
		if n := countValues(d.Rows, i, most+1); n <= most {
			counts[i], some = n, true
		}
	}
	if !some {
		return nil
	}
	return counts
}

// tied returns how many values of an input components of ties tell apart, 0 for none.
func (d *dataset) tied(input int) int {
	if d.ties == nil {
		return 0
	}
	return d.ties[input]
}

// withTies returns the data with so many values of inputs that components of ties tell apart.
func (d *dataset) withTies(values []int) *dataset {
	own := *d
	own.ties = values
	return own.scaled(own.X, own.inputs)
}

// tying returns the data as shapes that were given need them: one of ties tells the values of all
// numbers apart that repeat.
func (p plan) tying(d *dataset) *dataset {
	for _, s := range p.shapes {
		if slices.ContainsFunc(s.Components, component.hasTies) {
			return d.withTies(d.repeated())
		}
	}
	return d
}

// tryTies tries the best candidates with a component of ties more, of those inputs of few values, or late of
// others, whose values mark rows that the best one errs on alike. It returns them, the best first, if they are better than the best
// without by enough standard errors, or nil. The data of the tournament have the ties then.
func (t *tournament) tryTies(ctx context.Context, w worker, stage int, without []candidate, share float64) ([]candidate, error) {
	if t.repeated == nil || without[0].ensemble == nil || w.progress.spent() > budgetToSelect {
		return nil, nil
	}
	marks, err := t.marks(ctx, w, without[0], stage == tryingTiesLate)
	if err != nil || marks == nil {
		return nil, err
	}
	with, ties := t.again(without), t.ties()
	if stage == tryingTiesLate {
		with = with[:min(1, len(with))]
	} else {
		ties.Cells = descent.ManySteps
	}
	for i := range with {
		own := slices.Clone(with[i].Components)
		if k := slices.IndexFunc(own, component.hasTies); k >= 0 {
			own[k].Cells = ties.Cells
		} else {
			own = append(own, ties)
		}
		with[i].Components = own
	}
	return t.tryOn(ctx, w, t.data.withTies(marks), stage, with, without[0], share, t.sureOfTies(stage))
}

// sureOfTies returns the standard errors by which candidates with ties have to be better.
func (p plan) sureOfTies(stage int) float64 {
	if stage == tryingTiesLate && !p.gaussian {
		return likely
	}
	return certainly
}

// marks returns of the inputs with repeated values, of few or of those that are tried late, those whose values explain enough of what a
// candidate leaves unexplained of the rows that it has learned from, beside those that it tells apart already; nil where there are none.
// Those that explain most come first, and those whose weights would be too many beside theirs are left out.
func (t *tournament) marks(ctx context.Context, w worker, best candidate, late bool) ([]int, error) {
	rows, f, err := t.learnedBy(ctx, w, best)
	if err != nil {
		return nil, err
	}
	left, outputs := t.data.residuals(rows, f), t.data.latents()
	own, tells := make([]int, t.data.Inputs), slices.ContainsFunc(best.Components, component.hasTies)
	copy(own, t.data.ties)
	type mark struct {
		input int
		share float64 // of the residuals' squares that it explains
	}
	var found []mark
	for i, n := range t.repeated {
		tried := n <= descent.ManySteps
		if late {
			tried = t.late(n)
		}
		if n == 0 || own[i] > 0 && tells || !tried {
			continue
		}
		var gained, plain float64
		for k := range outputs {
			r := make([]residual, 0, len(rows))
			for at, j := range rows {
				if v := t.data.Row(j)[i]; v == v {
					r = append(r, residual{v, t.data.Weight(j), left[at*outputs+k]})
				}
			}
			more, of := explainedByTies(r)
			gained, plain = gained+more, plain+of
		}
		if plain > 0 && gained/plain >= gainOfTies {
			found = append(found, mark{i, gained / plain})
		}
	}
	slices.SortStableFunc(found, func(a, b mark) int { return cmp.Compare(b.share, a.share) })
	some := false
	for _, m := range found {
		own[m.input] = t.repeated[m.input]
		if t.ties().weightsOfTies(t.data.distinct, own) > weightsOfTied {
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

// explainedByTies returns what of the residuals' squares, all of which are plain, the other rows of the same value
// explain, less that which rows of the values next to it on either side do: what a
// smooth function of the input can tell is no reason for ties. Those are two values, and of more than a
// thousand as many as lie half as far from it as the next of the finest nodes. Means are shrunk towards 0 by
// three rows, and no row has a part in what explains it.
func explainedByTies(all []residual) (gained, plain float64) {
	const shrinking = 3
	slices.SortStableFunc(all, func(a, b residual) int { return cmp.Compare(a.value, b.value) })
	var weight, sum float64
	for _, v := range all {
		weight, sum = weight+v.weight, sum+v.weight*v.r
	}
	mean, shrink := sum/weight, shrinking*weight/float64(len(all))
	type tie struct{ weight, sum float64 }
	var ties []tie
	of := make([]int, len(all))
	for k, v := range all {
		if k == 0 || v.value != all[k-1].value {
			ties = append(ties, tie{})
		}
		of[k] = len(ties) - 1
		last := &ties[of[k]]
		last.weight, last.sum = last.weight+v.weight, last.sum+v.weight*(v.r-mean)
	}
	beside := max(2, len(ties)/(4*finest))
	var alike, near float64
	for k, v := range all {
		r, own, around := v.r-mean, ties[of[k]], tie{shrink, 0}
		for next := max(0, of[k]-beside); next <= min(len(ties)-1, of[k]+beside); next++ {
			if next != of[k] {
				around.weight, around.sum = around.weight+ties[next].weight, around.sum+ties[next].sum
			}
		}
		plain += v.weight * r * r
		alike += v.weight * square(r-(own.sum-v.weight*r)/(own.weight-v.weight+shrink))
		near += v.weight * square(r-around.sum/around.weight)
	}
	return min(near, plain) - alike, plain
}
