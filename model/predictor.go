package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"beziergp/box"
	"beziergp/internal/simd"
	"beziergp/predictive"
	"beziergp/table"
)

// Kind is what a model of some kind is to a [Predictor].
type Kind struct {
	Box    *box.Box
	Target box.Target
	Policy box.Policy // where the options have none
	// Conformal is half of a conformal interval in scales of the prediction; 0 for none.
	Conformal float64
	// Family is the reference of its distributions.
	Family *predictive.Family
	// Classes is the number of classes of the target, 0 where it has none.
	Classes int
	// Offset is where the offsets of rows come from; nil for none.
	Offset *box.OffsetColumn
	// Means is where the mean of a transformed target can lie, in the target's units; nil
	// for anywhere.
	Means *predictive.Range
	// NewEvaluator returns an evaluator on the workers of pool. The options have their
	// defaults. It fails where the model cannot do what they ask for.
	NewEvaluator func(o PredictOptions, pool *simd.Pool) (Evaluator, error)
}

// Predict returns predictions for all rows of t, by [NewPredictor] and
// [Predictor.Predict]. It fails where t lacks a column of the model.
func (k Kind) Predict(ctx context.Context, t *table.Table, o PredictOptions) (*Predictions, error) {
	columns, err := k.pick(t)
	if err != nil {
		return nil, err
	}
	p, err := NewPredictor(k, o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var out Predictions
	return &out, box.NameLevel(p.Predict(ctx, columns, &out), t)
}

// columns returns those that a prediction needs.
func (k Kind) columns() []table.Field {
	all := k.Box.Columns()
	if k.Offset != nil {
		all = append(slices.Clip(all), k.Offset.Field())
	}
	return all
}

// pick returns them of a table.
func (k Kind) pick(t *table.Table) ([][]float64, error) {
	columns, err := k.Box.Pick(t)
	if err != nil || k.Offset == nil {
		return columns, err
	}
	f, ok := t.Field(k.Offset.Column)
	if !ok {
		return nil, table.Unknown(k.Offset.Column, t.Names())
	}
	if f.Kind == table.Category || f.Kind == table.DateTime {
		return nil, fmt.Errorf("column %q is a %s, and the model takes it as an offset: numbers are needed", f.Name, f.Kind)
	}
	values, _ := t.Column(f.Name)
	return append(slices.Clip(columns), values), nil
}

// offsets writes those of a block to out; it has none where the model has none.
func (k Kind) offsets(columns [][]float64, out *Predictions) error {
	out.offsets = out.offsets[:0]
	if k.Offset == nil {
		return nil
	}
	for row, v := range columns[len(columns)-1] {
		own, err := k.Offset.Of(v)
		if err != nil {
			err.(box.RowError).At().Row = row + 1
			return err
		}
		out.offsets = append(out.offsets, own)
	}
	return nil
}

// Evaluator finds the distributions of rows. It serves one caller at a time.
type Evaluator interface {
	// Evaluate fills in, of a block of rows, InBox; Location, Scale and StdF, of the
	// (transformed) target; Density, nil where there is none; and Clamped, what was clamped
	// on the way. columns are those of the model, len(out.InBox) values each. outside[i] is
	// increased by the number of values of input i outside its bounds. Rows in errors, which
	// are those of [box.Box.Map] and [RowError]s, are counted from 1.
	Evaluate(ctx context.Context, columns [][]float64, outside []int, out *Predictions) error
}

// Predictor predicts block after block of a stream with workers and memory that
// are made once. It serves one caller at a time; Close ends its workers.
type Predictor struct {
	kind      Kind
	options   PredictOptions
	evaluator Evaluator
	pool      *simd.Pool
	outside   []int
	rows      int
}

// NewPredictor returns a predictor of a model of any kind. It fails with an OptionError
// where an option is out of range, and where the model cannot do what the options ask
// for.
func NewPredictor(k Kind, o PredictOptions) (*Predictor, error) {
	o, err := o.withDefaults(k.Policy, k.Target)
	if err != nil {
		return nil, err
	}
	if o, err = o.of(k); err != nil {
		return nil, err
	}
	pool := simd.NewPool(o.Workers)
	e, err := k.NewEvaluator(o, pool)
	if err != nil {
		pool.Close()
		return nil, err
	}
	return &Predictor{kind: k, options: o, evaluator: e, pool: pool, outside: make([]int, len(k.Box.Inputs))}, nil
}

// Close ends the workers.
func (p *Predictor) Close() { p.pool.Close() }

// Predict fills out with a row for every row of columns, those of the model with n values
// each. StdF is NaN where the model does not tell it. Rows in errors are counted over all
// blocks.
func (p *Predictor) Predict(ctx context.Context, columns [][]float64, out *Predictions) error {
	n := len(columns[0])
	if err := p.predict(ctx, columns, n, out); err != nil {
		var bad *RowError
		if errors.As(err, &bad) {
			bad.Row += p.rows
		}
		return box.Offset(err, p.rows)
	}
	p.rows += n
	return nil
}

func (p *Predictor) predict(ctx context.Context, columns [][]float64, n int, out *Predictions) error {
	out.resize(n, 1)
	out.Family, out.means = p.kind.Family, p.kind.Means
	if columns != nil {
		if err := p.kind.offsets(columns, out); err != nil {
			return err
		}
		if p.kind.Offset != nil {
			columns = columns[:len(columns)-1]
		}
	}
	if p.kind.Classes == 0 {
		out.Classes = nil
	}
	if err := p.evaluator.Evaluate(ctx, columns, p.outside, out); err != nil {
		return err
	}
	for row, inside := range out.InBox {
		switch {
		case inside:
		case p.options.Policy == box.Flag:
			out.Location[row], out.StdF[row], out.Scale[row], out.Clamped[row] = math.NaN(), math.NaN(), math.NaN(), 0
			out.noClasses(row, p.kind.Classes)
		case p.options.Policy == box.Clip:
			out.Clamped[row] |= ClampedInputs
		}
	}
	half := 0.0
	if p.options.Interval == ConformalInterval {
		half = p.kind.Conformal
	}
	if err := out.finish(p.pool, p.options, half); err != nil {
		return err
	}
	out.settleClasses(p.kind)
	return nil
}

// Rows returns the number of rows predicted so far.
func (p *Predictor) Rows() int { return p.rows }

// Outside returns, for every input, how many values lay outside its bounds so far.
// It must not be changed.
func (p *Predictor) Outside() []int { return p.outside }

// Reset starts the counting of rows and values anew.
func (p *Predictor) Reset() {
	p.rows = 0
	clear(p.outside)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
