package auto

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"beziergp/train"
)

// selection is what selectStructure finds.
type selection struct {
	structures []structure  // that members take in turn, the best first
	share      float64      // of the plan's steps that members take
	best       *candidate   // so far, for an interruption; nil for none
	data       *dataset     // with ties and neighbour inputs where these help
	plan       plan         // of the data
	floors     []float64    // of classes in the loss of members; nil for none
	alone      []*candidate // of each of several outputs, nil where it shares the process of all
}

// candidate is a structure with its deviance on held-out rows.
type candidate struct {
	structure
	deviance float64   // its mean
	ensemble *ensemble // one member without each fold that was held out
	steps    int       // of these members
}

func untried(s structure) candidate { return candidate{structure: s, deviance: math.Inf(1)} }

// anew returns the candidates without a trial.
func anew(candidates []candidate) (all []candidate) {
	for _, c := range candidates {
		all = append(all, untried(c.structure))
	}
	return all
}

// selectStructure returns the structure of least deviance on rows held out, and those that
// are not significantly worse, by successive halving (Jamieson & Talwalkar, AISTATS 2016):
// many candidates take few steps and few take many. After the first round others join. After
// the last one the best may become smoother, members take few steps where more tell them noise, or the mixture of structures
// is chosen that members are of where the law is not a Gaussian. One shape that was given is not tried. Interrupted,
// it returns the best so far.
func selectStructure(ctx context.Context, w worker, p plan, data *dataset, folds partition) (selection, error) {
	if len(p.shapes) == 1 {
		return selection{structures: p.shapes, share: 1, data: data, plan: p, alone: make([]*candidate, p.outputs)}, nil
	}
	t := tournament{plan: p, data: data, folds: folds}
	if p.merges {
		t.folds = folds.merged(mergedParts)
	}
	var others []candidate
	left, before := p.candidates(), 0.0
	for round, share := range p.tries { // of which the plan of fewer inputs has as many
		t.twins = p.judgesAverages(round)
		if round > 0 && round == len(p.tries)-1 {
			left = append(left, t.withoutEffects...)
		}
		if err := t.try(ctx, w, 2*round, left, share); err != nil {
			return selection{best: t.best}, err
		}
		var err error
		var joining []candidate
		if round == 0 {
			left = t.relearned(w, left)
			var r firstRound
			r, err = t.first(ctx, w, left, share)
			p, left, others, joining, before = t.plan, r.left, r.others, r.joining, r.before
		}
		last := round == len(p.tries)-1
		if last && err == nil {
			if left, others, err = t.markedLate(ctx, w, left, others, share); err != nil {
				return selection{best: t.best}, err
			}
			p = t.plan
			left, err = t.tied(ctx, w, tryingTiesLate, left, share)
		}
		if err != nil {
			return selection{best: t.best}, err
		}
		if !last || !p.mixes() {
			left = append(survivors(left, p.keep, p.everyStructure), joining...)
		}
	}
	if left = finalists(left, others); math.IsInf(left[0].deviance, 0) {
		return selection{best: t.best}, errNothing
	}
	shareOfLast := p.mixedShare()
	left, err := t.ease(ctx, w, left, shareOfLast)
	if err != nil {
		return selection{best: t.best}, err
	}
	if left, err = t.finer(ctx, w, left, shareOfLast); err != nil {
		return selection{best: t.best}, err
	}
	alone, err := t.apart(ctx, w, left[0], shareOfLast)
	if err != nil {
		return selection{best: t.best}, err
	}
	var structures []structure
	var share float64
	if p.mixes() {
		structures, share, err = t.mix(ctx, w, left, others, before)
	} else {
		structures, share, err = t.finish(ctx, w, left, others, before)
	}
	if err != nil {
		return selection{best: t.best}, err
	}
	floors, err := t.floors(ctx, w)
	if err != nil {
		return selection{best: t.best}, err
	}
	return selection{structures, share, t.best, t.data.tiedBy(structures), t.plan, floors, alone}, nil
}

// joined returns the candidates of the first round with those that join after it, sorted: of structures on a
// linear scaling, of components of ties and of neighbour inputs where they help, or of such candidates in the place of
// all. The others are on a linear scaling, or additive. Those that are joining without a trial are left to the next round.
func (t *tournament) joined(ctx context.Context, w worker, left []candidate, share float64) (all, others, joining []candidate, err error) {
	others = t.linearCandidates(survivors(left, max(1, t.linears), true), t.data)
	if err := t.try(ctx, w, 1, others, share); err != nil {
		return nil, nil, nil, err
	}
	left = append(left, t.joining(others)...)
	slices.SortStableFunc(left, better)
	if t.mixes() {
		joining, err = t.tiedAlone(ctx, w, left)
		return left, others, joining, err
	}
	if left, err = t.tied(ctx, w, tryingTies, left, share); err != nil {
		return nil, nil, nil, err
	}
	with, err := t.tryNeighbours(ctx, w, left, share)
	if with != nil {
		return with, nil, nil, err
	}
	return left, others, nil, err
}

// tied returns the candidates behind those with ties, where these are better.
func (t *tournament) tied(ctx context.Context, w worker, stage int, left []candidate, share float64) ([]candidate, error) {
	with, err := t.tryTies(ctx, w, stage, left, share)
	if with != nil {
		t.logOfTies += math.Log(with[0].deviance / left[0].deviance)
	}
	return append(with, left...), err
}

