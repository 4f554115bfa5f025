package buttress

import (
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/internal/testkit"
)

func TestScaleByPower(t *testing.T) {
	for e := int32(-300); e <= 300; e++ {
		for _, x := range []float32{1, -1.5, 0x1p100, 0x1p-100, 0} {
			if got, want := scaleByPower(x, e), float32(math.Ldexp(float64(x), int(e))); got != want {
				t.Fatalf("%g · 2^%d = %g, want %g", x, e, got, want)
			}
		}
	}
}

// What has no largest power of two, or none that is finite, stays what it is.
func TestTakeExponent(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		want int
	}{{[]float64{0, 0}, 0}, {[]float64{1, math.Inf(1)}, 0}, {[]float64{math.NaN(), 1}, 0}, {[]float64{0, -6, 3}, 3}, {[]float64{0x1p-700}, -699}} {
		v := slices.Clone(c.v)
		got := takeExponent(v)
		if got != c.want {
			t.Errorf("the exponent of %g is %d, want %d", c.v, got, c.want)
		}
		for i, x := range v {
			if back := math.Ldexp(x, got); back != c.v[i] && x == x {
				t.Errorf("%g is %g · 2^%d", c.v[i], x, got)
			}
		}
	}
}

// Buttresses lie one after the other, and log τ is the sum of the layers' logarithms.
func TestSizesOfAnEnsemble(t *testing.T) {
	e, err := New([]int{2, 3, 5}, nil, [][]int{{0, 1, 2}, {2, 1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "log τ", e.LogPaths(), math.Log(30), 1e-14, 0)
	// By hand: 2 + 2·3 + 3·5 weights, and 5 + 5·3 + 3·2.
	if e.End(0) != 23 || e.End(1) != 49 || e.Size() != 49 {
		t.Errorf("buttresses end at %d and %d of %d", e.End(0), e.End(1), e.Size())
	}
	if e.Row(2) != 5 || e.Rows() != 10 { // and none of ones, for one output
		t.Errorf("the rows of the last input are %d to %d", e.Row(2), e.Rows())
	}
	if _, err := New([]int{2, 3, 5}, nil, [][]int{{0, 1, 3}}); err == nil || !strings.Contains(err.Error(), "0 to 2") {
		t.Errorf("an ordering of other inputs: %v", err)
	}
	if _, err := NewPrior([][]float64{{1, 0}}, 1); err == nil {
		t.Error("a prior variance of 0 is accepted")
	}
}

// Outputs are scaled by the powers of their points, whether float32 holds all of these or not.
func TestOutputsAreScaledBack(t *testing.T) {
	const n = 5
	for _, exponents := range [][]int32{{0, 1, -126, 127, 5}, {0, 1, -127, 3, 5}, {0, 128, 1, 3, 5}} {
		for _, outputs := range []int{1, 3} {
			s := newStates(stride, 1, 1, 1)
			copy(s.exponents, exponents)
			src := make([]float32, outputs*stride)
			for i := range src {
				src[i] = float32(i%7) - 2.5
			}
			dst, own := make([]float32, len(src)), slices.Clone(src)
			s.scaleBack(dst, src, outputs, n)
			s.scaleBack(own, own, outputs, n)
			for i, v := range src {
				want, untouched := float32(0), v
				if p := i % stride; p < n {
					want = float32(math.Ldexp(float64(v), int(exponents[p])))
					untouched = want
				}
				if dst[i] != want || own[i] != untouched {
					t.Errorf("%v, %d outputs: value %d is %g, and in place %g; want %g", exponents, outputs, i, dst[i], own[i], want)
				}
			}
		}
	}
}
