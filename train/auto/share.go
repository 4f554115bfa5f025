package auto

import (
	"context"
	"fmt"
	"math"
	"slices"

	"beziergp/train"
)

// Share says whether several outputs share a process.
type Share string

const (
	ShareAuto Share = "auto" // those that rows held out tell no worse of so: the default
	ShareAll  Share = "all"
	ShareNone Share = "none" // each is learned alone, one after another
)

// ParseShare returns the choice of that name.
func ParseShare(name string) (Share, error) {
	s := Share(name)
	if err := s.check(); err != nil || s == "" {
		return "", fmt.Errorf("share %q is unknown; choose %s, %s or %s", name, ShareAuto, ShareAll, ShareNone)
	}
	return s, nil
}

func (s Share) check() error {
	if !slices.Contains([]Share{"", ShareAuto, ShareAll, ShareNone}, s) {
		return fmt.Errorf("%q is unknown; choose %s, %s or %s", string(s), ShareAuto, ShareAll, ShareNone)
	}
	return nil
}

// timeOfShared is how long a member of T outputs takes at most, as a share of that of T members of one
// output each: the trials and all members are to take less than half of the time of separate fits. It takes no less than leastOfShared
// times as long as one of one output: of two outputs that costs no accuracy, and less would.
const (
	timeOfShared  = 0.4
	leastOfShared = 0.9
)

// forOutputs returns the plan with more orderings and more steps for members of T outputs: a process has more
// to learn then, and a member takes
//
//	min(√T, max(leastOfShared, timeOfShared·T))
//
// times as long as that of one output and not T times, by the root of that in orderings and in steps.
func (p plan) forOutputs() plan {
	if p.outputs == 1 {
		return p
	}
	t := float64(p.outputs)
	more := math.Sqrt(min(math.Sqrt(t), max(leastOfShared, timeOfShared*t)))
	p.more = more
	p.steps, p.seconds = int(more*float64(p.steps)), more*more*p.seconds
	p.rowTime *= more
	var sums [][]component
	for _, components := range p.sums {
		var own []component
		for _, c := range components {
			c.Orderings = int(more * float64(c.Orderings))
			own = append(own, c)
		}
		sums = append(sums, own)
	}
	p.sums = sums
	return p
}

// An output must gain so large a share of its deviance alone to be learned so, or half of that of its mean absolute error, as much as it would
// take to see a difference in use, and so many standard errors: of many outputs some gain one by
// chance.
const (
	gainOfAlone   = 0.01
	errorsOfAlone = 2
)

// aloneOf returns the plan for an output alone, given that of all.
func (p plan) aloneOf(all plan) *plan {
	p.more, p.outOfFold = all.more, all.outOfFold
	return &p
}

// apart tries every output alone with a share of the steps, of the structure that was best for it among those tried for
// all, and additive ones. It returns the best of these for each output, nil where it gains too little over the
// candidate for all outputs, by as many steps and at the same rows held out.
func (t *tournament) apart(ctx context.Context, w worker, shared candidate, share float64) ([]*candidate, error) {
	alone := make([]*candidate, t.outputs)
	if t.single == nil {
		return alone, nil
	}
	single := *t.single
	single.held = t.held
	for k := range alone {
		w.output = k + 1
		data := t.data.output(k)
		folds, err := t.folds.ofOutput(k, data)
		if err != nil {
			return nil, err
		}
		own := candidate{structure: shared.structure, ensemble: shared.ensemble.predictionsOf(k, data)}
		own.deviance = own.ensemble.meanAverageDeviance(own.ensemble.rows(), t.fits)
		trials, tried := tournament{plan: single, data: data, folds: folds, twins: t.twins}, single.alone(t.ofOutput[k].structure, data)
		if err := trials.try(ctx, w, sharing, tried, share); err != nil {
			return nil, err
		}
		alone[k] = t.betterAlone(tried, own)
	}
	return alone, nil
}

// betterAlone returns the candidate for an output alone, the best first, that it is to have members of: the best where it
// gains enough, or an additive one that is as good as few rows can tell, as of one target. It is nil where there is none.
func (t *tournament) betterAlone(tried []candidate, shared candidate) *candidate {
	best := &tried[0]
	surely := best.deviance < (1-gainOfAlone)*shared.deviance && !shared.asGoodAs(*best, errorsOfAlone, t.fits)
	if surely || t.twins && best.deviance < shared.deviance && best.errsLess(shared) {
		return best
	}
	for i := range tried {
		if tried[i].isAdditive() && tried[i].asGoodAs(shared, t.simpler(), t.fits) {
			return &tried[i]
		}
	}
	return nil
}

// errsLess tells whether the absolute errors of c are clearly less than those of the shared candidate, where a few rows far from
// all others decide the squared ones. Of averages alone it tells: members of all differ more from each other than those of one output.
func (c *candidate) errsLess(shared candidate) bool {
	if math.IsInf(c.deviance, 0) {
		return false
	}
	own, all := c.ensemble.absoluteErrors(), shared.ensemble.absoluteErrors()
	gain, standardError := shared.excess(*c, all, own)
	return gain > errorsOfAlone*standardError && gain > gainOfAlone/2*shared.ensemble.weightedMean(c.ensemble.rows(), all)
}

// absoluteErrors returns those of the average of two members at rows, out of fold, or where there is no second one of the first.
func (e *ensemble) absoluteErrors() func(j int) float64 {
	pairs := e.pairs()
	return func(j int) float64 { return math.Abs(float64(e.data.Y[j]) - pairs[j]) }
}

// fitAlone trains the members of an output that shares nothing, of a candidate's structure.
func (c *candidate) fitAlone(ctx context.Context, w worker, p plan, data *dataset, folds partition) (fitted, error) {
	f := fitted{data: data.in(c.Scaling), structures: []structure{c.structure}, folds: len(folds.folds)}
	e, err := fitEnsemble(ctx, w, p.forMembers(f.structures, data), f.data, folds, f.structures)
	f.ensemble = e
	return f, err
}

// alone returns the candidates for an output that shares nothing: the structure, which is of members
// of all, with the orderings of one output, and additive ones.
func (p plan) alone(s structure, data *dataset) []candidate {
	if p.shapes == nil {
		s.Components = slices.Clone(s.Components)
		for i := range s.Components {
			own := &s.Components[i].Orderings
			*own = int(math.Ceil(float64(*own) / p.more))
		}
	}
	all := []candidate{untried(s)}
	if p.shapes == nil {
		all = append(all, p.additives(additive(2), data)...)
	}
	return all
}

// apartStages returns those of the outputs that are tried alone, as often as the candidates of the last round.
func (p plan) apartStages(data *dataset) (all []stage) {
	if p.single == nil {
		return nil
	}
	last := len(p.tries) - 1
	single, share := *p.single, p.tries[last]
	if p.judgesAverages(last) {
		share *= 2
	}
	candidates := len(single.alone(structure{}, data))
	mean, _ := single.memberTimes(single.candidates())
	for _, output := range p.ofStages() { // additive ones take no steps
		all = append(all, stage{train.PhaseSelection, sharing, output, true, candidates, p.held, 1 + int(share*float64(single.steps))/candidates, share * mean * float64(p.held)})
	}
	return all
}
