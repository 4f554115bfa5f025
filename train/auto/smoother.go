package auto

import (
	"context"
	"math"
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
	return smootherBy * mostSmoothness * max(1, p.bends)
}

// climbs tells whether λ may be raised by trials of all steps after the last of several rounds: where inputs are many,
// as many steps as members take need a larger λ than the few of a trial tell. Tall tables cannot pay for
// trials of all steps, and shapes that were given are as they are given.
func (p plan) climbs() bool {
	return p.eases() && len(p.distinct) > manyInputs
}

// climb tries the best candidate by all steps that a member takes, and then larger λ for as
// long as they are better. It returns what it tried where one is, the best first, and
// otherwise the candidates as they are.
func (t *tournament) climb(ctx context.Context, w worker, sorted []candidate) ([]candidate, error) {
	s := sorted[0].structure
	if !t.climbs() || s.isExact() || s.Smoothness == 0 {
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

// eases tells whether λ may be lowered after the last of several rounds: the few steps of the first one act as a prior, and
// ask for a λ that is too large for rows that have next to no noise, where the one that is best may not have gone on. Tall tables
// have one of few.
func (p plan) eases() bool {
	return p.gaussian && len(p.tries) > 1 && p.rows <= tallRows && p.streams == 0 && p.shapes == nil
}

// ease tries the best candidate with a smaller λ, at a share of the steps, where the last round had none of a smaller
// one, and so on for as long as that is likely to be better. It returns those that are, the best first, and then the candidates.
func (t *tournament) ease(ctx context.Context, w worker, sorted []candidate, share float64) ([]candidate, error) {
	for t.eases() {
		less, ok := t.easier(sorted)
		if !ok {
			break
		}
		next := []candidate{untried(less)}
		if err := t.try(ctx, w, easing, next, share); err != nil {
			return sorted, err
		}
		if math.IsInf(next[0].deviance, 0) || sorted[0].asGoodAs(next[0], likely, t.fits) {
			break // and members have no such structure
		}
		sorted = append(next, sorted...)
	}
	return sorted, nil
}

// easierBy is how many times as small the next λ is at least: what smaller steps gain is often less than what trials differ by.
const easierBy = 9

// easier returns the best structure with the largest λ of the plan that is so much below its own, or else the smallest, unless a smaller
// one was tried.
func (p plan) easier(sorted []candidate) (structure, bool) {
	s, lambda := sorted[0].structure, slices.Min(p.smoothness)
	if s.isExact() || math.IsInf(sorted[0].deviance, 0) {
		return s, false
	}
	for _, c := range sorted[1:] {
		if c.Scaling == s.Scaling && slices.Equal(c.Components, s.Components) && c.Smoothness < s.Smoothness {
			return s, false
		}
	}
	for _, v := range p.smoothness {
		if v <= s.Smoothness/easierBy {
			lambda = max(lambda, v)
		}
	}
	lowered := 0 < lambda && lambda < s.Smoothness
	s.Smoothness = lambda
	return s, lowered
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
