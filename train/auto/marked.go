package auto

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"beziergp/train"
)

// fitWithout trains all members without the rows that are marked, the one fold there is,
// and predicts these by the average of all members: their errors are those of the model
// itself, so that nothing is left to tell of what averaging gains. Where it fails it
// returns the members that were done.
func fitWithout(ctx context.Context, w worker, p plan, data *dataset, marked partition, structures []structure) (*ensemble, error) {
	tasks := everyTask(p.members+p.replicates, 1)
	score := running{ensemble: newEnsemble(data)}
	fits, err := crossFit(ctx, w.in(train.PhaseMembers, 0), marked, tasks, func(ctx context.Context, w worker, t task, rest, held []int) (*outOfFold, error) {
		s := structures[t.candidate%len(structures)]
		return fitMember(ctx, w, p, data.lacking(t.fold), s, rest, held, p.stepsOf(s), t.candidate)
	}, func(w worker, t task, m *outOfFold) {
		score.average(w, m, marked.held(t.fold))
	})
	e, t := newEnsemble(data), data.latents()
	mean := make([]float64, len(marked.folds[0])*t)
	for _, f := range fits {
		if f != nil {
			e.members = append(e.members, f.member)
			floats.Add(mean, f.held)
		}
	}
	if len(e.members) == 0 {
		return e, err
	}
	floats.Scale(1/float64(len(e.members)), mean)
	for i, j := range marked.folds[0] {
		copy(e.outOfFold[j*t:(j+1)*t], mean[i*t:])
	}
	e.folds = marked.folds
	return e, err
}