var errNothing = errors.New("no candidate could be trained, all diverged: leave out inputs that say nearly the same as others, or rows whose values lie far from all others")

// additiveSmoothness is what λ of an additive model is chosen from.
var additiveSmoothness = []float64{1, 10, 100, 1000}

// candidates returns those of the first round.
func (p plan) candidates() (all []candidate) {
	for _, s := range p.shapes {
		all = append(all, untried(s))
	}
	if all != nil {
		return all
	}
	for _, components := range p.sums {
		for _, lambda := range p.smoothness {
			all = append(all, untried(structure{p.scaling, slices.Concat(p.main, components), lambda}))
		}
	}
	return all
}

// linearCandidates returns candidates on a linear scaling: the best ones given and a
// coarse one, where that is another scaling, and additive ones; none where shapes were given.
func (p plan) linearCandidates(best []candidate, data *dataset) (candidates []candidate) {
	if p.shapes != nil {
		return nil
	}
	for _, c := range best {
		if c.Scaling != train.Linear && data.hasKnots() {
			candidates = append(candidates, untried(structure{train.Linear, c.Components, c.Smoothness}))
		}
	}
	if candidates != nil {
		candidates = append(candidates, untried(structure{train.Linear, []component{coarse}, min(p.bends, slices.Max(p.smoothness))}))
	}
	if data.latents() == 1 && !p.effectsAreEnough() {
		candidates = append(candidates, p.additives(additive(2), data)...)
		if !p.gaussian {
			candidates = append(candidates, p.additives(additive(additiveNodes), data)...)
		}
	}
	return candidates
}

// effectsAreEnough tells whether additive models are not tried, for main effects are, which say as much: rows are so many that
// additive models of another law than a Gaussian, which take several regressions, cost as much as all other trials.
func (p plan) effectsAreEnough() bool {
	return (p.main != nil || p.triesEffects()) && !p.gaussian && p.rows > tallRows/10
}

// joining returns those of the others that go through the rounds beside the candidates that descend. Additive
// models are fitted exactly: where the law is not a Gaussian they are of lines and of splines, which would take the places of
// those that few steps have not shown at their best, and more steps change nothing of them. They are compared with the best at the end.
func (p plan) joining(others []candidate) []candidate {
	if p.gaussian {
		return others
	}
	return slices.DeleteFunc(slices.Clone(others), func(c candidate) bool { return c.isAdditive() })
}

// finalists returns what is left of the candidates after the last round, or, where all of these diverge, the others: additive
// models, which do not.
func finalists(left, others []candidate) []candidate {
	if math.IsInf(left[0].deviance, 0) && len(others) > 0 {
		return others
	}
	return left
}

// additives returns the additive models of a component, lines on a linear scaling, with each smoothness; none where
// functions are too many.
func (p plan) additives(c component, data *dataset) (candidates []candidate) {
	if data.features(c) > additiveFeatures {
		return nil
	}
	scaling := p.scaling
	if c.isStraight() {
		scaling = train.Linear
	}
	smoothness := additiveSmoothness
	if !p.gaussian && p.rows > fewRows { // where these tell less, and each takes several regressions
		smoothness = smoothness[1:3]
	}
	for _, lambda := range smoothness {
		candidates = append(candidates, untried(structure{scaling, []component{c}, p.bends * lambda}))
	}
	return candidates
}

// additiveNodes are those of splines of an additive model.
const additiveNodes = 8

// chosen returns the structures of the candidates that are at most two standard errors
// worse than the best, which is the first, or an additive one of the others alone where it
// is at most one standard error worse: what few rows seem to tell beyond it is mostly noise.
// Where the law is of classes or counts the penalty of the others has room enough to tell as much,
// and an additive one has to be better.
func (p plan) chosen(sorted, others []candidate, share float64) []structure {
	best := sorted[0]
	for _, c := range others {
		if c.isAdditive() && c.asGoodAs(best, p.simpler(), p.averagedBy(share)) {
			return []structure{c.structure}
		}
	}
	structures := []structure{best.structure}
	for _, c := range sorted[1:] {
		if c.Scaling == best.Scaling && c.asGoodAs(best, 2, p.averagedBy(share)) {
			structures = append(structures, c.structure)
		}
	}
	return structures
}

// simpler returns the standard errors by which an additive structure may be worse.
func (p plan) simpler() float64 {
	if p.density {
		return 1
	}
	return 0
}

// asGoodAs tells whether the deviances of c are larger than those of the best by no
// more than some standard errors of their difference, for averages of so many members.
func (c candidate) asGoodAs(best candidate, standardErrors float64, members int) bool {
	if math.IsInf(c.deviance, 0) {
		return false
	}
	mean, deviation := c.excess(best, c.ensemble.averageDeviances(members), best.ensemble.averageDeviances(members))
	return mean <= standardErrors*deviation
}

// excess returns by how much c errs more than the best on average, by some measure of the errors at rows of either, with
// its standard error.
func (c candidate) excess(best candidate, own, least func(j int) float64) (mean, standardError float64) {
	held := c.ensemble.rows()
	if len(best.ensemble.folds) < len(c.ensemble.folds) { // when a budget ended
		held = best.ensemble.rows()
	}
	worse := make([]float64, len(held))
	for i, j := range held {
		worse[i] = c.ensemble.data.Weight(j) * (own(j) - least(j))
	}
	mean, deviation := stat.MeanStdDev(worse, nil)
	return mean, stat.StdErr(deviation, float64(len(worse)))
}
