// Package train fits the weights of a Bézier Gaussian process: recipes, the
// training loop, checkpoints and progress.
package train

import (
	"context"
	"errors"
	"fmt"
	"time"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/model"
)

// Data is a training set whose inputs a box has mapped to the domains of their
// bases and whose target is standardised.
type Data struct {
	X     []float32 // [n, d] by rows
	Y     []float32 // [n]
	Bases []basis.Basis
	// Weights are the rows' weights in the data term, [n], above 0 and 1 on average;
	// nil for equal ones.
	Weights []float32
	// Source holds the rows in the place of X, Y and Weights, where memory does not.
	Source   Source
	Weighted bool // whether rows of Source have weights
	// Inputs are the scalings that made X; [Auto] needs them.
	Inputs []box.Input
	// LightTails says that predictions must be Gaussian: those of a target that was
	// transformed would have no mean.
	LightTails bool
	averages   *averages // of X; nil to compute them every time
}

// with returns the data with other coordinates.
func (d Data) with(x []float32) Data {
	d.X, d.averages = x, &averages{known: map[inputBasis]basis.Basis{}}
	return d
}

func (d Data) weighted() bool { return d.Weights != nil || d.Weighted }

func (d Data) rows() int {
	if d.Source != nil {
		return d.Source.Rows()
	}
	return len(d.Y)
}

func (d Data) row(j int) []float32 { return d.X[j*len(d.Bases) : (j+1)*len(d.Bases)] }

// gather copies some of the rows to a batch. They lie anywhere in memory: a loop that
// takes one number of each has many of them on their way to the processor at a time,
// so that whole rows have arrived when they are copied.
func (d Data) gather(numbers []int, to elbo.Batch) {
	inputs := len(d.Bases)
	for p, j := range numbers {
		to.Y[p] = d.Y[j]
	}
	for p, j := range numbers {
		to.X[p*inputs] = d.X[j*inputs]
	}
	for p, j := range numbers {
		copy(to.X[p*inputs:(p+1)*inputs], d.row(j))
	}
	if to.Weights != nil {
		for p, j := range numbers {
			to.Weights[p] = d.Weights[j]
		}
	}
}

// inputs returns the coordinates of some rows, [len(which), d] by rows.
func (d Data) inputs(which []int) []float32 {
	x := make([]float32, 0, len(which)*len(d.Bases))
	for _, j := range which {
		x = append(x, d.row(j)...)
	}
	return x
}

func (d Data) check() error {
	switch {
	case len(d.Bases) == 0:
		return errors.New("there is no input to learn from")
	case d.rows() < 2:
		return fmt.Errorf("too few training rows, %d: at least 2 are needed", d.rows())
	case d.Source != nil:
	case len(d.X) != d.rows()*len(d.Bases):
		return fmt.Errorf("%d coordinates for %d rows of %d inputs", len(d.X), d.rows(), len(d.Bases))
	case d.Weights != nil && len(d.Weights) != d.rows():
		return fmt.Errorf("%d weights for %d rows", len(d.Weights), d.rows())
	}
	return nil
}

// Phase names a part of training in an [Event].
type Phase string

const (
	// PhaseWeights optimises the variational parameters.
	PhaseWeights Phase = "weights"
	// PhaseNoise finds the noise variance.
	PhaseNoise Phase = "noise"
)

// Event reports progress.
type Event struct {
	Phase       Phase
	Step, Steps int // done and in all
	// Objective is that of the last mini-batch, scaled to all rows; RMSE its root
	// mean squared error in deviations of the target. Both are zero in PhaseNoise.
	Objective, RMSE float64
	Elapsed         time.Duration // since training began or resumed
	Remaining       time.Duration // of this phase, estimated; 0 while unknown
	ResumedAt       int           // the step that a checkpoint held; 0 for a fresh run
	Unsealed        bool          // that checkpoint, of an older version, has no digest
}

// Environment is what a run takes from its surroundings. The zero value is one
// worker and no progress.
type Environment struct {
	// Workers is the number of goroutines, from 1 to 1024; results do not depend on it.
	Workers int
	// Progress is called after every step, never by two goroutines at once, though not
	// always by the same one. What it does holds up training.
	Progress func(Event)
	// Now is the clock, by default time.Now.
	Now func() time.Time
}

func (e Environment) check() error {
	if err := simd.Check(); err != nil {
		return &OptionError{Option: "environment", Problem: err.Error()}
	}
	return limit.CheckWorkers(e.Workers)
}

func (e Environment) withDefaults() Environment {
	if e.Workers == 0 {
		e.Workers = 1
	}
	if e.Progress == nil {
		e.Progress = func(Event) {}
	}
	if e.Now == nil {
		e.Now = time.Now
	}
	return e
}

// Result is a fitted process.
type Result struct {
	Recipe    string // its name
	Options   any    // the recipe's, defaults filled in; goes to JSON
	Posterior *surface.Posterior
	// Inputs are the scalings that the posterior goes with; nil for those of the data.
	Inputs  []box.Input
	Noise   float64      // σ², in squared deviations of the target
	Varying *model.Noise // how the noise varies; nil where it is constant
	Doubt   *model.Doubt // the variance of f; nil where the posterior holds it
	// Limits hold the predicted mean; nil for none.
	Limits *model.Limits
	// VarianceScale multiplies Var f; 0 stands for 1.
	VarianceScale float64
	// Tails are the degrees of freedom of predictions, 0 for Gaussian ones; Tilt shapes
	// them, nil where it does not.
	Tails float64
	Tilt  *model.Tilt
	// Conformal is half of a conformal interval in scales of the prediction, 0 for none.
	Conformal float64
	RMSE      float64 // over the training rows, in deviations of the target
	Objective float64 // of the last mini-batch, scaled to all rows
	Steps     int
	Sampled   int // rows that were learned from, drawn by lot; 0 for all of them
}

// OptionError reports an option that is out of range.
type OptionError = limit.OptionError

// DivergedError reports that weights left the range of numbers.
type DivergedError struct {
	Step int
	Rate float64
	// Tries is the number of learning rates that the recipe tried; 0 where the rate is
	// the user's.
	Tries int
}

func (e *DivergedError) Error() string {
	const alike = "inputs that say nearly the same as others"
	switch {
	case e.Tries > 0:
		return fmt.Sprintf("training diverged at each of %d learning rates, the last %g: leave out %s, or rows whose values lie far from all others", e.Tries, e.Rate, alike)
	case e.Step == 0:
		return "training cannot begin: the variance of f before the first step is beyond the range of numbers, as very many inputs that say nearly the same make it: leave out " + alike + ", or take the recipe auto"
	}
	return fmt.Sprintf("training diverged at step %d with learning rate %g: lower the learning rate or the order", e.Step, e.Rate)
}

// Recipe is a way to fit.
type Recipe interface {
	// Name returns the recipe's name.
	Name() string
	// Scaling returns how the inputs of the data are to be mapped.
	Scaling() Scaling
	// Basis returns the basis that an input of the data is to have, without its averages.
	Basis(in box.Input) (basis.Basis, error)
	// Fit trains. Where ctx is done it returns an error that wraps ctx's, and beside it,
	// if it has one, the best result so far.
	Fit(ctx context.Context, data Data, env Environment) (*Result, error)
}

var (
	_ Recipe = Paper{}
	_ Recipe = Auto{}
)
