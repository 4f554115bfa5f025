package simplex

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/krylov"
	"beziergp/rival/method/lattice"
)

// system is K̂ = K + σ² of the training rows, K = v/norm · A Aᵀ.
type system struct {
	*krylov.System
	filter *lattice.Filter
	rows   []float64 // of the training set, divided by the lengthscales [n, d]
	scale  float64   // v/norm
	noise  float64
	rank   int // of the preconditioner
	buffer blas64.General
}

// system places the rows and prepares what solves.
func (e *evidence) system(h *covariance.Hyper) (*system, error) {
	s := &system{rows: make([]float64, len(e.data.X)), scale: h.Variance / e.stencil.Norm, noise: h.Noise}
	for i, x := range e.data.X {
		s.rows[i] = x / h.Lengths[i%e.data.Inputs]
	}
	l, err := lattice.New(e.ctx, e.workers, s.rows, e.data.Inputs, e.stencil, e.options.Memory)
	if err != nil {
		return nil, advise(err)
	}
	s.filter = l.Filter(e.ctx, e.workers)
	s.System = &krylov.System{Context: e.ctx, Workers: e.workers, Mul: s.mul}
	u, err := e.landmarks(s, h)
	if err != nil {
		return nil, err
	}
	s.rank = u.Cols
	s.Pre, err = krylov.NewLowRank(e.ctx, e.workers, u, s.noise)
	return s, err
}

func advise(err error) error {
	var large *lattice.SizeError
	if errors.As(err, &large) {
		return &method.DataError{Err: errors.Join(err, errors.New("raise the limit, take fewer rows or inputs, or sgpr or svgp, whose memory grows with neither as fast"))}
	}
	return err
}

// mul sets dst to K̂ x.
func (s *system) mul(dst, x blas64.General) error {
	if s.buffer.Cols != x.Cols {
		s.buffer = dense.New(s.filter.Vertices(), x.Cols)
	}
	if err := errors.Join(s.filter.MulT(s.buffer, x), s.filter.Mul(dst, s.buffer)); err != nil {
		return err
	}
	for i, v := range x.Data {
		dst.Data[i] = s.scale*dst.Data[i] + s.noise*v
	}
	return nil
}

// landmarks returns U [n, k] with U Uᵀ near K: K's own columns at k rows, whitened. The
// rows are those that a pivoted Cholesky factor of the stationary kernel begins with,
// whose columns cost no product with K.
func (e *evidence) landmarks(s *system, h *covariance.Hyper) (blas64.General, error) {
	n := e.data.Rows()
	pivots, err := e.pivots(h)
	if err != nil {
		return blas64.General{}, err
	}
	k := len(pivots)
	u := dense.New(n, k)
	const at = 16 // columns at once, for the memory of their filter
	for from := 0; from < k; from += at {
		few := pivots[from:min(from+at, k)]
		unit, column := dense.New(n, len(few)), dense.New(n, len(few))
		for c, i := range few {
			unit.Data[i*unit.Stride+c] = 1
		}
		z := dense.New(s.filter.Vertices(), len(few))
		if err := errors.Join(s.filter.MulT(z, unit), s.filter.Mul(column, z)); err != nil {
			return u, err
		}
		for i := range n {
			dense.AddScaled(dense.Row(u, i)[from:from+len(few)], s.scale, dense.Row(column, i))
		}
	}
	if k == 0 {
		return u, nil
	}
	own, factor := dense.New(k, k), dense.New(k, k)
	for i, p := range pivots {
		copy(dense.Row(own, i), dense.Row(u, p))
	}
	if _, err := dense.Factorise(e.ctx, e.workers, factor, own, h.Variance, 1e-8); err != nil {
		return u, err
	}
	const block = 1024
	return u, method.Blocks(e.ctx, e.workers, n, block, func(_, from, to int) error {
		return dense.Solve(e.ctx, factor, dense.View(u, from, 0, to-from, k))
	})
}

// pivots are the rows that a pivoted Cholesky factor of the stationary kernel takes
// first (Harbrecht, Peters and Schneider 2012), as many as the rank or as there are
// that others do not determine.
func (e *evidence) pivots(h *covariance.Hyper) ([]int, error) {
	n := e.data.Rows()
	kernel := covariance.Kernel{Family: h.Family, Variance: 1, Lengths: h.Lengths}
	points := kernel.Points(e.data.X, nil)
	left := make([]float64, n) // the diagonal of what remains
	for i := range left {
		left[i] = 1
	}
	factor := dense.New(e.options.Rank, n) // by columns
	var pivots []int
	for k := range e.options.Rank {
		p := 0
		for i, v := range left {
			if v > left[p] {
				p = i
			}
		}
		const determined = 1e-4
		if left[p] < determined {
			break
		}
		pivots = append(pivots, p)
		root := dense.Row(factor, k)
		const block = 4096
		if err := method.Blocks(e.ctx, e.workers, n, block, func(_, from, to int) error {
			own := root[from:to]
			kernel.Values(blas64.General{Rows: 1, Cols: to - from, Stride: to - from, Data: own}, blas64.General{}, points.Slice(p, p+1), points.Slice(from, to))
			for l := range k {
				other := dense.Row(factor, l)
				dense.AddScaled(own, -other[p], other[from:to])
			}
			return nil
		}); err != nil {
			return nil, err
		}
		scale := 1 / math.Sqrt(left[p])
		for i := range root {
			root[i] *= scale
			left[i] -= root[i] * root[i]
		}
		left[p] = 0
	}
	return pivots, nil
}
