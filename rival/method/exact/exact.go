// Package exact is Gaussian process regression without approximation: O(n³) time and
// O(n²) memory, the judge of all that approximates it.
package exact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/internal/limit"
	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

// Method's zero value is its default.
type Method struct {
	Family covariance.Family `json:"kernel"` // by default covariance.Matern52
	Steps  int               `json:"steps"`  // of L-BFGS at most, by default 200
	Memory int64             `json:"-"`      // bytes that the matrices may take, by default 1 GiB
}

func (m Method) options() (Method, error) {
	m.Steps, m.Memory = cmp.Or(m.Steps, 200), cmp.Or(m.Memory, 1<<30)
	if m.Memory < 0 {
		return m, fmt.Errorf("exact: %d bytes; give a positive number", m.Memory)
	}
	if err := limit.Check("steps", m.Steps, limit.Count); err != nil {
		return m, err
	}
	return m, m.Family.Check()
}

// Process is a Gaussian process given its training rows.
type Process struct {
	scaling *method.Scaling
	workers int
	learned learned
	inputs  []float64 // of the rows, standardised [n, d]
	points  *covariance.Points
	factor  blas64.General // L, L Lᵀ = K + σ²
	alpha   []float64      // (K + σ²)⁻¹ (y − m)
}

type learned struct {
	Options  Method           `json:"options"`
	Hyper    covariance.Hyper `json:"process"`
	Evidence float64          `json:"evidence"`
}

// Hyper returns the parameters, in standardised units.
func (p *Process) Hyper() covariance.Hyper { return p.learned.Hyper }

// Evidence returns the log marginal likelihood of the standardised target.
func (p *Process) Evidence() float64 { return p.learned.Evidence }

// Noise implements [method.Latent].
func (p *Process) Noise() float64 { return p.scaling.Deviation(p.learned.Hyper.Noise) }

// Fit maximises the log marginal likelihood over the parameters. It implements
// [method.Method].
func (m Method) Fit(ctx context.Context, data method.Data, env method.Environment) (method.Regressor, error) {
	m, err := m.options()
	if err != nil {
		return nil, err
	}
	if need := 2 * 8 * int64(data.Rows()) * int64(data.Rows()); need > m.Memory {
		return nil, &method.DataError{Err: fmt.Errorf(
			"exact: the covariances of %d rows need %.1f MiB, above the limit of %.1f MiB, in which %d rows would fit; raise the limit, take fewer rows, or sgpr or svgp, whose memory does not grow with the square of the rows",
			data.Rows(), float64(need)/(1<<20), float64(m.Memory)/(1<<20), int(math.Sqrt(float64(m.Memory)/(2*8))))}
	}
	standard, scaling, err := method.Standardise(data)
	if err != nil {
		return nil, err
	}
	hyper := covariance.Start(m.Family, data.Inputs)
	e := newEvidence(ctx, env.Pool(), standard)
	err = covariance.Maximise(ctx, &hyper, nil, data.Rows(), m.Steps, env, func(h *covariance.Hyper, _ []float64, g *covariance.HyperGradient, _ []float64) (float64, error) {
		return e.value(h, g)
	})
	if err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	value, err := e.value(&hyper, nil)
	if err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	return &Process{scaling, e.workers, learned{m, hyper, value}, standard.X, e.points, e.factor, e.alpha}, nil
}

// Predict implements [method.Regressor]: O(n²) a row.
func (p *Process) Predict(ctx context.Context, x, mean, std []float64) error {
	return p.scaling.Predict(x, mean, std, func(rows, mean, variance []float64) error {
		return p.moments(ctx, rows, mean, variance)
	})
}

// moments sets mean and variance of the standardised target:
//
//	μ(x) = m + k(x)ᵀ α, σ² + v − ‖L⁻¹ k(x)‖²
func (p *Process) moments(ctx context.Context, x, mean, variance []float64) error {
	h := &p.learned.Hyper
	n, d := p.factor.Rows, len(h.Lengths)
	buffers := make([]blas64.General, p.workers)
	return method.Blocks(ctx, p.workers, len(mean), block, func(worker, from, to int) error {
		if buffers[worker].Data == nil {
			buffers[worker] = dense.New(block, n)
		}
		k := dense.View(buffers[worker], 0, 0, to-from, n)
		h.Values(k, blas64.General{}, h.Points(x[from*d:to*d], nil), p.points)
		for i := range k.Rows {
			mean[from+i] = h.Mean + dense.Dot(dense.Row(k, i), p.alpha)
		}
		if err := dense.Solve(ctx, p.factor, k); err != nil {
			return err
		}
		for i := range k.Rows {
			row := dense.Row(k, i)
			variance[from+i] = h.Noise + h.Variance - dense.Dot(row, row)
		}
		return nil
	})
}

// advise adds advice to a matrix that has no factor.
func advise(err error) error {
	if errors.Is(err, dense.ErrIndefinite) {
		return fmt.Errorf("covariance of the rows: %w; leave out rows that repeat others", err)
	}
	return err
}
