package elbo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// A row of weight 3 is worth three rows, in every tile, on every worker.
func TestWeightsOfTheBoundAreRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	const n, d = 300, 2
	s := newSurface(t, []int{2, 3}, 2, rng)
	params, x, y := normals(s.Size(), 0.5, rng), uniforms(n*d, rng), normals(n, 1, rng)
	var weights, moreX, moreY []float32
	for p := range n {
		w := 1 + (p+p/100)%3
		weights = append(weights, float32(w))
		for range w {
			moreX, moreY = append(moreX, x[p*d:(p+1)*d]...), append(moreY, y[p])
		}
	}
	want, wantGradient := evaluate(s, len(moreY), 1, params, -1, moreX, moreY)
	for _, workers := range []int{1, 2} {
		pool := simd.NewPool(workers)
		gradient := make([]float32, len(params))
		got := NewBound(s, n, pool).Evaluate(params, -1, Batch{X: x, Y: y, Weights: weights}, gradient)
		pool.Close()
		testkit.Close(t, "Σ w (y−μ)²", got.SquaredError, want.SquaredError, 1e-5, 0)
		testkit.Close(t, "Σ w Var f", got.Variance, want.Variance, 1e-5, 0)
		for i, g := range wantGradient {
			testkit.Close(t, fmt.Sprint("gradient ", i), float64(gradient[i]), float64(g), 1e-3, 1e-3)
		}
	}
}

func TestDivergencesOfGroupsAdd(t *testing.T) {
	terms := Terms{KL: []KL{{0.5, 1}, {0.25, 2}}}
	testkit.Close(t, "divergence", terms.Divergence(), 0.5*math.E+0.25*math.E*math.E, 1e-14, 0)
}

// LogScaleLoss is minus the log density of Student's t, less what does not depend on the
// scale.
func TestLogScaleLossIsStudents(t *testing.T) {
	for _, f := range []float64{-2, 0, 1.5} {
		d := distuv.StudentsT{Sigma: math.Exp(f / 2), Nu: ScaleTails}
		for _, residual := range []float64{0, 0.3, 4} {
			got, _ := LogScaleLoss(f, residual*residual)
			want := distuv.StudentsT{Sigma: 1, Nu: ScaleTails}.LogProb(0) - d.LogProb(residual)
			testkit.Close(t, "loss", got, want, 1e-12, 1e-12)
		}
	}
}
