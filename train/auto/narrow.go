package auto

import (
	"context"
	"slices"

	"beziergp/likelihood"
)

// fewestToPrune are the inputs from which on those are left out that a candidate loses nothing by, and
// fewestToScreen those from which on, before that, those are that tell nothing by themselves.
const (
	fewestToPrune  = 12
	fewestToScreen = 100
)

// mostValues are those of a table from which inputs may be left out: it is kept while the recipe trains.
const mostValues = 50_000_000

// keptOfMany is the share of the inputs that a screen keeps at most: leaving out fewer gains little.
const keptOfMany = 0.5

// Screens tells whether inputs are so many, and rows or values that were given so few, that some inputs may be left out.
func (o Recipe) Screens(law likelihood.Likelihood, rows, inputs int) bool {
	switch {
	case o.Shapes != nil:
		return false
	case likelihood.IsGaussian(law):
		return inputs >= fewestToPrune && rows <= mostValues/inputs && !o.lacks(Pruning)
	}
	return inputs >= fewestToScreen && rows <= tallRows
}

// only returns the rows with some of the inputs.
func (d *dataset) only(inputs []int) *dataset {
	own := *d
	own.bases, own.distinct, own.ties, own.kept = nil, nil, nil, slices.Clone(inputs)
	for k, i := range inputs {
		if d.kept != nil {
			own.kept[k] = d.kept[i]
		}
	}
	own.Rows.Inputs = len(inputs)
	x, scalings := make([]float32, 0, d.Len()*len(inputs)), d.inputs[:0:0]
	for _, i := range inputs {
		own.bases, own.distinct, scalings = append(own.bases, d.bases[i]), append(own.distinct, d.distinct[i]), append(scalings, d.inputs[i])
	}
	for j := range d.Len() {
		for _, i := range inputs {
			x = append(x, d.Row(j)[i])
		}
	}
	return own.scaled(x, scalings)
}

// narrowed returns candidates of the inputs that the target depends on, by rows outside the folds of the trials, where the best of
// them is better than the best of more inputs; the plan and the data of the tournament are theirs then. Else it
// returns those of all inputs. Of inputs that are kept rather than lost, some are kept by chance, so that a stricter choice follows.
func (t *tournament) narrowed(ctx context.Context, w worker, left []candidate, share float64) ([]candidate, error) {
	if !t.screens || w.progress.spent() > budgetToSelect {
		return left, nil
	}
	held := map[int]bool{}
	for _, j := range slices.Concat(t.folds.folds[:t.held]...) {
		held[j] = true
	}
	rest := slices.DeleteFunc(slices.Clone(t.folds.rows), func(j int) bool { return held[j] })
	all := t.data
	scores, err := newScreen(all, rest, t.seed).scores(ctx, w)
	if err != nil {
		return nil, err
	}
	most := int(keptOfMany * float64(all.Inputs))
	for _, byChance := range keptByChance {
		inputs := kept(scores, byChance)
		if len(inputs) == 0 || len(inputs) > most {
			continue
		}
		most = len(inputs) - 1
		with, _, err := t.narrower(ctx, w, all.only(inputs), share, bar{candidate: left[0], standardErrors: likely})
		if err != nil {
			return nil, err
		}
		if with != nil {
			left = with
		}
	}
	return left, nil
}

// of returns the plan for the same rows and folds with fewer inputs.
func (p plan) of(d *dataset) (plan, error) {
	own, err := p.again(d)
	own.folds, own.members, own.short, own.held, own.outOfFold, own.screens = p.folds, p.members, p.short, p.held, p.outOfFold, p.screens
	own.prunes = p.prunes
	return own, err
}
