package elbo

// Likelihood is what the bound needs of p(y | f), the law of T targets at a row:
//
//	log p(y | f) = −ℓ(y, f)/σ² − c(y, σ²)
//
// with a dispersion σ², which is the variance of a Gaussian's noise and 1 for laws that
// have none; 1/σ² is a power of p where it does not scale ℓ. Its own parameters may change between two evaluations.
type Likelihood interface {
	// Offset writes to f, [B], a known term of f at rows of targets y, [B, T].
	Offset(y []float32, f []float64)
	// Expectation returns Σ_j w_j E[ℓ(y_j, f_j)] for f_j ~ N(mean_j, variance_j), means
	// with their offsets, and writes the derivatives of E[ℓ(y_j, f_j)] by the moments in
	// their place. A nil variance stands for zeros.
	Expectation(y []float32, weights, mean, variance []float64) float64
	// VarianceSlope returns ∂E[ℓ]/∂variance where it is the same at all rows: E[ℓ] is
	// then linear in the variance.
	VarianceSlope() (slope float64, constant bool)
	// LogNormaliser returns Σ_j w_j c(y_j, σ²), given log σ².
	LogNormaliser(y []float32, weights []float64, logDispersion float64) float64
}

// Loss is ℓ of one row, targets y, [T], as a function of f, and its derivative by f.
type Loss func(f float64, y []float32) (value, slope float64)

// Losses is ℓ of one row as a function of all outputs f, [T], whose derivatives by them it
// writes to slope, [T], which holds zeros: they may stay where a row has no target of an output.
// The targets y may be of another number than the outputs, as one class is of many. It is called by
// several goroutines at a time.
type Losses func(f []float64, y []float32, slope []float64) (value float64)
