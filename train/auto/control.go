package auto

import (
	"fmt"
	"math"
	"slices"

	"beziergp/internal/limit"
	"beziergp/train"
)

// mostFactor is the largest factor of the steps.
const mostFactor = 1000

// checkControl refuses options in the place of the effort's that are out of range, whatever
// the table.
func (o Recipe) checkControl() error {
	problem := func(option, format string, args ...any) error {
		return &train.OptionError{Option: option, Problem: fmt.Sprintf(format, args...)}
	}
	switch {
	case o.Folds != 0 && (o.Folds < 2 || o.Folds > limit.Count):
		return problem("folds", "%d; there must be from 2 to %d", o.Folds, limit.Count)
	case o.Members < 0:
		return problem("members", "%d; there cannot be fewer than one", o.Members)
	case o.Folds != 0 && o.Members > o.Folds:
		return problem("members", "%d, and %d folds: every member lacks a fold of its own; take more folds", o.Members, o.Folds)
	case o.StepsFactor != 0 && !(o.StepsFactor > 0 && o.StepsFactor <= mostFactor):
		return problem("steps factor", "%g; it must be above 0 and at most %d", o.StepsFactor, mostFactor)
	case o.Shapes != nil && len(o.Shapes) == 0:
		return problem("shapes", "an empty list; name one shape at least")
	case o.Shapes != nil && o.lacks(Fine):
		return problem("without", "%s and shapes contradict each other: leave it out of the shapes", Fine)
	}
	_, err := efforts[o.Effort].shapes(o.Shapes, train.ByRanks, []float64{1})
	return err
}

// control puts what was given, and what rows that are held out together want, in the place
// of the effort's figures.
func (o Recipe) control(p *plan, d *dataset) error {
	if o.Folds != 0 && d.keys.Held != nil {
		return &train.OptionError{Option: "folds", Problem: fmt.Sprintf("%d, and the rows to choose by are marked, which are one fold; leave one of the two out", o.Folds)}
	}
	if most := max(o.Folds, o.Members); most > p.rows {
		return &train.OptionError{Option: "folds", Problem: fmt.Sprintf("%d, and %d rows: there cannot be more folds, or members, than rows", most, p.rows)}
	}
	if o.Folds != 0 {
		p.folds = o.Folds
	}
	p.folds = max(p.folds, o.Members)
	if o.Folds != 0 || o.Members != 0 || !d.keys.IsZero() || o.Shapes != nil {
		p.short = 0
	}
	if !d.keys.IsZero() {
		*p = p.together()
		if d.keys.Groups != nil {
			p.groups = slices.Max(d.keys.Groups) + 1
		}
	}
	if o.Members != 0 {
		p.members = o.Members
	}
	p.members, p.given = min(p.members, p.folds), max(o.Folds, o.Members)
	if o.StepsFactor != 0 {
		p.seconds *= o.StepsFactor
		for _, steps := range []*int{&p.steps, &p.noiseSteps, &p.epistemicSteps, &p.ratioSteps} {
			*steps = max(fewestSteps, int(math.Round(o.StepsFactor*float64(*steps))))
		}
	}
	return nil
}

// over returns the plan for the folds that there are, which groups and times may have made
// fewer of. It refuses fewer than were given.
func (p plan) over(folds partition, d *dataset) (plan, error) {
	there := len(folds.folds)
	p.folds, p.held = min(p.folds, there), min(p.held, there)
	if d.keys.Held != nil {
		return p, nil
	}
	if there < p.given {
		return p, &train.OptionError{Option: "folds", Problem: fmt.Sprintf("%d folds or members, and the groups or the times of the rows make %d; take no more", p.given, there)}
	}
	p.members, p.short = min(p.members, there), min(p.short, there)
	return p, nil
}

// shapes returns the structures that were given, nil for none. They are as they were given,
// whatever a step costs; they are refused where memory cannot hold their weights.
func (o Recipe) shapes(p plan, d *dataset) ([]structure, error) {
	if o.Shapes == nil {
		return nil, nil
	}
	all, err := efforts[o.Effort].shapes(o.Shapes, p.scaling, p.smoothness)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if f := d.features(s.Components[0]); s.isAdditive() && f > additiveFeatures {
			return nil, &train.OptionError{Option: "shapes", Problem: fmt.Sprintf("%s has %d functions in these columns, and %d at most; leave it out", s.Components[0], f, additiveFeatures)}
		}
		if s.hasMainEffects() {
			if p.outputs > 1 || p.streams > 0 {
				return nil, &train.OptionError{Option: "shapes", Problem: fmt.Sprintf("%s are learned of one target, from rows in memory; leave it out", nameMain)}
			}
			if n := d.weightsOfEffects(s.Components[0]); n > weightsOfAllEffects {
				return nil, &train.OptionError{Option: "shapes", Problem: fmt.Sprintf("%s has %d weights in these columns, and %d at most; leave it out", s.Components[0], n, weightsOfAllEffects)}
			}
		}
		var weights float64
		for _, c := range s.beyondEffects().Components {
			weights += c.weights(d.distinct)
			if !c.hasTies() {
				continue
			}
			repeated := d.repeated()
			if repeated == nil {
				return nil, &train.OptionError{Option: "shapes", Problem: fmt.Sprintf("%s has a function for each value of a number that rows share, and no number has %d to %d values of %g rows each; leave it out", nameTies, fewestTied, mostTied, rowsOfTie)}
			}
			weights += d.weightsOfTies(c, repeated)
		}
		const weightBytes = 4 * 4 // a float32 with its gradient and two moments
		if bytes := weightBytes * weights * float64(p.members+p.replicates); bytes > limit.Bytes {
			return nil, &train.OptionError{Option: "shapes", Problem: fmt.Sprintf("%s takes %.3g GiB in these columns, more than the %d that a fit may take; take fewer nodes or orderings", s, bytes/(1<<30), limit.Bytes>>30)}
		}
	}
	return all, nil
}
