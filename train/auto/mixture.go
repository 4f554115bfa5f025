package auto

import (
	"context"
	"math"
	"slices"

	"beziergp/likelihood"
	"beziergp/train"
)

// mixes tells whether members are of a mixture of structures: where the law is not a Gaussian
// members of few steps are as good as others, and so many can be had that each is of the structure
// that their average gains most by. Very tall tables cannot pay for them, and shapes that were given are taken as they are.
func (p plan) mixes() bool {
	return !p.gaussian && p.averages && len(p.tries) > 1 && p.rows <= mixedRows && p.streams == 0 && p.shapes == nil
}

// mixedRows are the most rows that members of a mixture learn from.
const mixedRows = 250_000

// Trials of a mixture hold out about a fifth of the rows, several folds of members at once, or two such parts, one after the other, up to rows that are
// many, for the mixture is chosen by the rows that are held out, and those of one part tell too little. Many inputs take their time. Of very few rows two parts
// tell too little as well: as many are held out as have the rows that trials of a class or a count ask for elsewhere, up to all.
const (
	mergedParts  = 5
	mergedOfMany = 1
	mergedOfFew  = 2
	manyMerged   = 20_000
)

// merged returns the parts that trials of a mixture hold out.
func (p plan) merged() int {
	switch {
	case p.rows <= fewRows:
		return min(max(mergedOfFew, (heldOfLaw*mergedParts+p.rows-1)/p.rows), mergedParts)
	case p.rows <= manyMerged && len(p.distinct) <= manyInputs/2:
		return mergedOfFew
	}
	return mergedOfMany
}

// mixedShare is the share of the steps that the members of a mixture and brief ones take, that of the last trials.
func (p plan) mixedShare() float64 { return p.tries[len(p.tries)-1] }

// mixture is what the structures of members are drawn from, [ensemble.averageDeviances] for
// several structures at once. Members of structure s deviate from what they have in common with a variance
// v_s, and the average of M members, of which a share w_s is of structure s, by Σ w_s v_s/M. It is judged by the
// two members of each that trials have: the average of these deviates by Σ w_s² v_s/2. To first order the loss is
// in proportion to exp(variance), a density's loss, which may be below zero, is linear in it, and
// L₁ and L₂, the loss of one member and of the average of two, tell v_s.
type mixture struct {
	*ensemble // of the first part: the data, and the rows that all are tried on
	rows      []int
	members   int
	parts     []mixedPart
}

// mixedPart is one of the structures.
type mixedPart struct {
	structure
	f      []float64 // [n, T] the average of two members out of fold, or one where there is no second
	spread float64   // v_s/2: log L₁/L₂, of a density L₁ − L₂
}

// newMixture returns that of candidates that are tried on the same folds, of one scaling.
func newMixture(candidates []candidate, members int) *mixture {
	first := candidates[0].ensemble
	m := &mixture{ensemble: first, rows: first.rows(), members: members}
	for _, c := range candidates {
		part := mixedPart{structure: c.structure, f: c.ensemble.pairs()}
		if c.ensemble.twins != nil {
			one, two := c.ensemble.tempered(m.rows, part.f)
			l1, l2 := c.ensemble.weightedMean(m.rows, one), c.ensemble.weightedMean(m.rows, two)
			switch {
			case m.data.density():
				part.spread = max(0, l1-l2)
			case l2 > 0:
				part.spread = max(0, math.Log(l1/l2))
			}
		}
		m.parts = append(m.parts, part)
	}
	return m
}

// draw returns the structure of every member, in the order in which they lower the loss most, each beside
// those before it (Caruana et al., ICML 2004), and the loss of all.
func (m *mixture) draw() (turns []structure, loss float64) {
	counts, slope := make([]float64, len(m.parts)), 1.0
	sum, with := make([]float64, len(m.parts[0].f)), make([]float64, len(m.parts[0].f))
	for n := range m.members {
		best := -1
		for s, part := range m.parts {
			counts[s]++
			m.add(with, sum, part.f)
			if own := m.loss(with, counts, float64(n+1), slope); best < 0 || own < loss {
				best, loss = s, own
			}
			counts[s]--
		}
		counts[best]++
		turns = append(turns, m.parts[best].structure)
		m.add(sum, sum, m.parts[best].f)
		slope = m.likeliestSlope(m.rows, m.data.devianceOf(sum, float64(n+1)), slope)
	}
	return turns, m.loss(sum, counts, float64(m.members), slope)
}

