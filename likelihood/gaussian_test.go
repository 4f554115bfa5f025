package likelihood

import (
	"math"
	"testing"

	"beziergp/internal/process/optim"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// logGaussian is log N(y; f, σ²).
func logGaussian(y, f, noise float64) float64 {
	return -0.5 * (math.Log(2*math.Pi*noise) + (y-f)*(y-f)/noise)
}

// The root of the mean deviance of a Gaussian is the RMSE.
func TestRootDeviance(t *testing.T) {
	s := Gaussian{}.NewStatistics()
	s.Add([]float32{1}, 1, 4, 0.5)
	s.Add([]float32{2}, 1, -2, 0.5)
	testkit.Close(t, "RMSE", RootDeviance(s.Loss(), 2), math.Sqrt((9+16)/2.), 1e-15, 0)
}

// The paper finds σ² by Adam at rate 0.01, which must end where the closed form is.
// From σ² = 1/τ the first gradients are so large that Adam's second moment forgets
// them only after some 10000 steps: hence twice the paper's number.
func TestAdamFindsTheClosedFormNoise(t *testing.T) {
	pool := simd.NewPool(1)
	defer pool.Close()
	const rows = 400
	s := &Residuals{Squared: 11, Variance: 3}
	logNoise, gradient := []float32{float32(-4 * math.Log(21))}, []float32{0} // from 1/τ, d = 4, ν = 20
	adam := optim.NewAdam(1)
	for range 20000 {
		gradient[0] = float32(s.Slope(rows, float64(logNoise[0])))
		adam.Step(logNoise, gradient, 0.01, pool)
	}
	testkit.Close(t, "σ² by Adam", math.Exp(float64(logNoise[0])), s.Dispersion(rows), 1e-3, 0)
}
