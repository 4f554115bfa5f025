package auto

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/process/surface"
)

// leastWorths are what inputs have to be worth to be kept, in standard errors: all choices are tried.
var leastWorths = []float64{0, 2}

const (
	// keptInVain is how many inputs that tell nothing are kept at most, as a share of the rows. What is learned of such an input agrees by
	// chance with the rows that judge it, and so with the rows that errors out of fold are of: many of them make these errors too small.
	keptInVain = 0.1
	// worthy is the share of the inputs that are kept at most: leaving out fewer gains little.
	worthy = 0.75
	// rowsToJudge are the rows held out by which inputs are judged, at most, and fewestToJudge those at least.
	rowsToJudge, fewestToJudge = 4000, 20
	// heldToPrune are the rows that are held out to tell what inputs are worth, at least, unless that takes more than foldsToPrune.
	heldToPrune, foldsToPrune = 1500, 5
)

// pruningFolds are the folds that are held out in turn to tell what inputs are worth: more than for other choices where rows are few,
// for what an input is worth shows in a small part of the errors.
func (p plan) pruningFolds() int {
	folds := p.folds
	if p.merges {
		folds = min(folds, mergedParts)
	}
	fold := max(1, p.rows/folds)
	return max(p.held, min(folds, foldsToPrune, (heldToPrune+fold-1)/fold))
}

// pruned returns candidates of the inputs that are worth something to the best candidate, as often as that leaves inputs out and
// the best of what is left is better; the plan and the data of the tournament are theirs then. Else it returns those of all inputs.
// By the few steps of the first round a product over many inputs is worse than it will be, so that those of the last one tell.
func (t *tournament) pruned(ctx context.Context, w worker, left []candidate, share float64) ([]candidate, error) {
	if !t.prunes || !t.showsLevels() {
		return left, nil
	}
	best := t.best
	trained, fully, err := t.judge(ctx, w, left, t.prunesBy(share))
	if err != nil {
		return nil, err
	}
	var judged [][]int // choices that were tried
	for {
		choices, err := t.choices(ctx, w, trained)
		if err != nil {
			return nil, err
		}
		if choices == nil {
			break
		}
		if !fully {
			if trained, err = t.longer(ctx, w, trained.structure, math.MaxInt); err != nil {
				return nil, err
			}
			fully = true
			continue
		}
		all, rival := t.data, bar{standardErrors: t.sureToPrune(), longer: true}
		_, rival.candidate = trained.halved(t.seed)
		for _, inputs := range choices {
			fewer := all.only(inputs)
			if slices.ContainsFunc(judged, func(kept []int) bool { return slices.Equal(kept, fewer.kept) }) {
				continue
			}
			judged = append(judged, fewer.kept)
			short, long, err := t.narrower(ctx, w, fewer, share, rival)
			if err != nil {
				return nil, err
			}
			if short != nil {
				left, trained = short, long
				rival.standardErrors = 0 // of two choices the better one is taken
				_, rival.candidate = long.halved(t.seed)
			}
		}
		if t.data == all {
			break
		}
		best = t.best
	}
	t.triedInVain(best)
	return left, nil
}

// judge returns the candidate by which inputs are judged, and whether it has all steps of such a one: the best, or, where that is main effects alone, the best
// with others beside them if that is better by as many steps as the last round has. Inputs that matter together alone are worth nothing to main effects.
func (t *tournament) judge(ctx context.Context, w worker, sorted []candidate, fully bool) (trained candidate, longest bool, err error) {
	at := slices.IndexFunc(sorted, func(c candidate) bool { return !c.isExact() && !math.IsInf(c.deviance, 0) })
	if !sorted[0].isExact() || at < 0 {
		return sorted[0], fully, nil
	}
	alone, err := t.longer(ctx, w, sorted[0].structure, math.MaxInt)
	if err != nil {
		return alone, true, err
	}
	with, err := t.longer(ctx, w, sorted[at].structure, math.MaxInt)
	if with.deviance < alone.deviance {
		return with, true, err
	}
	return alone, true, err
}

// showsLevels tells whether trials show what categories are worth: many levels do in more steps than a trial takes, unless they are known as main effects.
func (p plan) showsLevels() bool { return p.main != nil || slices.Max(p.functions) <= tallLevels }

