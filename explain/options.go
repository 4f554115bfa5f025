package explain

import (
	"errors"
	"fmt"
	"runtime"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/model"
	"beziergp/table"
)

// Options chooses how rows are explained. The zero value is the documented default.
type Options struct {
	// Workers is the number of goroutines, at most 1024, by default one a processor.
	// Results do not depend on it.
	Workers int
	// Policy says what becomes of rows outside the box, by default the model's.
	Policy box.Policy
	// Tolerance is how far values may be from the exact ones, in deviations of the target, by
	// default [Tolerance]. It is told by rules of more nodes at some rows and by additivity at
	// all; where a rule of ⌈columns/2⌉ nodes is taken nothing but rounding is left.
	Tolerance float64
	// Background are rows to explain against, columns as a prediction takes them; nil for each
	// input's averages over the training rows.
	Background *table.Table
	// Interactions asks for the interaction indices of all pairs of columns, too.
	Interactions bool
}

// Tolerance is the default of [Options].
const Tolerance = 1e-5

// mostPairs is how many columns may have interactions: each takes passes of its own.
const mostPairs = 100

func (o Options) withDefaults(m *model.Model) (Options, error) {
	if err := limit.CheckWorkers(o.Workers); err != nil {
		return o, err
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Policy == "" {
		o.Policy = m.Policy()
	}
	if _, err := box.ParsePolicy(string(o.Policy)); err != nil {
		return o, &limit.OptionError{Option: "policy", Problem: err.Error()}
	}
	if o.Tolerance == 0 {
		o.Tolerance = Tolerance
	}
	if !(o.Tolerance > 0) || !isFinite(o.Tolerance) {
		return o, &limit.OptionError{Option: "tolerance", Problem: fmt.Sprintf("%g; it must be above 0", o.Tolerance)}
	}
	if n := len(m.Columns()); o.Interactions && n > mostPairs {
		return o, &limit.OptionError{Option: "interactions", Problem: fmt.Sprintf("the model has %d columns; they are told of %d at most", n, mostPairs)}
	}
	if o.Background != nil && o.Background.Rows() == 0 {
		return o, &limit.OptionError{Option: "background", Problem: "it has no rows; give at least one"}
	}
	return o, nil
}

// Check returns an error unless models like m can be explained.
func Check(m *model.Model) error {
	if len(m.Neighbours()) > 0 {
		return ErrNeighbours
	}
	return m.CheckFunction()
}

// ErrNeighbours reports a model with inputs that several columns make together, so that no
// column can be taken out of a row alone.
var ErrNeighbours = errors.New("the model has neighbour inputs, means of the target over training rows that are near in several columns at once, and what these add cannot be told column by column; fit again without neighbour inputs")

var errOverflow = errors.New("the value overflows: the model's weights are out of range; train it again, with a lower learning rate where the recipe has one")
