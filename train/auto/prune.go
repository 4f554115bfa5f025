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
	// worthy is the share of the inputs that are kept at most: leaving out fewer gains little.
	worthy = 0.75
	// rowsToJudge are the rows held out by which inputs are judged, at most, and fewestToJudge those at least.
	rowsToJudge, fewestToJudge = 4000, 20
)

// pruned returns candidates of the inputs that are worth something to the best candidate, as often as that leaves inputs out and
// the best of what is left is better; the plan and the data of the tournament are theirs then. Else it returns those of all inputs.
// By the few steps of the first round a product over many inputs is worse than it will be, so that those of the last one tell.
func (t *tournament) pruned(ctx context.Context, w worker, left []candidate, share float64) ([]candidate, error) {
	if !t.prunes {
		return left, nil
	}
	last := t.tries[len(t.tries)-1]
	if choices, err := t.choices(ctx, w, left[0]); err != nil || choices == nil {
		return left, err
	}
	trained, err := t.longer(ctx, w, left[0], share, last)
	if err != nil {
		return nil, err
	}
	for all := (*dataset)(nil); t.data != all; {
		choices, err := t.choices(ctx, w, trained)
		if err != nil || choices == nil {
			return left, err
		}
		all = t.data
		_, best := trained.halved(t.seed)
		surely := certainly
		for _, inputs := range choices {
			short, long, err := t.narrower(ctx, w, all.only(inputs), share, last, best, surely)
			if err != nil {
				return nil, err
			}
			if short != nil {
				left, trained, surely = short, long, 0 // of two choices the better one is taken
				_, best = long.halved(t.seed)
			}
		}
	}
	return left, nil
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
	for _, least := range leastWorths {
		inputs := slices.DeleteFunc(upTo(len(worths)), func(i int) bool { return worths[i] <= least })
		if len(inputs) > 0 && float64(len(inputs)) <= worthy*float64(len(worths)) {
			all = append(all, inputs)
		}
	}
	return all, err
}

// longer returns a candidate that was tried with a share of the steps, tried with the last one.
func (t *tournament) longer(ctx context.Context, w worker, c candidate, share, last float64) (candidate, error) {
	if share == last || math.IsInf(c.deviance, 0) {
		return c, nil
	}
	all := []candidate{untried(c.structure)}
	err := t.try(ctx, w, pruning, all, last)
	return all[0], err
}

// narrower returns candidates on data of fewer inputs and the best of them with the last share of the steps, which may be the same, or nil where that is
// not better than the best so far by more than some standard errors. The plan and the data of the tournament are theirs then.
func (t *tournament) narrower(ctx context.Context, w worker, data *dataset, share, last float64, best candidate, standardErrors float64) (short []candidate, long candidate, err error) {
	before, plain := t.plan, t.data
	if t.plan, err = before.of(data); err != nil {
		return nil, long, err
	}
	t.data = data
	short = t.candidates()
	if err = t.try(ctx, w, screening, short, share); err != nil {
		return nil, long, err
	}
	if long, err = t.longer(ctx, w, short[0], share, last); err != nil {
		return nil, long, err
	}
	if math.IsInf(long.deviance, 0) || best.asGoodAs(long, standardErrors, t.fits) {
		t.plan, t.data = before, plain
		return nil, long, nil
	}
	w.progress.follow(t.stages(data))
	return short, long, nil
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
	return judges, candidate{c.structure, c.deviance, &e}
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
