package model

import (
	"errors"
	"fmt"
	"math"

	"beziergp/internal/simd"
	"beziergp/predictive"
)

// Level is the probability of the interval from Lower to Upper.
const Level = 0.95

// Predictions holds a row for every input row, in the target's units. Under the
// policy [box.Flag] rows outside the box hold NaN.
type Predictions struct {
	Mean []float64 // of f, and with a transformed target of y
	// Point is what is told where one number is: Mean itself or the median, as
	// [PredictOptions] say.
	Point []float64
	StdF  []float64 // deviation of f: what the model does not know
	Std   []float64 // deviation of y: that and the noise
	Lower []float64 // central interval of y of probability Level, widened to Point where that lies outside
	Upper []float64
	InBox []bool // whether all inputs lie within the box
	Held  []Held // what was held within its limits

	// Location and Scale are those of the distribution of a row ([Predictions.Distribution]),
	// and Density its shape, [n, predictive.Nodes], nil where no row has one.
	Location, Scale, Density []float64
	// Family is what the distributions share.
	Family *predictive.Family
	// Range is where the target can lie, nil for anywhere.
	Range *predictive.Range

	medians []float64 // Point's own, where it is not Mean
}

// Distribution returns that of the target of a row, in the target's units. It holds
// a part of p.
func (p *Predictions) Distribution(row int) predictive.Distribution {
	d := predictive.Distribution{Location: p.Location[row], Scale: p.Scale[row], Family: p.Family, Range: p.Range}
	if p.Density != nil {
		d.Density = p.Density[row*predictive.Nodes : (row+1)*predictive.Nodes]
	}
	return d
}

// Distributions returns those of all rows.
func (p *Predictions) Distributions() []predictive.Distribution {
	all := make([]predictive.Distribution, len(p.Mean))
	for row := range all {
		all[row] = p.Distribution(row)
	}
	return all
}

// Resize makes room for n rows, keeping memory that is large enough.
func (p *Predictions) Resize(n int) {
	for _, column := range []*[]float64{&p.Mean, &p.StdF, &p.Std, &p.Lower, &p.Upper, &p.Location, &p.Scale} {
		*column = resize(*column, n)
	}
	p.InBox, p.Held = resize(p.InBox, n), resize(p.Held, n)
	clear(p.Held)
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// finishedRows are finished by one worker at a time.
const finishedRows = 512

// Finish fills in what follows from the distributions: Mean, Std, Lower and Upper, and
// Point and StdF, until then of the transformed target, in the target's units. Locations
// are held in the range, if there is one. Rows whose location is NaN have no prediction.
// The options have their defaults. The interval holds half scales on either side, or where half is 0
// lies between quantiles. It fails with a [RowError] where a number of a prediction is not finite, and calls
// the first row before + 1.
func (p *Predictions) Finish(pool *simd.Pool, o PredictOptions, half float64, before int) error {
	n := len(p.Location)
	p.Range, p.Point = o.Range, p.Mean
	if o.Point == MedianPoint {
		p.medians = resize(p.medians, n)
		p.Point = p.medians
	}
	pool.Do((n+finishedRows-1)/finishedRows, func(_, part int) {
		for row := part * finishedRows; row < min((part+1)*finishedRows, n); row++ {
			p.finish(row, o.Point, half)
		}
	})
	for row, at := range p.Location {
		if !math.IsNaN(at) && !p.finite(row) {
			return &RowError{before + row + 1, p.overflow()}
		}
	}
	return nil
}

// finite reports whether all numbers of a row are; a method may leave StdF untold.
func (p *Predictions) finite(row int) bool {
	return isFinite(p.Mean[row]) && isFinite(p.Point[row]) && isFinite(p.Std[row]) &&
		isFinite(p.Lower[row]) && isFinite(p.Upper[row]) && !math.IsInf(p.StdF[row], 0)
}

func (p *Predictions) overflow() error {
	if p.Family.Transformed() {
		return errors.New("the prediction overflows when the target's transform is undone; mend the row, or tell the range that the target can have")
	}
	return errOverflow
}

func (p *Predictions) finish(row int, point Point, half float64) {
	d := p.Distribution(row)
	if math.IsNaN(d.Location) {
		for _, column := range [][]float64{p.Mean, p.Point, p.Std, p.Lower, p.Upper} {
			column[row] = math.NaN()
		}
		return
	}
	if d.Hold() {
		p.Location[row] = d.Location
		p.Held[row] |= HeldMean
	}
	p.Mean[row], p.Std[row] = d.Moments()
	if half > 0 {
		p.Lower[row], p.Upper[row] = d.Back(d.Location-half*d.Scale), d.Back(d.Location+half*d.Scale)
	} else {
		p.Lower[row], p.Upper[row] = d.Quantile((1-Level)/2), d.Quantile((1+Level)/2)
	}
	if p.Family.Transformed() {
		_, p.StdF[row] = predictive.Distribution{Location: d.Location, Scale: p.StdF[row], Family: p.Family, Range: p.Range}.Moments()
	} else {
		p.Mean[row] = d.Location // trained for the least squared error, which the shape is not
	}
	if point == MedianPoint {
		p.Point[row] = d.Quantile(0.5)
	}
	if r := p.Range; r != nil { // once more, for rounding, and for an interval of scales
		for _, column := range [][]float64{p.Mean, p.Point, p.Lower, p.Upper} {
			column[row] = r.Hold(column[row])
		}
	}
	// The mean is trained for the squared error and the shape for the likelihood: they may
	// disagree, and then the interval has both.
	lower, upper := p.Lower[row], p.Upper[row]
	p.Lower[row], p.Upper[row] = min(lower, p.Point[row]), max(upper, p.Point[row])
	p.Held[row].mark(HeldInterval, lower, p.Lower[row])
	p.Held[row].mark(HeldInterval, upper, p.Upper[row])
}

// RowError reports a row of which a model says nothing that numbers can hold.
type RowError struct {
	Row int // counted from 1
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }

// Unwrap returns what is wrong with the row.
func (e *RowError) Unwrap() error { return e.Err }

var errOverflow = errors.New("the prediction overflows: the model's weights are out of range; train it again, with a lower learning rate where the recipe has one")
