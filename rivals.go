package beziergp

import (
	"context"
	"errors"

	"beziergp/box"
	"beziergp/dataset"
	"beziergp/likelihood"
	"beziergp/model/modelfile"
	"beziergp/rival"
	"beziergp/rival/method"
	"beziergp/table/cell"
)

// Rival is a fitted method of beziergp/rival/method, to compare with.
type Rival = rival.Model

// RivalOptions chooses how to fit a rival, whose method has options of its own. The
// zero value is the documented default.
type RivalOptions struct {
	// Inputs, Exclude, Plain, Bounds, TargetTransform and Range are as in [Options]. Bounds tell
	// which rows lie in the box, and nothing else.
	Inputs          []string
	Exclude         []string
	Plain           []string
	Bounds          map[string]Bounds
	TargetTransform Transform
	Range           *Range
	// Likelihood, Offset and Exposure are as in [Options]; methods that learn numbers with
	// Gaussian noise alone refuse others ([rival.Method] tells which).
	Likelihood       likelihood.Likelihood
	Offset, Exposure string
	// Split and Missing are as in [Options].
	Split   string
	Missing *cell.Words
	// OutOfBox is as in [Options], by default Extrapolate.
	OutOfBox Policy
	// Workers is the number of goroutines, by default one a processor. Results do not
	// depend on it.
	Workers int
	// Seed is the start of the random numbers.
	Seed uint64
	// Progress is called after every step, never from two goroutines at once.
	Progress func(method.Event)
}

// FitRival learns the target column of t from its other columns by another method, a
// [beziergp/rival/method/sgpr.Method] for one. It fails as [Fit] and the method do, and
// leaves nothing where ctx is done. t is not changed; methods that keep training rows
// keep copies.
func FitRival(ctx context.Context, t *Table, target string, m method.Method, o RivalOptions) (*Rival, error) {
	policy := o.OutOfBox
	if policy == "" {
		policy = Extrapolate
	}
	if err := check(policy, policy == Extrapolate, o.Workers); err != nil {
		return nil, err
	}
	s, err := dataset.FromTable(t, dataset.Options{
		Targets: []box.Target{{Name: target, Transform: o.TargetTransform, Range: o.Range}},
		Inputs:  o.Inputs, Exclude: o.Exclude, Plain: o.Plain, Bounds: o.Bounds, Split: o.Split,
		Likelihood: o.Likelihood, Offset: o.Offset, Exposure: o.Exposure,
	})
	if err == nil {
		err = modelfile.CheckStorable(target, s.Inputs)
	}
	if err != nil {
		return nil, dataError(err)
	}
	columns, targets := s.Values()
	rows := rival.Rows{Inputs: s.Inputs, Columns: columns, Target: s.Targets[0], Y: targets[0], Dropped: s.Dropped, Seen: s.Seen, Missing: o.Missing, Profile: s.Profile,
		Likelihood: s.Likelihood, Offset: s.Offset}
	if rows.Offsets, err = s.OffsetValues(ctx); err != nil {
		return nil, dataError(err)
	}
	fitted, err := rival.Fit(ctx, m, rows, policy, method.Environment{Workers: o.Workers, Seed: o.Seed, Progress: o.Progress})
	var unfit *method.DataError
	var value *box.ValueError
	if errors.As(err, &unfit) || errors.As(err, &value) {
		return nil, dataError(box.MoveRow(err, s.Place))
	}
	return fitted, err
}
