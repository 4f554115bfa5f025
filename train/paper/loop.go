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
	bound    *elbo.Bound
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
	l.adam = optim.NewAdam(s.Ends()...)
	l.began = l.env.Now()
}

// run takes the steps that are left. What the run does is a function of its
// options and data alone, so a checkpoint needs to hold the state after a whole
// step only.
func (l *loop) run(ctx context.Context) error {
	if err := l.resume(ctx); err != nil {
		return err
	}
	saved := l.env.Now()
	batches, size := l.rows.Batches(l.Seed, l.Batch)
	defer batches.Wait()
	batch := l.rows.NewBatch(size)
	gradient := make([]float32, len(l.params))
	for l.adam.Steps < l.Steps {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, l.save())
		}
		if err := batches.At(l.adam.Steps, batch); err != nil {
			return errors.Join(err, l.save())
		}
		terms := l.bound.Evaluate(l.params, l.logNoise, batch, gradient)
		l.objective = terms.Objective()
		if math.IsNaN(l.objective) || math.IsInf(l.objective, 0) {
			return &train.DivergedError{Step: l.adam.Steps, Rate: l.LearningRate}
		}
		l.adam.Step(l.params, gradient, l.LearningRate, l.pool)
		now := l.env.Now()
		l.env.Progress(l.event(now, terms))
		if now.Sub(saved) >= l.CheckpointEvery {
			if err := l.save(); err != nil {
				return err
			}
			saved = l.env.Now()
		}
	}
	return nil
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

// resume takes up the checkpoint, if there is one.
func (l *loop) resume(ctx context.Context) error {
	if l.Checkpoint == "" {
		return nil
	}
	var err error
	if l.identity, err = l.fingerprint(ctx); err != nil {
		return err
	}
	read := openCheckpoint
	if l.Fresh {
		read = func(path string) (checkpoint, error) { return checkpoint{}, replaceable(path) }
	}
	c, err := read(l.Checkpoint)
	if errors.Is(err, fs.ErrNotExist) || err == nil && l.Fresh {
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.belongs(l.Checkpoint, l.identity, l.Steps, len(l.params)); err != nil {
		return err
	}
	copy(l.params, c.params)
	copy(l.adam.M, c.m)
	copy(l.adam.V, c.v)
	l.adam.Steps, l.objective, l.resumedAt = c.Steps, c.Objective, c.Steps
	l.unsealed = !c.sealed
	return nil
}

func (l *loop) save() error {
	if l.Checkpoint == "" {
		return nil
	}
	return checkpoint{
		checkpointHead: checkpointHead{Run: l.identity, Steps: l.adam.Steps, Objective: l.objective},
		params:         l.params, m: l.adam.M, v: l.adam.V,
	}.write(l.Checkpoint)
}

// removeCheckpoint ends a finished run's. What cannot be removed does no harm: the
// next run of the same options resumes at the last step, another one refuses it.
func (l *loop) removeCheckpoint() {
	if l.Checkpoint != "" && !l.KeepCheckpoint {
		_ = os.Remove(l.Checkpoint)
	}
}
