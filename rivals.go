package beziergp

import (
	"context"
	"errors"
	"fmt"

	"beziergp/box"
	"beziergp/rival"
	"beziergp/rival/method"
)

// Rival is a fitted method of beziergp/rival/method, to compare with.
type Rival = rival.Model

// RivalOptions chooses how to fit a rival, whose method has options of its own. The
// zero value is the documented default.
type RivalOptions struct {
	// Inputs, Exclude, Bounds, TargetTransform and Range are as in [Options]. Bounds tell
	// which rows lie in the box, and nothing else.
	Inputs          []string
	Exclude         []string
	Bounds          map[string]Bounds
	TargetTransform Transform
	Range           *Range
	// Split is as in [Options].
	Split string
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
	if o.Workers < 0 {
		return nil, &OptionError{Option: "workers", Problem: fmt.Sprintf("%d; at least 1 is needed", o.Workers)}
	}
	policy := o.OutOfBox
	if policy == "" {
		policy = Extrapolate
	}
	rows, place, err := o.rows(t, target, policy)
	if err != nil {
		return nil, dataError(err)
	}
	fitted, err := rival.Fit(ctx, m, rows, policy, method.Environment{Workers: o.Workers, Seed: o.Seed, Progress: o.Progress})
	var unfit *method.DataError
	var value *box.ValueError
	if errors.As(err, &unfit) || errors.As(err, &value) {
		return nil, dataError(box.MoveRow(err, place))
	}
	return fitted, err
}

// rows picks the training set out of a table, and returns what row of the table the k-th
// of it is.
func (o RivalOptions) rows(t *Table, target string, policy Policy) (rows rival.Rows, place func(k int) int, err error) {
	all := Options{Inputs: o.Inputs, Exclude: o.Exclude, Bounds: o.Bounds, TargetTransform: o.TargetTransform, Range: o.Range}
	if policy != Extrapolate {
		all.OutOfBox = policy
	}
	if err := all.check(); err != nil {
		return rows, nil, err
	}
	p, err := all.columns(t, target)
	if err != nil {
		return rows, nil, err
	}
	if rows.Target, err = box.FitTarget(target, p.y, o.TargetTransform, o.Range); err != nil {
		return rows, nil, box.MoveRow(err, p.row)
	}
	s, err := all.fitBox(inMemory{p.inputs}, target)
	if err != nil {
		return rows, nil, box.MoveRow(err, p.row)
	}
	rows.Inputs, rows.Y, rows.Dropped = s.inputs, p.y, p.dropped()
	if rows.Columns, err = s.box.Pick(p.inputs); err != nil {
		return rows, nil, err
	}
	rows.Seen, err = remember(&s.box, target, p.inputs, p.y, o.Split)
	return rows, p.row, err
}
