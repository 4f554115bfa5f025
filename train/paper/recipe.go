// Package paper is the recipe of the paper that the method comes from: Jørgensen & Osborne,
// Bézier Gaussian Processes for Tall and Wide Data (NeurIPS 2022).
package paper

import (
	"errors"
	"fmt"
	"math"
	"time"

	"beziergp/internal/limit"
	"beziergp/likelihood"
	"beziergp/train"
)

// Recipe is the recipe of the paper, section 4: first the variational parameters
// by Adam, with σ² held at 1/τ; then σ² with all else held, for which the closed
// form takes the place of a second descent. A zero field takes the paper's value.
type Recipe struct {
	Orderings    int     `json:"orderings"`     // r, 20; at most 100,000
	Steps        int     `json:"steps"`         // 10000; at most 10⁹
	Batch        int     `json:"batch"`         // rows of a mini-batch, 500; there are never more than rows
	LearningRate float64 `json:"learning_rate"` // 0.001
	// KLWeight is σ² τ in the first phase; the paper's σ² = 1/τ makes it 1.
	KLWeight float64 `json:"kl_weight"`
	// Spread is the deviation of the starting weights from 1, which is the constant
	// function; 0.01, by held-out training rows. The paper does not tell how it starts.
	Spread float64 `json:"spread"`
	Seed   uint64  `json:"seed"`
	// Order is ν, the order of every input's Bernstein basis, from 1 to
	// basis.MaxPriorOrder; 20. Orders overrules it for columns by name. They are told by
	// the bases of the model.
	Order  int            `json:"-"`
	Orders map[string]int `json:"-"`
	// Checkpoint is a file for the state of a run that is interrupted; the same run,
	// started again, goes on from there and ends as if it had never stopped. Empty for
	// none. It is removed when training is done.
	Checkpoint string `json:"-"`
	// CheckpointEvery is the time between two checkpoints, half a minute; only with a
	// Checkpoint.
	CheckpointEvery time.Duration `json:"-"`
	// Fresh begins anew where there is a checkpoint, which stays until the run has one of
	// its own; only with a Checkpoint. A file that is no checkpoint is never replaced.
	Fresh bool `json:"-"`
	// KeepCheckpoint leaves the checkpoint of a finished run to the caller, who removes
	// it once the result is safe; only with a Checkpoint.
	KeepCheckpoint bool `json:"-"`
}

// WithDefaults returns the options with the paper's values for zero fields.
func (o Recipe) WithDefaults() Recipe {
	o.Orderings = orDefault(o.Orderings, 20)
	o.Steps = orDefault(o.Steps, 10000)
	o.Batch = orDefault(o.Batch, 500)
	o.LearningRate = orDefault(o.LearningRate, 0.001)
	o.KLWeight = orDefault(o.KLWeight, 1)
	o.Spread = orDefault(o.Spread, 0.01)
	o.Order = orDefault(o.Order, defaultOrder)
	if o.Checkpoint != "" {
		o.CheckpointEvery = orDefault(o.CheckpointEvery, 30*time.Second)
	}
	return o
}

func orDefault[T int | float64 | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}

func (o Recipe) check() error {
	err := errors.Join(limit.Check("orderings", o.Orderings, limit.Orderings),
		limit.Check("steps", o.Steps, limit.Count), limit.Check("batch", o.Batch, limit.Count))
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name  string
		value float64
	}{
		{"learning rate", o.LearningRate}, {"KL weight", o.KLWeight}, {"spread", o.Spread},
	} {
		if !(c.value > 0) || math.IsInf(c.value, 0) {
			return &train.OptionError{Option: c.name, Problem: fmt.Sprintf("%g; it must be positive", c.value)}
		}
	}
	switch {
	case o.CheckpointEvery < 0:
		return &train.OptionError{Option: "checkpoint every", Problem: fmt.Sprintf("%v; it cannot be negative", o.CheckpointEvery)}
	case o.Checkpoint == "" && (o.CheckpointEvery > 0 || o.Fresh || o.KeepCheckpoint):
		return &train.OptionError{Option: "checkpoint", Problem: "it is to be written, replaced or kept, but has no file; name one"}
	}
	return nil
}

// takes refuses a law whose predictive distributions have heavy tails where these must be
// light. The recipe takes any other that predicts.
func takes(law likelihood.Likelihood, lightTails bool) error {
	if likelihood.Latents(law) > 1 {
		return &train.OptionError{Option: "likelihood", Problem: fmt.Sprintf(
			"%q needs a process for every class, and the recipe paper learns one: take the recipe auto", law.Name())}
	}
	if lightTails && law.Predictive(0, 1, 1).Family.Tails() != 0 {
		return &train.OptionError{Option: "likelihood", Problem: fmt.Sprintf(
			"%q has heavy tails, with which a transformed target has no mean: leave out the transform", law.Name())}
	}
	return nil
}

// Name returns "paper".
func (o Recipe) Name() string { return "paper" }

// Scaling says that the inputs are to be mapped linearly.
func (o Recipe) Scaling() train.Scaling { return train.Linear }
