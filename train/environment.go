package train

import (
	"fmt"
	"time"

	"beziergp/internal/comm"
	"beziergp/internal/limit"
	"beziergp/internal/simd"
)

// Environment is what a run takes from its surroundings. The zero value is one
// worker and no progress.
type Environment struct {
	// Workers is the number of goroutines, from 1 to 1024; results do not depend on it.
	Workers int
	// Progress is called after every step, and when a fit is scored, never by two goroutines
	// at once, though not always by the same one. What it does holds up training.
	Progress func(Event)
	// OutOfFold asks for [Result.OutOfFold] of all rows that the recipe can tell of; without
	// it those that are to be scored are enough.
	OutOfFold bool
	// Memory is about how many bytes rows may take that a recipe keeps of a source; 0 leaves
	// it to the recipe. The sample that it keeps depends on it, and so does the model.
	Memory int64
	// Ranks is this process among those of the run, nil for the only one: all learn the same
	// result from the same data. The recipe auto shares its fits out to them, the recipe paper its orderings.
	Ranks comm.Comm
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
	e.Ranks = comm.OrAlone(e.Ranks)
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
	if e.Memory < 0 {
		return &OptionError{Option: "memory", Problem: fmt.Sprintf("%d bytes; there cannot be fewer than none", e.Memory)}
	}
	return limit.CheckWorkers(e.Workers)
}
