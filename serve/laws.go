package serve

import (
	"errors"

	"beziergp/likelihood"
	"beziergp/model"
)

// HoldsCounts tells whether the target of a model is counts to it, so that single numbers have
// probabilities: exp [predictive.Distribution.LogDensity].
func HoldsCounts(m Model) bool {
	with, ok := m.(interface {
		Likelihood() likelihood.Likelihood
	})
	if !ok || m.Classes() != nil {
		return false
	}
	law, scalar := with.Likelihood().(likelihood.Law)
	return scalar && law.Discrete()
}

// LeastProbability returns what a class has to have at least to be in the prediction sets of a
// level, 0 for [model.Level]. It fails where the model has no sets.
func LeastProbability(m Model, level float64) (float64, error) {
	with, ok := m.(interface {
		LeastProbability(float64) (float64, error)
	})
	if !ok {
		return 0, errNoSets
	}
	if level == 0 {
		level = model.Level
	}
	return with.LeastProbability(level)
}

var errNoSets = errors.New("the model has no prediction sets: the method bezier with the recipe auto makes them")
