package paper

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"time"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/train"
)

// loop is the first phase of a run: its state, and what it works with.
type loop struct {
	Recipe
	bases    []basis.Basis
	rows     descent.Rows
	law      likelihood.Likelihood
	env      train.Environment
	pool     *simd.Pool
	crew     *crew
	evaluate func(params []float32, logDispersion float64, rows elbo.Batch, gradient []float32) (elbo.Terms, error)
	logNoise float64

	params    []float32
	adam      *optim.Adam
	objective float64 // of the last mini-batch
	began     time.Time
	resumedAt int
	unsealed  bool   // the checkpoint taken up has no digest
	identity  string // fingerprint, where there is a checkpoint
}

// start lays the initial state.
func (l *loop) start(s *surface.Surface, params []float32) {
	l.params = params
	l.adam = optim.NewAdam(l.crew.ends...)
	l.adam.Only(l.crew.blocks[l.crew.Rank()])
	l.evaluate = l.objectiveOf(s)
	l.began = l.env.Now()
}

// objectiveOf returns the bound, or what several ranks have in its place, with its bits.
func (l *loop) objectiveOf(s *surface.Surface) func([]float32, float64, elbo.Batch, []float32) (elbo.Terms, error) {
	if !l.crew.alone() {
		return elbo.NewShared(s, l.law, l.rows.Len(), l.pool, l.crew.Rank(), l.crew.Size(), l.crew.exchange).Evaluate
	}
	bound := elbo.NewBound(s, l.law, l.rows.Len(), l.pool)
	return func(params []float32, logDispersion float64, rows elbo.Batch, gradient []float32) (elbo.Terms, error) {
		return bound.Evaluate(params, logDispersion, rows, gradient), nil
	}
}

// run takes the steps that are left. What the run does is a function of its
// options and data alone, so a checkpoint needs to hold the state after a whole
// step only. All ranks take a step, or none does.
func (l *loop) run(ctx context.Context) error {
	if err := l.resume(ctx); err != nil {
		return err
	}
	saved := l.env.Now()
	now := saved
	batches, size := l.rows.Batches(l.Seed, l.Batch)
	defer batches.Wait()
	batch := l.rows.NewBatch(size)
	gradient := make([]float32, len(l.params))
	for {
		failed := ctx.Err()
		if failed == nil && l.adam.Steps < l.Steps {
			failed = batches.At(l.adam.Steps, batch)
		}
		late := l.Checkpoint != "" && l.crew.first() && now.Sub(saved) >= l.CheckpointEvery
		save, err := l.crew.proceed(failed, late)
		if err != nil {
			return errors.Join(err, l.save())
		}
		if save {
			if err := l.crew.agree(l.save()); err != nil {
				return err
			}
			saved = l.env.Now()
		}
		if l.adam.Steps >= l.Steps {
			return nil
		}
		if err := batches.Complete(batch); err != nil {
			return err
		}
		terms, err := l.evaluate(l.params, l.logNoise, batch, gradient)
		if err != nil {
			return err
		}
		l.objective = terms.Objective()
		if math.IsNaN(l.objective) || math.IsInf(l.objective, 0) {
			return &train.DivergedError{Step: l.adam.Steps, Rate: l.LearningRate}
		}
		l.adam.Step(l.params, gradient, l.LearningRate, l.pool)
		now = l.env.Now()
		l.env.Progress(l.event(now, terms))
	}
}

func (l *loop) event(now time.Time, terms elbo.Terms) train.Event {
	done := l.adam.Steps
	elapsed := now.Sub(l.began)
	return train.Event{
		Phase: train.PhaseWeights, Step: done, Steps: l.Steps,
		Objective: l.objective, ELBO: terms.ELBO(), RMSE: likelihood.RootDeviance(terms.Loss, terms.Rows),
		Elapsed:   elapsed,
		Remaining: elapsed * time.Duration(l.Steps-done) / time.Duration(max(done-l.resumedAt, 1)),
		ResumedAt: l.resumedAt, Unsealed: l.unsealed,
	}
}

// report tells of the second phase, rows done of all.
func (l *loop) report(done, of int) {
	l.env.Progress(train.Event{Phase: train.PhaseNoise, Step: done, Steps: of, Elapsed: l.env.Now().Sub(l.began), ResumedAt: l.resumedAt, Unsealed: l.unsealed})
}

// resume takes up the checkpoint, if there is one. Rank 0 alone reads it.
func (l *loop) resume(ctx context.Context) error {
	if l.Checkpoint == "" {
		return nil
	}
	var kept *checkpoint
	var err error
	if l.identity, err = l.fingerprint(ctx); err == nil && l.crew.first() {
		kept, err = l.kept()
	}
	if err := l.crew.agree(err); err != nil {
		return err
	}
	return l.deal(kept)
}

// kept returns the checkpoint, or nil where there is none to be taken up.
func (l *loop) kept() (*checkpoint, error) {
	read := openCheckpoint
	if l.Fresh {
		read = func(path string) (checkpoint, error) { return checkpoint{}, replaceable(path) }
	}
	c, err := read(l.Checkpoint)
	if errors.Is(err, fs.ErrNotExist) || err == nil && l.Fresh {
		return nil, nil
	}
	if err == nil {
		err = c.belongs(l.Checkpoint, l.identity, l.Steps, len(l.params))
	}
	return &c, err
}

// save writes the checkpoint, on rank 0.
func (l *loop) save() error {
	if l.Checkpoint == "" {
		return nil
	}
	if err := l.crew.gather(l.params, l.adam.M, l.adam.V); err != nil || !l.crew.first() {
		return err
	}
	return checkpoint{
		checkpointHead: checkpointHead{Run: l.identity, Steps: l.adam.Steps, Objective: l.objective},
		params:         l.params, m: l.adam.M, v: l.adam.V,
	}.write(l.Checkpoint)
}

// removeCheckpoint ends a finished run's. What cannot be removed does no harm: the
// next run of the same options resumes at the last step, another one refuses it.
func (l *loop) removeCheckpoint() {
	if l.Checkpoint != "" && !l.KeepCheckpoint && l.crew.first() {
		_ = os.Remove(l.Checkpoint)
	}
}
