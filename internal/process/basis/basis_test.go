package basis

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
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
				if order >= flushedFrom && want < least {
					if got != 0 && want < 0.99*least {
						t.Errorf("B_%d of order %d at %g = %g, want 0 for %g", i, order, tp, got, want)
					}
					want = got
				}
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

func TestRefusals(t *testing.T) {
	for _, order := range []int{-1, 65} {
		if _, err := NewBernstein(order); err == nil {
			t.Errorf("order %d is accepted", order)
		}
	}
	for _, levels := range []int{0, MaxLevels + 1} {
		if _, err := NewIndicator(levels); err == nil {
			t.Errorf("a category of %d levels is accepted", levels)
		}
	}
	if _, err := NewIndicator(MaxLevels); err != nil {
		t.Error(err)
	}
	for _, nodes := range []int{0, MaxSteps + 1} {
		if _, err := NewSteps(nodes); err == nil {
			t.Errorf("%d steps are accepted", nodes)
		}
	}
	if _, err := NewSteps(MaxSteps); err != nil {
		t.Error(err)
	}
	for _, nodes := range []int{0, MaxSplineNodes + 1} {
		if _, err := NewSpline(nodes); err == nil {
			t.Errorf("a spline of %d nodes is accepted", nodes)
		}
	}
	for _, pool := range []Pool{{-1, 2}, {0, 1}, {3, 5}, {2, 2}, {0, MaxLevels + 1}, {1, MaxLevels}} {
		if b, err := NewPooled(3, pool); err == nil {
			t.Errorf("pool %v of %d functions is accepted, of %d levels", pool, 3, b.Levels())
		}
	}
	if b, err := NewPooled(3, Pool{1, MaxLevels - 1}); err != nil || b.Levels() != MaxLevels {
		t.Error(b.Levels(), err)
	}
	if _, err := New(Spec{Kind: KindIndicator, Nodes: 3, Pool: Pool{1, 3}}); err == nil {
		t.Error("a pool of an indicator is accepted")
	}
	if _, err := New(Spec{Kind: "wavelet", Nodes: 3}); err == nil {
		t.Error("an unknown kind is accepted")
	}
}

// Of every function the first level is the first one that has it.
func TestLevelsOfAPool(t *testing.T) {
	b, err := NewPooled(4, Pool{1, 4})
	if err != nil {
		t.Fatal(err)
	}
	var of []int
	for level := range b.Levels() {
		of = append(of, b.Function(level))
	}
	if want := []int{0, 1, 1, 1, 2, 3}; !slices.Equal(of, want) {
		t.Errorf("functions of levels are %v, want %v", of, want)
	}
	for function := range b.Nodes() {
		if first := b.First(function); first != slices.Index(of, function) {
			t.Errorf("function %d has level %d first", function, first)
		}
	}
}

func TestLevelsAreChecked(t *testing.T) {
	for _, b := range []Basis{Indicator{3}, Pooled{Indicator{2}, Pool{0, 2}}} {
		refusesOtherLevels(t, b)
	}
}

func refusesOtherLevels(t *testing.T, b Basis) {
	for _, bad := range []float32{-1, 3, 0.5} {
		for name, values := range map[string]func(){
			"values":       func() { b.Values(make([]float32, 16), []float32{bad}, 1, 4) },
			"local values": func() { b.LocalValues(make([]int32, 1), make([]float32, 1), []float32{bad}, 1, 1) },
		} {
			func() {
				defer func() {
					if _, told := recover().(string); !told {
						t.Errorf("coordinate %g is accepted by %s, or refused without a word", bad, name)
					}
				}()
				values()
			}()
		}
	}
}
