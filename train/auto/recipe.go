package auto

import (
	"fmt"
	"time"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/train"
)

// Recipe is the recipe; the zero value is the default.
type Recipe struct {
	Effort Effort `json:"effort"`
	// Budget is a time after which the best so far is taken; 0 for none. With a budget
	// the result depends on the speed of the machine.
	Budget time.Duration `json:"budget"`
	Seed   uint64        `json:"seed"`
	// neighbours has neighbour inputs tried. They gain on new rows among the training rows, and
	// lose much on rows beyond them, as later ones, of which folds at random tell nothing; so
	// only tests ask for them as yet.
	neighbours bool
	// What follows takes the place of what the effort has; zero values leave that.

	// Shapes are the structures to choose from, each a text like coarse+fine12@0.05:
	// components joined by +, which are coarse, smooth, full, fine with its nodes, or alone additive,
	// with nodes of splines or with lines;
	// before them linear: for a linear scaling, behind them @ and the smoothness λ, without
	// which that is chosen too. A component may be followed by its nodes and by x and its
	// orderings. One structure alone is taken without a trial.
	Shapes []string `json:"given_shapes,omitempty"`
	// Folds of the rows, from 2 to the number of rows; a member lacks one.
	Folds int `json:"folds,omitempty"`
	// Members are cross-fitted members, each without a fold of its own: no more than folds,
	// of which there are as many at least where they are not given. As many members as folds
	// give every row an out-of-fold prediction.
	Members int `json:"given_members,omitempty"`
	// StepsFactor multiplies the steps of all fits; from above 0 to 1000.
	StepsFactor float64 `json:"steps_factor,omitempty"`
	// Share says whether several outputs share a process; empty for [ShareAuto]. One output
	// alone takes none.
	Share Share `json:"share,omitempty"`
	// Ablation leaves ingredients out, for experiments.
	Ablation    []Ingredient `json:"without,omitempty"`
	coordinates int          // of a sample, for tests; 0 for mostCoordinates
}

// Name returns "auto".
func (o Recipe) Name() string { return "auto" }

// Scaling says that the inputs are to be mapped by ranks.
func (o Recipe) Scaling() train.Scaling { return train.ByRanks }

// Basis returns the basis that tells what kind of input it is; candidates have their own.
func (o Recipe) Basis(in box.Input) (basis.Basis, error) { return train.BasisOf(in, unseenOrder) }

// unseenOrder is the order of the basis of a number of which the training rows have one
// value of several that were declared; no other has it in a model.
const unseenOrder = 20

func (o Recipe) withDefaults() Recipe {
	if o.Effort == "" {
		o.Effort = Default
	}
	return o
}

func (o Recipe) check() error {
	if _, err := ParseEffort(string(o.Effort)); err != nil {
		return &train.OptionError{Option: "effort", Problem: err.Error()}
	}
	if o.Budget < 0 {
		return &train.OptionError{Option: "budget", Problem: fmt.Sprintf("%v; it cannot be negative", o.Budget)}
	}
	if err := o.Share.check(); err != nil {
		return &train.OptionError{Option: "share", Problem: err.Error()}
	}
	for _, i := range o.Ablation {
		if err := i.check(); err != nil {
			return &train.OptionError{Option: "without", Problem: err.Error()}
		}
	}
	return o.checkControl()
}