// sureToPrune returns the standard errors by which a choice of inputs has to be better: a class tells less than a number.
func (p plan) sureToPrune() float64 {
	if p.gaussian {
		return certainly
	}
	return likely
}

// choices returns the inputs that are worth something to a candidate, by every measure that leaves enough of them out; none where
// rows to judge by are few, or a budget leaves no time.
func (t *tournament) choices(ctx context.Context, w worker, c candidate) (all [][]int, err error) {
	if w.progress.spent() > budgetToSelect || math.IsInf(c.deviance, 0) {
		return nil, nil
	}
	judges, _ := c.halved(t.seed)
	if len(slices.Concat(judges...)) < fewestToJudge {
		return nil, nil
	}
	worths, err := c.worths(ctx, w, judges)
	for _, least := range t.thresholds(worths) {
		inputs := slices.DeleteFunc(upTo(len(worths)), func(i int) bool { return worths[i] <= least })
		if len(inputs) > 0 && float64(len(inputs)) <= worthy*float64(len(worths)) {
			all = append(all, inputs)
		}
	}
	return all, err
}

// thresholds returns what inputs have to be worth, by either choice, so that few are kept in vain. The worth of an input that tells nothing is as likely below
// −x as above x, or likelier, so that there are no more of them above x than there are inputs below −x (Barber & Candès, AoS 2015).
func (p plan) thresholds(worths []float64) []float64 {
	sorted, lowest := slices.Sorted(slices.Values(worths)), 0.0
	if most := int(keptInVain * float64(p.rows)); most < len(sorted) {
		lowest = max(0, -sorted[most])
	}
	var all []float64
	for _, least := range leastWorths {
		all = append(all, max(least, lowest))
	}
	return slices.Compact(all)
}

// prunesBy tells whether trials by a share of the steps are what inputs are judged by.
func (t *tournament) prunesBy(share float64) bool {
	return share == t.tries[len(t.tries)-1] && t.held == t.pruningFolds()
}

// longer returns a candidate of a structure, tried on the folds to prune by with as many steps as the last round has, or with fewer if these are the most.
func (t *tournament) longer(ctx context.Context, w worker, s structure, most int) (candidate, error) {
	all, held := []candidate{untried(s)}, t.held
	t.held = t.pruningFolds()
	err := t.try(ctx, w, pruning, all, t.longestShare(s, most))
	t.held = held
	return all[0], err
}

// longestShare returns the share of the steps of a member that such a candidate has.
func (t *tournament) longestShare(s structure, most int) float64 {
	return min(t.tries[len(t.tries)-1], float64(most)/float64(t.stepsOf(s)))
}

// longerThan returns a candidate of a structure as [tournament.longer] does, or the one that is known where that is the same. Where it stays under the bar and
// had more steps than this, it is tried again with as many: fewer inputs take less time, and what more steps learn by heart is not what inputs are worth.
func (t *tournament) longerThan(ctx context.Context, w worker, s structure, b bar, known candidate) (c candidate, err error) {
	longer := func(most int) (candidate, error) {
		if known.structure.equals(s) && known.steps == t.stepsBy(s, t.longestShare(s, most)) {
			return known, nil
		}
		return t.longer(ctx, w, s, most)
	}
	c, err = longer(math.MaxInt)
	if err == nil && b.under(c, t.fits) && float64(c.steps) > muchLonger*float64(b.steps) {
		c, err = longer(b.steps)
	}
	return c, err
}

// muchLonger is how many times as many steps are more.
const muchLonger = 1.5

// bar is the best candidate so far, which those on other data are to be better than.
type bar struct {
	candidate
	standardErrors float64 // by how many
	longer         bool    // whether it has had as many steps as the last round has, as those have then
}

// under tells whether a candidate stays under the bar.
func (b bar) under(c candidate, fits int) bool {
	return math.IsInf(c.deviance, 0) || b.asGoodAs(c, b.standardErrors, fits)
}

