package rival

import (
	"context"
	"errors"
	"fmt"
	"math"

	"beziergp/box"
	"beziergp/internal/simd"
	"beziergp/model"
	"beziergp/rival/method"
	"beziergp/table"
)

// Predict returns predictions for all rows of t, whose columns may stand in any
// order and be more than the model needs. It fails when t lacks a column, when a
// value is not finite, when the policy refuses a row, and when nothing can be said of
// one.
func (m *Model) Predict(ctx context.Context, t *table.Table, o model.PredictOptions) (*model.Predictions, error) {
	columns, err := m.box.Pick(t)
	if err != nil {
		return nil, err
	}
	p, err := m.NewPredictor(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var out model.Predictions
	return &out, box.NameLevel(p.Predict(ctx, columns, &out), t)
}

// Predictor predicts block after block of a stream. It serves one caller at a time;
// Close ends its workers.
type Predictor struct {
	model   *Model
	options model.PredictOptions
	pool    *simd.Pool
	outside []int
	rows    int
}

// NewPredictor returns a predictor.
func (m *Model) NewPredictor(o model.PredictOptions) (*Predictor, error) {
	o, err := o.WithDefaults(m.policy, m.target)
	if err != nil {
		return nil, err
	}
	if err := checkPolicy(o.Policy); err != nil {
		return nil, err
	}
	switch o.Interval {
	case model.PredictiveInterval:
	case model.ConformalInterval:
		return nil, fmt.Errorf("the model has no conformal intervals: it is of the method %s, and only the recipe auto of the method bezier makes them", m.Method())
	default:
		return nil, fmt.Errorf("interval %q is unknown; choose %s", o.Interval, model.PredictiveInterval)
	}
	return &Predictor{model: m, options: o, pool: simd.NewPool(o.Workers), outside: make([]int, len(m.box.Inputs))}, nil
}

// Close ends the workers.
func (p *Predictor) Close() { p.pool.Close() }

// sharedRows are predicted by one worker at a time.
const sharedRows = 256

// Predict fills out with a row for every row of columns, those of [Model.Columns] with
// n values each. StdF is NaN where the method does not tell it. Rows in errors are
// counted over all blocks.
func (p *Predictor) Predict(ctx context.Context, columns [][]float64, out *model.Predictions) error {
	m, n := p.model, len(columns[0])
	out.Resize(n)
	out.Family, out.Density = m.family, nil
	x, err := m.encoding.rows(columns, p.options.Policy, out.InBox, p.outside)
	if err != nil {
		return box.Offset(err, p.rows)
	}
	err = method.Blocks(ctx, p.options.Workers, n, sharedRows, func(_, from, to int) error {
		err := m.regressor.Predict(ctx, x[from*m.width:to*m.width], out.Location[from:to], out.Scale[from:to])
		var bad *method.RowError
		if errors.As(err, &bad) {
			bad.Row += p.rows + from
		}
		return err
	})
	if err != nil {
		return err
	}
	noise, latent := m.Noise()
	for row, std := range out.Scale {
		if !finite(std) || !finite(out.Location[row]) {
			return &method.RowError{Row: p.rows + row + 1, Err: errors.New("the prediction overflows; mend the row")}
		}
		out.StdF[row] = math.NaN()
		if latent {
			out.StdF[row] = math.Sqrt(max(0, (std-noise)*(std+noise))) // rounding may leave less than 0
		}
		if !out.InBox[row] {
			switch p.options.Policy {
			case box.Flag:
				out.Location[row], out.StdF[row], out.Scale[row] = math.NaN(), math.NaN(), math.NaN()
			case box.Clip:
				out.Held[row] |= model.HeldInputs
			}
		}
	}
	if err := out.Finish(p.pool, p.options, 0, p.rows); err != nil {
		return err
	}
	p.rows += n
	return nil
}

// Rows returns the number of rows predicted so far.
func (p *Predictor) Rows() int { return p.rows }

// Outside returns, for every input, how many values lay outside its bounds so far.
// It must not be changed.
func (p *Predictor) Outside() []int { return p.outside }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
