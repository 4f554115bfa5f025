package auto

import (
	"context"
	"slices"
)

// manyInputs are the inputs beyond which they are many. A step of a component may then take
// longer than on other tables, in proportion to them and up to the effort's most times: with fewer nodes and
// orderings more steps make errors larger rather than smaller.
const manyInputs = 70

// widened returns the plan with as much time for steps as its inputs ask for.
func (p plan) widened() plan {
	by := min(max(1, float64(len(p.distinct))/manyInputs), p.mostWidening)
	p.rowTime, p.sideTime = by*p.rowTime, by*p.sideTime
	return p
}

// smootherBy is how many times as large the next λ is.
const smootherBy = 3

// mostSmoothness is the λ beyond which none is tried for a Gaussian.
const mostSmoothness = 1000

// mostSmooth returns the λ beyond which none is tried.
func (p plan) mostSmooth() float64 {
	if p.gaussian {
		return mostSmoothness
	}
	return smootherBy * mostSmoothness
}

// climbs tells whether λ may be raised by trials of all steps after the last of several rounds: where inputs are many,
// as many steps as members take need a larger λ than the few of a trial tell. Tall tables cannot pay for
// trials of all steps, and shapes that were given are as they are given.
func (p plan) climbs() bool {
	return p.gaussian && len(p.tries) > 1 && len(p.distinct) > manyInputs && p.rows <= tallRows && p.streams == 0 && p.shapes == nil
}

// climb tries the best candidate by all steps that a member takes, and then larger λ for as
// long as they are better. It returns what it tried where one is, the best first, and
// otherwise the candidates as they are.
func (t *tournament) climb(ctx context.Context, w worker, sorted []candidate) ([]candidate, error) {
	s := sorted[0].structure
	if !t.climbs() || s.isAdditive() || s.Smoothness == 0 {
		return sorted, nil
	}
	t.twins = t.averages
	var tried []candidate
	try := func(more ...candidate) error {
		err := t.try(ctx, w, climbing, more, 1)
		tried = append(tried, more...)
		slices.SortStableFunc(tried, better)
		return err
	}
	err := try(untried(s), untried(s.smoother()))
	for err == nil && tried[0].Smoothness > s.Smoothness && s.Smoothness < t.mostSmooth() {
		s = tried[0].structure
		err = try(untried(s.smoother()))
	}
	if s.Smoothness == sorted[0].Smoothness {
		return sorted, err
	}
	return tried, err
}

// taking returns the plan for members that take a share of the steps.
func (p plan) taking(share float64) plan {
	p.members = p.membersBy(share)
	p.steps, p.seconds = int(share*float64(p.steps)), share*p.seconds
	return p
}

// smoother returns the structure with the next λ.
func (s structure) smoother() structure {
	s.Smoothness *= smootherBy
	return s
}
