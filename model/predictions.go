package model

import (
	"errors"
	"fmt"
	"math"

	"beziergp/internal/simd"
	"beziergp/predictive"
)

// Level is the probability of the interval from Lower to Upper where
// [PredictOptions] have no other.
const Level = 0.95

// Predictions holds a row for every input row. Under the policy [box.Flag] rows outside
// the box hold NaN.
type Predictions struct {
	Marginal        // of the target, the first one where there are several
	InBox    []bool // [n] whether all inputs lie within the box
	// Further are those of the other targets, in the model's order.
	Further []Marginal

	offsets []float64 // of the rows, added to the natural parameter; empty where there are none
}

// Of returns the predictions of target t, counted from 0.
func (p *Predictions) Of(t int) *Marginal {
	if t == 0 {
		return &p.Marginal
	}
	return &p.Further[t-1]
}

// OffsetOf returns what is added to the natural parameter of a row, 0 where there is nothing:
// an [Evaluator] adds it.
func (p *Predictions) OffsetOf(row int) float64 {
	if len(p.offsets) == 0 {
		return 0
	}
	return p.offsets[row]
}

// Marginal is what is predicted of one target, [n] each, in its units.
type Marginal struct {
	Mean []float64 // of f, and with a transformed target of y
	// Point is what is told where one number is: Mean itself or the median, as
	// [PredictOptions] say.
	Point   []float64
	StdF    []float64 // deviation of f, the root of the epistemic variance
	Std     []float64 // deviation of y: epistemic variance and noise
	Lower   []float64 // central interval of y of the options' probability, widened to Point where that lies outside
	Upper   []float64
	Clamped []Clamped // which values were clamped in their limits
	// Classes are the probabilities of the classes of a target that has them, [n, K] by rows
	// in the order of [box.Target.Classes]; nil for others. Of three classes or more nothing
	// else is told: the numbers above are NaN.
	Classes []float64

	// Location and Scale are those of the distribution of a row ([Marginal.Distribution]),
	// and Density its shape, [n, predictive.Nodes], nil where no row has one.
	Location, Scale, Density []float64
	// Family is what the distributions share.
	Family *predictive.Family
	// Range is where the target can lie, nil for anywhere.
	Range *predictive.Range

	medians []float64         // Point's own, where it is not Mean
	means   *predictive.Range // of a transformed target's means; nil for anywhere
}

// Distribution returns that of the target of a row, in the target's units. It holds
// a part of m.
func (m *Marginal) Distribution(row int) predictive.Distribution {
	d := predictive.Distribution{Location: m.Location[row], Scale: m.Scale[row], Family: m.Family, Range: m.Range}
	if m.Density != nil {
		d.Density = m.Density[row*predictive.Nodes : (row+1)*predictive.Nodes]
	}
	return d
}

// Distributions returns those of all rows.
func (m *Marginal) Distributions() []predictive.Distribution {
	all := make([]predictive.Distribution, len(m.Mean))
	for row := range all {
		all[row] = m.Distribution(row)
	}
	return all
}

