package paper

import (
	"context"
	"errors"
	"fmt"
	"math"

	"beziergp/internal/limit"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/train"
)

// Fit trains. Interrupted by ctx, it writes the checkpoint, if there is to be one,
// and returns ctx's error.
func (o Recipe) Fit(ctx context.Context, data train.Data, env train.Environment) (*train.Result, error) {
	o, env = o.WithDefaults(), env.WithDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := env.Check(); err != nil {
		return nil, err
	}
	if data.Splits() {
		return nil, &train.OptionError{Option: "group, time or held", Problem: "the recipe paper holds no rows out: leave it away, or take the recipe auto"}
	}
	if env.OutOfFold {
		return nil, &train.OptionError{Option: "out of fold", Problem: "the recipe paper trains on all rows and predicts none without it: take the recipe auto, or cross-validate"}
	}
	if err := errors.Join(data.Check(1), o.checkOrders(data.Inputs)); err != nil {
		return nil, err
	}
	law := likelihood.OrGaussian(data.Likelihood)
	if err := errors.Join(takes(law, data.LightTails), o.CheckRanks(env.Ranks.Size())); err != nil {
		return nil, err
	}
	s, err := o.surface(data.Bases)
	if err != nil {
		return nil, err
	}
	crew, done := newCrew(ctx, env.Ranks, s)
	defer done()
	if _, err := crew.proceed(ctx.Err(), false); err != nil { // many orderings take their time
		return nil, err
	}
	rows, pool := data.Rows(), simd.NewPool(env.Workers)
	defer pool.Close()
	l := &loop{Recipe: o, bases: data.Bases, rows: rows, law: law, env: env, pool: pool, crew: crew}
	// With σ² τ = KLWeight.
	l.logNoise = math.Log(o.KLWeight) - s.Group(0).Ensemble.LogPaths()
	l.start(s, o.start(s))
	if err := l.run(ctx); err != nil {
		return nil, err
	}
	if err := crew.gatherOnAll(l.params); err != nil {
		return nil, err
	}
	q, err := surface.NewPosterior(s, l.params)
	if err != nil {
		return nil, err
	}
	statistics, err := l.statisticsOf(ctx, q)
	if err != nil {
		return nil, errors.Join(err, l.save())
	}
	n := float64(rows.Len())
	noise := statistics.Dispersion(n)
	if !(noise > 0) || math.IsInf(noise, 0) {
		return nil, &train.DivergedError{Step: o.Steps, Rate: o.LearningRate}
	}
	l.removeCheckpoint()
	output := model.Output{Noise: noise}
	if own, ok := statistics.(likelihood.Learner); ok {
		output.Likelihood = own.Learned()
	}
	return &train.Result{
		Recipe:    o.Name(),
		Options:   o,
		Posterior: q,
		Output:    output,
		RMSE:      likelihood.RootDeviance(statistics.Loss(), n),
		Objective: l.objective,
		Steps:     o.Steps,
	}, nil
}

// surface returns the shape of f: one group, orderings drawn from the seed.
func (o Recipe) surface(bases []basis.Basis) (*surface.Surface, error) {
	widths := make([]int, len(bases))
	for i, b := range bases {
		widths[i] = b.Nodes()
	}
	if err := o.checkMemory(widths); err != nil {
		return nil, err
	}
	rng := descent.Random(o.Seed, descent.StreamOrderings)
	e, err := buttress.New(widths, surface.Supports(bases), buttress.RandomOrderings(len(widths), o.Orderings, rng))
	if err != nil {
		return nil, err
	}
	return surface.New(surface.Group{Bases: bases, Ensemble: e})
}

// checkMemory refuses orderings whose weights could not be held. Neighbouring layers of
// m and m′ nodes have m m′ ≤ (m² + m′²) / 2 weights, so an ordering has Σ m² at most.
func (o Recipe) checkMemory(widths []int) error {
	// Of a weight, mean and variance are float32s with a gradient and two moments each;
	// of a layer, its place and its links in two chains.
	const weightBytes, layerBytes = 2 * 4 * 4, 512
	bytes := 0.0
	for _, m := range widths {
		bytes += float64(o.Orderings) * (weightBytes*float64(m)*float64(m) + layerBytes)
	}
	if bytes > limit.Bytes {
		return &train.OptionError{Option: "orderings", Problem: fmt.Sprintf(
			"%d of %d inputs take %.3g GiB, more than the %d that a fit may take; take fewer, a lower order, or fewer inputs",
			o.Orderings, len(widths), bytes/(1<<30), limit.Bytes>>30)}
	}
	return nil
}

// start returns the parameters to start from; V = 0 is the prior.
func (o Recipe) start(s *surface.Surface) []float32 {
	params, rng := make([]float32, s.Size()), descent.Random(o.Seed, descent.StreamWeights)
	for g := range s.Groups() {
		descent.Start(s.Group(g), s.Mean(params, g), math.Sqrt(s.PriorScale()), o.Spread, rng)
	}
	return params
}

// statisticsOf returns what the dispersion of the likelihood is learned from, over the
// training rows. Of a block of rows every rank finds the moments of its part.
func (l *loop) statisticsOf(ctx context.Context, q *surface.Posterior) (likelihood.Statistics, error) {
	e, sums := surface.NewEvaluator(q, l.pool), l.law.NewStatistics()
	var mean, varf []float64
	done, heard := 0, false
	err := l.rows.EachTogether(l.crew.ctx, 64*q.TilePoints(), func(rows elbo.Batch) error {
		if _, err := l.crew.proceed(ctx.Err(), false); err != nil {
			heard = true
			return err
		}
		n := rows.Len()
		if len(mean) < n {
			mean, varf = make([]float64, n), make([]float64, n)
		}
		from, to := l.crew.part(n)
		if err := e.Moments(l.crew.ctx, rows.X[from*q.Inputs():to*q.Inputs()], mean[from:to], varf[from:to]); err != nil {
			return err
		}
		if err := l.crew.gatherMoments(mean[:n], varf[:n]); err != nil {
			return err
		}
		for j := range n {
			sums.Add(rows.Targets(j, j+1), rows.Weight(j), mean[j], varf[j])
		}
		done += n
		l.report(done, l.rows.Len())
		return nil
	})
	if err != nil && !heard { // the others go on to the next block, unless they hear of it
		_, err = l.crew.proceed(err, false)
	}
	return sums, err
}
