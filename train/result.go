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
	Inputs []box.Input
	// Output is what was learned of the target, whose scaling and law it lacks.
	model.Output
	RMSE      float64 // over the training rows, in deviations of the target; see [model.Training]
	Objective float64 // of the last mini-batch, scaled to all rows
	Steps     int
	Sampled   int // rows of a random sample that were learned from; 0 for all of them
}
