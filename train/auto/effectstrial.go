package auto

import (
	"context"
	"math"
	"slices"
)

const (
	// Main effects are tried of so many inputs, or beside a category of so many functions ([largeCategory]):
	// few inputs that tell each for itself are learned as well by components that tell all at once.
	inputsForEffects = 12
	// inputsForEffectsOfLaw are those where the law is not a Gaussian: of counts and amounts fewer steps show what each tells for itself, and names of few rows
	// each tell their classes by main effects alone.
	inputsForEffectsOfLaw = 4
	classesForEffects     = 12
	// nodesOfEffects are those of the splines of numbers.
	nodesOfEffects = 31
	// promising is how many times the deviance of the best candidate that of main effects alone may be for these to be tried with others.
	promising = 1.2
	// promisingOfLaw is by how much larger it may be of another law.
	promisingOfLaw = 1.0
	// weightsOfAllEffects are those that main effects have at most.
	weightsOfAllEffects = 8_000_000
)

// What λ of main effects is chosen from: of a number, of another law, whose names differ by more, and of such a law where rows are so many that λ tells little, or classes are more than two, for which each takes longer.
var (
	ridges            = []float64{1, 3, 10, 30, 100}
	ridgesOfLaw       = []float64{0.03, 0.1, 0.3, 1, 3, 10, 30}
	ridgesOfLawOfMany = []float64{0.3, 3, 30}
)

func (p plan) ridges() []float64 {
	switch {
	case p.gaussian:
		return ridges
	case p.rows > tallRows/2 || p.latents > 1:
		return ridgesOfLawOfMany
	}
	return ridgesOfLaw
}

// triesEffects tells whether main effects are tried. Tall tables have steps enough to learn them otherwise, and cannot pay for the trials.
func (p plan) triesEffects() bool {
	return p.effects && p.rows <= tallRows
}

// asksForEffects tells whether the inputs are such that main effects are tried: many, or beside a large category; of more than two classes only
// the latter, and of few, for they are found class by class.
func (p plan) asksForEffects() bool {
	inputs := inputsForEffectsOfLaw
	switch {
	case p.latents > 1:
		return p.latents <= classesForEffects && slices.Max(p.functions) >= largeCategory
	case p.gaussian:
		inputs = inputsForEffects
	}
	return len(p.distinct) >= inputs || p.effectsFirst()
}

// tryEffects tries main effects alone, and where these are promising the best candidates with them. It returns them before the others
// where the best is better than the best without by enough standard errors, and otherwise the candidates as they are. The
// data of the tournament tell all levels apart then.
func (t *tournament) tryEffects(ctx context.Context, w worker, without []candidate, share float64) ([]candidate, error) {
	if !t.triesEffects() || without[0].ensemble == nil || w.progress.spent() > budgetToSelect {
		return without, nil
	}
	plain := t.data
	if t.data.weightsOfEffects(mainEffects(nodesOfEffects, 1)) > weightsOfAllEffects {
		return without, nil
	}
	t.data = plain.withAllLevels()
	alone := t.effectsAlone(false)
	if err := t.try(ctx, w, tryingEffects, alone, share); err != nil {
		return nil, err
	}
	tell, err := t.levelsTell(ctx, w, plain, alone[0], share)
	if err != nil || !tell {
		t.data = plain
		return without, err
	}
	if alone, err = t.namesTell(ctx, w, alone, share); err != nil {
		return nil, err
	}
	with := alone[:1]
	if t.promises(alone[0], without[0]) {
		more := t.onEffects(without, alone[0].Components[0])
		if err := t.try(ctx, w, tryingOnEffects, more, share); err != nil {
			return nil, err
		}
		with = append(more, alone[0])
		slices.SortStableFunc(with, better)
	}
	if math.IsInf(with[0].deviance, 0) || (bar{candidate: without[0], standardErrors: certainly}).under(with[0], t.fits) {
		t.data = plain
		return without, nil
	}
	t.main = with[0].Components[:1:1]
	t.plan = t.plan.inTime(t.data)
	return append(with, without...), nil
}

