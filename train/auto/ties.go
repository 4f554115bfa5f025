package auto

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
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
	rowsOfTie  = 3
	// gainOfTies is the share of the residuals' variance that rows of one value have to explain,
	// beyond what rows of neighbouring values do.
	gainOfTies = 0.02
	// finest are the nodes of the finest component.
	finest = 121
	// weightsOfTied are those that a component of ties has at most, as orderingsForWeights tell.
	weightsOfTied       = 5e7
	orderingsForWeights = 24
)

// orderings draws those of inputs of so many functions. Two inputs of very many values that a component of ties tells apart do not lie next
// to each other in them, as far as others can come between: no rows tell of most of their pairs, and weights of these would fill a file.
func (c component) orderings(widths []int, rng *rand.Rand) [][]int {
	orderings := buttress.RandomOrderings(len(widths), c.Orderings, rng)
	if c.hasTies() {
		for _, o := range orderings {
			putApart(o, widths)
		}
	}
	return orderings
}

// mostPairs are the pairs of functions that inputs next to each other have at most.
const mostPairs = descent.ManySteps * descent.ManySteps

// putApart exchanges inputs of an ordering for as long as that makes fewer the pairs of functions of neighbours beyond [mostPairs].
func putApart(ordering, widths []int) {
	beyond := func(at int) int { // of the pairs at a place and the one before it
		if at == 0 || at == len(ordering) {
			return 0
		}
		return max(0, widths[ordering[at-1]]*widths[ordering[at]]-mostPairs)
	}
	around := func(k, l int) int {
		sum := beyond(k) + beyond(k+1) + beyond(l) + beyond(l+1)
		if l == k+1 {
			sum -= beyond(l)
		}
		return sum
	}
	for improved := true; improved; {
		improved = false
		for k := range ordering {
			for l := k + 1; l < len(ordering); l++ {
				before := around(k, l)
				if before == 0 {
					continue
				}
				ordering[k], ordering[l] = ordering[l], ordering[k]
				if around(k, l) < before {
					improved = true
				} else {
					ordering[k], ordering[l] = ordering[l], ordering[k]
				}
			}
		}
	}
}

// weightsOfTies returns about how many weights the component has where it tells so many values of inputs apart, 0 for none: the
// mean over some orderings.
func (c component) weightsOfTies(distinct, values []int) float64 {
	widths := make([]int, len(distinct))
	for i, n := range distinct {
		widths[i] = c.nodesOf(n)
		if values[i] > 0 {
			widths[i] = min(c.Cells, stepsOf(values[i]))
		}
	}
	some := c
	some.Orderings = orderingsForWeights
	var sum float64
	for _, o := range some.orderings(widths, descent.Random(0, descent.StreamOrderings)) {
		for k := 1; k < len(o); k++ {
			sum += float64(widths[o[k-1]]) * float64(widths[o[k]])
		}
	}
	return sum / orderingsForWeights * float64(c.Orderings)
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
		tried := n <= descent.ManySteps
		if late {
			tried = t.late(n)
		}
		if n == 0 || own[i] > 0 && tells || !tried {
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

// residualsAt are residuals at rows, [n, T].
type residualsAt struct {
	rows      []int
	residuals []float64
}

// shareOfTies returns the share of the residuals' squares that rows of one value of an input explain, 0 where it is not
// beyond what chance tells.
func (t *tournament) shareOfTies(at residualsAt, input int) float64 {
	var gained, plain, variance float64
	outputs := t.data.latents()
	for k := range outputs {
		r := make([]residual, 0, len(at.rows))
		for i, j := range at.rows {
			if v := t.data.Row(j)[input]; v == v {
				r = append(r, residual{v, t.data.Weight(j), at.residuals[i*outputs+k]})
			}
		}
		more, of, spread := explainedByTies(r)
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
// smooth function of the input can tell is no reason for ties. Those are two values, and of more than a
// thousand as many as lie half as far from it as the next of the finest nodes. With r_j of the rows j of a value v,
//
//	Σ_v Σ_{j∈v} r_j (mean of r in v without j − mean of r in the values beside v)
//
// No row has a part in what explains it, so that of residuals that have nothing in common this is 0 on average, however few rows
// a value has. The variance of it is about the sum of the squares of the values' terms.
func explainedByTies(all []residual) (gained, plain, variance float64) {
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
	beside := max(2, len(ties)/(4*finest))
	alike, near := make([]float64, len(ties)), make([]float64, len(ties))
	mean := whole.mean()
	for k, v := range all {
		own, r := ties[of[k]], v.r-mean
		plain += v.weight * r * r
		var around tie
		for next := max(0, of[k]-beside); next <= min(len(ties)-1, of[k]+beside); next++ {
			if next != of[k] {
				around.add(ties[next].weight, ties[next].mean())
			}
		}
		if others := (tie{own.weight - v.weight, own.sum - v.weight*v.r}); others.weight > 1e-9*own.weight {
			alike[of[k]] += v.weight * r * (others.mean() - mean)
		}
		if around.weight > 0 {
			near[of[k]] += v.weight * r * (around.mean() - mean)
		}
	}
	smooth := floats.Sum(near) > 0
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
