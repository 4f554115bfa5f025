package beziergp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/internal/comm"
	"beziergp/internal/limit"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/elbo"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/model/modelfile"
	"beziergp/tablecache"
	"beziergp/train"
	"beziergp/train/auto"
)

// Fit learns the target column of t from its other columns.
//
// It fails when a column is missing, when there are fewer than two rows, when the
// target or all inputs are constant ([DataError]), when an option is out of range or
// means nothing for its column ([OptionError]), when training diverges, and when ctx is done: the error then
// wraps ctx's, and [paper.Recipe] writes its checkpoint, while the best model so far of [auto.Recipe]
// is returned beside it. An error about a value wraps a [box.RowError], whose row is that
// of t. Columns without any value, and rows without a target, are left out. t is not
// changed and not kept.
func Fit(ctx context.Context, t *Table, target string, o Options) (*Model, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s, err := dataset.FromTable(t, o.dataset(target))
	return o.fit(ctx, s, err)
}

// FitCache is [Fit] out of core, on a table that memory does not hold. The inputs are scaled by the
// extremes of all rows and a sample of them, the target and the weights by all rows.
// [paper.Recipe] then learns from all rows, which it reads from the cache again in every
// epoch. So do the members of [auto.Recipe], each but for its fold, unless rows are held out
// together; what else it learns is learned from a random sample, of as many rows as memory
// holds: Training().Sampled and Streamed of the model say how many. A table whose rows the sample holds gives the model that Fit
// gives, but for the order in which [paper.Recipe] draws rows. Every row has a target and a
// weight above 0, if there are weights: see [dataset.Keeps]. Rows in errors are those of
// the cache. Of several ranks of [paper.Recipe] each reads a part of the cache alone.
func FitCache(ctx context.Context, c *tablecache.Cache, target string, o Options) (*Model, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	columns := o.dataset(target)
	apart, done, err := o.apart(ctx, c, columns)
	if err != nil {
		return nil, err
	}
	defer done()
	columns.Apart = apart
	s, err := dataset.FromCache(ctx, c, columns)
	return o.fit(ctx, s, err)
}

