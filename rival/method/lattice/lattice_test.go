package lattice

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"beziergp/internal/testkit"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

func normals(seed uint64, n int, deviation float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 0))
	out := make([]float64, n)
	for i := range out {
		out[i] = deviation * r.NormFloat64()
	}
	return out
}

func lattice(t testing.TB, x []float64, d int, s *Stencil) *Lattice {
	t.Helper()
	l, err := New(context.Background(), 2, x, d, s, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// vertex is one in whole coordinates, as a map can have it.
type vertex string

func name(u []int) vertex { return vertex(fmt.Sprint(u)) }

// simplex returns the vertices of the simplex of x and their weights by another route
// than the package: the nearest vertex of remainder 0 by trying all roundings, the simplex
// by sorting, the weights by solving for them.
func simplex(t *testing.T, x []float64, scale float64) (corners [][]int, weights []float64) {
	t.Helper()
	d := len(x)
	side := d + 1
	y := make([]float64, side)
	for i := 1; i <= d; i++ {
		norm := math.Sqrt(float64(i * (i + 1)))
		for u := range i {
			y[u] += scale * x[i-1] / norm
		}
		y[i] -= scale * x[i-1] * float64(i) / norm
	}
	best, base := math.Inf(1), make([]int, side)
	var try func(u, sum int, at []int, square float64)
	try = func(u, sum int, at []int, square float64) {
		if u == side {
			if sum == 0 && square < best {
				best = square
				copy(base, at)
			}
			return
		}
		low := int(math.Floor(y[u] / float64(side)))
		for _, m := range []int{low, low + 1} {
			at[u] = m * side
			try(u+1, sum+m, at, square+math.Pow(y[u]-float64(m*side), 2))
		}
	}
	try(0, 0, make([]int, side), 0)
	by := make([]int, side)
	for u := range by {
		by[u] = u
	}
	slices.SortFunc(by, func(a, b int) int {
		if y[a]-float64(base[a]) > y[b]-float64(base[b]) {
			return -1
		}
		return 1
	})
	system, right := mat.NewDense(side+1, side, nil), mat.NewVecDense(side+1, nil)
	for k := range side {
		corner := slices.Clone(base)
		for place, u := range by {
			corner[u] += k
			if place > d-k {
				corner[u] -= side
			}
		}
		corners = append(corners, corner)
		for u := range side {
			system.Set(u, k, float64(corner[u]))
		}
		system.Set(side, k, 1)
	}
	for u, v := range y {
		right.SetVec(u, v)
	}
	right.SetVec(side, 1)
	var solution mat.VecDense
	if err := solution.SolveVec(system, right); err != nil {
		t.Fatal(err)
	}
	return corners, solution.RawVector().Data
}

// whole returns A by dense matrices: rows x, then rows extra, whose new vertices come
// after all others. Factors are gonum's, along each chain in its order.
func whole(t *testing.T, x, extra []float64, d int, s *Stencil) *mat.Dense {
	t.Helper()
	var known [][]int
	number, old := map[vertex]int{}, 0
	var w [][]float64
	for i := range (len(x) + len(extra)) / d {
		if i == len(x)/d {
			old = len(known)
		}
		corners, weights := simplex(t, append(slices.Clone(x), extra...)[i*d:(i+1)*d], s.Scale)
		row := map[int]float64{}
		for k, u := range corners {
			if _, ok := number[name(u)]; !ok {
				number[name(u)] = len(known)
				known = append(known, u)
			}
			row[number[name(u)]] += weights[k]
		}
		w = append(w, make([]float64, 1<<12))
		for v, x := range row {
			w[i][v] = x
		}
	}
	if len(extra) == 0 {
		old = len(known)
	}
	m := len(known)
	a := mat.NewDense(len(w), m, nil)
	for i := range w {
		a.SetRow(i, w[i][:m])
	}
	for j := range d + 1 {
		order := make([]int, m)
		for v := range order {
			order[v] = v
		}
		// A step forward lowers coordinate j. The package's order only matters within chains.
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case a >= old || b >= old:
				return a - b
			}
			return known[b][j] - known[a][j]
		})
		at := make([]int, m)
		for i, v := range order {
			at[v] = i
		}
		stencil := mat.NewSymDense(m, nil)
		for v, u := range known {
			stencil.SetSym(at[v], at[v], 1)
			after := slices.Clone(u)
			for c := range after {
				after[c]++
			}
			after[j] -= d + 1
			if other, ok := number[name(after)]; ok {
				stencil.SetSym(at[v], at[other], s.Tap)
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(stencil) {
			t.Fatal("the stencil has no factor")
		}
		var l mat.TriDense
		chol.LTo(&l)
		factor := mat.NewDense(m, m, nil)
		for v := range m {
			for u := range m {
				if at[u] <= at[v] {
					factor.Set(v, u, l.At(at[v], at[u]))
				}
			}
		}
		a.Mul(a, factor)
	}
	return a
}

func product(a *mat.Dense) *mat.Dense {
	var k mat.Dense
	k.Mul(a, a.T())
	return &k
}

func TestFilterIsTheDenseProduct(t *testing.T) {
	const n = 40
	for d, deviation := range map[int]float64{1: 3, 2: 2, 3: 0.7, 5: 0.5, 7: 2} {
		s := NewStencil(covariance.RBF, d)
		x := normals(uint64(d), n*d, deviation)
		l := lattice(t, x, d, s)
		want := product(whole(t, x, nil, d, s))
		f := l.Filter(context.Background(), 2)
		in, got := dense.New(n, 3), dense.New(n, 3)
		copy(in.Data, normals(9, 3*n, 1))
		z := dense.New(l.Vertices(), 3)
		if err := errors.Join(f.MulT(z, in), f.Mul(got, z)); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for c := range 3 {
				var sum float64
				for u := range n {
					sum += want.At(i, u) * in.Data[u*3+c]
				}
				testkit.Close(t, fmt.Sprint(d, " inputs, row ", i), got.Data[i*3+c], sum, 1e-10, 1e-10)
			}
		}
	}
}

