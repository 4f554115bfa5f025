// Package method holds the methods that the project compares itself with, one a
// folder, behind one small interface: all see the same standardised rows and answer
// in the target's units.
//
// The methods are written in plain Go on gonum, in float64, and are deterministic:
// the same rows in any order, the same seed and any number of workers give the same
// bits on one machine.
package method

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
)

const (
	errShape   = "method: X is not [n, d] or Y not [n]"
	errPredict = "method: x, mean and std differ in rows"
)

// Data is a training set of numbers. Whoever makes it has encoded texts and filled in
// missing values. Methods neither change nor keep it.
type Data struct {
	X      []float64 // [n, d] by rows
	Y      []float64 // [n]
	Inputs int       // d
	// Law is that of the targets, nil for a function and Gaussian noise. Methods that do not
	// learn it fail with [ErrLaw].
	Law Law
	// Offset is what is added to all natural parameters of a row, [n]; nil for zeros.
	Offset []float64
}

// OffsetOf returns the offset of a row.
func (d Data) OffsetOf(row int) float64 {
	if d.Offset == nil {
		return 0
	}
	return d.Offset[row]
}

// Exposure returns the exponential of the offset of a row.
func (d Data) Exposure(row int) float64 { return math.Exp(d.OffsetOf(row)) }

// Rows is n.
func (d Data) Rows() int { return len(d.Y) }

// A Method learns from data. Its exported fields are its options, and its zero value
// is its default.
type Method interface {
	// Fit returns what was learned. It panics if data's slices do not fit together,
	// and fails on fewer than two rows, on values that are not finite, on an option
	// out of range, where the arithmetic breaks down, and when ctx is done; the error
	// then wraps ctx's.
	Fit(ctx context.Context, data Data, env Environment) (Regressor, error)
}

// A Regressor predicts, from several goroutines if need be.
type Regressor interface {
	// Predict sets mean and std [m] to the mean and the deviation of y, noise
	// included, at the rows of x [m, d], in the units of the training rows. It panics
	// if the slices do not fit together, and fails on values that are not finite and
	// when ctx is done; what mean and std hold then is of no use. Of a [Law] they are those
	// of natural parameters.
	Predict(ctx context.Context, x, mean, std []float64) error
}

// A Latent regressor models y = f(x) + ε with noise ε of one deviation, so that the
// epistemic variance, that of f, can be told from the aleatoric one, that of ε.
type Latent interface {
	Regressor
	// Noise returns the deviation of y about f, in the units of the training rows.
	Noise() float64
}

// Environment is what a fit has of the world around it.
type Environment struct {
	Workers  int         // goroutines of Fit and Predict, by default one a processor
	Seed     uint64      // of the random numbers
	Progress func(Event) // called after every step, never from two goroutines at once
}

// Pool returns the number of workers.
func (e Environment) Pool() int {
	if e.Workers > 0 {
		return e.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Report calls Progress if there is one.
func (e Environment) Report(event Event) {
	if e.Progress != nil {
		e.Progress(event)
	}
}

// Event is the progress of a fit.
type Event struct {
	Step, Steps int
	Objective   float64 // evidence or its bound, nats a row of the standardised target
}

// check refuses data that nothing can be learned from.
func (d Data) check() error {
	if d.Inputs < 0 || len(d.X) != len(d.Y)*d.Inputs {
		panic(errShape)
	}
	if d.Offset != nil && (len(d.Offset) != len(d.Y) || d.Law == nil) {
		panic(errOffset)
	}
	if d.Inputs == 0 {
		return &DataError{Err: errors.New("no inputs: give at least one column")}
	}
	if d.Rows() < 2 {
		return &DataError{Err: fmt.Errorf("too few rows, %d: give at least 2", d.Rows())}
	}
	for i, y := range d.Y {
		if !finite(y) {
			return &DataError{Err: fmt.Errorf("row %d, target: %g is not finite; leave such rows out", i+1, y)}
		}
	}
	for i, o := range d.Offset {
		if e := math.Exp(o); !(e > 0) || !finite(e) {
			return &DataError{Err: fmt.Errorf("row %d, offset: %g has no exponential; leave such rows out", i+1, o)}
		}
	}
	if err := finiteRows(d.X, d.Inputs); err != nil {
		return &DataError{Err: err}
	}
	return nil
}

func finiteRows(x []float64, inputs int) error {
	for i, v := range x {
		if !finite(v) {
			return &RowError{i/inputs + 1, fmt.Errorf("input %d: %g is not finite; fill it in or leave the row out", i%inputs+1, v)}
		}
	}
	return nil
}

// DataError reports rows that a method cannot learn from.
type DataError struct {
	Input int // that is to blame, counted from 1; 0 for none
	Err   error
}

func (e *DataError) Error() string {
	if e.Input > 0 {
		return fmt.Sprintf("input %d: %v", e.Input, e.Err)
	}
	return e.Err.Error()
}

func (e *DataError) Unwrap() error { return e.Err }

// RowError reports a row that is no row to predict, or of which nothing can be said.
type RowError struct {
	Row int // counted from 1
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }

func (e *RowError) Unwrap() error { return e.Err }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
