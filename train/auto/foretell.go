package auto

import (
	"context"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/comm"
	"beziergp/internal/process/descent"
	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/train"
)

// A probe takes steps of a sum of components for probeTime ns of a reference core, mostProbeSteps at most and fewestProbeSteps at least, besides
// a first that makes memory.
const (
	probeTime        = 20e6
	fewestProbeSteps = 5
	mostProbeSteps   = 100
)

// foretell tells about how long the run takes, before its first step: the time of its plan on
// a reference core, by how much quicker or slower a core is at a few steps of every sum of
// components. Which of them members have is not known yet.
func (w worker) foretell(ctx context.Context, p plan, data *dataset) error {
	var planned float64
	for _, s := range w.progress.stages {
		planned += s.time + p.beyond(s, data)
	}
	var taken, expected float64
	for _, components := range p.probed() {
		reference := p.memberCost(min(p.memberBatch, data.Len())).taken(structure{Components: components})
		steps := int(min(max(probeTime/reference, fewestProbeSteps), mostProbeSteps))
		t, err := w.stepTime(ctx, p, data, components, steps)
		if err != nil {
			return err
		}
		if t > 0 {
			taken += t
			expected += reference
		}
	}
	if expected > 0 {
		planned *= taken / expected
	}
	w.progress.expect(time.Duration(planned / float64(w.pool.Workers()*comm.OrAlone(w.ranks).Size())))
	return nil
}

// beyond returns the time that a stage usually takes beyond that of the plan, on a reference core. Where trials go on for as long as they are better the plan has the
// fewest, for it is what budgets are made of, and a forecast of the fewest is of half the time.
func (p plan) beyond(s stage, data *dataset) float64 {
	if s.phase != train.PhaseSelection {
		return 0
	}
	trial := s.time / float64(s.parts)
	switch {
	case s.round == pruning: // of a first choice of inputs, and of another where that is better
		return 2 * trial
	case s.round == climbing && p.mixes():
		return float64(p.usuallyRisen(data)-fewestClimbs) * trial
	}
	return 0
}

// usuallyRisen returns how many structures are tried between the last round and the choice of a mixture: the best of every sum of components with a larger λ, mostly
// each of them with one still larger, and one again, besides those with more nodes, of few rows, and of counts and amounts by both scalings.
func (p plan) usuallyRisen(data *dataset) int {
	n := 2*min(p.keep, len(p.sums)) + 1
	if p.rows <= fewRows {
		n++
	}
	if p.finestNodes > 0 && !likelihood.Classifies(data.law) {
		n += 2
	}
	return n
}

// probed returns the sums of components of the candidates, each once, without additive ones,
// which take no steps.
func (p plan) probed() (sums [][]component) {
	for _, c := range p.candidates() {
		if !c.isExact() {
			sums = append(sums, c.beyondEffects().Components)
		}
	}
	return distinctSums(sums)
}

// stepTime returns the time that a step of a sum of components takes here, and 0 where it diverges: the median of the later half of so many steps. Where
// steps are short the first dozens take up to twice as long, for neither caches nor the core are warm, and other work may stop one of them.
func (w worker) stepTime(ctx context.Context, p plan, data *dataset, components []component, steps int) (float64, error) {
	own := data.in(p.scaling)
	s := structure{Components: components}
	of, err := s.surface(own, p.seed)
	if err != nil {
		return 0, err
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	var ends []time.Time
	o := own.toLearn(descent.Descent{
		Steps: 1 + steps, Batch: p.memberBatch, Rate: 1e-3, Seed: p.seed,
		Step: func(float64) { ends = append(ends, w.progress.now()) },
	})
	err = o.Run(ctx, of, own.Only(own.order), s.start(of, p.seed), pool)
	if diverged(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var times []float64
	for i := steps / 2; i < steps; i++ {
		times = append(times, float64(ends[i+1].Sub(ends[i])))
	}
	slices.Sort(times)
	return stat.Quantile(0.5, stat.Empirical, times, nil), nil
}
