// Package covariance holds the stationary kernels of the Gaussian processes among the
// rivals, with their gradients, and the parameters of such a process.
package covariance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/rival/method"
	"beziergp/rival/method/dense"
)

const errShape = "covariance: points, parameters or matrices differ in shape"

// Family is the form h of a kernel k(x, z) = v h(r), with r² = Σ_j (x_j − z_j)²/ℓ_j²
// (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, section 4.2).
type Family int

// The zero value is what users of Gaussian processes choose for tables: functions with two
// derivatives, which are less smooth than those of RBF. Files have the names.
const (
	Matern52 Family = iota // (1 + √5 r + 5r²/3) exp(−√5 r)
	Matern32               // (1 + √3 r) exp(−√3 r)
	Matern12               // exp(−r)
	RBF                    // exp(−r²/2)
)

var names = [...]string{"matern52", "matern32", "matern12", "rbf"}

func (f Family) String() string {
	if f < 0 || int(f) >= len(names) {
		return fmt.Sprintf("Family(%d)", int(f))
	}
	return names[f]
}

// ParseFamily returns the family of that name.
func ParseFamily(name string) (Family, error) {
	i := slices.Index(names[:], name)
	if i < 0 {
		return 0, fmt.Errorf("there is no kernel %.40q; there are %s", name, strings.Join(names[:], ", "))
	}
	return Family(i), nil
}

// MarshalText returns the name.
func (f Family) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText is ParseFamily.
func (f *Family) UnmarshalText(name []byte) (err error) {
	*f, err = ParseFamily(string(name))
	return err
}

// Check fails on a family that there is not.
func (f Family) Check() error {
	if f < 0 || int(f) >= len(names) {
		return fmt.Errorf("covariance: no kernel %d; give Matern52, Matern32, Matern12 or RBF", int(f))
	}
	return nil
}

// Kernel is a family with its variance v and a lengthscale ℓ for every input.
type Kernel struct {
	Family   Family    `json:"kernel"`
	Variance float64   `json:"variance"`
	Lengths  []float64 `json:"lengths"` // [d]
}

// Points are inputs divided by lengthscales, by rows and by columns.
type Points struct {
	N, d    int
	rows    []float64 // [n, d]
	columns []float64 // [d] columns, stride apart
	stride  int
}

// Points divides the rows of x [n, d] by the lengthscales, into the memory of into,
// which may be nil.
func (k *Kernel) Points(x []float64, into *Points) *Points {
	d := len(k.Lengths)
	if len(x)%d != 0 {
		panic(errShape)
	}
	if into == nil || cap(into.rows) < len(x) {
		into = &Points{rows: make([]float64, len(x)), columns: make([]float64, len(x))}
	}
	n := len(x) / d
	into.N, into.d, into.stride = n, d, n
	into.rows, into.columns = into.rows[:len(x)], into.columns[:len(x)]
	for i := range n {
		for j, l := range k.Lengths {
			v := x[i*d+j] / l
			into.rows[i*d+j], into.columns[j*n+i] = v, v
		}
	}
	return into
}

// Slice returns the points [from, to), in the same memory.
func (p *Points) Slice(from, to int) *Points {
	return &Points{N: to - from, d: p.d, rows: p.rows[from*p.d : to*p.d], columns: p.columns[from:], stride: p.stride}
}

func (p *Points) column(j int) []float64 { return p.columns[j*p.stride : j*p.stride+p.N] }

// Values sets values [a.N, b.N] to the kernel at all pairs of a and b, and slopes, if
// it has memory, to ∂k/∂r². Matern12 has no slope at r = 0; it is set to 0 there,
// where every use multiplies it by a difference that is 0.
func (k *Kernel) Values(values, slopes blas64.General, a, b *Points) {
	if values.Rows != a.N || values.Cols != b.N || a.d != b.d {
		panic(errShape)
	}
	for i := range a.N {
		row := dense.Row(values, i)
		clear(row)
		for j, x := range a.rows[i*a.d : (i+1)*a.d] {
			column := b.column(j)[:len(row)]
			for c, z := range column {
				row[c] += (x - z) * (x - z)
			}
		}
		var slope []float64
		if slopes.Data != nil {
			slope = dense.Row(slopes, i)
		}
		k.shape(row, slope)
	}
}

// block is the rows whose covariances one worker computes at a time.
const block = 32

// Cross is [Kernel.Values] by several workers.
func (k *Kernel) Cross(ctx context.Context, workers int, values, slopes blas64.General, a, b *Points) error {
	return method.Blocks(ctx, workers, a.N, block, func(_, from, to int) error {
		k.Values(dense.View(values, from, 0, to-from, b.N), dense.View(slopes, from, 0, to-from, b.N), a.Slice(from, to), b)
		return nil
	})
}

// Own is [Kernel.Cross] of a with itself: one triangle is computed.
func (k *Kernel) Own(ctx context.Context, workers int, values, slopes blas64.General, a *Points) error {
	err := method.Blocks(ctx, workers, a.N, block, func(_, from, to int) error {
		k.Values(dense.View(values, from, 0, to-from, to), dense.View(slopes, from, 0, to-from, to), a.Slice(from, to), a.Slice(0, to))
		return nil
	})
	dense.Mirror(values)
	dense.Mirror(slopes)
	return err
}

// shape replaces squared distances r by values of the kernel, and sets slope, unless
// nil, to the derivatives by r².
func (k *Kernel) shape(r, slope []float64) {
	v := k.Variance
	switch k.Family {
	case RBF:
		for i, square := range r {
			r[i] = v * math.Exp(-square/2)
		}
		for i := range slope {
			slope[i] = -r[i] / 2
		}
	case Matern12:
		for i, square := range r {
			distance := math.Sqrt(square)
			r[i] = v * math.Exp(-distance)
			if slope != nil {
				slope[i] = 0
				if distance > 0 {
					slope[i] = -r[i] / (2 * distance)
				}
			}
		}
	case Matern32:
		for i, square := range r {
			distance := math.Sqrt(3 * square)
			decay := v * math.Exp(-distance)
			r[i] = (1 + distance) * decay
			if slope != nil {
				slope[i] = -1.5 * decay
			}
		}
	case Matern52:
		for i, square := range r {
			distance := math.Sqrt(5 * square)
			decay := v * math.Exp(-distance)
			r[i] = (1 + distance + distance*distance/3) * decay
			if slope != nil {
				slope[i] = -5.0 / 6 * (1 + distance) * decay
			}
		}
	}
}
