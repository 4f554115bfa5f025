package simplex

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/lattice"
)

// Process is the lattice's process given its training rows.
type Process struct {
	scaling *method.Scaling
	workers int
	learned learned
	inputs  []float64      // of the rows, standardised [n, d]
	alpha   []float64      // (K + σ²)⁻¹ (y − m) [n]
	solved  blas64.General // (K + σ²)⁻¹ (f + ε) of draws from the prior [n, draws]

	lattice *lattice.Lattice
	scale   float64   // v/norm
	mean    []float64 // scale · Aᵀ α [M]
	draws   []float32 // of A's right factor given the rows, less their mean, times √scale [M, draws]
}

type learned struct {
	Options  Method           `json:"options"`
	Hyper    covariance.Hyper `json:"process"`
	Evidence float64          `json:"evidence"`
	Vertices int              `json:"vertices"`
	Residual float64          `json:"residual"` // of the systems that are predicted from, relative
	Seed     uint64           `json:"seed"`
}

// Hyper returns the parameters, in standardised units.
func (p *Process) Hyper() covariance.Hyper { return p.learned.Hyper }

// Evidence returns the estimate of the log marginal likelihood of the standardised target.
func (p *Process) Evidence() float64 { return p.learned.Evidence }

// Noise implements [method.Latent].
func (p *Process) Noise() float64 { return p.scaling.Deviation(p.learned.Hyper.Noise) }

// condition solves for the mean and for the draws. A draw from the prior, f = √scale A z,
// less what its own rows with noise tell of it is a draw from the process given the rows
// but for the mean (Matheron's rule).
func (p *Process) condition(ctx context.Context, e *evidence) error {
	h := &p.learned.Hyper
	e.tolerance, e.steps = tight, tightSteps
	var err error
	if p.learned.Evidence, err = e.value(h, nil); err != nil {
		return err
	}
	s, err := e.system(h)
	if err != nil {
		return err
	}
	n, draws := e.data.Rows(), p.learned.Options.Draws
	p.learned.Vertices = s.filter.Vertices()
	right := dense.New(n, 1)
	for i, y := range e.data.Y {
		right.Data[i] = y - h.Mean
	}
	solution, err := p.solve(s, right)
	if err != nil {
		return err
	}
	p.alpha, p.solved = solution.Data, dense.New(n, draws)
	for first := 0; first < draws; first += together {
		cols := min(together, draws-first)
		f, noise := dense.New(n, cols), p.normals(first, noiseDraws, n, cols)
		if err := s.filter.Mul(f, p.normals(first, priorDraws, p.learned.Vertices, cols)); err != nil {
			return err
		}
		for i := range f.Data {
			f.Data[i] = math.Sqrt(s.scale)*f.Data[i] + math.Sqrt(h.Noise)*noise.Data[i]
		}
		if solution, err = p.solve(s, f); err != nil {
			return err
		}
		for i := range n {
			copy(dense.Row(p.solved, i)[first:], dense.Row(solution, i))
		}
	}
	return p.prepare(s.filter, s.scale)
}

// solve returns K̂⁻¹ b, or an error where the residual stays above what predictions need.
func (p *Process) solve(s *system, b blas64.General) (x blas64.General, err error) {
	solution, err := s.Solve(b, tight, tightSteps)
	if err != nil {
		return x, err
	}
	if solution.Residual > tight {
		return x, fmt.Errorf("conjugate gradients leave a residual of %.2g after %d steps, with noise of a variance of %.2g of the target's; leave out rows that repeat others, or take fewer inputs", solution.Residual, solution.Steps, s.noise)
	}
	p.learned.Residual = max(p.learned.Residual, solution.Residual)
	return solution.X, nil
}

// together is how many draws go through the filter at once, for its memory.
const together = 16

// What normal vectors are for.
const (
	priorDraws = iota // z, over vertices
	noiseDraws        // ε/σ, over rows
)

// normals are the standard normal vectors of the draws from first on, the same whenever
// asked for.
func (p *Process) normals(first int, purpose uint64, rows, cols int) blas64.General {
	return normals(rand.New(rand.NewPCG(p.learned.Seed, 4+2*uint64(first)+purpose)), rows, cols)
}

// prepare takes what was solved to the vertices.
func (p *Process) prepare(f *lattice.Filter, scale float64) error {
	n, m, draws := len(p.alpha), f.Vertices(), p.learned.Options.Draws
	p.lattice, p.scale, p.mean, p.draws = f.Lattice, scale, make([]float64, m), make([]float32, m*draws)
	column := func(rows int, v []float64) blas64.General {
		return blas64.General{Rows: rows, Cols: 1, Stride: 1, Data: v}
	}
	if err := f.MulT(column(m, p.mean), column(n, p.alpha)); err != nil {
		return err
	}
	for v := range p.mean {
		p.mean[v] *= scale
	}
	root := math.Sqrt(scale)
	for first := 0; first < draws; first += together {
		cols := min(together, draws-first)
		z, told, own := p.normals(first, priorDraws, m, cols), dense.New(m, cols), dense.New(n, cols)
		for i := range n {
			copy(dense.Row(own, i), dense.Row(p.solved, i)[first:])
		}
		if err := f.MulT(told, own); err != nil {
			return err
		}
		for i, v := range z.Data {
			p.draws[i/cols*draws+first+i%cols] = float32(root*v - scale*told.Data[i])
		}
	}
	return nil
}

// Predict implements [method.Regressor]. The variance of f is the mean square of the
// draws at the row, at most the prior's: an estimate with a relative deviation of
// √(2/draws). What the row's own new vertices add to it is exact.
func (p *Process) Predict(ctx context.Context, x, mean, std []float64) error {
	return p.scaling.Predict(x, mean, std, func(rows, mean, variance []float64) error {
		return p.moments(ctx, rows, mean, variance)
	})
}

// moments sets mean and variance of the standardised target: with s the row of A that a
// row of x would have,
//
//	m + scale · sᵀ Aᵀ α,  σ² + mean_r (sᵀ δ_r)² + scale · own
func (p *Process) moments(ctx context.Context, x, mean, variance []float64) error {
	h := &p.learned.Hyper
	d, draws := len(h.Lengths), p.learned.Options.Draws
	reaches := make([]*lattice.Reach, p.workers)
	const block = 64
	return method.Blocks(ctx, p.workers, len(mean), block, func(worker, from, to int) error {
		if reaches[worker] == nil {
			reaches[worker] = p.lattice.Reach()
		}
		r, row, drawn := reaches[worker], make([]float64, d), make([]float64, draws)
		for i := from; i < to; i++ {
			for j, l := range h.Lengths {
				row[j] = x[i*d+j] / l
			}
			r.Set(row)
			mean[i] = h.Mean
			clear(drawn)
			var prior, told float64
			for k, v := range r.At {
				w := r.Weight[k]
				mean[i] += w * p.mean[v]
				prior += p.scale * w * w
				for c, x := range p.draws[int(v)*draws : (int(v)+1)*draws] {
					drawn[c] += w * float64(x)
				}
			}
			for _, f := range drawn {
				told += f * f / float64(draws)
			}
			variance[i] = h.Noise + min(told, prior) + p.scale*r.Own
		}
		return nil
	})
}
