package train

import (
	"errors"
	"fmt"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/descent"
	"beziergp/internal/process/elbo"
	"beziergp/likelihood"
)

// Data is a training set whose inputs a box has mapped to the domains of their
// bases and whose target is scaled.
type Data struct {
	X     []float32 // [n, d] by rows
	Y     []float32 // [n, T] by rows
	Bases []basis.Basis
	// Outputs is T, the columns of Y; 0 stands for 1: the target, and the offset after it where
	// Offset says so, or the targets of a [Several], NaN where a row lacks one.
	Outputs int
	// Offset says that the last column of Y is added to the natural parameter.
	Offset bool
	// Likelihood is the law of the targets given f, which has chosen how they are scaled;
	// nil for a Gaussian.
	Likelihood likelihood.Likelihood
	// Weights are the rows' weights in the data term, [n], above 0 and 1 on average;
	// nil for equal ones.
	Weights []float32
	// Source holds the rows in the place of X, Y and Weights, where memory does not.
	Source   Source
	Weighted bool // whether rows of Source have weights
	// Split tells which rows are held out together, in memory; of Source it is asked for
	// those that are sampled ([SplitSource]).
	Split Split
	// Inputs are the scalings that made X; the recipe auto needs them.
	Inputs []box.Input
	// Levels returns those of categories of which many share a node, with the coordinates of all rows; nil where there are none.
	Levels func() ([]Levels, error)
	// LightTails says that predictions must be Gaussian: those of a target that was
	// transformed would have no mean.
	LightTails bool
}

// Levels are those of a category of which many share a node.
type Levels struct {
	Input int         // of the data
	All   box.Input   // with nodes for those, too, behind the others
	Own   int         // levels that have a node each in the data's input: the first ones
	Codes []float32   // [n] coordinates of the rows
	Basis basis.Basis // of these coordinates, with the functions that the input has in Bases
}

// Source is a training set that memory does not hold, in blocks of rows.
type Source = descent.Source

// Rows returns the rows alone.
func (d Data) Rows() descent.Rows {
	return descent.Rows{
		Batch:  elbo.Batch{X: d.X, Y: d.Y, Outputs: d.Outputs, Weights: d.Weights},
		Inputs: len(d.Bases), Source: d.Source, Weighted: d.Weighted,
	}
}

// Check refuses a training set that cannot be learned from, and one of more targets than a
// recipe takes at once.
func (d Data) Check(most int) error {
	n := d.Rows().Len()
	switch {
	case len(d.Bases) == 0:
		return errors.New("there is no input to learn from")
	case n < 2:
		return fmt.Errorf("too few training rows, %d: at least 2 are needed", n)
	case d.targets() > most:
		return fmt.Errorf("%d columns of targets: the recipe learns %d", d.targets(), most)
	case d.Source != nil:
	case len(d.X) != n*len(d.Bases):
		return fmt.Errorf("%d coordinates for %d rows of %d inputs", len(d.X), n, len(d.Bases))
	case !d.Split.fits(n):
		return fmt.Errorf("groups, times or marks for another number of rows than %d", n)
	case d.Weights != nil && len(d.Weights) != n:
		return fmt.Errorf("%d weights for %d rows", len(d.Weights), n)
	}
	return nil
}

// targets returns the number of columns of Y that are targets.
func (d Data) targets() int {
	if d.Offset {
		return d.Outputs - 1
	}
	return d.Outputs
}
