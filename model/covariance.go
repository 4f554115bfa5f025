package model

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/table"
)

// Coordinates returns the places of a table's rows in the unit boxes of E f and of Var f, [n, d]
// by rows, neighbour inputs included: one where the posterior holds both. Those of E f obey the
// policy, empty for the model's; inside tells which rows lie in the box.
func (m *Model) Coordinates(t *table.Table, policy box.Policy) (mean, variance []float32, inside []bool, err error) {
	if policy == "" {
		policy = m.policy
	}
	if _, err := box.ParsePolicy(string(policy)); err != nil {
		return nil, nil, nil, err
	}
	columns, err := m.box.Pick(t)
	if err != nil {
		return nil, nil, nil, err
	}
	d := len(m.box.Inputs)
	mean, inside = make([]float32, t.Rows()*d), make([]bool, t.Rows())
	if err := m.box.Map(mean, columns, policy, inside, make([]int, d)); err != nil {
		return nil, nil, nil, box.NameLevel(err, t)
	}
	neighbours := joined{tables: m.tables}
	mean = neighbours.join(mean, t.Rows())
	o := &m.outputs[0]
	if o.Epistemic == nil {
		return mean, mean, inside, nil
	}
	wide := box.New(o.Epistemic.Inputs)
	variance = make([]float32, t.Rows()*len(wide.Inputs))
	err = wide.Map(variance, neighbours.columns(columns), box.Clip, make([]bool, t.Rows()), make([]int, len(wide.Inputs)))
	return mean, variance, inside, err
}

// Covariance returns the posterior covariances of f between the rows of a and
// those of b, [a.Rows, b.Rows], in squared units of the (transformed) target, not clamped by
// [Limits]. Rows outside the box are clipped to its face unless the model refuses them.
// They are those of the process alone: the error that rows have in common where Var f was learned
// row by row ([Residuals]) is added by package analysis. A model of three or more classes has a function
// for each, and that of one is taken by [Model.Natural].
func (m *Model) Covariance(ctx context.Context, a, b *table.Table) (*mat.Dense, error) {
	if err := m.CheckFunction(); err != nil {
		return nil, err
	}
	process, o := m.posterior, &m.outputs[0]
	if o.Epistemic != nil {
		process = o.Epistemic.Surface
	}
	_, xa, _, err := m.Coordinates(a, "")
	if err != nil {
		return nil, err
	}
	_, xb, _, err := m.Coordinates(b, "")
	if err != nil {
		return nil, err
	}
	d, n := m.posterior.Inputs(), b.Rows()
	pool := simd.NewPool(1)
	defer pool.Close()
	e := surface.NewEvaluator(process, pool)
	cov := mat.NewDense(a.Rows(), n, nil)
	repeated := make([]float32, len(xb))
	for row := range a.Rows() {
		for p := range n {
			copy(repeated[p*d:(p+1)*d], xa[row*d:(row+1)*d])
		}
		own := cov.RawRowView(row)
		if err := e.Covariance(ctx, repeated, xb, own); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(own, func(v float64) bool { return !isFinite(v) }) {
			return nil, &RowError{row + 1, errOverflow}
		}
	}
	cov.Scale(o.VarianceScale*o.Target.SD*o.Target.SD, cov)
	return cov, nil
}
