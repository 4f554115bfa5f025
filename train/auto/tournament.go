package auto

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"beziergp/train"
)

// tournament compares candidates on the same folds, round after round.
type tournament struct {
	plan
	data  *dataset
	folds partition
	twins bool       // whether a second member is trained for every trial
	fits  int        // that the model is the average of, if members take as many steps as the trials do
	mu    sync.Mutex // locked while a trial is scored
	best  *candidate // so far; nil for none
	// ofOutput has the best candidate so far for each of several outputs, of the trials of most
	// steps, whose share this is.
	ofOutput []candidate
	share    float64
	// withoutEffects has the best candidate without main effects where these were taken of numbers alone. It joins the last round, for
	// main effects show early what others tell after more steps.
	withoutEffects []candidate
	logOfTies      float64 // the log of what share of the deviance components of ties leave
	// ofFold are the data of the trials of each fold, where they have inputs of their own; nil where they have those of
	// data. Their members are of no use beside data: what they predict of their fold is.
	ofFold []*dataset
}

// firstTried is the number of the first member that is trained for the selection alone,
// so that it has a random start of its own.
const firstTried = 1000

// firstTwin is that of the first second member of a trial.
const firstTwin = 2000

// budgetToSelect is the share of a budget after which no more candidates are tried.
const budgetToSelect = 0.35

// try fits candidates, at a stage of the plan, with a share of their steps without the first fold, or each of
// several where rows are so few that the error on one is too noisy, and sorts them by their
// deviance there. Those that diverge, or that a budget ends, come last; those that it
// leaves no time to begin keep the deviance that they have.
func (t *tournament) try(ctx context.Context, w worker, stage int, c []candidate, share float64) error {
	trials := make([][]*outOfFold, len(c))
	for i := range trials {
		trials[i], c[i].steps = make([]*outOfFold, t.held), t.stepsBy(c[i].structure, share)
	}
	first := t.best == nil
	t.fits = t.averagedBy(share)
	_, err := crossFit(ctx, w.in(train.PhaseSelection, stage), t.folds, everyTask(len(c), t.held), func(ctx context.Context, w worker, own task, rest, held []int) (*outOfFold, error) {
		i, k := own.candidate, own.fold
		if late := w.progress.spent() > budgetToSelect; late && (i > 0 || first && k > 0) {
			return nil, nil
		}
		s, steps := c[i].structure, c[i].steps
		data := t.dataOf(k).in(s.Scaling).lacking(k)
		m, err := fitMember(ctx, w, t.plan, data, s, rest, held, steps, firstTried+k)
		if err == nil && t.twins && !s.isExact() {
			var twin *outOfFold
			if twin, err = fitMember(ctx, w, t.plan, data, s, rest, held, steps, firstTwin+k); err == nil {
				m.twin = twin.held
			}
		}
		if diverged(err) {
			return &outOfFold{}, nil
		}
		return m, err
	}, func(w worker, own task, m *outOfFold) {
		i, k := own.candidate, own.fold
		t.mu.Lock()
		defer t.mu.Unlock()
		trials[i][k] = m
		t.score(&c[i], trials[i], first && i == 0)
		t.tell(w, c[i], trials[i])
	})
	slices.SortStableFunc(c, better)
	if err == nil && t.single != nil {
		t.compareOutputs(c, share)
	}
	return err
}

// stepsBy returns the steps of a trial by a share of those of a member.
func (t *tournament) stepsBy(s structure, share float64) int {
	return max(int(share*float64(t.stepsOf(s))), fewestSteps)
}

// triedInVain takes the best candidate back to that of before, where the law is not a Gaussian: trials on other inputs that were not taken
// tell nothing of its parameters.
func (t *tournament) triedInVain(before *candidate) {
	if !t.gaussian {
		t.best = before
	}
}

// dataOf returns the data of the trials of a fold.
func (t *tournament) dataOf(fold int) *dataset {
	if t.ofFold != nil {
		return t.ofFold[fold]
	}
	return t.data
}

// compareOutputs finds the best candidate of every output, by its own deviance.
func (t *tournament) compareOutputs(tried []candidate, share float64) {
	if share > t.share {
		t.share, t.ofOutput = share, slices.Repeat([]candidate{untried(structure{})}, t.outputs)
	}
	for k := range t.ofOutput {
		data := t.data.output(k)
		for _, c := range tried {
			if math.IsInf(c.deviance, 0) {
				continue
			}
			own := c.ensemble.predictionsOf(k, data)
			if d := own.meanAverageDeviance(own.rows(), t.fits); d < t.ofOutput[k].deviance {
				t.ofOutput[k] = candidate{structure: c.structure, deviance: d}
			}
		}
	}
}

