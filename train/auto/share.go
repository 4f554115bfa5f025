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

// forOutputs returns the plan with more orderings and more steps for members of T outputs, each
// by T^¼: a process has more to learn then, and takes √T times as long as that of one output
// and not T times.
func (p plan) forOutputs() plan {
	if p.outputs == 1 {
		return p
	}
	more := math.Sqrt(math.Sqrt(float64(p.outputs)))
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

// gainOfAlone is the least share of its deviance that an output must gain alone to be learned
// so, beside one standard error: as much as it would take to see a difference in use, and a
// process of its own takes as long as all others together.
const gainOfAlone = 0.01

// share tells which outputs share a process and which are better alone: by the deviance at
// the rows held out of the structure that was chosen for all, with a process of its own, and
// of additive models.
func share(ctx context.Context, w worker, p plan, of judged, data *dataset, folds partition) (together, alone []int, err error) {
	for t := range data.outputs() {
		if !p.compares || of.ensemble == nil || w.progress.spent() > budgetToSelect {
			together = append(together, t)
			continue
		}
		w.output = t
		best, shared, err := p.tryAlone(ctx, w, of, data, t, folds)
		if err != nil {
			return nil, nil, err
		}
		if best.deviance < (1-gainOfAlone)*shared.deviance && !shared.asGoodAs(best, 1, p.averaged()) {
			alone = append(alone, t)
		} else {
			together = append(together, t)
		}
	}
	if len(together) == 1 { // with nothing to share
		together, alone = nil, upTo(data.outputs())
	}
	return together, alone, nil
}

// tryAlone returns what an output is alone, and what it is of the shared process.
func (p plan) tryAlone(ctx context.Context, w worker, of judged, data *dataset, t int, folds partition) (best, shared candidate, err error) {
	own := data.output(t)
	shared = candidate{structure: of.structure}
	if shared.ensemble, err = of.ensemble.output(t, own.in(of.Scaling)); err != nil {
		return best, shared, err
	}
	shared.deviance = shared.ensemble.meanAverageDeviance(shared.ensemble.rows(), p.averaged())
	trials := tournament{plan: p, data: own, folds: folds.having(own), twins: of.twins}
	tried := p.alone(of.structure, own)
	if err := trials.try(ctx, w, sharing, tried, of.share); err != nil || math.IsInf(tried[0].deviance, 0) {
		return shared, shared, err
	}
	return tried[0], shared, nil
}

// alone returns the candidates for an output that shares nothing, the structure of all first.
func (p plan) alone(s structure, data *dataset) []candidate {
	all := []candidate{untried(s)}
	if p.shapes == nil && data.features() <= additiveFeatures {
		for _, lambda := range additiveSmoothness {
			all = append(all, untried(structure{train.Linear, additive, lambda}))
		}
	}
	return all
}

// sharingStage returns the stage of an output with so many candidates, of which the first alone
// takes steps, given the time of a member.
func (p plan) sharingStage(output, candidates int, member float64) stage {
	last := len(p.tries) - 1
	steps := max(int(p.tries[last]*float64(p.steps)), fewestSteps)
	if p.judgesAverages(last) {
		steps *= 2
	}
	time := float64(steps) / float64(p.steps) * member * float64(p.held)
	return stage{train.PhaseSelection, sharing, output, true, candidates, p.held, 1 + steps/candidates, time}
}
