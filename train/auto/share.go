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

// An output must gain so large a share of its deviance alone to be learned so, as much as it would
// take to see a difference in use, and so many standard errors: of many outputs some gain one by
// chance.
const (
	gainOfAlone   = 0.01
	errorsOfAlone = 2
)

// enoughToCompare is the number of rows held out that tell whether an output is better alone.
const enoughToCompare = 200

// aloneOf returns the plan for an output alone, given that of all. It is tried on as many folds as
// have enough rows, of those of which there are replicates to compare with.
func (p plan) aloneOf(all plan) *plan {
	rows := max(1, p.rows/p.folds)
	p.held, p.more, p.outOfFold = min(max(1, all.replicates), (enoughToCompare+rows-1)/rows), all.more, all.outOfFold
	return &p
}

// orAlone returns an output that shares the process of all, or members of its own where rows held
// out tell that these are better: those that have as many steps as members of one target, of the
// structure that was best for this output among those tried for all, or of an additive one.
func (f fitted) orAlone(ctx context.Context, w worker, p plan, data *dataset, s structure, folds partition) (fitted, error) {
	best, err := f.tryAlone(ctx, w, p, data, s, folds)
	if err != nil || best == nil {
		return f, err
	}
	alone := fitted{data: data.in(best.Scaling), structures: []structure{best.structure}, folds: f.folds}
	alone.ensemble, err = fitEnsemble(ctx, w, p.forMembers(alone.structures, data), alone.data, folds, alone.structures)
	if err != nil {
		return f, err
	}
	return alone, nil
}

// tryAlone returns the best candidate for an output alone, nil where it gains too little over the
// members of all, at the same rows held out and by as many steps as members take. Members of all
// differ more from each other than those of one output, so that averages are compared.
func (f fitted) tryAlone(ctx context.Context, w worker, p plan, data *dataset, s structure, folds partition) (*candidate, error) {
	shared := candidate{structure: f.structures[0], ensemble: newEnsemble(f.data)}
	p.held = min(p.held, len(f.ensemble.members)-len(f.ensemble.folds))
	for k := range p.held {
		m, err := f.ensemble.members[k].heldOut(ctx, w, f.data, folds.folds[k])
		if err == nil && p.averages {
			var twin *outOfFold
			if twin, err = f.ensemble.members[len(f.ensemble.folds)+k].heldOut(ctx, w, f.data, folds.folds[k]); err == nil {
				m.twin = twin.held
			}
		}
		if err != nil {
			return nil, err
		}
		shared.ensemble.add(m, folds.folds[k])
	}
	shared.deviance = shared.ensemble.meanAverageDeviance(shared.ensemble.rows(), p.averaged())
	trials := tournament{plan: p, data: data, folds: folds, twins: p.averages}
	tried := p.alone(s, data)
	if err := trials.try(ctx, w, sharing, tried, 1); err != nil {
		return nil, err
	}
	if best := &tried[0]; best.deviance < (1-gainOfAlone)*shared.deviance && !shared.asGoodAs(*best, errorsOfAlone, p.averaged()) {
		return best, nil
	}
	return nil, nil
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

// aloneStages returns those of an output that is tried alone, of which members follow where it
// is better so.
func (p plan) aloneStages(output int, data *dataset) []stage {
	candidates := len(p.alone(structure{}, data))
	mean, most := p.memberTimes(p.candidates())
	twins := 1
	if p.averages {
		twins = 2
	}
	return []stage{ // additive ones take no steps
		{train.PhaseSelection, sharing, output, true, candidates, p.held, 1 + twins*p.steps/candidates, mean * float64(twins*p.held)},
		p.timed(stage{train.PhaseMembers, 0, output, false, p.fits(), 1, p.steps, 0}, most),
	}
}