// resize makes room for n rows of so many targets, keeping memory that is large enough.
func (p *Predictions) resize(n, targets int) {
	p.InBox, p.Further = resize(p.InBox, n), resize(p.Further, targets-1)
	for t := range targets {
		m := p.Of(t)
		for _, column := range []*[]float64{&m.Mean, &m.StdF, &m.Std, &m.Lower, &m.Upper, &m.Location, &m.Scale} {
			*column = resize(*column, n)
		}
		m.Clamped = resize(m.Clamped, n)
		clear(m.Clamped)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// finishedRows are finished by one worker at a time.
const finishedRows = 512

// finish fills in what follows from the distributions: Mean, Std, Lower and Upper, and
// Point and StdF, until then of the transformed target, in the target's units. Locations
// are clamped in the range, if there is one. Rows whose location is NaN have no prediction.
// The options have their defaults. The interval holds half scales on either side, or where half is 0
// lies between quantiles. It fails with a [RowError] where a number of a prediction is not finite.
func (m *Marginal) finish(pool *simd.Pool, o PredictOptions, half float64) error {
	n := len(m.Location)
	m.Range, m.Point = o.Range, m.Mean
	if o.several {
		m.finishClasses()
		return nil
	}
	if o.MeanAlone && m.Family.Law() == nil && !m.Family.Transformed() {
		return m.finishMean()
	}
	if o.Point == MedianPoint {
		m.medians = resize(m.medians, n)
		m.Point = m.medians
	}
	if n <= finishedRows { // without the memory that a part for workers takes
		m.finishRows(0, n, o, half)
	} else {
		pool.Do((n+finishedRows-1)/finishedRows, func(_, part int) {
			m.finishRows(part*finishedRows, min((part+1)*finishedRows, n), o, half)
		})
	}
	for row, at := range m.Location {
		if !math.IsNaN(at) && !m.finite(row) {
			return &RowError{row + 1, m.overflow()}
		}
	}
	return nil
}

func (m *Marginal) finishRows(from, to int, o PredictOptions, half float64) {
	for row := from; row < to; row++ {
		m.finishRow(row, &o, half)
	}
}

// finishMean is finish where the mean alone is asked for.
func (m *Marginal) finishMean() error {
	m.Density = nil
	for row, at := range m.Location {
		if r := m.Range; r != nil && at == at {
			at = r.Clamp(at)
			m.Clamped[row].mark(ClampedMean, m.Location[row], at)
		}
		if math.IsInf(at, 0) {
			return &RowError{row + 1, m.overflow()}
		}
		m.Location[row], m.Mean[row] = at, at
	}
	for _, column := range [][]float64{m.StdF, m.Std, m.Lower, m.Upper, m.Scale} {
		for row := range column {
			column[row] = math.NaN()
		}
	}
	return nil
}

// finite reports whether all numbers of a row are; a method may leave StdF untold.
func (m *Marginal) finite(row int) bool {
	return isFinite(m.Mean[row]) && isFinite(m.Point[row]) && isFinite(m.Std[row]) &&
		isFinite(m.Lower[row]) && isFinite(m.Upper[row]) && !math.IsInf(m.StdF[row], 0)
}

func (m *Marginal) overflow() error {
	if m.Family.Transformed() {
		return errors.New("the prediction overflows when the target's transform is undone; mend the row, or tell the range that the target can have")
	}
	return errOverflow
}

func (m *Marginal) finishRow(row int, o *PredictOptions, half float64) {
	d := m.Distribution(row)
	if math.IsNaN(d.Location) {
		for _, column := range [][]float64{m.Mean, m.Point, m.Std, m.Lower, m.Upper} {
			column[row] = math.NaN()
		}
		return
	}
	if d.Clamp() {
		m.Location[row] = d.Location
		m.Clamped[row] |= ClampedMean
	}
	m.Mean[row], m.Std[row] = d.Moments()
	m.limit(row)
	if half > 0 {
		m.Lower[row], m.Upper[row] = d.Back(d.Location-half*d.Scale), d.Back(d.Location+half*d.Scale)
	} else {
		low, high := tails(o.Level)
		m.Lower[row], m.Upper[row] = d.Quantile(low), d.Quantile(high)
	}
	if m.Family.Transformed() {
		_, m.StdF[row] = predictive.Distribution{Location: d.Location, Scale: m.StdF[row], Family: m.Family, Range: m.Range}.Moments()
		if m.means != nil {
			m.StdF[row] = min(m.StdF[row], widest(*m.means))
		}
	} else if m.Family.Law() == nil {
		m.Mean[row] = d.Location // trained for the least squared error, which the density is not
	} else if d.Density != nil {
		plain := d // whose mean is trained for the law's own loss
		plain.Density = nil
		m.Mean[row], _ = plain.Moments()
	}
	if o.Point == MedianPoint {
		m.Point[row] = d.Quantile(0.5)
	}
	if r := m.Range; r != nil { // once more, for rounding, and for an interval of scales
		for _, column := range [][]float64{m.Mean, m.Point, m.Lower, m.Upper} {
			column[row] = r.Clamp(column[row])
		}
	}
	// The mean is trained for the squared error and the density for the likelihood. They may
	// disagree; the interval is then widened to hold the mean.
	lower, upper := m.Lower[row], m.Upper[row]
	m.Lower[row], m.Upper[row] = min(lower, m.Point[row]), max(upper, m.Point[row])
	m.Clamped[row].mark(ClampedInterval, lower, m.Lower[row])
	m.Clamped[row].mark(ClampedInterval, upper, m.Upper[row])
}

// limit clamps the moments of a transformed target. The mean of exp z grows with the variance
// of z as exp(Var z/2): of a row far from all others it may be thousands of times any target,
// though E f and Var f are within their limits.
func (m *Marginal) limit(row int) {
	if m.means == nil {
		return
	}
	mean, std := m.means.Clamp(m.Mean[row]), min(m.Std[row], widest(*m.means))
	m.Clamped[row].mark(ClampedMean, m.Mean[row], mean)
	m.Clamped[row].mark(ClampedStd, m.Std[row], std)
	m.Mean[row], m.Std[row] = mean, std
}

// widest returns the largest deviation of what lies in a range (Popoviciu).
func widest(r predictive.Range) float64 { return (r.Hi - r.Lo) / 2 }

// RowError reports a row of which a model says nothing, or nothing that numbers can hold.
type RowError struct {
	Row int // counted from 1
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }

// Unwrap returns what is wrong with the row.
func (e *RowError) Unwrap() error { return e.Err }

var errOverflow = errors.New("the prediction overflows: the model's weights are out of range; train it again, with a lower learning rate where the recipe has one")
