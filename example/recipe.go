package example

import (
	"math/rand/v2"

	"beziergp"
	"beziergp/table"
	"beziergp/train"
)

// Options returns options that fit the table well within a second, chosen by the
// scores of validation rows within the training rows of [Split], mean of six draws:
// RMSE 1.09, coverage of the 95 % interval 97 %.
//
// With the paper's KLWeight of 1 the RMSE is the same, but f is left so uncertain
// that all rows lie within their intervals.
func Options() beziergp.Options {
	return beziergp.Options{
		Order: 2,
		Recipe: train.Paper{
			Orderings: 6, Steps: 3000, Batch: 256, LearningRate: 0.01, KLWeight: 0.03, Seed: 1,
		},
	}
}

// Test marks a tenth of the table's rows, those held out.
func Test(t *table.Table) []bool {
	return table.Holdout(t.Rows(), 0.1, rand.New(rand.NewPCG(1, 0)))
}

// Split returns the table's training rows and those held out.
func Split(t *table.Table) (training, heldOut *table.Table) { return t.Split(Test(t)) }