// add writes sum + f at the rows.
func (m *mixture) add(to, sum, f []float64) {
	t := m.data.latents()
	for _, j := range m.rows {
		for k := j * t; k < (j+1)*t; k++ {
			to[k] = sum[k] + f[k]
		}
	}
}

// loss returns what that of the average of all members is, by the sum of n parts in these counts, at a slope.
func (m *mixture) loss(sum, counts []float64, n, slope float64) float64 {
	var beyond float64 // what the average of the trials deviates by and that of all members does not
	for s, count := range counts {
		w := count / n
		beyond += (square(w) - 2*w/float64(m.members)) * m.parts[s].spread
	}
	deviance := m.data.devianceOf(sum, n)
	mean := m.weightedMean(m.rows, func(j int) float64 { return deviance(j, slope) })
	if m.data.density() {
		return mean - beyond
	}
	return mean * math.Exp(-beyond)
}

// mix returns the structures that members take in turn, and the share of the steps: those of the mixture of candidates and of
// additive ones of others, or the best candidate alone by all steps where that is better. It is tried where rows are not few and the target is an amount,
// or the steps of the trials tell much ([stepsTell]). Larger λ are tried of every sum that goes on: the
// few steps of the first round favour a λ that is too small, and of which sum most is seen by those of the last.
func (t *tournament) mix(ctx context.Context, w worker, sorted, others []candidate, before float64) ([]structure, float64, error) {
	share := t.mixedShare()
	sorted, err := t.refined(ctx, w, sorted)
	if err == nil {
		sorted, err = t.rise(ctx, w, sorted, survivors(sorted, t.keep, true))
	}
	if err != nil {
		return nil, share, err
	}
	if alone := t.chosen(sorted, others, share)[0]; alone.isAdditive() {
		return []structure{alone}, share, nil
	}
	turns, loss := t.mixed(slices.Concat(sorted, slices.DeleteFunc(slices.Clone(others), func(c candidate) bool { return !c.isAdditive() })))
	if !t.triesAllSteps() && (t.rows <= fewRows || !stepsTell(sorted[0], before)) {
		return turns, share, nil
	}
	for s := sorted[0].structure; w.progress.spent() <= budgetToSelect; s = s.smoother() { // each takes as long as members, so that there is one where time is short
		whole := []candidate{untried(s)}
		if err := t.try(ctx, w, climbing, whole, 1); err != nil {
			return nil, share, err
		}
		if whole[0].deviance >= loss {
			break
		}
		turns, share, loss = []structure{s}, 1, whole[0].deviance
		if t.hurried {
			break
		}
	}
	return turns, share, nil
}

// triesAllSteps tells whether all steps are tried beside a mixture whatever trials told: of amounts, whose members of few steps leave more than those of classes.
func (p plan) triesAllSteps() bool { return p.density && p.rows > fewRows }

// stepsTell tells whether more steps than trials have may lower the loss further: where the best candidate has so little of the loss that the best of the first
// round had, or is better than a constant by so many times as much.
func stepsTell(best candidate, before float64) bool {
	const left, told = 0.8, 1.2
	e := best.ensemble
	f := make([]float64, e.data.latents())
	constant := e.weightedMean(e.rows(), func(j int) float64 { return 2 * e.data.loss(j, f) })
	return best.deviance <= left*before || constant-best.deviance > told*max(0, constant-before)
}

