package basis

import (
	"math"
	"testing"

	"beziergp/internal/testkit"
)

var splineSizes = []int{1, 2, 3, 4, 5, 7, 11, 21, 41, 100, MaxSplineNodes}

func spline(t *testing.T, nodes int) Spline {
	t.Helper()
	b, err := NewSpline(nodes)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// at evaluates one coordinate.
func splineAt(b Spline, t float32) (values, slopes []float32) {
	values, slopes = make([]float32, b.Nodes()), make([]float32, b.Nodes())
	b.Values(values, []float32{t}, 1, 1)
	b.Derivatives(slopes, []float32{t}, 1, 1)
	return values, slopes
}

// A uniform cubic B-spline is a sum of truncated powers; that of node i, away from
// the ends, is Σ_k (−1)^k C(4,k) (u − i + 3 − k)₊³ / 6 with u in intervals.
func TestSplineMatchesTruncatedPowers(t *testing.T) {
	const nodes = 17
	b := spline(t, nodes)
	for _, x := range []float32{0.3, 0.5, 0.512, 0.77} {
		values, _ := splineAt(b, x)
		for i := 3; i < nodes-3; i++ {
			var want float64
			for k, c := range []float64{1, -4, 6, -4, 1} {
				want += c * math.Pow(max(0, float64(x)*(nodes-3)-float64(i-3+k)), 3) / 6
			}
			testkit.Close(t, "spline", float64(values[i]), want, 0, 1e-5)
		}
	}
}

func TestSmallSplinesAreBernstein(t *testing.T) {
	for nodes := 1; nodes <= 4; nodes++ {
		b, other := spline(t, nodes), Bernstein{nodes - 1}
		for _, x := range []float32{0, 0.2, 0.9, 1} {
			values, slopes := splineAt(b, x)
			want, wantSlopes := make([]float32, nodes), make([]float32, nodes)
			other.Values(want, []float32{x}, 1, 1)
			other.Derivatives(wantSlopes, []float32{x}, 1, 1)
			for i := range values {
				testkit.Close(t, "value", float64(values[i]), float64(want[i]), 0, 1e-6)
				testkit.Close(t, "slope", float64(slopes[i]), float64(wantSlopes[i]), 0, 1e-5)
			}
		}
		own, err := b.PriorVariance()
		if err != nil {
			t.Fatal(err)
		}
		want, _ := other.PriorVariance()
		for i := range own {
			testkit.Close(t, "prior variance", own[i], want[i], 1e-9, 0)
		}
	}
}

// The prior, of variance one at the abscissae, is near one in between.
func TestSplinePriorVarianceBetweenNodes(t *testing.T) {
	for _, nodes := range splineSizes {
		b := spline(t, nodes)
		variances, err := b.PriorVariance()
		if err != nil {
			t.Fatal(err)
		}
		variance := func(x float64) (sum float64) {
			values, _ := splineAt(b, float32(x))
			for i, v := range values {
				sum += variances[i] * float64(v) * float64(v)
			}
			return sum
		}
		for p := range 200 {
			testkit.Close(t, "variance between nodes", variance(float64(p)/199), 0.85, 0, 0.36)
		}
	}
}

// The polynomials of an interval are the functions that do not vanish there.
func TestPolynomialsAreTheFunctions(t *testing.T) {
	for _, nodes := range []int{1, 2, 3, 4, 5, 12} {
		b, err := NewSpline(nodes)
		if err != nil {
			t.Fatal(err)
		}
		degree := min(3, nodes-1)
		intervals := nodes - degree
		for interval := range intervals {
			all := b.Polynomials(interval)
			if len(all) != degree+1 {
				t.Fatalf("%d nodes: %d polynomials", nodes, len(all))
			}
			for _, x := range []float64{0, 0.25, 0.75} {
				values := make([]float32, nodes)
				b.Values(values, []float32{float32((float64(interval) + x) / float64(intervals))}, 1, 1)
				for i, coefficients := range all {
					if len(coefficients) != degree+1 {
						t.Fatalf("%d nodes: %d coefficients", nodes, len(coefficients))
					}
					var got float64
					for power := degree; power >= 0; power-- {
						got = got*x + coefficients[power]
					}
					testkit.Close(t, "value", got, float64(values[interval+i]), 1e-5, 1e-6)
				}
			}
			// They are the caller's to change.
			all[0][0] = 7
			if b.Polynomials(interval)[0][0] == 7 {
				t.Fatal("a change of a polynomial changes the basis")
			}
		}
	}
}