// narrower returns candidates on data of fewer inputs that were tried with a share of the steps, and the best of them, with as many as the bar has had, or nil where
// that stays under it. The plan and the data of the tournament are theirs then. Nor are all tried where that costs more steps and the bar's own
// structure is no better for it, which most choices end by.
func (t *tournament) narrower(ctx context.Context, w worker, data *dataset, share float64, best bar) (short []candidate, long candidate, err error) {
	before, plain := t.plan, t.data
	defer func() {
		if short == nil {
			t.plan, t.data = before, plain
		}
	}()
	if t.plan, err = before.of(data); err != nil {
		return nil, long, err
	}
	if t.ofFold != nil { // no other folds have inputs of their own
		t.plan.held = min(t.plan.held, len(t.ofFold))
	}
	t.data = t.tellingLevels(data)
	same := untried(best.structure)
	if best.longer {
		if same, err = t.longer(ctx, w, best.structure, best.steps); err != nil || (bar{candidate: best.candidate}).under(same, t.fits) {
			return nil, long, err
		}
	}
	tried := t.candidates()
	if err = t.try(ctx, w, screening, tried, share); err != nil {
		return nil, long, err
	}
	if long = tried[0]; best.longer && !t.prunesBy(share) && !math.IsInf(long.deviance, 0) {
		if long, err = t.longerThan(ctx, w, long.structure, best, same); err != nil {
			return nil, long, err
		}
	}
	if same.deviance < long.deviance { // of few steps the best may be another one
		long = same
	}
	if best.under(long, t.fits) {
		return nil, long, nil
	}
	w.progress.follow(t.stages(data))
	return tried, long, nil
}

// halved returns, of the rows of every fold, some by which inputs are judged, half of them or fewer, and the candidate at the others
// alone, by which a choice of inputs is: what was chosen by errors at some rows has lower ones there by chance.
func (c candidate) halved(seed uint64) (judges [][]int, rest candidate) {
	e := *c.ensemble
	e.folds = nil
	for _, fold := range c.ensemble.folds {
		rows := mixed(fold, seed)
		judging := min(len(rows)/2, rowsToJudge/len(c.ensemble.folds))
		judges, e.folds = append(judges, rows[:judging]), append(e.folds, rows[judging:])
	}
	return judges, candidate{structure: c.structure, deviance: c.deviance, ensemble: &e, steps: c.steps}
}

// worths returns what every input is worth to a candidate: by how many standard errors its loss rises, at rows of its folds, where
// f(x) becomes its average over the values that the input has in the rows, which it is of a row that lacks the input. What is learned by chance of an input that
// tells nothing only adds to the errors, so that the loss then falls, or hardly changes.
func (c candidate) worths(ctx context.Context, w worker, judges [][]int) ([]float64, error) {
	data := c.ensemble.data
	d, t := data.Inputs, data.latents()
	rises, without := make([][]float64, d), make([]float64, t)
	for k, rows := range judges {
		change, err := c.ensemble.members[k].averagedOut(ctx, w, data.Coordinates(rows))
		if err != nil {
			return nil, err
		}
		for p, j := range rows {
			f := c.ensemble.outOfFold[j*t : (j+1)*t]
			loss := data.loss(j, f)
			for i := range d {
				for of := range without {
					without[of] = f[of] + change[of][p*d+i]
				}
				data.clamp(without)
				rises[i] = append(rises[i], data.Weight(j)*(data.loss(j, without)-loss))
			}
		}
	}
	worths := make([]float64, d)
	for i, rise := range rises {
		if mean, deviation := stat.MeanStdDev(rise, nil); deviation > 0 {
			worths[i] = mean / stat.StdErr(deviation, float64(len(rise)))
		}
	}
	return worths, nil
}

// averagedOut returns, of every process, by how much it changes at points where an input is averaged out, [n, d].
func (m member) averagedOut(ctx context.Context, w worker, x []float32) (change [][]float64, err error) {
	q, err := surface.NewPosterior(m.surface, m.params)
	if err != nil {
		return nil, err
	}
	unknown := slices.Repeat([]float32{float32(math.NaN())}, len(x)) // whose functions have their averages
	for t := range m.surface.Outputs() {
		own := make([]float64, len(x))
		if err := surface.NewBlender(q.Output(t), w.pool).Differences(ctx, x, x, unknown, own); err != nil {
			return nil, err
		}
		change = append(change, own)
	}
	return change, nil
}