// again returns those of the best candidates that are of the scaling that rows came in, to be tried on
// data of more: only there are values that are equal, or next to one another, sure to stay so.
func (t *tournament) again(sorted []candidate) []candidate {
	var all []candidate
	for _, c := range sorted {
		if c.Scaling == t.scaling && !c.isExact() {
			all = append(all, untried(c.structure))
		}
	}
	return survivors(all, t.keep, t.everyStructure)
}

// The standard errors by which candidates on data of more have to be better: of steps enough to show a law other
// than a Gaussian at its best fewer are, for a fold of classes tells less than the residuals of all rows that it is tried for.
const (
	certainly = 2.0
	likely    = 1.0
)

// tryOn tries candidates, if there are any, on data of more than the best one without has. It returns them, the best
// first, if they are better by more than so many standard errors, and the data are those of the
// tournament then; or nil.
func (t *tournament) tryOn(ctx context.Context, w worker, data *dataset, stage int, with []candidate, without candidate, share, standardErrors float64) ([]candidate, error) {
	if len(with) == 0 {
		return nil, nil
	}
	plain := t.data
	t.data = data
	if err := t.try(ctx, w, stage, with, share); err != nil {
		return nil, err
	}
	if (bar{candidate: without, standardErrors: standardErrors}).under(with[0], t.fits) {
		t.data = plain
		return nil, nil
	}
	return with, nil
}

// learnedBy returns the rows that the first member of a candidate has learned from, in order, and what it
// predicts of them.
func (t *tournament) learnedBy(ctx context.Context, w worker, c candidate) (rows []int, f []float64, err error) {
	rows = slices.Clone(t.folds.without(0))
	slices.Sort(rows)
	f, err = c.ensemble.members[0].predict(ctx, w, c.ensemble.data, rows)
	return rows, f, err
}

// score finds the deviance of a candidate by its trials, one a fold, nil where one is not done:
// once all are done or, with early, by those that are. Until then it is infinite. The best so
// far is the one of the lowest deviance, and before any has all folds the one that has most.
func (t *tournament) score(c *candidate, trials []*outOfFold, early bool) {
	e, whole := newEnsemble(t.data.in(c.Scaling)), true
	c.deviance = math.Inf(1)
	for k, own := range trials {
		switch {
		case own == nil:
			whole = false
		case own.diverged():
			return
		default:
			e.add(own, t.folds.folds[k])
		}
	}
	now := candidate{structure: c.structure, deviance: e.meanAverageDeviance(e.rows(), t.fits), ensemble: e, steps: c.steps}
	if whole || early {
		c.deviance, c.ensemble = now.deviance, e
	}
	if t.ofFold == nil && (t.best == nil || now.before(t.best)) {
		t.best = &now
	}
}

// tell tells the score of the best candidate so far, and that of c once it has all folds.
func (t *tournament) tell(w worker, c candidate, trials []*outOfFold) {
	if t.best != nil {
		w.progress.scored(t.data.score(len(t.best.ensemble.rows()), t.best.deviance))
	}
	if !math.IsInf(c.deviance, 0) && !slices.Contains(trials, nil) {
		w.fit.heldOut(c.deviance / t.data.perRow())
	}
}

// before tells whether an interrupted run rather returns c than b.
func (c *candidate) before(b *candidate) bool {
	if more := cmp.Compare(len(c.ensemble.folds), len(b.ensemble.folds)); more != 0 {
		return more > 0
	}
	return c.deviance < b.deviance
}

func better(a, b candidate) int { return cmp.Compare(a.deviance, b.deviance) }

// survivors returns the candidates, best first, that go on to another round: the best of
// each scaling and smoothness before any second best, because the right smoothness shows
// late in training; or the best of each scaling and sum of components, because the errors of
// members of different sums are less correlated.
func survivors(sorted []candidate, keep int, everyStructure bool) []candidate {
	first, second := leaders(sorted, everyStructure)
	kept := append(first, second...)
	kept = kept[:min(len(kept), keep)]
	slices.SortStableFunc(kept, better)
	return kept
}

// leaders returns the best of each scaling and smoothness, or of each scaling and sum of components, and
// the other candidates, both best first.
func leaders(sorted []candidate, everyStructure bool) (first, second []candidate) {
	alike := func(a, b candidate) bool {
		if a.Scaling != b.Scaling {
			return false
		}
		if everyStructure {
			return slices.Equal(a.Components, b.Components)
		}
		return a.Smoothness == b.Smoothness
	}
	for _, c := range sorted {
		if !slices.ContainsFunc(first, func(f candidate) bool { return alike(f, c) }) {
			first = append(first, c)
		} else {
			second = append(second, c)
		}
	}
	return first, second
}
