package auto

import (
	"context"
	"errors"
	"fmt"
	"time"

	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/train"
)

// FitOutputs trains for several Gaussian targets: see [train.Several]. Members have a process of
// all outputs that share one; what they err by is then learned output by output, as of one
// target, of each output's own function ([surface.Posterior.Output]). Outputs that share
// nothing are fits of one target.
func (o Recipe) FitOutputs(ctx context.Context, given train.Data, env train.Environment) ([]*train.Result, error) {
	o, env = o.withDefaults(), env.WithDefaults()
	if err := errors.Join(o.check(), env.Check(), given.Check(given.Outputs), checkOutputs(given), checkKeys(given.Split)); err != nil {
		return nil, err
	}
	results, all := make([]*train.Result, given.Outputs), make([]fitted, given.Outputs)
	fits, alone, steps := newFits(env), upTo(given.Outputs), 0
	var p plan
	var err error
	if o.Share != ShareNone && given.Outputs > 1 {
		data := newDataset(given.Rows(), given.Split, given.Bases, given.Inputs, newJoint(given.Y, given.Outputs))
		if p, err = o.plan(data, given.LightTails); err != nil {
			return nil, err
		}
		p.outOfFold, p.compares = env.OutOfFold, o.Share != ShareAll
		w := worker{pool: simd.NewPool(env.Workers), progress: newProgress(fits.of(1), o.Budget)}
		alone, err = learnOutputs(ctx, w, p, data, all, fits)
		w.pool.Close()
		steps = w.progress.taken
	}
	for i, t := range alone {
		if err != nil {
			break
		}
		own := o
		own.Share = ""
		if own.Budget > 0 {
			own.Budget = max(time.Millisecond, (o.Budget-env.Now().Sub(fits.began))/time.Duration(len(alone)-i))
		}
		results[t], err = own.fitAlone(ctx, given, t, fits.of(len(alone)-i))
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	for t, f := range all {
		if results[t] != nil {
			continue
		}
		if f.ensemble == nil {
			return nil, err
		}
		var unfit error
		if err != nil && f.gain == 0 {
			f, unfit = f.unfinished()
		}
		if unfit == nil {
			results[t], unfit = f.result(o, p, steps)
		}
		if unfit != nil {
			return nil, errors.Join(err, unfit)
		}
	}
	return results, err
}

// fewestOfOutput is the number of rows that must have a target for each of the folds.
const fewestOfOutput = 2

// checkOutputs refuses what several targets cannot have.
func checkOutputs(given train.Data) error {
	switch {
	case given.Source != nil:
		return errors.New("several targets need all rows in memory; give more of it, or fit the targets one by one")
	case !likelihood.IsGaussian(given.Likelihood) || given.Offset:
		return errors.New("several targets are learned as numbers, without another likelihood, an offset or an exposure; fit the others one by one")
	}
	for t := range given.Outputs {
		if n := len(column(given.Y, given.Outputs, t)); n < 2 {
			return fmt.Errorf("target %d of %d: %d rows have it, and 2 at least are needed", t+1, given.Outputs, n)
		}
	}
	return nil
}

// learnOutputs learns the outputs that share a process, and returns the others. Where it fails,
// outputs have what was learned of them until then.
func learnOutputs(ctx context.Context, w worker, p plan, data *dataset, all []fitted, fits *fits) (alone []int, err error) {
	folds := data.partition(p)
	if p, err = p.over(folds, data); err != nil {
		return nil, err
	}
	w.progress.follow(p.stages(data))
	if err := w.foretell(ctx, p, data); err != nil {
		return nil, err
	}
	chosen, err := selectStructure(ctx, w, p, data, folds)
	if err == nil {
		var together []int
		if together, alone, err = share(ctx, w, p, chosen.judged, data, folds); err == nil {
			fits.left(len(alone))
			if err = learnTogether(ctx, w, p, chosen, together, folds, all); err == nil {
				w.progress.finish()
				return alone, nil
			}
		}
	}
	// An output of which nothing else is known has the best candidate so far.
	for t := range all {
		if all[t].ensemble == nil && chosen.best != nil {
			own := *chosen.best
			var unfit error
			if own.ensemble, unfit = own.ensemble.output(t, own.ensemble.data.output(t)); unfit != nil || len(own.ensemble.rows()) == 0 {
				return nil, err
			}
			all[t] = own.fitted()
		}
	}
	return nil, err
}

// learnTogether trains members of some outputs, and learns of each what they err by.
func learnTogether(ctx context.Context, w worker, p plan, chosen selection, outputs []int, folds partition, all []fitted) error {
	if len(outputs) == 0 {
		return nil
	}
	data := chosen.data.in(chosen.structures[0].Scaling).only(outputs)
	p, err := p.forMembers(chosen.structures, data).within(ctx, w)
	if err != nil {
		return err
	}
	e, failed := fitEnsemble(ctx, w, p, data, folds, chosen.structures)
	if len(e.folds) == 0 {
		return failed
	}
	own, known := make([]partition, len(outputs)), epistemic{}
	for i, t := range outputs {
		d := data.output(i)
		f := fitted{data: d, structures: chosen.structures, folds: len(folds.folds), together: len(outputs)}
		var err error
		if f.ensemble, err = e.output(i, d); err != nil {
			return err
		}
		own[i] = folds.having(d)
		for k, fold := range own[i].folds {
			if len(fold) < fewestOfOutput {
				return fmt.Errorf("target %d: of the rows that have it %d are in fold %d of %d, and %d at least are needed; leave the target out, or fit it alone", t+1, len(fold), k+1, len(own[i].folds), fewestOfOutput)
			}
		}
		all[t] = f
	}
	if failed != nil {
		return failed
	}
	for i, t := range outputs {
		w.output, all[t].epistemic = i, epistemic{}
		if len(own[i].rows) == len(folds.rows) { // Var f is one of the rows alone
			all[t].epistemic = known
		}
		if err := all[t].learnErrors(ctx, w, p, own[i]); err != nil {
			all[t].gain = 0
			return err
		}
		if len(own[i].rows) == len(folds.rows) {
			known = all[t].epistemic
		}
	}
	return nil
}

// fitAlone fits one of the targets, by the rows that have it.
func (o Recipe) fitAlone(ctx context.Context, given train.Data, t int, env train.Environment) (*train.Result, error) {
	own, all := given, given.Rows()
	own.Y, own.Outputs, own.X, own.Weights = nil, 1, nil, nil
	var rows []int
	for j := range all.Len() {
		y := all.Targets(j, j+1)[t]
		if y != y {
			continue
		}
		rows = append(rows, j)
		own.X, own.Y = append(own.X, all.Row(j)...), append(own.Y, y)
		if given.Weights != nil {
			own.Weights = append(own.Weights, given.Weights[j])
		}
	}
	own.Split = given.Split.Of(rows)
	result, err := o.Fit(ctx, own, env)
	if result != nil && result.OutOfFold != nil {
		for i, row := range result.OutOfFold.Rows {
			result.OutOfFold.Rows[i] = rows[row]
		}
	}
	return result, err
}
