package auto

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/train"
)

// FitOutputs trains for several Gaussian targets: see [train.Several]. Members have a process of
// all outputs; what they err by is then learned output by output, as of one target, of each
// output's own function ([surface.Posterior.Output]). An output that is better alone on rows held
// out has members of its own. Outputs that share nothing are fits of one target.
func (o Recipe) FitOutputs(ctx context.Context, given train.Data, env train.Environment) ([]*train.Result, error) {
	o, env = o.withDefaults(), env.WithDefaults()
	if err := errors.Join(o.check(), env.Check(), given.Check(given.Outputs), checkOutputs(given), checkKeys(given.Split)); err != nil {
		return nil, err
	}
	if o.Share == ShareNone || given.Outputs == 1 {
		return o.fitEach(ctx, given, env)
	}
	data := newDataset(given.Rows(), given.Split, given.Bases, given.Inputs, newJoint(given.Y, given.Outputs))
	p, err := o.plan(data, given.LightTails)
	if err != nil {
		return nil, err
	}
	data = p.tying(data)
	p.outOfFold = env.OutOfFold
	if o.Share != ShareAll {
		one, err := o.plan(data.output(0), given.LightTails)
		if err != nil {
			return nil, err
		}
		p.single = one.aloneOf(p)
	}
	w := worker{pool: simd.NewPool(env.Workers), progress: newProgress(env, o.Budget)}
	defer w.pool.Close()
	all := make([]fitted, given.Outputs)
	err = learnOutputs(ctx, w, p, data, all)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	var results []*train.Result
	for _, f := range all {
		if f.ensemble == nil {
			return nil, err
		}
		var unfit error
		if err != nil && f.gain == 0 {
			f, unfit = f.unfinished(w)
		}
		var result *train.Result
		if unfit == nil {
			result, unfit = f.result(o, p, w.progress.taken)
		}
		if unfit != nil {
			return nil, errors.Join(err, unfit)
		}
		results = append(results, result)
	}
	return results, err
}

// fitEach fits the targets one by one.
func (o Recipe) fitEach(ctx context.Context, given train.Data, env train.Environment) (results []*train.Result, err error) {
	fits := newFits(env)
	for t := range given.Outputs {
		own, left := o, given.Outputs-t
		own.Share = ""
		if own.Budget > 0 {
			own.Budget = max(time.Millisecond, (o.Budget-env.Now().Sub(fits.began))/time.Duration(left))
		}
		result, failed := own.fitAlone(ctx, given, t, fits.of(left))
		if result == nil {
			return nil, failed
		}
		if results = append(results, result); failed != nil {
			err = failed
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

// learnOutputs learns all outputs. Where it fails, outputs have what was learned of them until
// then.
func learnOutputs(ctx context.Context, w worker, p plan, data *dataset, all []fitted) error {
	folds := data.partition(p)
	p, err := p.over(folds, data)
	if err != nil {
		return err
	}
	w.progress.follow(p.stages(data))
	if err := w.foretell(ctx, p, data); err != nil {
		return err
	}
	chosen, err := selectStructure(ctx, w, p, data, folds)
	if err == nil {
		if err = learnTogether(ctx, w, p, chosen, folds, all); err == nil {
			w.progress.finish()
			return nil
		}
	}
	// An output of which nothing else is known has the best candidate so far.
	for t := range all {
		if all[t].ensemble == nil && chosen.best != nil {
			own := *chosen.best
			var unfit error
			if own.ensemble, unfit = own.ensemble.output(t, own.ensemble.data.output(t)); unfit != nil || len(own.ensemble.rows()) == 0 {
				return err
			}
			all[t] = own.fitted()
		}
	}
	return err
}

// learnTogether trains members of all outputs, those of an output alone where these are better,
// and learns of each output what they err by.
func learnTogether(ctx context.Context, w worker, p plan, chosen selection, folds partition, all []fitted) error {
	data := chosen.data.in(chosen.structures[0].Scaling)
	p, err := p.forMembers(chosen.structures, data).within(ctx, w, data)
	if err != nil {
		return err
	}
	if slices.Contains(chosen.alone, nil) {
		e, failed := fitEnsemble(ctx, w, p, data, folds, chosen.structures)
		if len(e.folds) == 0 {
			return failed
		}
		for t := range all {
			d := data.output(t)
			f := fitted{data: d, structures: chosen.structures, folds: len(folds.folds), together: len(all)}
			if f.ensemble, err = e.output(t, d); err != nil {
				return err
			}
			all[t] = f
		}
		if failed != nil {
			return failed
		}
	}
	own := make([]partition, len(all))
	known := map[train.Scaling]epistemic{} // of all rows: Var f knows no target
	for t := range all {
		w.output = t + 1
		d := chosen.data.output(t)
		if own[t], err = folds.ofOutput(t, d); err != nil {
			return err
		}
		if alone := chosen.alone[t]; alone != nil {
			f, err := alone.fitAlone(ctx, w, *p.single, d, own[t])
			if err != nil {
				return err
			}
			all[t] = f
		}
		scaling, whole := all[t].structures[0].Scaling, len(own[t].rows) == len(folds.rows)
		if whole {
			all[t].epistemic = known[scaling]
		}
		if err := all[t].learnErrors(ctx, w, p, own[t]); err != nil {
			all[t].gain = 0
			return err
		}
		if whole {
			known[scaling] = all[t].epistemic.ofInputs()
		}
	}
	return nil
}

// ofOutput returns the rows and the folds that have output t, of these data, and refuses folds
// that have too few.
func (p partition) ofOutput(t int, data *dataset) (partition, error) {
	own := p.having(data)
	for k, fold := range own.folds {
		if len(fold) < fewestOfOutput {
			return own, fmt.Errorf("target %d: of the rows that have it %d are in fold %d of %d, and %d at least are needed; leave the target out, or fit it alone", t+1, len(fold), k+1, len(own.folds), fewestOfOutput)
		}
	}
	return own, nil
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
