package explain

import (
	"context"
	"math"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/model"
	"beziergp/table"
)

// Gradients are derivatives by the columns of a model at n rows, of a date-time by the day.
// They are NaN by categories and missing values, which have none, and of a row without a
// prediction.
//
// Mean and deviation are those of f, in the target's units or, where it has a transform, in
// the transformed target's, before limits of the model hold them. At a knot of an input's
// scaling, where the derivative jumps, it is that from the right; beyond the bounds of an
// input, where a value goes to the nearer one, it is 0.
type Gradients struct {
	Columns []string
	Mean    []float64 // [n, columns] of E f
	Std     []float64 // [n, columns] of the deviation of f; NaN where it is 0
}

// Gradient computes gradients block after block with workers and memory that are made once.
// It serves one caller at a time; Close ends its workers.
type Gradient struct {
	model     *model.Model
	policy    box.Policy
	box, wide box.Box // wide: of the epistemic variance, where it has scalings of its own
	names     []string
	pool      *simd.Pool
	mean      *surface.Gradient
	variance  *surface.Gradient // nil where the posterior of the mean holds the variance
	moments   *surface.Evaluator
	outside   []int
	rows      int
}

// NewGradient returns one. Workers and policy are as in [Options]. It fails with an OptionError where an option is
// out of range, and with [ErrNeighbours].
func NewGradient(m *model.Model, o Options) (*Gradient, error) {
	if err := Check(m); err != nil {
		return nil, err
	}
	o, err := o.withDefaults(m)
	if err != nil {
		return nil, err
	}
	e := &Gradient{model: m, policy: o.Policy, box: box.New(m.Inputs()), pool: simd.NewPool(o.Workers), outside: make([]int, len(m.Inputs()))}
	for _, c := range e.box.Columns() {
		e.names = append(e.names, c.Name)
	}
	e.mean = surface.NewGradient(m.Posterior(), e.pool)
	holder := m.Posterior()
	if own := m.Output().Epistemic; own != nil {
		e.wide, holder = box.New(own.Inputs), own.Surface
		e.variance = surface.NewGradient(holder, e.pool)
	}
	e.moments = surface.NewEvaluator(holder, e.pool)
	return e, nil
}

// Close ends the workers.
func (e *Gradient) Close() { e.pool.Close() }

// Columns returns the names of the columns.
func (e *Gradient) Columns() []string { return e.names }

// Gradients fills out with the rows of columns, those of [model.Model.Columns] with n values
// each. Rows in errors are counted over all blocks.
func (e *Gradient) Gradients(ctx context.Context, columns [][]float64, out *Gradients) error {
	n, d, c := 0, len(e.box.Inputs), len(e.names)
	if len(columns) > 0 {
		n = len(columns[0])
	}
	out.Columns, out.Mean, out.Std = e.names, resize(out.Mean, n*c), resize(out.Std, n*c)
	x, inside := make([]float32, n*d), make([]bool, n)
	if err := e.box.Map(x, columns, e.policy, inside, e.outside); err != nil {
		return box.Offset(err, e.rows)
	}
	mean, slopes, variance := make([]float64, n*d), make([]float64, n*d), make([]float64, n)
	scaling := &e.box
	if e.variance == nil {
		if err := e.mean.Gradients(ctx, x, mean, slopes); err != nil {
			return err
		}
	} else {
		if err := e.mean.Gradients(ctx, x, mean, nil); err != nil {
			return err
		}
		scaling = &e.wide
		if err := scaling.Map(x, columns, box.Clip, make([]bool, n), make([]int, d)); err != nil {
			return box.Offset(err, e.rows)
		}
		if err := e.variance.Gradients(ctx, x, nil, slopes); err != nil {
			return err
		}
	}
	if err := e.moments.Moments(ctx, x, nil, variance); err != nil {
		return err
	}
	o := e.model.Output()
	for row := range n {
		meanRow, stdRow := out.Mean[row*c:(row+1)*c], out.Std[row*c:(row+1)*c]
		clear(meanRow)
		clear(stdRow)
		// Of the deviation √(a v) by v.
		outer := o.Target.SD * math.Sqrt(o.VarianceScale) / (2 * math.Sqrt(variance[row]))
		if !(variance[row] > 0) {
			outer = math.NaN()
		}
		for i := range d {
			column := e.box.Column(i)
			v := columns[column][row]
			meanRow[column] += o.Target.SD * mean[row*d+i] * e.box.Inputs[i].Slope(v)
			stdRow[column] += outer * slopes[row*d+i] * scaling.Inputs[i].Slope(v)
		}
		for k, f := range e.box.Columns() {
			switch none := f.Kind == table.Category || math.IsNaN(columns[k][row]) || e.policy == box.Flag && !inside[row]; {
			case none:
				meanRow[k], stdRow[k] = math.NaN(), math.NaN()
			case math.IsInf(meanRow[k], 0) || math.IsInf(stdRow[k], 0) || math.IsNaN(meanRow[k]):
				return &model.RowError{Row: e.rows + row + 1, Err: errOverflow}
			}
		}
	}
	e.rows += n
	return nil
}