// mixed returns the structures that members take in turn, the mixture of least loss of the candidates of one scaling, and that loss.
func (p plan) mixed(candidates []candidate) (turns []structure, least float64) {
	least = math.Inf(1)
	for _, scaling := range []train.Scaling{train.ByRanks, train.Linear} {
		own := slices.DeleteFunc(slices.Clone(candidates), func(c candidate) bool {
			return c.Scaling != scaling || math.IsInf(c.deviance, 0) || len(c.ensemble.folds) < len(candidates[0].ensemble.folds)
		})
		if len(own) == 0 {
			continue
		}
		if of, loss := newMixture(own, p.membersBy(p.mixedShare())).draw(); turns == nil || loss < least { // a loss may be no number
			turns, least = of, loss
		}
	}
	return turns, least
}

// refined returns the candidates with one more of each scaling, the best with splines with as many nodes as any has, where the target is a
// count or an amount, which tells as much of single values as a number does, and rows are many.
func (t *tournament) refined(ctx context.Context, w worker, sorted []candidate) ([]candidate, error) {
	if likelihood.Classifies(t.data.law) || t.finestNodes == 0 || w.progress.spent() > budgetToSelect {
		return sorted, nil
	}
	var fine []candidate
	for _, scaling := range []train.Scaling{train.ByRanks, train.Linear} {
		best := slices.IndexFunc(sorted, func(c candidate) bool {
			return c.Scaling == scaling && !c.isAdditive() && slices.ContainsFunc(c.Components, component.isFine)
		})
		if best < 0 {
			continue
		}
		fine = append(fine, untried(t.withNodes(sorted[best].structure, component.isFine, t.finestNodes)))
	}
	if err := t.try(ctx, w, climbing, fine, t.mixedShare()); err != nil {
		return nil, err
	}
	all := slices.Concat(sorted, fine)
	slices.SortStableFunc(all, better)
	return all, nil
}

// rise tries some of the candidates with larger λ for as long as they are better, or twice where time is short, and returns all, the
// best first: few steps show that λ is too large long before they show that it is too small.
func (t *tournament) rise(ctx context.Context, w worker, sorted, heads []candidate) ([]candidate, error) {
	all := slices.Clone(sorted)
	for round := 0; len(heads) > 0 && w.progress.spent() <= budgetToSelect && !(t.hurried && round == 2); round++ {
		var before, next []candidate
		for _, c := range heads {
			if !math.IsInf(c.deviance, 0) && !c.isAdditive() && c.Smoothness > 0 && c.Smoothness < t.mostSmooth() {
				before, next = append(before, c), append(next, untried(c.structure.smoother()))
			}
		}
		if len(next) == 0 {
			break
		}
		if err := t.try(ctx, w, climbing, next, t.mixedShare()); err != nil {
			return nil, err
		}
		all, heads = append(all, next...), nil
		for _, c := range next {
			if slices.ContainsFunc(before, func(b candidate) bool {
				return c.deviance < b.deviance && c.structure.String() == b.structure.smoother().String()
			}) {
				heads = append(heads, c)
			}
		}
	}
	slices.SortStableFunc(all, better)
	return all, nil
}

// tiedAlone returns the best candidate without splines with ties in their place, or nil where no values of few repeat that mark rows which it
// errs on alike: where each value tells something of its own, splines are a costly way to tell of it. The
// data of the tournament have the ties then, which are nothing to other candidates.
func (t *tournament) tiedAlone(ctx context.Context, w worker, sorted []candidate) ([]candidate, error) {
	at := slices.IndexFunc(sorted, func(c candidate) bool {
		return c.Scaling == t.scaling && c.ensemble != nil && !slices.ContainsFunc(c.Components, component.isFine)
	})
	if at < 0 || t.repeated == nil || w.progress.spent() > budgetToSelect {
		return nil, nil
	}
	marks, err := t.marks(ctx, w, sorted[at], hasFew)
	if err != nil || marks == nil {
		return nil, err
	}
	t.data = t.data.withTies(marks)
	with := untried(sorted[at].structure)
	with.Components = append(slices.Clone(with.Components), t.ties())
	return []candidate{with}, nil
}