// Without gaps the kernel between vertices is the convolution of stencils along all
// directions, whatever the order: rows at vertices around one of them.
func TestKernelIsTheConvolutionOfStencils(t *testing.T) {
	const d = 2
	s := NewStencil(covariance.Matern32, d)
	var x []float64
	middle := -1
	for a := -12; a <= 12; a++ {
		for b := -12; b <= 12; b++ {
			if a == 0 && b == 0 {
				middle = len(x) / d
			}
			// a e_0 + b e_1, and back to the two inputs.
			y := []float64{float64(a + b - 3*a), float64(a + b - 3*b), float64(a + b)}
			x = append(x, (y[0]-y[1])/math.Sqrt2/s.Scale, (y[0]+y[1]-2*y[2])/math.Sqrt(6)/s.Scale)
		}
	}
	l := lattice(t, x, d, s)
	f := l.Filter(context.Background(), 1)
	n := len(x) / d
	in, out, z := dense.New(n, 1), dense.New(n, 1), dense.New(l.Vertices(), 1)
	in.Data[middle] = 1
	if err := errors.Join(f.MulT(z, in), f.Mul(out, z)); err != nil {
		t.Fatal(err)
	}
	c := s.Tap
	// Steps along the three directions add to nothing where all are equal.
	testkit.Close(t, "in place", out.Data[middle], 1+2*c*c*c, 1e-9, 0)
	testkit.Close(t, "a step", out.Data[middle+1], c+c*c, 1e-9, 0)
	testkit.Close(t, "a step back", out.Data[middle-25], c+c*c, 1e-9, 0)
	testkit.Close(t, "two directions", out.Data[middle+25+1], c*c+c, 1e-9, 0)
	testkit.Close(t, "two apart", out.Data[middle+25-1], c*c, 1e-9, 0)
	testkit.Close(t, "three apart", out.Data[middle+2*25+1], c*c, 1e-9, 0)
	testkit.Close(t, "far", out.Data[middle+3*25], 0, 1e-9, 0)
}

