package auto

import (
	"context"
	"math"
	"slices"
)

// stepsTellNoise is the share of the deviance of the first round of which more is left where more steps than the trials of the
// last one take tell members little but noise.
const stepsTellNoise = 0.94

// finish returns the structures that members take in turn where they are of no mixture, and the share of the steps that they take.
func (t *tournament) finish(ctx context.Context, w worker, left, others []candidate, before float64) (structures []structure, share float64, err error) {
	brief, err := t.settles(ctx, w, left[0], before)
	if err != nil {
		return nil, 0, err
	}
	if brief {
		structures, err = t.settle(ctx, w, left, others)
		return structures, t.mixedShare(), err
	}
	if left, err = t.climb(ctx, w, left); err != nil {
		return nil, 0, err
	}
	return t.chosen(left, others, 1), 1, nil
}

// settles tells whether members of a number take as few steps as the trials of the last round, of which best is the best
// candidate; that of the first round had the deviance before. What ties tell is not what steps do: where little more than that
// was learned, a trial of all steps decides, which has to be worse by two standard errors. Members of few rows and of many inputs have trials of their own.
func (t *tournament) settles(ctx context.Context, w worker, best candidate, before float64) (bool, error) {
	if !t.eases() || t.climbs() || !t.averages || t.rows <= fewRows || t.outputs != 1 || best.isExact() {
		return false, nil
	}
	most := stepsTellNoise * before
	switch {
	case best.deviance > most:
		return true, nil
	case best.deviance <= most*math.Exp(t.logOfTies) || w.progress.spent() > budgetToSelect:
		return false, nil
	}
	all := anew([]candidate{best})
	if err := t.try(ctx, w, screening, all, 1); err != nil {
		return false, err
	}
	return !(bar{candidate: all[0], standardErrors: certainly}).under(best, t.fits), nil
}

// settle makes members brief, as many as take the time of those of all steps, and returns the structures that they take in turn:
// candidates judged by the average of so many, and larger λ of the best for as long as they are better.
func (t *tournament) settle(ctx context.Context, w worker, sorted, others []candidate) ([]structure, error) {
	t.brief = true
	sorted, err := t.briefest(ctx, w, slices.DeleteFunc(slices.Clone(sorted), func(c candidate) bool { return math.IsInf(c.deviance, 0) }))
	if err != nil {
		return nil, err
	}
	t.fits = t.averagedBy(t.mixedShare())
	for i, c := range sorted {
		sorted[i].deviance = c.ensemble.meanAverageDeviance(c.ensemble.rows(), t.fits)
	}
	slices.SortStableFunc(sorted, better)
	heads, _ := leaders(sorted, true)
	sorted, err = t.rise(ctx, w, sorted, heads[:min(len(heads), mostRisen)])
	if err != nil {
		return nil, err
	}
	return t.chosen(sorted, others, t.mixedShare()), nil
}

// mostRisen is the number of candidates that larger λ are tried of before members are brief, of several sums of components where there are.
const mostRisen = 2

// briefest returns the candidates of the last round or, where these are better by a standard error, such of the steps of the round before; members take as few then.
func (t *tournament) briefest(ctx context.Context, w worker, sorted []candidate) ([]candidate, error) {
	steps := slices.DeleteFunc(anew(sorted), func(c candidate) bool { return c.isExact() })
	if len(steps) == 0 || w.progress.spent() > budgetToSelect {
		return sorted, nil
	}
	before := t.tries[:len(t.tries)-1]
	t.twins = t.averages
	if err := t.try(ctx, w, climbing, steps, before[len(before)-1]); err != nil {
		return nil, err
	}
	if (bar{candidate: sorted[0], standardErrors: likely}).under(steps[0], t.fits) {
		return sorted, nil
	}
	t.tries = before
	return steps, nil
}
