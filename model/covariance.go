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

// Covariance returns the posterior covariances of f between the rows of a and
// those of b, [a.Rows, b.Rows], in squared units of the (transformed) target, not clamped by
// [Limits]. Rows outside the box are clipped to its face unless the model refuses them.
func (m *Model) Covariance(ctx context.Context, a, b *table.Table) (*mat.Dense, error) {
	process, policy, o := m.posterior, m.policy, &m.outputs[0]
	var mapping box.Box // of its own; none for the model's
	if o.Epistemic != nil {
		mapping, process, policy = box.New(o.Epistemic.Inputs), o.Epistemic.Surface, box.Clip
	}
	xa, err := m.coordinates(a, mapping, policy)
	if err != nil {
		return nil, err
	}
	xb, err := m.coordinates(b, mapping, policy)
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

// coordinates maps a table's rows to a unit box, the model's where mapping has no inputs,
// [n, d] by rows, neighbour inputs included.
func (m *Model) coordinates(t *table.Table, mapping box.Box, policy box.Policy) ([]float32, error) {
	columns, err := m.box.Pick(t)
	if err != nil {
		return nil, err
	}
	to := func(mapping *box.Box, policy box.Policy) ([]float32, error) {
		d := len(mapping.Inputs)
		x := make([]float32, t.Rows()*d)
		return x, mapping.Map(x, columns, policy, make([]bool, t.Rows()), make([]int, d))
	}
	neighbours := joined{tables: m.tables}
	x, err := to(&m.box, policy)
	if err != nil {
		return nil, err
	}
	x = neighbours.join(x, t.Rows())
	if len(mapping.Inputs) == 0 {
		return x, nil
	}
	columns = neighbours.columns(columns)
	return to(&mapping, box.Clip)
}
