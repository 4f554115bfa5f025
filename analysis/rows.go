package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/internal/process/linear"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/model"
	"beziergp/table"
)

// Rows is f at the rows of a table: a Gaussian vector, in the units of the (transformed)
// target, before limits. It is immutable and safe for concurrent use.
type Rows struct {
	mean    []float64
	points  *linear.Points
	common  *common
	bins    []int32 // of common, [n, inputs]
	factor  float64
	workers int
	outside int
	// mostPairs is that of the options.
	mostPairs int
}

// RowsOptions choose how rows are taken. The zero value is the documented default.
type RowsOptions struct {
	// Policy says what becomes of rows outside the box, by default the model's. Rows cannot be
	// passed over: under [box.Flag] the first is an error as under [box.Refuse].
	Policy  box.Policy
	Workers int // 0 for one
	// MostPairs is the number of pairs of rows of which [Rows.Weighted] takes all, by default
	// 10⁷.
	MostPairs int
}

// ErrNoRows says that a table has no rows.
var ErrNoRows = errors.New("the table has no rows")

// NewRows returns f at the rows of a table. It fails with [ErrNoRows], where the table lacks a
// column, where a value is not finite, or where the policy refuses a row.
func NewRows(ctx context.Context, m *model.Model, t *table.Table, o RowsOptions) (*Rows, error) {
	if err := m.CheckFunction(); err != nil {
		return nil, err
	}
	o.Policy = policyOf(m, o.Policy)
	at, err := coordinatesOf(m, t, o.Policy)
	if err != nil {
		return nil, err
	}
	return newRows(ctx, m, at, o)
}

func policyOf(m *model.Model, policy box.Policy) box.Policy {
	if policy == "" {
		policy = m.Policy()
	}
	if policy == box.Flag {
		return box.Refuse
	}
	return policy
}

// places are rows in the unit boxes of E f and Var f.
type places struct {
	mean, variance []float32
	rows, outside  int
}

// coordinatesOf returns the places of a table's rows.
func coordinatesOf(m *model.Model, t *table.Table, policy box.Policy) (*places, error) {
	if t.Rows() == 0 {
		return nil, ErrNoRows
	}
	mean, variance, inside, err := m.Coordinates(t, policy)
	if err != nil {
		return nil, err
	}
	p := &places{mean: mean, variance: variance, rows: t.Rows()}
	for _, own := range inside {
		if !own {
			p.outside++
		}
	}
	return p, nil
}

// with returns the rows with others after them.
func (p *places) with(other *places) *places {
	return &places{slices.Concat(p.mean, other.mean), slices.Concat(p.variance, other.variance), p.rows + other.rows, p.outside + other.outside}
}

// newRows returns f at rows.
func newRows(ctx context.Context, m *model.Model, at *places, o RowsOptions) (*Rows, error) {
	if err := errors.Join(limit.CheckWorkers(o.Workers), simd.Check()); err != nil {
		return nil, err
	}
	out := m.Output()
	process := m.Posterior()
	r := &Rows{mean: make([]float64, at.rows), outside: at.outside, mostPairs: cmp.Or(o.MostPairs, 10_000_000), factor: out.VarianceScale * out.Target.SD * out.Target.SD, workers: max(1, o.Workers)}
	pool := simd.NewPool(r.workers)
	defer pool.Close()
	if err := surface.NewEvaluator(process, pool).Moments(ctx, at.mean, r.mean, nil); err != nil {
		return nil, err
	}
	for row, v := range r.mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &model.RowError{Row: row + 1, Err: errors.New("the process overflows there")}
		}
		r.mean[row] = out.Target.Mean + out.Target.SD*v
	}
	if out.Epistemic != nil {
		process = out.Epistemic.Surface
	}
	r.points = linear.New(process).NewPoints(at.variance)
	r.common = newCommon(m)
	r.bins = r.common.places(at.mean)
	return r, nil
}

// Joined returns f at the rows of two tables, those of the second behind those of the first.
func Joined(ctx context.Context, m *model.Model, a, b *table.Table, o RowsOptions) (*Rows, error) {
	o.Policy = policyOf(m, o.Policy)
	first, err := coordinatesOf(m, a, o.Policy)
	if err != nil {
		return nil, err
	}
	second, err := coordinatesOf(m, b, o.Policy)
	if err != nil {
		return nil, err
	}
	return newRows(ctx, m, first.with(second), o)
}

// covariance returns that of f at two rows.
func (r *Rows) covariance(k *linear.Kernel, i, j int) float64 {
	return r.factor*k.Covariance(i, j) + r.common.covariance(r.binsOf(i), r.binsOf(j))
}

// binsOf returns the bins of a row.
func (r *Rows) binsOf(i int) []int32 {
	d := len(r.bins) / r.Len()
	return r.bins[i*d : (i+1)*d]
}

// Len returns the number of rows.
func (r *Rows) Len() int { return len(r.mean) }

// Outside returns how many rows lie outside the box, and were moved to its face.
func (r *Rows) Outside() int { return r.outside }

// Mean returns E f at the rows. It must not be changed.
func (r *Rows) Mean() []float64 { return r.mean }

// MostJoint is the largest number of rows whose covariance matrix is made: it takes 8 n² bytes,
// and its factor n³/3 operations.
const MostJoint = 20000

// Covariance returns the covariances of f between the rows, [n, n]. The matrix is positive
// semi-definite up to rounding, of 10⁻¹⁵ of its largest element times n. It fails with an
// [*limit.OptionError] where rows are more than [MostJoint].
func (r *Rows) Covariance(ctx context.Context) (*mat.SymDense, error) {
	n := r.Len()
	if n > MostJoint {
		return nil, &limit.OptionError{Option: "rows", Problem: fmt.Sprintf("%d; the covariances between more than %d rows are too many, take fewer", n, MostJoint)}
	}
	k := mat.NewSymDense(n, nil)
	err := share(ctx, r.workers, n, func() func(i int) {
		kernel := r.points.NewKernel()
		return func(i int) {
			row := k.RawSymmetric().Data[i*n : (i+1)*n]
			for j := i; j < n; j++ {
				row[j] = r.covariance(kernel, i, j)
			}
		}
	}, nil, 0, 1)
	return k, err
}
