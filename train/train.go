// Package train is the contract between a table that is ready and a recipe that fits a
// Bézier Gaussian process to it. The recipes are [beziergp/train/auto], the default, and
// [beziergp/train/paper].
package train

import (
	"context"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/likelihood"
)

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

// Several is a recipe that learns several targets of the same rows at once.
type Several interface {
	Recipe
	// FitOutputs trains as Fit does, the rows being in memory, each with a target at least: a
	// result a target. Where ctx is done it has results of all targets beside the error, or none.
	FitOutputs(ctx context.Context, data Data, env Environment) ([]*Result, error)
}

// Screener is a recipe that may leave inputs out of a model of a law, where rows and inputs are so many.
type Screener interface {
	Recipe
	Screens(law likelihood.Likelihood, rows, inputs int) bool
}

// Marker is a recipe that tries inputs which tell where a column lacks a value ([box.Absent]). It may leave them out, as a [Screener] does.
type Marker interface {
	Recipe
	TriesAbsent() bool
}

// Leveler is a recipe that tells levels of categories apart that share a node ([Data.Levels]), where there are so many at least; 0 for
// none.
type Leveler interface {
	Recipe
	TriesLevels() int
}

// Scaling says how inputs are mapped to the unit interval.
type Scaling string

const (
	Linear  Scaling = "linear" // from the smallest to the largest training value
	ByRanks Scaling = "ranks"  // by their empirical distribution function
)
