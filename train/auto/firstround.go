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
	names = names && without.data.hasInputsOf(effects.data)
	tied := names && slices.ContainsFunc(without.left[0].Components, component.hasTies) // which [tournament.orTies] judges by more steps
	if !tied && (bar{candidate: without.left[0], standardErrors: certainly}).under(effects.left[0], t.fits) {
		t.turn(w, without)
		return without, nil
	}
	if without.data == effects.data {
		t.withoutEffects = anew(without.left[:1])
	}
	if names {
		return t.orTies(ctx, w, without, effects)
	}
	return effects, nil
}

// orTies goes on with the candidates with main effects of names that are numbers, or with the best one without, but with a component of ties of the same names: ties are
// slow, and more steps tell more by them, where effects are found at once. One round decides by all steps; of several the candidate joins the last.
func (t *tournament) orTies(ctx context.Context, w worker, without, effects firstRound) (firstRound, error) {
	rival := untried(without.left[0].structure)
	if !slices.ContainsFunc(rival.Components, component.hasTies) {
		rival.Components = append(slices.Clone(rival.Components), t.ties())
	}
	data := effects.data.withTies(joinedTies(effects.data.ties, without.data.ties))
	if data.weightsOfTies(t.ties(), data.ties) > mostWeightsOfTies(data.Len()) {
		return effects, nil
	}
	t.data, effects.data = data, data
	if len(t.tries) > 1 {
		t.withoutEffects = append(t.withoutEffects, rival)
		return effects, nil
	}
	both := append(anew(effects.left[:1]), rival)
	if err := t.try(ctx, w, tryingOnEffects, both, 1); err != nil {
		return effects, err
	}
	switch {
	case math.IsInf(both[0].deviance, 0): // as a budget ends them
		return effects, nil
	case both[0].hasMainEffects():
		effects.left = append(both[:1], effects.left...)
		return effects, nil
	}
	without.left, without.data = append(both[:1], without.left...), data
	t.turn(w, without)
	return without, nil
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
