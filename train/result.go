package train

import (
	"beziergp/box"
	"beziergp/box/neighbour"
	"beziergp/internal/process/surface"
	"beziergp/model"
	"beziergp/predictive"
)

// Result is a fitted process.
type Result struct {
	Recipe    string // its name
	Options   any    // the recipe's, defaults filled in; goes to JSON
	Posterior *surface.Posterior
	// Inputs are the scalings that the posterior goes with; nil for those of the data.
	Inputs []box.Input
	// Kept are the inputs of the data, from 0, that the posterior has, in their order; nil for all. Only a [Screener] leaves some out,
	// and only a [Leveler] has Inputs of other levels.
	Kept []int
	// Neighbours are the tables of inputs that the posterior has beside these, after them.
	Neighbours []neighbour.Table
	// Output is what was learned of the target, whose scaling and law it lacks.
	model.Output
	RMSE      float64 // over the training rows, in deviations of the target; see [model.Training]
	Objective float64 // of the last mini-batch, scaled to all rows
	Steps     int
	// Sampled is the number of rows of a random sample that were learned from, 0 for all of
	// them. Where the sample tells only how the errors are distributed, Streamed is the number
	// of rows that the process itself was learned from, one after the other, or of each
	// member the fewest.
	Sampled, Streamed int
	// OutOfFold is what is predicted of training rows without them; nil where the recipe
	// knows nothing of the kind.
	OutOfFold *OutOfFold
	// Residuals are moments over all rows that a member was trained without, in deviations of
	// the target; nil where the recipe knows nothing of the kind.
	Residuals *model.Residuals
}

// OutOfFold has the values of surfaces at training rows that they were trained without. The
// result's output makes distributions of them, as of those of its own surfaces.
type OutOfFold struct {
	Rows []int // of the training set, counted from 0, in no order
	model.Values
	// Scored is the number of rows that are enough to score, the first ones: a random sample
	// where they are not all.
	Scored int
	// Folds is the number of folds of the training rows, of which the first Members have a
	// member that was trained without them: the rows of the others have no such values.
	Members, Folds int
}

// Sample returns the part that is to be scored.
func (o *OutOfFold) Sample() *OutOfFold {
	part, n := *o, o.Scored
	t := len(o.Mean) / max(1, len(o.Rows)) // processes
	part.Rows, part.Mean, part.Variance = o.Rows[:n], o.Mean[:n*t], o.Variance[:n]
	if o.LogNoise != nil {
		part.LogNoise = o.LogNoise[:n]
	}
	if o.LogRatio != nil {
		part.LogRatio = o.LogRatio[:n*predictive.Nodes]
	}
	return &part
}
