package train

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"
)

// candidate is a shape with its error on held-out rows.
type candidate struct {
	shape
	squaredError float64
	members      *members // one without each fold that was held out
}

func untried(s shape) candidate { return candidate{shape: s, squaredError: math.Inf(1)} }

// choose returns the best shape by rows held out, and those that are not told from it:
// successive halving, by which many candidates take few steps and few take many. The
// best of the first round meets shapes on a linear scaling, down to a straight line.
func (r *run) choose(ctx context.Context, folds [][]int) ([]shape, error) {
	var left, others []candidate
	scaling := ByRanks
	if r.lacks(Ranks) {
		scaling = Linear
	}
	for _, components := range r.shapes {
		for _, lambda := range r.smoothness {
			left = append(left, untried(shape{scaling, components, lambda}))
		}
	}
	for round, share := range r.tries {
		if err := r.tryAll(ctx, folds, left, share); err != nil {
			return nil, err
		}
		if round == 0 {
			others = r.linearShapes(left[0].shape)
			if err := r.tryAll(ctx, folds, others, share); err != nil {
				return nil, err
			}
			left = append(left, others...)
			slices.SortStableFunc(left, better)
		}
		left = survivors(left, r.keep, r.everyShape)
	}
	if math.IsInf(left[0].squaredError, 0) {
		return nil, errNothing
	}
	// What few rows seem to tell beyond a line is mostly noise.
	for _, c := range others {
		if c.isLine() && r.asGood(c, left[0], 1) {
			return []shape{c.shape}, nil
		}
	}
	shapes := []shape{left[0].shape}
	for _, c := range left[1:] {
		if c.Scaling == left[0].Scaling && r.asGood(c, left[0], 2) {
			shapes = append(shapes, c.shape)
		}
	}
	return shapes, nil
}

// asGood tells whether the squared errors of c are larger than those of the best by no
// more than some standard errors of their difference.
func (r *run) asGood(c, best candidate, standardErrors float64) bool {
	if math.IsInf(c.squaredError, 0) {
		return false
	}
	folds := c.members.folds
	if len(best.members.folds) < len(folds) { // when a budget ended
		folds = best.members.folds
	}
	held := slices.Concat(folds...)
	worse := make([]float64, len(held))
	for i, j := range held {
		y := float64(r.data.Y[j])
		worse[i] = r.data.weight(j) * (square(y-c.members.outside[j]) - square(y-best.members.outside[j]))
	}
	mean, deviation := stat.MeanStdDev(worse, nil)
	return mean <= standardErrors*stat.StdErr(deviation, float64(len(worse)))
}

// linearShapes returns candidates on a linear scaling: the shape given and a coarse one,
// where that is another scaling, and straight lines.
func (r *run) linearShapes(s shape) (candidates []candidate) {
	if s.Scaling != Linear && r.hasKnots() {
		candidates = append(candidates, untried(shape{Linear, s.Components, s.Smoothness}), untried(shape{Linear, []component{coarse}, 1}))
	}
	if r.features() <= lineFeatures {
		for _, lambda := range []float64{1, 10, 100, 1000} {
			candidates = append(candidates, untried(shape{Linear, line, lambda}))
		}
	}
	return candidates
}

// tryAll tries candidates with a share of their steps on held-out rows and puts the
// best first: on the first fold, or several where rows are so few that one would tell by
// chance. Those that diverge, or that a budget ends, come last; those that it leaves no
// time to begin keep the errors that they have.
func (r *run) tryAll(ctx context.Context, folds [][]int, c []candidate, share float64) error {
	held := r.heldFolds()
	trials := make([]trial, len(c)*held)
	for i := range c {
		r.use(c[i].Scaling) // so that all find the data in it
	}
	first := r.best == nil
	var tell sync.Mutex
	err := r.each(ctx, len(trials), func(ctx context.Context, own *run, job int) error {
		i, k := job/held, job%held
		if late := own.spent() > budgetToChoose; late && (i > 0 || first && k > 0) {
			return nil
		}
		own.use(c[i].Scaling)
		m, err := own.train(ctx, c[i].shape, folds, k, own.triedSteps(c[i].shape, share), tried+uint64(k))
		if err != nil && !diverged(err) {
			return err
		}
		tell.Lock()
		defer tell.Unlock()
		trials[job] = trial{member: m, done: true}
		r.score(&c[i], folds, trials[i*held:(i+1)*held], first && i == 0)
		return nil
	})
	slices.SortStableFunc(c, better)
	return err
}

// trial is a candidate's on one fold; it has no member where it diverged.
type trial struct {
	member
	done bool
}

// score finds the squared error of a candidate by its trials, one a fold: once all are
// done or, with early, by those that are. Until then it is infinite. The best so far is
// the one of the lowest error, and before any has all folds the one that has most.
func (r *run) score(c *candidate, folds [][]int, trials []trial, early bool) {
	m, whole := r.noMembers(), true
	c.squaredError = math.Inf(1)
	for k, t := range trials {
		switch {
		case !t.done:
			whole = false
		case t.surface == nil:
			return
		default:
			m.add(t.member, folds[k])
		}
	}
	now := *c
	now.members, now.squaredError = m, m.squaredError(m.folds)
	if whole || early {
		*c = now
	}
	if r.best == nil || now.before(r.best) {
		r.best = &now
	}
}

// before tells whether an interrupted run rather returns c than b.
func (c *candidate) before(b *candidate) bool {
	if more := cmp.Compare(len(c.members.folds), len(b.members.folds)); more != 0 {
		return more > 0
	}
	return c.squaredError < b.squaredError
}

// triedSteps are those of a candidate that takes a share of all.
func (r *run) triedSteps(s shape, share float64) int {
	return max(int(share*float64(r.stepsFor(s))), fewestSteps)
}

// budgetToChoose is the share of a budget after which no more candidates are tried.
const budgetToChoose = 0.35

func better(a, b candidate) int { return cmp.Compare(a.squaredError, b.squaredError) }

// survivors returns the candidates, best first, that go on to another round: of each
// scaling and smoothness the best, before any second best, for how smooth a function
// should be shows late; or of each scaling and sum of components, for members of
// different ones are less alike in their errors.
func survivors(sorted []candidate, keep int, everyShape bool) []candidate {
	alike := func(a, b candidate) bool {
		if a.Scaling != b.Scaling {
			return false
		}
		if everyShape {
			return slices.Equal(a.Components, b.Components)
		}
		return a.Smoothness == b.Smoothness
	}
	var first, second []candidate
	for _, c := range sorted {
		if !slices.ContainsFunc(first, func(f candidate) bool { return alike(f, c) }) {
			first = append(first, c)
		} else {
			second = append(second, c)
		}
	}
	kept := append(first, second...)
	kept = kept[:min(len(kept), keep)]
	slices.SortStableFunc(kept, better)
	return kept
}

// tried is the number of the first member that is trained for the choice alone, so
// that it has a random start of its own.
const tried = 1000

func diverged(err error) bool {
	var d *DivergedError
	return errors.As(err, &d)
}
