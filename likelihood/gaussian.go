package likelihood

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"beziergp/box"
	"beziergp/predictive"
)

// Gaussian is y = f + ε, ε ~ N(0, σ²): ℓ(y, f) = ½ (y − f)², so that
//
//	E[ℓ] = ½ ((y − μ)² + Var f), ∂E[ℓ]/∂μ = μ − y, ∂E[ℓ]/∂Var f = ½
//
// The target is standardised.
type Gaussian struct{}

var _ Likelihood = Gaussian{}

// Name returns "gaussian".
func (Gaussian) Name() string { return gaussianName }

// Offset writes −y: what is added up is the residual.
func (Gaussian) Offset(y []float32, f []float64) {
	for j := range f {
		f[j] = -float64(y[j])
	}
}

// Expectation returns ½ Σ w ((μ − y)² + Var f). The residual is its own derivative.
func (Gaussian) Expectation(_ []float32, weights, residual, variance []float64) float64 {
	var squared, spread float64
	for j, r := range residual {
		squared += weights[j] * r * r
	}
	for j, v := range variance {
		spread += weights[j] * v
		variance[j] = 0.5
	}
	return 0.5 * (squared + spread)
}

// VarianceSlope returns ½.
func (Gaussian) VarianceSlope() (slope float64, constant bool) { return 0.5, true }

// LogNormaliser returns ½ log 2πσ² Σ w.
func (Gaussian) LogNormaliser(_ []float32, weights []float64, logDispersion float64) float64 {
	return 0.5 * (math.Log(2*math.Pi) + logDispersion) * floats.Sum(weights)
}

// Loss returns ½ (f − y)².
func (Gaussian) Loss(f float64, y []float32) (value, slope float64) {
	r := f - float64(y[0])
	return 0.5 * r * r, r
}

// Response returns f.
func (Gaussian) Response(f float64) float64 { return f }

// Predictive returns N(mean, variance + σ²).
func (g Gaussian) Predictive(mean, variance, dispersion float64) predictive.Distribution {
	return predictive.Distribution{Location: g.Response(mean), Scale: math.Sqrt(variance + dispersion)}
}

// Scale standardises.
func (Gaussian) Scale(t box.Target, n int, values Values) (box.Target, error) {
	return Standardize(t, n, values)
}

// NewStatistics returns [Residuals] of no row.
func (Gaussian) NewStatistics() Statistics { return &Residuals{} }

// Residuals are the sums that σ² of a [Gaussian] depends on.
type Residuals struct {
	Squared  float64 // Σ w (y − μ)²
	Variance float64 // Σ w Var f
}

// Add takes up a row.
func (s *Residuals) Add(y []float32, weight, mean, variance float64) {
	r := float64(y[0]) - mean
	s.Squared += weight * r * r
	s.Variance += weight * variance
}

// Loss returns ½ Σ w (y − μ)².
func (s *Residuals) Loss() float64 { return 0.5 * s.Squared }

// Dispersion returns the mean of (y − μ)² + Var f.
func (s *Residuals) Dispersion(n float64) float64 { return (s.Squared + s.Variance) / n }

// Slope returns ½ (n − Σ w ((y − μ)² + Var f)/σ²).
func (s *Residuals) Slope(n, logDispersion float64) float64 {
	return 0.5 * (n - (s.Squared+s.Variance)*math.Exp(-logDispersion))
}