// effectsAlone returns main effects of every λ: of another law than a Gaussian those that tell values of numbers apart, or those that do not.
func (t *tournament) effectsAlone(names bool) (all []candidate) {
	for _, lambda := range t.ridges() {
		c := mainEffects(nodesOfEffects, lambda)
		if !t.gaussian && !names {
			c.Cells = 0
		}
		all = append(all, untried(structure{t.scaling, []component{c}, 0}))
	}
	return all
}

// namesTell tries main effects with a function of every value of the numbers whose values mark rows that main effects err on alike, as persons
// have who are asked more than once. It returns them where they are better by enough standard errors, and else those that were tried.
func (t *tournament) namesTell(ctx context.Context, w worker, tried []candidate, share float64) ([]candidate, error) {
	if t.gaussian || t.repeated == nil || math.IsInf(tried[0].deviance, 0) || w.progress.spent() > budgetToSelect {
		return tried, nil
	}
	marks, err := t.marks(ctx, w, tried[0], func(int) bool { return true })
	if err != nil || marks == nil {
		return tried, err
	}
	plain, names := t.data, t.effectsAlone(true)
	if t.data = plain.withTies(marks); t.data.weightsOfEffects(names[0].Components[0]) <= weightsOfAllEffects {
		if err := t.try(ctx, w, tryingEffects, names, share); err != nil {
			return nil, err
		}
		if !(bar{candidate: tried[0], standardErrors: certainly}).under(names[0], t.fits) {
			return names, nil
		}
	}
	t.data = plain
	return tried, nil
}

// promises tells whether main effects alone are good enough for others to be tried on them. The deviance of a law, twice its NLPD,
// may be near zero or below, so that differences count.
func (p plan) promises(alone, without candidate) bool {
	if p.gaussian {
		return alone.deviance < promising*without.deviance
	}
	return alone.deviance < without.deviance+promisingOfLaw
}

// levelsTell tells whether the data of the tournament, if other than the plain ones, tell main effects more than these by enough standard errors: effects of levels
// beyond those that have functions of their own are then not of names that tell nothing.
func (t *tournament) levelsTell(ctx context.Context, w worker, plain *dataset, alone candidate, share float64) (bool, error) {
	if t.data == plain {
		return true, nil
	}
	all, few := t.data, []candidate{untried(alone.structure)}
	t.data = plain
	err := t.try(ctx, w, tryingEffects, few, share)
	t.data = all
	return err == nil && !(bar{candidate: few[0], standardErrors: certainly}).under(alone, t.fits), err
}

// onEffects returns the best candidate of every sum of components, and the best of every λ, with main effects before them.
func (t *tournament) onEffects(sorted []candidate, c component) []candidate {
	steps := slices.DeleteFunc(slices.Clone(sorted), func(c candidate) bool { return c.isExact() || math.IsInf(c.deviance, 0) })
	if len(steps) == 0 {
		return nil
	}
	all := t.ofEverySmoothness(anew(survivors(steps, t.keep, true)))
	for i := range all {
		all[i].Components = slices.Concat([]component{c}, all[i].Components)
	}
	return all
}

// effectsTime returns about what main effects take to be found on a reference core, in nanoseconds: by several regressions where the law is not a Gaussian.
func effectsTime(d *dataset) float64 {
	const entryTime, perInput, regressions = 20, 3, 2 // of all steps, entries of a row, and how many times as long rough ones take
	time := entryTime * min(mostEntries, perInput*float64(d.Len()*d.Inputs*d.latents()))
	if !d.gaussian() {
		return regressions * time
	}
	return time
}

// tellingLevels returns data as candidates with main effects need them, if they have these.
func (p plan) tellingLevels(d *dataset) *dataset {
	if p.main == nil {
		return d
	}
	return d.withAllLevels()
}

// withAllLevels returns the data that tell all levels of categories apart.
func (d *dataset) withAllLevels() *dataset {
	values, some := make([]int, d.Inputs), false
	copy(values, d.ties)
	for i := range values {
		if l := d.levelsOf(i); l != nil && values[i] == 0 {
			values[i], some = l.All.Nodes(), true
		}
	}
	if !some {
		return d
	}
	return d.withTies(values)
}
