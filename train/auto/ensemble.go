package auto

import (
	"beziergp/internal/simd"
	"context"
	"slices"

	"beziergp/internal/process/descent"
	"beziergp/internal/splitmix"
	"beziergp/train"
)

// ensemble is the result of cross-fitting: members, each trained without the rows of one
// fold, and the out-of-fold predictions, those of each member at the rows of its fold.
type ensemble struct {
	data       *dataset
	folds      [][]int   // of the members, in their order
	members    []member  // one for each of folds, and then the replicates
	outOfFold  []float64 // [n, T] f of row j by the member without its fold; zero where there is none
	replicates []float64 // the same of the rows of the first folds, by the replicates
	twins      []float64 // [n] the same by a second member; nil where there is none
}

// fitEnsemble trains a member without each of the first folds, of the structures in turn,
// and replicates of some: further members without the same fold, from another random
// start, which tell the ambiguity of members. Where it fails it returns those that were
// done.
func fitEnsemble(ctx context.Context, w worker, p plan, data *dataset, folds partition, structures []structure) (*ensemble, error) {
	if data.keys.Held != nil {
		return fitWithout(ctx, w, p, data, folds, structures)
	}
	n := min(p.members, len(folds.folds))
	const original, replicate = 0, 1
	tasks := append(everyTask(1, n), everyTask(1, min(p.replicates, n))...)
	for i := n; i < len(tasks); i++ {
		tasks[i].candidate = replicate
	}
	score := running{ensemble: newEnsemble(data)}
	fits, err := crossFit(ctx, w.in(train.PhaseMembers, 0), folds, tasks, func(ctx context.Context, w worker, t task, rest, held []int) (*outOfFold, error) {
		s := structures[t.fold%len(structures)]
		return fitMember(ctx, w, p, data.lacking(t.fold), s, rest, held, p.stepsOf(s), t.candidate*n+t.fold)
	}, func(w worker, t task, m *outOfFold) {
		score.add(w, m, folds.held(t.fold), t.candidate == original)
	})
	e := newEnsemble(data)
	for i, f := range fits {
		switch t := tasks[i]; {
		case f == nil:
		case t.candidate == original:
			e.add(f, folds.folds[t.fold])
		default:
			e.members, e.replicates = append(e.members, f.member), append(e.replicates, f.held...)
		}
	}
	return e, err
}

// fitMember trains the member of a number, of a structure, on the rest of the rows.
func fitMember(ctx context.Context, w worker, p plan, data *dataset, s structure, rest, held []int, steps, number int) (*outOfFold, error) {
	seed := p.seed + uint64(number)*splitmix.Gamma
	w.fit.of(s)
	var m member
	var err error
	var first *effects
	learned := data
	if s.hasMainEffects() {
		if first, err = data.effectsOf(ctx, w, s, rest); err != nil {
			return nil, err
		}
		learned = first.left(data, rest)
	}
	switch {
	case s.isAdditive():
		m, err = fitAdditive(ctx, w, data, rest, s, seed)
	case s.isExact():
		w.fit.descent(1)(0)
	default:
		rows, batch := learned.Only(rest), p.memberBatch
		if p.unshortened > 0 {
			rows = data.stream.without(data, held, p.fits())
			steps, batch = p.pass(s, data.stream)
		}
		m, err = descend(ctx, w, data, rows, s.beyondEffects(), data.toLearn(descent.Descent{Steps: steps, Batch: batch, Rate: p.haste * rate(data.Inputs), Beta2: p.beta2, Seed: seed}))
		if p.unshortened > 0 {
			m.streamed = min(steps*batch, rows.Len())
		}
	}
	if err == nil && first != nil {
		m, err = first.with(m, data, s, seed)
	}
	if err != nil {
		return nil, err
	}
	return m.heldOut(ctx, w, data, held)
}

func newEnsemble(data *dataset) *ensemble {
	return &ensemble{data: data, outOfFold: make([]float64, data.Len()*data.latents())}
}

// add appends the member that was trained without the rows of a fold.
func (e *ensemble) add(m *outOfFold, fold []int) {
	t := e.data.latents()
	for i, j := range fold {
		copy(e.outOfFold[j*t:(j+1)*t], m.held[i*t:])
	}
	if m.twin != nil {
		if e.twins == nil {
			e.twins = slices.Clone(e.outOfFold)
		}
		for i, j := range fold {
			copy(e.twins[j*t:(j+1)*t], m.twin[i*t:])
		}
	}
	e.members, e.folds = append(e.members, m.member), append(e.folds, fold)
}

// rows returns those that have an out-of-fold prediction.
func (e *ensemble) rows() []int { return slices.Concat(e.folds...) }

// of returns the predictions of some rows, out of fold.
func (e *ensemble) of(numbers []int) []float64 {
	t := e.data.latents()
	mean := make([]float64, 0, len(numbers)*t)
	for _, j := range numbers {
		mean = append(mean, e.outOfFold[j*t:(j+1)*t]...)
	}
	return mean
}

// deviance returns that of row j, out of fold: twice the loss, a Gaussian's squared error.
func (e *ensemble) deviance(j int) float64 {
	t := e.data.latents()
	return 2 * e.data.loss(j, e.outOfFold[j*t:(j+1)*t])
}

// meanDeviance returns the weighted mean deviance of some rows, out of fold.
func (e *ensemble) meanDeviance(numbers []int) float64 {
	return e.weightedMean(numbers, e.deviance)
}

// weightedMean returns that of what there is of some rows.
func (e *ensemble) weightedMean(numbers []int, of func(j int) float64) float64 {
	var sum, weights float64
	for _, j := range numbers {
		w := e.data.Weight(j)
		sum, weights = sum+w*of(j), weights+w
	}
	return sum / weights
}

// meanOf returns that of what is there of some rows, which workers find.
func (e *ensemble) meanOf(pool *simd.Pool, numbers []int, of func(j int) float64) float64 {
	const together = 128
	values := make([]float64, len(numbers))
	pool.Do((len(values)+together-1)/together, func(_, part int) {
		from := part * together
		for i, j := range numbers[from:min(from+together, len(values))] {
			values[from+i] = of(j)
		}
	})
	next := 0
	return e.weightedMean(numbers, func(int) float64 {
		next++
		return values[next-1]
	})
}
