package dense

import (
	"context"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/internal/simd"
	"beziergp/rival/method"
)

// A Factor is a matrix as a product takes it.
type Factor struct {
	matrix     blas64.General
	triangle   triangle
	transposed bool
}

// triangle is the part of a factor, as the product sees it, that is not 0.
type triangle int

const (
	whole triangle = iota
	lower
	upper
)

// Whole is a as it stands.
func Whole(a blas64.General) Factor { return Factor{matrix: a} }

// Lower is a lower triangular a, whose upper triangle must be 0: products leave most of
// it out.
func Lower(a blas64.General) Factor { return Factor{matrix: a, triangle: lower} }

// T is the transposed factor.
func (f Factor) T() Factor {
	f.transposed = !f.transposed
	f.triangle = [...]triangle{whole: whole, lower: upper, upper: lower}[f.triangle]
	return f
}

func (f Factor) shape() (rows, cols int) {
	if f.transposed {
		return f.matrix.Cols, f.matrix.Rows
	}
	return f.matrix.Rows, f.matrix.Cols
}

// AddMul adds alpha a b to c.
func AddMul(ctx context.Context, workers int, alpha float64, a, b Factor, c blas64.General) error {
	return product(ctx, workers, alpha, a, b, c, whole)
}

// AddMulLower is [AddMul] for the lower triangle of c (and parts of the upper one, beside
// the diagonal).
func AddMulLower(ctx context.Context, workers int, alpha float64, a, b Factor, c blas64.General) error {
	return product(ctx, workers, alpha, a, b, c, lower)
}

const (
	stripe = 64  // rows of c that a worker computes at a time
	depth  = 512 // of a product at a time: the operands stay in the cache
	spell  = 32  // of it that are packed at a time
)

// spare are buffers for packed operands.
var spare = sync.Pool{New: func() any { return new([]float64) }}

// borrow returns a buffer of n numbers, whatever they are.
func borrow(n int) *[]float64 {
	buffer := spare.Get().(*[]float64)
	if cap(*buffer) < n {
		*buffer = make([]float64, n)
	}
	*buffer = (*buffer)[:n]
	return buffer
}

// product goes along the inner dimension by pieces: it packs those of b into panels of
// columns and, stripe by stripe, those of a into panels of rows, and multiplies panels
// where both may differ from 0.
func product(ctx context.Context, workers int, alpha float64, a, b Factor, c blas64.General, part triangle) error {
	m, inner := a.shape()
	other, n := b.shape()
	if inner != other || m != c.Rows || n != c.Cols {
		panic(errShape)
	}
	if m == 0 || n == 0 || inner == 0 {
		return ctx.Err()
	}
	high, wide := simd.PanelShape()
	packed := borrow((n + wide - 1) / wide * wide * min(depth, inner))
	defer spare.Put(packed)
	for k := 0; k < inner; k += depth {
		size := min(depth, inner-k)
		err := method.Blocks(ctx, workers, n, wide, func(_, from, to int) error {
			pack((*packed)[from*size:], b.matrix, b.transposed, from, to, k, k+size, wide)
			return nil
		})
		if err != nil {
			return err
		}
		err = method.Blocks(ctx, workers, m, stripe, func(_, from, to int) error {
			if first, last := a.span(from, to, inner); first >= k+size || last <= k {
				return nil
			}
			rows, sums := borrow(stripe*size), borrow(high*wide)
			defer spare.Put(rows)
			defer spare.Put(sums)
			for i := from; i < to; i += high {
				pack((*rows)[(i-from)*size:], a.matrix, !a.transposed, i, min(i+high, to), k, k+size, high)
			}
			for j := 0; j < n && !(part == lower && j >= to); j += wide {
				right := min(j+wide, n)
				begin, end := b.T().span(j, right, inner)
				for i := from; i < to; i += high {
					below := min(i+high, to)
					low, up := a.span(i, below, inner)
					low, up = max(low, begin, k)-k, min(up, end, k+size)-k
					if low >= up || part == lower && j >= below {
						continue
					}
					simd.MulPanels(*sums, (*rows)[(i-from)*size+low*high:], (*packed)[j*size+low*wide:], up-low)
					add(View(c, i, j, below-i, right-j), alpha, *sums, wide)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// span returns from where to where rows [from, to) of a factor may differ from 0.
func (f Factor) span(from, to, inner int) (first, last int) {
	switch f.triangle {
	case lower:
		return 0, min(to, inner)
	case upper:
		return min(from, inner), inner
	}
	return 0, inner
}

// add adds alpha times sums, whose rows are wide apart, to c.
func add(c blas64.General, alpha float64, sums []float64, wide int) {
	for i := range c.Rows {
		row := Row(c, i)
		for j, v := range sums[i*wide:][:len(row)] {
			row[j] += alpha * v
		}
	}
}

// pack writes lines [from, to) of a, rows or else columns, to dst, one beside the other,
// width numbers for every place along them from low to high; what is missing is 0.
func pack(dst []float64, a blas64.General, rows bool, from, to, low, high, width int) {
	dst = dst[:(high-low)*width]
	if !rows {
		for k := low; k < high; k++ {
			to := dst[(k-low)*width:][:width]
			clear(to[copy(to, a.Data[k*a.Stride+from:k*a.Stride+min(from+width, a.Cols)]):])
		}
		return
	}
	for k := low; k < high; k += spell {
		size := min(spell, high-k)
		part := dst[(k-low)*width:][:size*width]
		for i := range width {
			if from+i >= to {
				for at := i; at < len(part); at += width {
					part[at] = 0
				}
				continue
			}
			at := i
			for _, v := range a.Data[(from+i)*a.Stride+k:][:size] {
				part[at] = v
				at += width
			}
		}
	}
}
