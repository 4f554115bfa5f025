// Package explain tells what a model's predictions are made of: Shapley values of every row
// and column, interactions of columns, gradients by the inputs, and partial dependence. It
// needs a fitted model alone. For a Bézier Gaussian process these are exact: f is linear in
// the basis functions of each input, and one pass forward and one back through the
// buttresses give its derivatives by all of them. Of any other function of rows a [Sampler]
// estimates Shapley values.
//
// All values are of f, in the units of the target or, where it has a transform, of the
// transformed target: what a prediction does after it, limits that hold the mean, undoing a
// transform, a range, is not in them.
package explain

import (
	"context"
	"math"

	"beziergp/box"
	"beziergp/internal/simd"
	"beziergp/model"
	"beziergp/table"
)

// Attributions are the Shapley values of n rows. Of a row without a prediction, under
// [box.Flag] one outside the box, all numbers are NaN.
type Attributions struct {
	Columns []string  // of the model; a date-time is one
	Base    float64   // the value without any column
	Values  []float64 // [n, columns]
	// Errors are standard errors of values that are estimates, [n, columns]; nil of exact ones.
	Errors []float64
	// Interactions are the indices of all pairs of columns, in the order of [Pairs]; nil
	// where none are asked for.
	Interactions []float64 // [n, pairs]
	Prediction   []float64 // [n] f, which Base and the values of the row add up to
	InBox        []bool    // [n]
	Clamped      []bool    // [n] whether limits of the model hold the mean elsewhere
	// Nodes is the largest number of quadrature nodes that a row took, and Exact that which
	// leaves no error but rounding.
	Nodes, Exact int
	// Additivity is the largest |Base + Σ values − Prediction| of any row, in deviations of
	// the target.
	Additivity float64
}

// Pairs returns the pairs of n columns in the order of interactions.
func Pairs(n int) (pairs [][2]int) {
	for a := range n {
		for b := a + 1; b < n; b++ {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}

// Explainer explains block after block of a stream with workers and memory that are made
// once. It serves one caller at a time; Close ends its workers.
type Explainer struct {
	model      *model.Model
	options    Options
	box        box.Box
	game       *game
	pool       *simd.Pool
	background []float32 // [rows, d]; nil for averages
	base       float64   // in deviations
	nodes      int       // that rows begin with; 0 before any
	rows       int
	outside    []int
	pairX      []float32
	pairZ      []float32
	pairValues []float64
}

// New returns an explainer. It fails with an OptionError where an option is out of range,
// with [ErrNeighbours], and where a background row is none that the model can predict.
func New(m *model.Model, o Options) (*Explainer, error) {
	if err := Check(m); err != nil {
		return nil, err
	}
	o, err := o.withDefaults(m)
	if err != nil {
		return nil, err
	}
	e := &Explainer{model: m, options: o, box: box.New(m.Inputs()), outside: make([]int, len(m.Inputs()))}
	c, err := newColumns(&e.box)
	if err != nil {
		return nil, err
	}
	if o.Background != nil {
		if e.background, err = e.mapTable(o.Background); err != nil {
			return nil, err
		}
	}
	e.pool = simd.NewPool(o.Workers)
	e.game = newGame(m.Posterior(), c, e.pool)
	if e.base, err = e.findBase(); err != nil {
		e.pool.Close()
		return nil, err
	}
	return e, nil
}

// Close ends the workers.
func (e *Explainer) Close() { e.pool.Close() }

// Columns returns the names of the columns that values are told of.
func (e *Explainer) Columns() []string { return e.game.names }

// mapTable maps all rows of a table, values outside the box to its nearer face unless the
// policy refuses them.
func (e *Explainer) mapTable(t *table.Table) ([]float32, error) {
	columns, err := e.box.Pick(t)
	if err != nil {
		return nil, err
	}
	policy := box.Clip
	if e.options.Policy == box.Refuse {
		policy = box.Refuse
	}
	x := make([]float32, t.Rows()*len(e.box.Inputs))
	err = e.box.Map(x, columns, policy, make([]bool, t.Rows()), make([]int, len(e.box.Inputs)))
	return x, box.NameLevel(err, t)
}

// findBase returns the value without any column.
func (e *Explainer) findBase() (float64, error) {
	x := e.background
	if x == nil {
		x = make([]float32, e.game.d)
		for i := range x {
			x[i] = float32(math.NaN())
		}
	}
	f := make([]float64, len(x)/e.game.d)
	if err := e.game.means(context.Background(), x, f); err != nil {
		return 0, err
	}
	var sum float64
	for _, v := range f {
		sum += v
	}
	if base := sum / float64(len(f)); isFinite(base) {
		return base, nil
	}
	return 0, errOverflow
}

// Explain explains all rows of t, whose columns may stand in any order and be more than the
// model needs. It fails as [New] and [Explainer.Explain] do.
func Explain(ctx context.Context, m *model.Model, t *table.Table, o Options) (*Attributions, error) {
	e, err := New(m, o)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	columns, err := e.box.Pick(t)
	if err != nil {
		return nil, err
	}
	var out Attributions
	return &out, box.NameLevel(e.Explain(ctx, columns, &out), t)
}
