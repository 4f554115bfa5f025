package lattice

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/dense"
)

// Filter multiplies by the matrices of a lattice, any number of columns at once. It has
// buffers of its own and is for one goroutine; its results do not depend on workers.
type Filter struct {
	*Lattice
	ctx     context.Context
	workers int
	a, b    []float64
}

// Filter returns a filter that stops with ctx's error once ctx is done.
func (l *Lattice) Filter(ctx context.Context, workers int) *Filter {
	return &Filter{Lattice: l, ctx: ctx, workers: workers}
}

// buffers returns matrices [M, cols].
func (f *Filter) buffers(cols int) (a, b blas64.General) {
	size := f.Vertices() * cols
	if cap(f.a) < size {
		f.a, f.b = make([]float64, size), make([]float64, size)
	}
	return matrix(f.Vertices(), cols, f.a[:size]), matrix(f.Vertices(), cols, f.b[:size])
}

func matrix(rows, cols int, data []float64) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
}

// MulT sets z [M, c] to Aᵀ x, x [n, c].
func (f *Filter) MulT(z, x blas64.General) error {
	if z.Rows != f.Vertices() || x.Rows != f.rows || z.Cols != x.Cols {
		panic(errShape)
	}
	a, b := f.buffers(x.Cols)
	if err := f.splat(a, x); err != nil {
		return err
	}
	for j := range f.side {
		to := b
		if j == f.side-1 {
			to = z
		}
		if err := f.back(j, to, a); err != nil {
			return err
		}
		a, b = b, a
	}
	return nil
}

// Mul sets x [n, c] to A z, z [M, c].
func (f *Filter) Mul(x, z blas64.General) error {
	if z.Rows != f.Vertices() || x.Rows != f.rows || z.Cols != x.Cols {
		panic(errShape)
	}
	a, b := f.buffers(x.Cols)
	if err := f.blur(a, b, z); err != nil {
		return err
	}
	return f.slice(x, a)
}

// Smooth sets g [M, c] to S z, z [M, c].
func (f *Filter) Smooth(g, z blas64.General) error {
	a, b := f.buffers(z.Cols)
	if err := f.blur(a, b, z); err != nil {
		return err
	}
	copy(g.Data, a.Data)
	return nil
}

// blur sets a to S z with the help of b; its last result is in a.
func (f *Filter) blur(a, b, z blas64.General) error {
	from := z
	into, other := a, b
	if f.side%2 == 0 {
		into, other = b, a
	}
	for j := f.side - 1; j >= 0; j-- {
		if err := f.forth(j, into, from); err != nil {
			return err
		}
		from = into
		into, other = other, into
	}
	return nil
}

// splat sets z to Wᵀ x.
func (f *Filter) splat(z, x blas64.General) error {
	return f.each(f.Vertices(), func(v int) {
		to := dense.Row(z, v)
		clear(to)
		for _, e := range f.entries[f.start[v]:f.start[v+1]] {
			add(to, f.weight[e], dense.Row(x, int(e)/f.side))
		}
	})
}

// slice sets x to W z.
func (f *Filter) slice(x, z blas64.General) error {
	return f.each(f.rows, func(i int) {
		to := dense.Row(x, i)
		clear(to)
		for e := i * f.side; e < (i+1)*f.side; e++ {
			add(to, f.weight[e], dense.Row(z, int(f.corner[e])))
		}
	})
}

// forth sets b to L_j a.
func (f *Filter) forth(j int, b, a blas64.General) error {
	chain, s := f.chain(j), f.stencil
	return f.each(len(chain), func(v int) {
		at := chain[v]
		to, own, diag := dense.Row(b, v), dense.Row(a, v), s.diag[at.depth]
		if at.before < 0 {
			copy(to, own) // the first of a chain has 1
			return
		}
		before, below := dense.Row(a, int(at.before)), s.below[at.depth]
		for c := range to {
			to[c] = diag*own[c] + below*before[c]
		}
	})
}

// back sets b to L_jᵀ a.
func (f *Filter) back(j int, b, a blas64.General) error {
	chain, s := f.chain(j), f.stencil
	return f.each(len(chain), func(v int) {
		at := chain[v]
		to, own, diag := dense.Row(b, v), dense.Row(a, v), s.diag[at.depth]
		if at.after < 0 {
			for c := range to {
				to[c] = diag * own[c]
			}
			return
		}
		after, below := dense.Row(a, int(at.after)), s.below[chain[at.after].depth]
		for c := range to {
			to[c] = diag*own[c] + below*after[c]
		}
	})
}

// each calls task for all of n, in blocks that workers share.
func (f *Filter) each(n int, task func(i int)) error {
	return method.Blocks(f.ctx, f.workers, n, block, func(_, from, to int) error {
		for i := from; i < to; i++ {
			task(i)
		}
		return nil
	})
}

func add(to []float64, weight float64, x []float64) {
	for c, v := range x[:len(to)] {
		to[c] += weight * v
	}
}
