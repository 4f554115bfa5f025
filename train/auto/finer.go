package auto

import (
	"context"
	"math"
	"slices"
)

// finer tries the best candidate with splines of few rows with as many nodes as any table has, at a share of the steps, and returns it before the
// others where it is likely to be better: few rows show next to no fine structure, so that none of their candidates has such nodes, but a column may be an
// order, of time or of places, along which rows next to each other are alike.
func (t *tournament) finer(ctx context.Context, w worker, sorted []candidate, share float64) ([]candidate, error) {
	if t.rows > fewRows || t.shapes != nil || w.progress.spent() > budgetToSelect {
		return sorted, nil
	}
	at := slices.IndexFunc(sorted, func(c candidate) bool {
		return !c.isAdditive() && !math.IsInf(c.deviance, 0) && slices.ContainsFunc(c.Components, component.isFine)
	})
	if at < 0 {
		return sorted, nil
	}
	own, told := t.withNodes(sorted[at].structure, component.isFine, finest), 0
	for i, c := range own.Components {
		if before := sorted[at].Components[i].Nodes; c.Nodes > before && slices.Max(t.distinct) > before {
			told++
		}
	}
	if told == 0 {
		return sorted, nil
	}
	with := []candidate{untried(own)}
	if err := t.try(ctx, w, climbing, with, share); err != nil {
		return nil, err
	}
	if (bar{candidate: sorted[0], standardErrors: likely}).under(with[0], t.fits) {
		return sorted, nil
	}
	return append(with, sorted...), nil
}

// isFine tells whether a component is of splines for local structure.
func (c component) isFine() bool { return c.isSpline() && !c.tellsApart() }

// withNodes returns a structure whose first component that is so has so many nodes, or as many as a step can pay for.
func (p plan) withNodes(s structure, is func(component) bool, nodes int) structure {
	s.Components = slices.Clone(s.Components)
	at := slices.IndexFunc(s.Components, is)
	s.Components[at].Nodes = nodes
	s.Components[at] = p.memberCost(p.memberBatch).within(s.Components[at], p.rowTime)
	return s
}
