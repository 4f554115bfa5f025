package auto

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

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
	return o.screens(law, rows, inputs) || o.prunes(law, rows, inputs)
}

// screens tells whether inputs that tell nothing by themselves may be left out.
func (o Recipe) screens(law likelihood.Likelihood, rows, inputs int) bool {
	return o.Shapes == nil && !likelihood.IsGaussian(law) && inputs >= fewestToScreen && rows <= tallRows
}

// prunes tells whether inputs that a candidate loses nothing by may be left out: of a number, and of a class unless rows are very many
// or inputs so many that they are screened.
func (o Recipe) prunes(law likelihood.Likelihood, rows, inputs int) bool {
	ofLaw := likelihood.IsGaussian(law) || likelihood.Classifies(law) && rows <= tallRows && inputs < fewestToScreen
	return o.Shapes == nil && ofLaw && inputs >= fewestToPrune && rows <= mostValues/inputs && !o.lacks(Pruning)
}

// only returns the rows with some of the inputs.
func (d *dataset) only(inputs []int) *dataset {
	own := *d
	own.bases, own.distinct, own.levels, own.few, own.ties, own.kept, own.absences = nil, nil, nil, nil, nil, slices.Clone(inputs), nil
	for k, i := range inputs {
		if d.kept != nil {
			own.kept[k] = d.kept[i]
		}
	}
	own.Rows.Inputs = len(inputs)
	x, scalings := make([]float32, 0, d.Len()*len(inputs)), d.inputs[:0:0]
	for _, i := range inputs {
		own.bases, own.distinct, scalings = append(own.bases, d.bases[i]), append(own.distinct, d.distinct[i]), append(scalings, d.inputs[i])
		if d.levels != nil {
			own.levels = append(own.levels, d.levels[i])
		}
	}
	for j := range d.Len() {
		for _, i := range inputs {
			x = append(x, d.Row(j)[i])
		}
	}
	return own.scaled(x, scalings)
}

// narrowed returns candidates of the inputs that the target depends on by all rows, where the best of them is better than the best of
// more inputs; the plan and the data of the tournament are theirs then. Else it returns those of all inputs. For that comparison
// each trial has the inputs that the rows outside its fold tell of. Of inputs that are kept rather than lost, some are kept by
// chance, so that a stricter choice follows, which takes its place where it is better at all.
func (t *tournament) narrowed(ctx context.Context, w worker, left []candidate, share float64) ([]candidate, error) {
	if !t.screens || w.progress.spent() > budgetToSelect {
		return left, nil
	}
	all := t.data
	screened := func(rows []int) ([ways]scores, error) { return newScreen(all, rows, t.seed).scores(ctx, w) }
	ofAll, err := screened(t.folds.rows)
	if err != nil {
		return nil, err
	}
	var ofFold [][ways]scores
	most, best, errors, narrower := int(keptOfMany*float64(all.Inputs)), left[0], likely, []candidate(nil)
	for _, byChance := range keptByChance {
		inputs := kept(ofAll, byChance)
		if len(inputs) == 0 || len(inputs) > most {
			continue
		}
		most = len(inputs) - 1
		for k := len(ofFold); k < t.held; k++ {
			own, err := screened(t.folds.without(k))
			if err != nil {
				return nil, err
			}
			ofFold = append(ofFold, own)
		}
		t.ofFold = nil
		for _, own := range ofFold {
			t.ofFold = append(t.ofFold, all.onlyKept(own, byChance))
		}
		with, _, err := t.narrower(ctx, w, all.only(inputs), share, bar{candidate: best, standardErrors: errors})
		t.ofFold = nil
		if err != nil {
			return nil, err
		}
		if with != nil {
			best, narrower, errors = with[0], with, 0
		}
	}
	if narrower == nil {
		return left, nil
	}
	if t.plan, err = t.of(t.data); err != nil { // by which more folds may choose
		return nil, err
	}
	t.hurried = true // trials of all inputs have had their time
	narrower = anew(narrower)
	return narrower, t.try(ctx, w, screening, narrower, share)
}

// onlyKept returns the rows with the inputs that are kept by scores, or with the one whose cells tell most where none is.
func (d *dataset) onlyKept(all [ways]scores, byChance float64) *dataset {
	inputs := kept(all, byChance)
	if len(inputs) == 0 {
		inputs = []int{floats.MaxIdx(all[byCells][0])}
	}
	return d.only(inputs)
}

// of returns the plan for the same rows and folds with fewer inputs.
func (p plan) of(d *dataset) (plan, error) {
	own, err := p.again(d)
	if err != nil {
		return own, err
	}
	own = own.bending(p.bends)
	own.folds, own.members, own.short, own.outOfFold, own.screens = p.folds, p.members, p.short, p.outOfFold, p.screens
	own.held = min(max(p.held, own.held), p.folds, p.members) // more choose of fewer inputs, as far as there are
	own.prunes, own.main, own.effects = p.prunes, p.main, p.effects
	return own.inTime(d), nil
}
