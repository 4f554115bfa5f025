// Package likelihood is p(y | f), the law of a target given the process. It has what others
// need of that law: expectations for the bound, losses for members that are trained without
// a bound, predictive distributions, and the scaling of the target.
package likelihood

import (
	"math"

	"beziergp/box"
	"beziergp/predictive"
)

// Likelihood is a law of T targets y at a row given f. Its log density is
//
//	log p(y | f) = −ℓ(y, f)/σ² − c(y, σ²)
//
// with a dispersion σ², which is the variance of a Gaussian's noise; laws without one
// have σ² = 1. Where log p depends on σ² in another way, as on the squared scale of a
// Student's t, it is so at σ² = 1, and the right-hand side at another σ² is log p at 1,
// over σ²: the bound is then that of a power of the likelihood, by which the recipe paper
// learns f. Statistics and predictive distributions are of the law itself at every σ².
//
// Targets of several rows are [B, T] by rows. A Likelihood is safe for
// concurrent use.
type Likelihood interface {
	// Name returns the name that model files and checkpoints have; laws that differ in a
	// parameter of their own have names of their own.
	Name() string

	// Offset writes to f, [B], a known term of f at each row, which the process is added
	// to: 0 for most. Where only f − y matters it is −y, so that no digit of the
	// difference is lost.
	Offset(y []float32, f []float64)
	// Expectation returns Σ_j w_j E[ℓ(y_j, f_j)] for f_j ~ N(mean_j, variance_j), means
	// with their offsets, and writes the derivatives of E[ℓ(y_j, f_j)] by the moments in
	// their place. A nil variance stands for zeros.
	Expectation(y []float32, weights, mean, variance []float64) float64
	// VarianceSlope returns ∂E[ℓ]/∂variance where it is the same whatever y and the
	// moments, as it is for a Gaussian alone: it is ½ ∂²E[ℓ]/∂mean².
	VarianceSlope() (slope float64, constant bool)
	// LogNormaliser returns Σ_j w_j c(y_j, σ²), given log σ²: Σ_j w_j c(y_j, 1)/σ² where σ²
	// is a power.
	LogNormaliser(y []float32, weights []float64, logDispersion float64) float64

	// Loss returns ℓ(y, f), half of the deviance, and its derivative by f.
	Loss(f float64, y []float32) (value, slope float64)
	// Response returns E[y | f], the inverse of the link.
	Response(f float64) float64
	// Predictive returns the distribution of y where f ~ N(mean, variance). A
	// [predictive.Distribution] has a location and a scale, so that those of one dispersion
	// have one Family, Gaussian or Student's t, and their location is Response(mean). A law of
	// counts or classes needs another family there first: density, distribution function,
	// quantiles, moments and CRPS, and a place for what it says in the predictions of package model.
	Predictive(mean, variance, dispersion float64) predictive.Distribution

	// NewStatistics returns those of no row.
	NewStatistics() Statistics
	// Scale returns a target with the location and the scale in which it is learned. The
	// n training values come part by part. It fails where a value is none that the law
	// gives.
	Scale(t box.Target, n int, values Values) (box.Target, error)
}

// Statistics are what the dispersion is learned from: sums over rows, f being
// N(mean, variance) at each.
type Statistics interface {
	// Add takes up a row.
	Add(y []float32, weight, mean, variance float64)
	// Loss returns Σ_j w_j ℓ(y_j, mean_j).
	Loss() float64
	// Dispersion returns the σ² that maximises Σ_j w_j E[log p(y_j | f_j)] over n rows,
	// with all else fixed.
	Dispersion(n float64) float64
	// Slope returns the derivative of the negative of that sum by log σ².
	Slope(n, logDispersion float64) float64
}

// Values visits values in order, part by part, each time it is called.
type Values func(visit func(part []float64) error) error

// Whole visits a slice in one part.
func Whole(values []float64) Values {
	return func(visit func([]float64) error) error { return visit(values) }
}

// RootDeviance returns the root of the mean deviance, 2 ℓ, of n rows whose losses add up
// to loss: the RMSE of a Gaussian.
func RootDeviance(loss, n float64) float64 { return math.Sqrt(2 * loss / n) }
