package basis

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

var (
	_ Basis = Bernstein{}
	_ Basis = Indicator{}
)

// exact returns C(n, i) t^i (1−t)^(n−i), computed with 2000 bits.
func exact(n, i int, t float32) float64 {
	if i < 0 || i > n {
		return 0
	}
	x := new(big.Float).SetPrec(2000).SetFloat64(float64(t))
	y := new(big.Float).Sub(new(big.Float).SetPrec(2000).SetInt64(1), x)
	v := new(big.Float).SetPrec(2000).SetInt(new(big.Int).Binomial(int64(n), int64(i)))
	for range i {
		v.Mul(v, x)
	}
	for range n - i {
		v.Mul(v, y)
	}
	f, _ := v.Float64()
	return f
}

func coordinates(n int) []float32 {
	rng := rand.New(rand.NewPCG(1, 2))
	t := []float32{0, 1, 0.5, 1e-7, 1 - 1.0/(1<<24), 1.0 / 3}
	for len(t) < n {
		t = append(t, rng.Float32())
	}
	return t[:n]
}

func TestBernsteinValuesAgreeWithExactArithmetic(t *testing.T) {
	ts := coordinates(17)
	for order := 0; order <= MaxOrder; order++ {
		b, err := NewBernstein(order)
		if err != nil {
			t.Fatal(err)
		}
		const ld = 20
		values := make([]float32, b.Nodes()*ld)
		slopes := make([]float32, b.Nodes()*ld)
		b.Values(values, ts, len(ts), ld)
		b.Derivatives(slopes, ts, len(ts), ld)
		for p, tp := range ts {
			var sum, slope float64
			for i := range b.Nodes() {
				got, want := float64(values[i*ld+p]), exact(order, i, tp)
				if math.Abs(got-want) > 5e-6*want+1e-37 {
					t.Errorf("B_%d of order %d at %g = %g, want %g", i, order, tp, got, want)
				}
				if (tp == 0 || tp == 1) && got != want {
					t.Errorf("B_%d of order %d at %g = %g, want exactly %g", i, order, tp, got, want)
				}
				sum += got
				d := float64(slopes[i*ld+p])
				slope += d
				if order > 0 {
					want := float64(order) * (exact(order-1, i-1, tp) - exact(order-1, i, tp))
					if math.Abs(d-want) > 5e-6*float64(order) {
						t.Errorf("B'_%d of order %d at %g = %g, want %g", i, order, tp, d, want)
					}
				}
			}
			if math.Abs(sum-1) > 5e-6 {
				t.Errorf("order %d at %g: values add up to %g", order, tp, sum)
			}
			if math.Abs(slope) > 1e-5*float64(order+1) {
				t.Errorf("order %d at %g: slopes add up to %g", order, tp, slope)
			}
		}
	}
}

// Bernstein polynomials are mirror images: B_i(t) = B_{ν−i}(1−t).
func TestBernsteinMirrors(t *testing.T) {
	b := Bernstein{20}
	ts := []float32{0, 0.125, 0.25, 0.375, 0.8125, 1} // 1−t is exact
	back := make([]float32, len(ts))
	for p := range ts {
		back[p] = 1 - ts[p]
	}
	n := len(ts)
	v, w := make([]float32, 21*n), make([]float32, 21*n)
	b.Values(v, ts, n, n)
	b.Values(w, back, n, n)
	for i := range 21 {
		for p := range ts {
			if got, want := w[(20-i)*n+p], v[i*n+p]; math.Abs(float64(got-want)) > 5e-6*float64(want) {
				t.Errorf("node %d at %g: %g mirrored, %g as it is", i, ts[p], got, want)
			}
		}
	}
}

func TestMeanAndGramAgreeWithQuadrature(t *testing.T) {
	// Gauss–Legendre with 80 points is exact to degree 159.
	x, w := make([]float64, 80), make([]float64, 80)
	quad.Legendre{}.FixedLocations(x, w, 0, 1)
	for _, order := range []int{0, 1, 2, 5, 20, 64} {
		b := Bernstein{order}
		mean := make([]float64, b.Nodes())
		gram := mat.NewSymDense(b.Nodes(), nil)
		for k := range x {
			v := b.at(x[k])
			gram.SymRankOne(gram, w[k], mat.NewVecDense(len(v), v))
			floats.AddScaled(mean, w[k], v)
		}
		if !floats.EqualApprox(b.Mean(), mean, 1e-12) {
			t.Errorf("order %d: Mean = %g, want %g", order, b.Mean(), mean)
		}
		product := b.Gram()
		for i := range b.Nodes() {
			for j := range b.Nodes() {
				if got, want := product.At(i, j), gram.At(i, j); math.Abs(got-want) > 1e-10*want {
					t.Fatalf("order %d: Gram(%d, %d) = %g, want %g", order, i, j, got, want)
				}
			}
		}
	}
}

func TestPriorVarianceIsOneAtTheNodes(t *testing.T) {
	for order := 0; order <= MaxPriorOrder; order++ {
		b := Bernstein{order}
		s, err := b.PriorVariance()
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Nodes() {
			at := float64(i) / math.Max(1, float64(order))
			var variance float64
			for j := range s {
				v := new(big.Float).SetInt(new(big.Int).Binomial(int64(order), int64(j)))
				c, _ := v.Float64()
				v64 := c * math.Pow(at, float64(j)) * math.Pow(1-at, float64(order-j))
				variance += s[j] * v64 * v64
			}
			if math.Abs(variance-1) > 1e-9 {
				t.Errorf("order %d: variance at node %d = %g", order, i, variance)
			}
		}
		for j, v := range s {
			if v <= 0 {
				t.Errorf("order %d: ς_%d = %g", order, j, v)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, order := range []int{-1, 65} {
		if _, err := NewBernstein(order); err == nil {
			t.Errorf("order %d is accepted", order)
		}
	}
	if _, err := (Bernstein{26}).PriorVariance(); err == nil {
		t.Error("the prior of order 26 is accepted")
	}
	if _, err := NewIndicator(0); err == nil {
		t.Error("a category without levels is accepted")
	}
	if _, err := New(Spec{Kind: "wavelet", Nodes: 3}); err == nil {
		t.Error("an unknown kind is accepted")
	}
	for _, s := range []Spec{{Kind: KindBernstein, Nodes: 21}, {Kind: KindIndicator, Nodes: 3}, {Kind: KindIndicator, Nodes: 2, Average: []float64{0.25, 0.75}}} {
		b, err := New(s)
		if err != nil || !reflect.DeepEqual(b.Spec(), s) {
			t.Errorf("%v comes back as %v, %v", s, b, err)
		}
	}
}

func TestIndicator(t *testing.T) {
	b := Indicator{3}
	ts := []float32{2, 0, 1, 2}
	dst := make([]float32, 12)
	b.Values(dst, ts, 4, 4)
	for p, level := range ts {
		for i := range 3 {
			want := float32(0)
			if i == int(level) {
				want = 1
			}
			if dst[i*4+p] != want {
				t.Errorf("level %d at %g = %g", i, level, dst[i*4+p])
			}
		}
	}
	for _, bad := range []float32{-1, 3, 0.5} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("coordinate %g is accepted", bad)
				}
			}()
			b.Values(dst, []float32{bad}, 1, 4)
		}()
	}
}
