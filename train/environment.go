package train

import (
	"time"

	"beziergp/internal/limit"
	"beziergp/internal/simd"
)

// Environment is what a run takes from its surroundings. The zero value is one
// worker and no progress.
type Environment struct {
	// Workers is the number of goroutines, from 1 to 1024; results do not depend on it.
	Workers int
	// Progress is called after every step, never by two goroutines at once, though not
	// always by the same one. What it does holds up training.
	Progress func(Event)
	// OutOfFold asks for [Result.OutOfFold] of all rows that the recipe can tell of; without
	// it those that are to be scored are enough.
	OutOfFold bool
	// Now is the clock, by default time.Now.
	Now func() time.Time
}

// WithDefaults returns the environment with something in every field.
func (e Environment) WithDefaults() Environment {
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

// Check refuses a number of workers that is out of range, and a variable of the process
// that chooses arithmetic which this processor has not.
func (e Environment) Check() error {
	if err := simd.Check(); err != nil {
		return &OptionError{Option: "environment", Problem: err.Error()}
	}
	return limit.CheckWorkers(e.Workers)
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
	// Objective is that of the last mini-batch, scaled to all rows: σ² (−ELBO) less its
	// constant in the recipe paper. ELBO is the bound itself, −Inf where inputs are so many
	// that it overflows; only the recipe paper has one. RMSE is the mini-batch's root mean
	// squared error in deviations of the target. All are zero in PhaseNoise.
	Objective, ELBO, RMSE float64
	Elapsed               time.Duration // since training began or resumed
	Remaining             time.Duration // of this phase, estimated; 0 while unknown
	ResumedAt             int           // the step that a checkpoint held; 0 for a fresh run
	Unsealed              bool          // that checkpoint, of an older version, has no digest
}
