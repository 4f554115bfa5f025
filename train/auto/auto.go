// Package auto is the recipe for any table, the default. It chooses the structure of the
// process on held-out rows, trains an ensemble by cross-fitting, and learns the
// distribution of the errors from out-of-fold predictions, those of every member at the
// rows that it was trained without. docs/recipe.md explains the steps in the order of this
// page, NOTATION.md the symbols.
package auto

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/train"
)

// Fit trains. It takes up no checkpoint. Interrupted after a candidate was tried on a
// fold it returns the best so far beside the error, which wraps that of ctx.
func (o Recipe) Fit(ctx context.Context, given train.Data, env train.Environment) (*train.Result, error) {
	o, env = o.withDefaults(), env.WithDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := env.Check(); err != nil {
		return nil, err
	}
	if err := given.Check(1); err != nil {
		return nil, err
	}
	if o.Share != "" {
		return nil, &train.OptionError{Option: "share", Problem: fmt.Sprintf("%s, and there is one target; leave it out", o.Share)}
	}
	law := likelihood.OrGaussian(given.Likelihood)
	sample, keys, err := given.Sample(ctx, o.Seed, o.mostCoordinates(env.Memory, len(given.Bases)))
	if err != nil {
		return nil, err
	}
	if err := checkKeys(keys); err != nil {
		return nil, err
	}
	data := newDataset(sample.Rows, keys, given.Bases, given.Inputs, law).streaming(given.Rows(), sample, env.Memory)
	if sample.Len() == given.Rows().Len() {
		if data, err = data.withLevels(given.Levels); err != nil {
			return nil, err
		}
	}
	if data.stream == nil {
		data = data.withoutAbsences()
	}
	p, err := o.plan(data, given.LightTails)
	if err != nil {
		return nil, err
	}
	data = p.tying(data)
	p.outOfFold = env.OutOfFold
	w := worker{pool: simd.NewPool(env.Workers), progress: newProgress(env, o.Budget), ranks: env.Ranks}
	defer w.pool.Close()
	f, err := learn(ctx, w, p, data)
	if err != nil {
		ended := ctx.Err() != nil || env.Ranks.Size() > 1 // another rank may have been told, or lost, before this one
		if !ended || f.ensemble == nil {
			return nil, err
		}
		var unfit error
		if f, unfit = f.unfinished(w); unfit != nil {
			return nil, errors.Join(err, unfit)
		}
	}
	result, unfit := f.result(o, p, w.progress.taken)
	if result != nil && sample.Len() < given.Rows().Len() {
		result.Sampled = sample.Len()
	}
	if result != nil && sample.Numbers != nil {
		for i, row := range result.OutOfFold.Rows {
			result.OutOfFold.Rows[i] = sample.Numbers[row]
		}
	}
	return result, errors.Join(err, unfit)
}

// learn is the algorithm. Where it fails it returns what it has learned until then.
func learn(ctx context.Context, w worker, p plan, data *dataset) (f fitted, err error) {
	folds := data.partition(p)
	if p, err = p.over(folds, data); err != nil {
		return f, err
	}
	w.progress.follow(p.stages(data))
	if err := w.foretell(ctx, p, data); err != nil {
		return f, err
	}
	defer func() { f.folds = len(folds.folds) }()

	chosen, err := selectStructure(ctx, w, p, data, folds)
	if err != nil {
		return chosen.best.fitted(), err
	}
	f.data, f.structures = chosen.data.in(chosen.structures[0].Scaling).learned(chosen.best, chosen.floors, chosen.structures, w)
	p = chosen.plan.taking(chosen.share).forMembers(f.structures, f.data)
	if !p.gaussian {
		w.progress.follow(slices.Concat(w.progress.selection(), p.fitStages(f.data)))
	}
	if p, err = p.within(ctx, w, f.data); err != nil {
		return f, err
	}

	if f.ensemble, err = fitEnsemble(ctx, w, p, f.data, folds, f.structures); err != nil {
		if len(f.ensemble.folds) == 0 {
			return chosen.best.fitted(), err
		}
		return f, err
	}
	if err = f.learnErrors(ctx, w, p, folds); err == nil {
		w.progress.finish()
	}
	return f, err
}

// learnErrors learns how targets are distributed about what the members say of them, by the
// rows of some folds that have the target. Var f is learned where it is not known.
func (f *fitted) learnErrors(ctx context.Context, w worker, p plan, folds partition) (err error) {
	if !f.data.gaussian() {
		return f.learnLaw(ctx, w, p, folds)
	}
	left, err := f.leaveOut(ctx, w)
	if err != nil {
		return err
	}
	complete := left.complete(f.ensemble)
	if f.noise, err = fitNoise(ctx, w, p, f.data, complete); err != nil {
		return err
	}
	if err = f.noise.fillIn(ctx, w, f.ensemble, complete); err != nil {
		return err
	}
	if f.epistemic.model == nil {
		if f.epistemic, err = fitEpistemic(ctx, w, p, f.data, folds, len(f.ensemble.folds)); err != nil {
			return err
		}
	}
	f.calibration = calibrate(w, p, complete, f.noise, f.epistemic)
	if err = f.learnUnknown(ctx, w, left); err != nil {
		return err
	}
	w.progress.scored(f.score(w))
	forecasts, err := forecast(f.ensemble, f.noise, f.epistemic, f.calibration)
	if err != nil {
		return err
	}
	f.conformal = forecasts.conformal(model.Level)
	if f.ratio, err = fitDensityRatio(ctx, w, p, f.data, forecasts); err != nil {
		return err
	}
	f.gain, err = averagingGain(ctx, w, p, f.data, forecasts, f.ratio)
	return err
}
