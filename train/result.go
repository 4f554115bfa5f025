package train

import (
	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/model"
)

// Result is a fitted process.
type Result struct {
	Recipe    string // its name
	Options   any    // the recipe's, defaults filled in; goes to JSON
	Posterior *surface.Posterior
	// Inputs are the scalings that the posterior goes with; nil for those of the data.
	Inputs  []box.Input
	Noise   float64      // σ², in squared deviations of the target
	Varying *model.Noise // how the noise varies; nil where it is constant
	// Epistemic is the variance of f; nil where the posterior holds it.
	Epistemic *model.Doubt
	// Limits hold the predicted mean; nil for none.
	Limits *model.Limits
	// VarianceScale multiplies Var f; 0 stands for 1.
	VarianceScale float64
	// Tails are the degrees of freedom of predictions, 0 for Gaussian ones. DensityRatio is
	// that of the targets' distribution to the Student's t or Gaussian; nil where it is one.
	Tails        float64
	DensityRatio *model.Tilt
	// Conformal is half of a conformal interval in scales of the prediction, 0 for none.
	Conformal float64
	RMSE      float64 // over the training rows, in deviations of the target
	Objective float64 // of the last mini-batch, scaled to all rows
	Steps     int
	Sampled   int // rows that were learned from, drawn by lot; 0 for all of them
}
