package predictive

import "math"

// logDensity is the log density of N(mean, std²) at y.
func logDensity(y, mean, std float64) float64 {
	d := y - mean
	if std == 0 && d == 0 {
		return math.Inf(1)
	}
	z := d / std
	// The square first: at std = 0 it is infinite and outweighs log 0.
	if math.IsInf(z, 0) {
		return math.Inf(-1)
	}
	return -z*z/2 - math.Log(std) - logSqrt2Pi
}

// crps is ∫ (F(t) − 1{y ≤ t})² dt for F = N(mean, std²), which is
// std·(z(2Φ(z) − 1) + 2φ(z) − 1/√π) with z = (y − mean)/std (Gneiting, Raftery,
// Westveld and Goldman, Monthly Weather Review 133, 2005, equation 5).
func crps(y, mean, std float64) float64 {
	d := y - mean
	if std == 0 {
		return math.Abs(d)
	}
	// std·z is kept as d, and 2Φ(z) − 1 as erf(z/√2): both stay right when z
	// overflows.
	z := d / std
	return d*math.Erf(z/math.Sqrt2) + std*(2*math.Exp(-z*z/2)/sqrt2Pi-1/math.SqrtPi)
}

// pit is Φ((y − mean)/std).
func pit(y, mean, std float64) float64 {
	d := y - mean
	if d == 0 {
		return 0.5
	}
	return math.Erfc(-d/std/math.Sqrt2) / 2
}

const (
	sqrt2Pi    = math.Sqrt2 * math.SqrtPi
	logSqrt2Pi = math.Ln2/2 + 0.57236494292470008707171367567652935 // log √2 + log √π
)
