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

func TestSplineSumsAveragesAndSlopes(t *testing.T) {
	for _, nodes := range splineSizes {
		b := spline(t, nodes)
		const points = 20000
		mean := make([]float64, nodes)
		gram := make([]float64, nodes)
		for p := range points {
			x := float32((float64(p) + 0.5) / points)
			values, slopes := splineAt(b, x)
			var sum, slope float64
			for i, v := range values {
				sum, slope = sum+float64(v), slope+float64(slopes[i])
				mean[i] += float64(v) / points
				gram[i] += float64(v) * float64(values[nodes/2]) / points
				if v < 0 {
					t.Fatalf("%d nodes: function %d is %g at %g", nodes, i, v, x)
				}
			}
			testkit.Close(t, "sum", sum, 1, 0, 1e-5)
			testkit.Close(t, "sum of slopes", slope, 0, 0, 1e-3)
		}
		g := b.Gram()
		for i, want := range b.Mean() {
			testkit.Close(t, "mean", mean[i], want, 1e-3, 1e-6)
			testkit.Close(t, "product", gram[i], g.At(i, nodes/2), 1e-3, 1e-6)
		}
		const x, h = 0.4321, 1.0 / 4096
		_, slopes := splineAt(b, x)
		up, _ := splineAt(b, x+h)
		down, _ := splineAt(b, x-h)
		for i := range slopes {
			scale := float64(b.intervals)
			testkit.Close(t, "slope", float64(slopes[i]), float64(up[i]-down[i])/(2*h), 0, 1e-3*scale+3*scale*scale*scale*h*h)
		}
		for _, end := range []float32{0, 1} {
			values, _ := splineAt(b, end)
			if values[int(end)*(nodes-1)] != 1 {
				t.Errorf("%d nodes: the outermost function is %g at %g", nodes, values[int(end)*(nodes-1)], end)
			}
		}
	}
	for _, bad := range []int{0, MaxSplineNodes + 1} {
		if _, err := NewSpline(bad); err == nil {
			t.Errorf("%d nodes are accepted", bad)
		}
	}
}

// The prior has variance one at the abscissae, and near one in between.
func TestSplinePriorVariance(t *testing.T) {
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
		for i := range nodes {
			testkit.Close(t, "variance at a node", variance(b.greville(i)), 1, 0, 1e-4)
		}
		for p := range 200 {
			testkit.Close(t, "variance between nodes", variance(float64(p)/199), 0.85, 0, 0.36)
		}
	}
	if b, err := New(spline(t, 21).Spec()); err != nil || b.Nodes() != 21 {
		t.Errorf("made again from its description: %v, %v", b, err)
	}
}
