package analysis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"beziergp/internal/limit"
	"beziergp/model"
	"beziergp/table"
)

// Draws are functions drawn from the posterior of f, at rows.
type Draws struct {
	Values [][]float64 // [draws][n], in the units of the (transformed) target
	// Jitter is what was added to the variance of every row, so that the covariance matrix has
	// a factor: the squared deviation of a noise that draws have and f has not.
	Jitter float64
}

// Draw returns functions drawn from the posterior at the rows, which are consistent with each
// other: their covariances are those of f. Draw k is that of NewFunction with the same seed.
func (r *Rows) Draw(ctx context.Context, draws int, seed uint64) (*Draws, error) {
	if draws < 0 {
		return nil, &limit.OptionError{Option: "draws", Problem: fmt.Sprintf("%d; there cannot be fewer than none", draws)}
	}
	k, err := r.Covariance(ctx)
	if err != nil {
		return nil, err
	}
	l, jitter, err := factor(k, diagonalOf(k))
	if err != nil {
		return nil, err
	}
	out := &Draws{Jitter: jitter, Values: make([][]float64, draws)}
	err = share(ctx, r.workers, draws, func() func(i int) {
		return func(i int) {
			rng := normals(seed, i)
			z := make([]float64, r.Len())
			for j := range z {
				z[j] = rng.NormFloat64()
			}
			v := mat.NewVecDense(len(z), z)
			v.MulVec(l, v)
			for j, m := range r.mean {
				z[j] += m
			}
			out.Values[i] = z
		}
	}, nil, 0, 1)
	return out, err
}

// normals returns the random numbers of a draw.
func normals(seed uint64, draw int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0x64726177<<16+uint64(draw))) // the letters "draw"
}

const (
	// leastJitter is added to every variance first, relative to the largest, and mostJitter at
	// most, in steps of ten.
	leastJitter = 1e-12
	mostJitter  = 1e-6
)

func diagonalOf(k mat.Symmetric) (largest float64) {
	for i := range k.SymmetricDim() {
		largest = max(largest, k.At(i, i))
	}
	return largest
}

// factor returns the lower Cholesky factor of K + jitter · 1, with as little jitter as
// succeeds, in steps of ten.
func factor(k *mat.SymDense, largest float64) (*mat.TriDense, float64, error) {
	n := k.SymmetricDim()
	if largest == 0 {
		return mat.NewTriDense(n, mat.Lower, nil), 0, nil
	}
	for share := leastJitter; share <= mostJitter*1.01; share *= 10 {
		jitter := share * largest
		own := mat.NewSymDense(n, nil)
		own.CopySym(k)
		for i := range n {
			own.SetSym(i, i, own.At(i, i)+jitter)
		}
		var c mat.Cholesky
		if c.Factorize(own) {
			var l mat.TriDense
			c.LTo(&l)
			return &l, jitter, nil
		}
	}
	return nil, 0, fmt.Errorf("the covariance matrix of %d rows has no Cholesky factor, even with %g of the largest variance added", n, mostJitter)
}

// Function is one function drawn from the posterior of f. It may be evaluated again and
// again: what it is at new rows is drawn given what it was at all rows before, so that the
// values are those of one function however they are asked for, up to the jitter. It serves one
// caller at a time. n rows in all take 8 n² bytes.
type Function struct {
	m     *model.Model
	o     RowsOptions
	rng   *rand.Rand
	at    *places // all so far
	known int
	l     *mat.Dense // lower factor, [known, known]
	z     []float64
	mean  []float64
	// Jitter is the largest that was added to a variance.
	Jitter float64
}

// NewFunction returns draw number k of a seed.
func NewFunction(m *model.Model, seed uint64, k int, o RowsOptions) *Function {
	return &Function{m: m, o: o, rng: normals(seed, k)}
}

// At returns the function's values at the rows of a table, in the units of the (transformed)
// target. It fails as [NewRows] does.
func (f *Function) At(ctx context.Context, t *table.Table) ([]float64, error) {
	all, err := coordinatesOf(f.m, t, policyOf(f.m, f.o.Policy))
	if err != nil {
		return nil, err
	}
	if f.at != nil {
		all = f.at.with(all)
	}
	if all.rows > MostJoint {
		return nil, &limit.OptionError{Option: "rows", Problem: fmt.Sprintf("%d in all; a drawn function takes %d at most", all.rows, MostJoint)}
	}
	r, err := newRows(ctx, f.m, all, f.o)
	if err != nil {
		return nil, err
	}
	l, jitter, err := f.extend(ctx, r)
	if err != nil {
		return nil, err
	}
	for len(f.z) < r.Len() {
		f.z = append(f.z, f.rng.NormFloat64())
	}
	from := f.known
	f.at, f.known, f.l, f.mean, f.Jitter = all, r.Len(), l, r.mean, max(f.Jitter, jitter)
	values := make([]float64, 0, r.Len()-from)
	for i := from; i < r.Len(); i++ {
		values = append(values, f.value(i))
	}
	return values, nil
}

// value returns what the function is at row i of all so far.
func (f *Function) value(i int) float64 { return f.mean[i] + dot(f.l.RawRowView(i)[:i+1], f.z) }

// extend returns the factor of all rows, of which the first have one: with L the known factor
//
//	[L 0; M N],  M = K_nk L⁻ᵀ,  N Nᵀ = K_nn − M Mᵀ + jitter
func (f *Function) extend(ctx context.Context, r *Rows) (*mat.Dense, float64, error) {
	n, k := r.Len(), f.known
	l := mat.NewDense(n, n, nil)
	rest := mat.NewSymDense(n-k, nil)
	var largest float64
	err := share(ctx, r.workers, n-k, func() func(i int) {
		kernel := r.points.NewKernel()
		return func(i int) {
			row := l.RawRowView(k + i)
			for j := range k {
				row[j] = r.covariance(kernel, k+i, j)
			}
			own := rest.RawSymmetric().Data[i*(n-k) : (i+1)*(n-k)]
			for j := i; j < n-k; j++ {
				own[j] = r.covariance(kernel, k+i, k+j)
			}
		}
	}, nil, 0, 1)
	if err != nil {
		return nil, 0, err
	}
	largest = diagonalOf(rest)
	if k > 0 {
		known := l.Slice(0, k, 0, k).(*mat.Dense)
		known.Copy(f.l)
		m := l.Slice(k, n, 0, k).(*mat.Dense)
		raw := known.RawMatrix()
		blas64.Trsm(blas.Right, blas.Trans, 1, blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: k, Data: raw.Data, Stride: raw.Stride}, m.RawMatrix())
		blas64.Syrk(blas.NoTrans, -1, m.RawMatrix(), 1, rest.RawSymmetric())
	}
	if largest == 0 {
		return l, 0, nil
	}
	own, jitter, err := factor(rest, largest)
	if err != nil {
		return nil, 0, err
	}
	for i := range n - k {
		for j := range i + 1 {
			l.Set(k+i, k+j, own.At(i, j))
		}
	}
	return l, math.Max(jitter, 0), nil
}
