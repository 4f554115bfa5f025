package beziergp

import (
	"context"
	"errors"
	"fmt"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/internal/comm"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/train"
)

// Bundle is the models of several targets, one each, that go to one file.
type Bundle = model.Bundle

// LoadBundle reads a bundle from a file.
func LoadBundle(path string) (*Bundle, error) { return model.LoadBundle(path) }

// FitOutputs learns several target columns of t, all of them numbers, from its other columns:
// a model a target, with a scaling, noise, intervals and scores of its own. Targets share a
// process as far as [auto.Recipe.Share] has it. A row may lack some of the targets; those that
// it has are learned from. What [Options] say of the target holds of each. It fails as Fit does,
// where there are fewer than two targets, and where an option is for one target alone; of an
// interrupted run it returns what Fit returns, of all targets or none.
func FitOutputs(ctx context.Context, t *Table, targets []string, o Options) (*Bundle, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	recipe, err := o.several(targets)
	if err != nil {
		return nil, err
	}
	of := o.dataset("")
	of.Absent = false // what targets share is not judged by one of them
	of.Targets, of.Some = nil, true
	for _, name := range targets {
		of.Targets = append(of.Targets, box.Target{Name: name, Transform: o.TargetTransform, Range: o.Range})
	}
	s, err := dataset.FromTable(t, of)
	if err != nil {
		return nil, dataError(err)
	}
	data, err := o.data(ctx, s)
	if err != nil {
		return nil, dataError(err)
	}
	all := o.OutOfFolds != nil
	results, err := recipe.FitOutputs(ctx, data, train.Environment{Workers: o.Workers, Progress: o.Progress, OutOfFold: all, Memory: o.Memory})
	if results == nil {
		return nil, err
	}
	var models []*Model
	var unseen []OutOfFold
	for k, result := range results {
		own, unfit := s.Output(context.WithoutCancel(ctx), k, o.Split)
		if unfit != nil {
			return nil, errors.Join(err, dataError(unfit))
		}
		m, unfit := o.model(result, own.Description, s.Observed(k))
		var out OutOfFold
		if unfit == nil && all {
			unfit = out.fill(m, result.OutOfFold, s.Observed(k), o.Workers)
		}
		if unfit != nil {
			return nil, errors.Join(err, fmt.Errorf("target %q: %w", targets[k], unfit))
		}
		models, unseen = append(models, m), append(unseen, out)
	}
	if all {
		*o.OutOfFolds = unseen
	}
	b, unfit := model.NewBundle(models...)
	return b, errors.Join(err, unfit)
}

// several returns the recipe, and refuses options that are for one target alone.
func (o Options) several(targets []string) (train.Several, error) {
	recipe, ok := o.Recipe.(train.Several)
	switch {
	case len(targets) < 2:
		return nil, &OptionError{Option: "target", Problem: fmt.Sprintf("%d; name two at least, or fit one by Fit", len(targets))}
	case !ok:
		return nil, &OptionError{Option: "target", Problem: fmt.Sprintf("%d; the recipe %s learns one, take the recipe auto, or fit the targets one by one", len(targets), o.Recipe.Name())}
	case !likelihood.IsGaussian(o.Likelihood):
		return nil, &OptionError{Option: "likelihood", Problem: fmt.Sprintf("%s, and %d targets, which are learned as numbers; fit them one by one", o.Likelihood.Name(), len(targets))}
	case o.Offset != "" || o.Exposure != "":
		return nil, &OptionError{Option: "offset", Problem: fmt.Sprintf("%d targets have neither an offset nor an exposure; fit them one by one", len(targets))}
	case comm.OrAlone(o.Ranks).Size() > 1:
		return nil, &OptionError{Option: "ranks", Problem: fmt.Sprintf("%d, and %d targets, which one process learns; start it once, or fit the targets one by one", o.Ranks.Size(), len(targets))}
	case o.OutOfFold != nil:
		return nil, &OptionError{Option: "out of fold", Problem: "it is of one target; ask by OutOfFolds"}
	}
	return recipe, nil
}