func TestReachExtendsTheLattice(t *testing.T) {
	const n = 30
	for d, deviation := range map[int]float64{1: 3, 2: 2, 3: 1, 5: 0.6, 6: 0.4} {
		s := NewStencil(covariance.RBF, d)
		x, extra := normals(uint64(d), n*d, deviation), normals(77, 12*d, deviation)
		l := lattice(t, x, d, s)
		r := l.Reach()
		a := whole(t, x, nil, d, s)
		fresh := 0
		for e := range 12 {
			want := product(whole(t, x, extra[e*d:(e+1)*d], d, s))
			r.Set(extra[e*d : (e+1)*d])
			variance := r.Own
			// The rows of A of the lattice, by the filter's own transposed.
			row := dense.New(l.Vertices(), 1)
			for i, v := range r.At {
				row.Data[v] += r.Weight[i]
				variance += r.Weight[i] * r.Weight[i]
			}
			if r.Own > 0 {
				fresh++
			}
			between := dense.New(n, 1)
			if err := l.Filter(context.Background(), 1).Mul(between, row); err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, fmt.Sprint(d, " inputs, variance of ", e), variance, want.At(n, n), 1e-10, 1e-10)
			for i := range n {
				testkit.Close(t, fmt.Sprint(d, " inputs, row ", i, " with ", e), between.Data[i], want.At(n, i), 1e-10, 1e-10)
			}
		}
		if fresh == 0 {
			t.Errorf("%d inputs: no row lacks a vertex", d)
		}
		// A row of the lattice is its row of A.
		r.Set(x[:d])
		var square float64
		for _, w := range r.Weight {
			square += w * w
		}
		testkit.Close(t, "its own row", square, mat.Dot(a.RowView(0), a.RowView(0)), 1e-10, 1e-10)
	}
}

func TestSlopesAgreeWithDifferences(t *testing.T) {
	const n, d, cols = 50, 3, 2
	s := NewStencil(covariance.RBF, d)
	x, a, b := normals(1, n*d, 1), dense.New(n, cols), dense.New(n, cols)
	copy(a.Data, normals(2, n*cols, 1))
	copy(b.Data, normals(3, n*cols, 1))
	weight := []float64{0.7, -1.3}
	at := []float64{-0.2, 0.1, 0.3}
	scaled := func(log []float64) []float64 {
		out := slices.Clone(x)
		for i := range out {
			out[i] /= math.Exp(log[i%d])
		}
		return out
	}
	product := func(f *Filter, v blas64.General) (z, out blas64.General) {
		z, out = dense.New(f.Vertices(), cols), dense.New(n, cols)
		if err := errors.Join(f.MulT(z, v), f.Mul(out, z), f.Smooth(z, z)); err != nil {
			t.Fatal(err)
		}
		return z, out
	}
	scalar := func(log []float64) (sum float64) {
		_, kb := product(lattice(t, scaled(log), d, s).Filter(context.Background(), 2), b)
		for i, v := range kb.Data {
			sum += weight[i%cols] * a.Data[i] * v
		}
		return sum
	}
	f := lattice(t, scaled(at), d, s).Filter(context.Background(), 2)
	ga, _ := product(f, a)
	gb, _ := product(f, b)
	got := make([]float64, d)
	if err := f.Slopes(got, weight, scaled(at), a, ga, b, gb); err != nil {
		t.Fatal(err)
	}
	// So short a step that no row leaves its simplex.
	want := fd.Gradient(nil, scalar, at, &fd.Settings{Formula: fd.Central, Step: 1e-6})
	for j := range want {
		testkit.Close(t, fmt.Sprint("log ℓ", j), got[j], want[j], 1e-6, 1e-6)
	}
}

func TestFarRowsHaveNoPlace(t *testing.T) {
	s := NewStencil(covariance.RBF, 2)
	if _, err := New(context.Background(), 1, []float64{0, 0, 1e12, 0}, 2, s, 1<<30); !errors.Is(err, ErrFar) {
		t.Errorf("%v", err)
	}
	r := lattice(t, []float64{0, 0}, 2, s).Reach()
	for _, x := range [][]float64{{1e300, 0}, {math.Inf(1), 0}, {1e7, 1e7}} {
		r.Set(x)
		if len(r.At) != 0 || !(r.Own > 0) {
			t.Errorf("%g: %d entries, %g", x, len(r.At), r.Own)
		}
	}
}
