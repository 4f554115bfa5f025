package auto

import (
	"context"
	"time"

	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/simd"
)

// probeSteps are taken to see how quick a core is.
const probeSteps = 10

// foretell tells about how long the run takes, before its first step: the time of its plan on
// a reference core, by how much quicker or slower a core is at a few steps of a coarse
// component. What is learned from the data, as the structure that members have, is not known
// yet and may change it.
func (w worker) foretell(ctx context.Context, p plan, data *dataset) error {
	var planned float64
	for _, s := range w.progress.stages {
		planned += s.time
	}
	factor, err := w.slowness(ctx, p, data)
	if err != nil {
		return err
	}
	w.progress.expect(time.Duration(planned * factor / float64(w.pool.Workers())))
	return nil
}

// slowness returns how much longer steps take than on a reference core.
func (w worker) slowness(ctx context.Context, p plan, data *dataset) (float64, error) {
	own := data.in(p.scaling)
	s := structure{Components: []component{coarse.within(p.rowTime, p.distinct, p.memberBatch)}}
	of, err := s.surface(own, p.seed)
	if err != nil {
		return 0, err
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	var began time.Time
	steps := 0
	o := descent.Descent{
		Objective: elbo.NewMean, Loss: own.law.Loss, Steps: 1 + probeSteps, Batch: p.memberBatch, Rate: 1e-3, Seed: p.seed,
		Step: func(float64) {
			if steps++; steps == 1 { // the first makes memory
				began = w.progress.now()
			}
		},
	}
	err = o.Run(ctx, of, own.Only(own.order), s.start(of, p.seed), pool)
	taken := float64(w.progress.now().Sub(began)) / probeSteps
	if diverged(err) {
		return 1, nil
	}
	return taken / s.stepTime(p.distinct, min(p.memberBatch, len(own.order))), err
}
