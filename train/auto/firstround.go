package auto

import (
	"context"
	"math"
	"slices"

	"beziergp/box"
)

// firstRound is what the first round of the selection ends with.
type firstRound struct {
	left, others, joining []candidate // as of [tournament.joined]
	before                float64     // the deviance of the best before others joined
	plan                  plan
	data                  *dataset
	logOfTies             float64
}

// effectsFirst tells whether inputs are judged with main effects alone if these help: categories of many levels are with them only, and
// of many inputs two ways take too long.
func (p plan) effectsFirst() bool {
	return slices.Max(p.functions) >= largeCategory || len(p.distinct) > manyInputs
}

// goesOneWay tells whether main effects are better by so much that candidates without them go no further: where the effort has no time for both. The
// deviance of another law may be near zero or below, so that no share of it tells, and what is sure to be better is enough.
func (p plan) goesOneWay(with, without candidate) bool {
	return p.rows > tallRows/2 && p.decisive > 0 && (!p.gaussian || with.deviance < p.decisive*without.deviance)
}

// first ends the first round, whose candidates were tried. Where main effects help them, these and the candidates without them go each its own
// way, for which inputs are left out depends on what a model shows of them in few steps; and main effects have to be better at its end, too.
func (t *tournament) first(ctx context.Context, w worker, left []candidate, share float64) (firstRound, error) {
	plain, data := t.plan, t.data
	with, err := t.tryEffects(ctx, w, left, share)
	if err != nil {
		return firstRound{}, err
	}
	if t.main == nil || t.effectsFirst() || t.goesOneWay(with[0], left[0]) {
		return t.joinedBy(ctx, w, with, share)
	}
	effects, names := firstRound{plan: t.plan, data: t.data}, t.data.tellsNumbers()
	t.plan, t.data = plain, data
	without, err := t.joinedBy(ctx, w, left, share)
	if err != nil {
		return firstRound{}, err
	}
	t.turn(w, effects)
	if effects, err = t.joinedBy(ctx, w, with, share); err != nil {
		return firstRound{}, err
	}
	same := without.data.hasInputsOf(effects.data)
	tied := names && same && slices.ContainsFunc(without.left[0].Components, component.hasTies) // which more steps judge
	if !tied && (bar{candidate: without.left[0], standardErrors: certainly}).under(effects.left[0], t.fits) {
		t.turn(w, without)
		return without, nil
	}
	switch {
	case without.data == effects.data:
		t.withoutEffects = anew(without.left[:1])
	case !t.gaussian && same:
		return t.orTies(ctx, w, without, effects, names)
	}
	return effects, nil
}

// orTies goes on with the candidates with main effects, or with those without, or, of names that are numbers, with the best of these and a component of ties of the
// names: ties are slow, and more steps tell more by them, where effects are found at once. So the best of each way is tried by the steps of the last round, on the way's own
// data; where there is one round, with effects and with ties of the names alone.
func (t *tournament) orTies(ctx context.Context, w worker, without, effects firstRound, names bool) (firstRound, error) {
	type way struct {
		firstRound
		tried []candidate
	}
	ways, last := []way{{effects, anew(effects.left[:1])}}, len(t.tries)-1
	if last > 0 {
		ways = append(ways, way{without, anew(slices.Concat(without.left[:1], without.joining))})
	}
	if names {
		if rival, ok := t.withTiesOf(effects.data, without); ok {
			ways = append(ways, way{rival, anew(rival.left[:1])})
		}
	}
	if len(ways) == 1 {
		return effects, nil
	}
	share := t.tries[last]
	if last == 0 {
		share = 1
	}
	best := 0
	for i, own := range ways {
		t.turn(w, own.firstRound)
		if err := t.try(ctx, w, tryingOnEffects, own.tried, share); err != nil {
			return effects, err
		}
		if own.tried[0].deviance < ways[best].tried[0].deviance {
			best = i
		}
	}
	chosen := ways[best]
	t.turn(w, chosen.firstRound)
	switch first := chosen.tried[0]; {
	case math.IsInf(first.deviance, 0): // as a budget ends them
	case chosen.left[0].ensemble == nil:
		chosen.left[0] = first
	case last == 0:
		chosen.left = append([]candidate{first}, chosen.left...)
	}
	return chosen.firstRound, nil
}

// withTiesOf returns the first round with the best candidate with a component of ties before it, untried, on data that have those of other data, too; and whether
// their weights are not too many.
func (t *tournament) withTiesOf(data *dataset, r firstRound) (firstRound, bool) {
	rival := untried(r.left[0].structure)
	if !slices.ContainsFunc(rival.Components, component.hasTies) {
		rival.Components = append(slices.Clone(rival.Components), t.ties())
	}
	r.left, r.data = append([]candidate{rival}, r.left...), data.withTies(joinedTies(data.ties, r.data.ties))
	return r, r.data.ties == nil || r.data.weightsOfTies(t.ties(), r.data.ties) <= mostWeightsOfTies(data.Len())
}

// tellsNumbers tells whether values of a number are told apart.
func (d *dataset) tellsNumbers() bool {
	for i, n := range d.ties {
		if n > 0 && d.levelsOf(i) == nil {
			return true
		}
	}
	return false
}

// hasInputsOf tells whether two data have the same inputs, of which they may tell other values apart.
func (d *dataset) hasInputsOf(o *dataset) bool {
	return slices.EqualFunc(d.inputs, o.inputs, func(a, b box.Input) bool { return a.Name == b.Name })
}

// joinedTies returns how many values of each input are told apart where either of two does; nil stands for none.
func joinedTies(a, b []int) []int {
	if a == nil {
		return b
	}
	both := slices.Clone(a)
	for i, n := range b {
		both[i] = max(both[i], n)
	}
	return both
}

// turn makes the plan and the data of the tournament those of another way through the first round.
func (t *tournament) turn(w worker, r firstRound) {
	t.plan, t.data, t.logOfTies = r.plan, r.data, r.logOfTies
	w.progress.follow(t.stages(t.data))
}

// joinedBy leaves out inputs that tell nothing and lets other candidates join.
func (t *tournament) joinedBy(ctx context.Context, w worker, left []candidate, share float64) (r firstRound, err error) {
	if left, err = t.marked(ctx, w, left, share); err != nil {
		return r, err
	}
	if left, err = t.narrowed(ctx, w, left, share); err != nil {
		return r, err
	}
	if left, err = t.pruned(ctx, w, left, share); err != nil {
		return r, err
	}
	r.before = left[0].deviance
	r.left, r.others, r.joining, err = t.joined(ctx, w, left, share)
	r.plan, r.data, r.logOfTies = t.plan, t.data, t.logOfTies
	return r, err
}
