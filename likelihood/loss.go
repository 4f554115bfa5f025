package likelihood

import "math"

// LogScale is ½ (f + (ν+1) log(1 + y e^−f/ν)), where f is the log of a squared scale and
// y the square of a residual: the loss of Student's t with ν = ScaleTails degrees of
// freedom, which is robust against outliers.
func LogScale(f float64, y []float32) (value, slope float64) {
	ratio := float64(y[0]) * math.Exp(-f) / ScaleTails
	return 0.5 * (f + (ScaleTails+1)*math.Log1p(ratio)), 0.5 * (1 - (ScaleTails+1)*ratio/(1+ratio))
}

// ScaleTails are the degrees of freedom in [LogScale].
const ScaleTails = 4

// Logistic is −log of the probability 1/(1 + e^−f) of y = 1, or of its complement of y = 0.
func Logistic(f float64, y []float32) (value, slope float64) {
	label := float64(y[0])
	return softplus(f) - label*f, sigmoid(f) - label
}