// withDefaults fills in the options that were left out. It refuses those that no table
// could go with and that a dataset does not know.
func (o Options) withDefaults() (Options, error) {
	if o.Recipe == nil {
		o.Recipe = auto.Recipe{}
	}
	if o.OutOfBox == "" {
		o.OutOfBox = Clip
	}
	if err := check(o.OutOfBox, false, o.Workers); err != nil {
		return o, err
	}
	if err := o.checkRanks(); err != nil {
		return o, err
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Likelihood != nil {
		if err := likelihood.Known(o.Likelihood); err != nil {
			return o, &OptionError{Option: "likelihood", Problem: err.Error()}
		}
	}
	return o, nil
}

// check refuses a policy and a number of workers that there cannot be.
func check(policy Policy, extrapolates bool, workers int) error {
	if _, err := box.ParsePolicy(string(policy)); err != nil && !extrapolates {
		return &OptionError{Option: "out of box", Problem: err.Error()}
	}
	return limit.CheckWorkers(workers)
}

// dataset returns the options of the training set.
func (o Options) dataset(target string) dataset.Options {
	marker, marks := o.Recipe.(train.Marker)
	return dataset.Options{
		Absent:  marks && marker.TriesAbsent(),
		Targets: []box.Target{{Name: target, Transform: o.TargetTransform, Range: o.Range}}, Likelihood: o.Likelihood,
		Inputs: o.Inputs, Exclude: o.Exclude, Plain: o.Plain, Bounds: o.Bounds, ByRanks: o.Recipe.Scaling() == train.ByRanks,
		Offset: o.Offset, Exposure: o.Exposure, Weights: o.Weights, ClassWeights: o.ClassWeights, Group: o.Group, Time: o.Time, Held: o.Held, Split: o.Split, Workers: o.Workers,
	}
}

// one refuses what is for several targets.
func (o Options) one(s *dataset.Set) error {
	switch n := len(s.Targets); {
	case n > 1:
		return &OptionError{Option: "target", Problem: fmt.Sprintf("%d; FitOutputs learns several", n)}
	case o.OutOfFolds != nil:
		return &OptionError{Option: "out of folds", Problem: "they are of several targets, and there is one; ask by OutOfFold"}
	}
	return nil
}

// fit trains on a training set, unless it could not be made.
func (o Options) fit(ctx context.Context, s *dataset.Set, err error) (*Model, error) {
	var about dataset.Description // the set need not be kept while recipes train
	var y *dataset.Observed
	var whole *dataset.Set // where inputs may be left out, or have other levels
	var data train.Data
	if err == nil {
		err = o.one(s)
	}
	if err == nil {
		about, y = s.Description, s.Observed(0)
		r, ok := o.Recipe.(train.Screener)
		if ok && r.Screens(s.Likelihood, s.Rows, len(s.Inputs)) || slices.ContainsFunc(s.Inputs, func(in box.Input) bool { return in.Part == box.Absent }) {
			whole = s
		}
		if data, err = o.data(ctx, s); data.Levels != nil {
			whole = s
		}
	}
	if err := o.agree(ctx, about, data, dataError(err)); err != nil {
		return nil, err
	}
	result, err := o.Recipe.Fit(ctx, data, train.Environment{Workers: o.Workers, Progress: o.Progress, OutOfFold: o.OutOfFold != nil, Memory: o.Memory, Ranks: o.Ranks})
	if result == nil {
		return nil, err
	}
	var m *Model
	var unfit error
	if result.Kept != nil {
		about, unfit = whole.Only(context.WithoutCancel(ctx), keptOf(whole.Inputs, result), o.Split)
	}
	if unfit == nil {
		m, unfit = o.model(result, about, y)
	}
	if unfit == nil && o.OutOfFold != nil {
		unfit = o.OutOfFold.fill(m, result.OutOfFold, y, o.Workers)
	}
	return m, errors.Join(err, unfit)
}

// data returns a training set as recipes take it. It fails where no file could hold a
// model of it.
func (o Options) data(ctx context.Context, s *dataset.Set) (train.Data, error) {
	target := s.Targets[0]
	data := train.Data{Outputs: s.TargetColumns(), Offset: s.Offset != nil, Likelihood: s.Likelihood, Inputs: s.Inputs, LightTails: target.Transform != ""}
	for _, t := range s.Targets {
		if err := modelfile.CheckStorable(t.Name, s.Inputs); err != nil {
			return data, err
		}
	}
	x, y, weights, err := s.Sample().Load(o.Workers)
	if err != nil {
		return data, err
	}
	if s.OutOfCore() {
		data.Source, data.Weighted = source{s}, s.Weighted()
		switch {
		case s.Apart() != nil:
			data.Source = partedSource{source{s}}
		case s.Splits():
			data.Source = splitSource{source{s}}
		}
	} else {
		data.X, data.Y, data.Weights = x, y, weights
		if data.Split, err = splitOf(ctx, s, nil); err != nil {
			return data, err
		}
	}
	if data.Bases, err = o.bases(s.Inputs, x); err != nil {
		return data, err
	}
	if r, ok := o.Recipe.(train.Leveler); ok && len(s.Targets) == 1 && s.Apart() == nil {
		data.Levels, err = o.levels(s, data.Bases, r.TriesLevels())
	}
	return data, err
}

// source is a training set out of core.
type source struct{ set *dataset.Set }

func (s source) Rows() int { return s.set.Rows }

func (s source) Blocks() int { return s.set.Blocks() }

func (s source) BlockRows() int { return s.set.BlockRows() }

func (s source) Block(i int, b elbo.Batch) (int, error) {
	return s.set.Block(i, b.X, b.Y, b.Weights)
}

// partedSource is one of which every rank has a part.
type partedSource struct{ source }

func (s partedSource) Apart() *comm.Apart { return s.set.Apart() }

// splitSource is one that tells which rows are held out together.
type splitSource struct{ source }

func (s splitSource) Split(ctx context.Context, rows []int) (train.Split, error) {
	return splitOf(ctx, s.set, rows)
}

func splitOf(ctx context.Context, s *dataset.Set, rows []int) (out train.Split, err error) {
	if s.Splits() {
		out.Groups, out.Times, out.Held, err = s.Split(ctx, rows)
	}
	return out, err
}

// bases returns the inputs' bases with their averages over the rows x, [n, d].
func (o Options) bases(inputs []box.Input, x []float32) ([]basis.Basis, error) {
	bases := make([]basis.Basis, len(inputs))
	var work errgroup.Group
	work.SetLimit(o.Workers)
	for i, in := range inputs {
		work.Go(func() error {
			b, err := o.Recipe.Basis(in)
			if err == nil {
				bases[i], err = basis.AverageOverColumn(b, x, len(inputs), i)
			}
			return err
		})
	}
	return bases, work.Wait()
}

// model puts the scalings around what training made, and the scores of what it predicts of
// the targets y out of fold.
func (o Options) model(result *train.Result, s dataset.Description, y *dataset.Observed) (*Model, error) {
	options, err := json.Marshal(result.Options)
	if err != nil {
		return nil, err
	}
	inputs, target := s.Inputs, s.Targets[0]
	if result.Inputs != nil {
		inputs = result.Inputs
	}
	output := result.Output
	output.Target = target
	if output.Likelihood == nil { // the recipe has learned nothing more of it
		output.Likelihood = s.Likelihood
	}
	parts := model.Parts{
		Posterior: result.Posterior, Inputs: inputs, Neighbours: result.Neighbours, Outputs: []model.Output{output}, Policy: o.OutOfBox, Seen: s.Seen, Missing: o.Missing, Profile: s.Profile, Offset: s.Offset,
		Training: model.Training{
			Recipe: result.Recipe, Options: options, Rows: s.Rows, Dropped: s.Dropped, LeftOut: s.LeftOut, Sampled: result.Sampled, Streamed: result.Streamed, Steps: result.Steps,
			RMSE: result.RMSE * target.SD, Objective: result.Objective, Residuals: result.Residuals.Scaled(target.SD),
		},
	}
	m, err := model.New(parts)
	if err != nil || result.OutOfFold == nil {
		return m, err
	}
	var scored OutOfFold
	if scored.fill(m, result.OutOfFold.Sample(), y, o.Workers) != nil {
		return m, nil // a model without scores is better than none
	}
	classes := m.Classes()
	if classes != nil {
		parts.Training.Classes = scored.classScores(len(classes))
	}
	if len(classes) <= 2 { // of more there is no number that is predicted
		outcomes := scored.outcomes(o.Workers)
		if classes == nil {
			parts.Training.OutOfFold = scored.scores(m, outcomes)
		}
		parts.Profile = s.Profile.With(scored.profile(outcomes))
	}
	return model.New(parts)
}
