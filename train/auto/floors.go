package auto

import (
	"context"

	"beziergp/likelihood"
)

// floors returns the floors of classes ([likelihood.Floored]) that members learn with, nil for none: those that predictions out of fold seem to call for, where the best
// candidate, trained with them as it was without, is better. Members that are sure of too much look as if labels were wrong, too, and a loss that
// forgives them what they are sure of makes them worse.
func (t *tournament) floors(ctx context.Context, w worker) ([]float64, error) {
	floors, law := t.seemingFloors(w)
	if floors == nil || w.progress.spent() > budgetToSelect {
		return nil, nil
	}
	best, data, held := t.best, t.data, t.held
	without := *best.ensemble
	t.data, t.best, t.held, t.twins = data.withLaw(law), nil, len(without.folds), without.twins != nil
	with := []candidate{untried(best.structure)}
	err := t.try(ctx, w, climbing, with, float64(best.steps)/float64(t.stepsOf(best.structure)))
	t.data, t.best, t.held = data, best, held
	if err != nil {
		return nil, err
	}
	without.data = without.data.withLaw(law)
	if !(with[0].deviance < without.meanAverageDeviance(without.rows(), t.fits)) {
		return nil, nil
	}
	return floors, nil
}

// seemingFloors returns the likeliest floors by what the members of the best candidate, or pairs of them, predict out of fold, and the law with
// these; nil for none.
func (t *tournament) seemingFloors(w worker) ([]float64, likelihood.Likelihood) {
	if !likelihood.Classifies(t.data.law) || t.best == nil {
		return nil, nil
	}
	pairs := *t.best.ensemble
	pairs.outOfFold = pairs.pairs()
	by := evidence{&pairs, epistemic{}, someOf(pairs.folds), w.pool}
	floors := likelihood.Describe(lawCalibration{Slope: 1, law: t.data.law}.fit(by).floored(by).law).Parameters
	law, _ := likelihood.Floored(t.data.law, floors)
	return floors, law
}
