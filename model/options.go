package model

import (
	"fmt"
	"runtime"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/internal/simd"
	"beziergp/predictive"
)

// PredictOptions chooses how to predict. The zero value is the documented default.
type PredictOptions struct {
	// Workers is the number of goroutines, at most 1024, by default one a processor.
	// Results do not depend on it.
	Workers int
	// Policy says what becomes of rows outside the box, by default the model's.
	Policy box.Policy
	// Interval is how Lower and Upper are found, by default [PredictiveInterval].
	Interval Interval
	// Level is the probability of the interval from Lower to Upper, above 0 and below 1, by
	// default [Level]. A conformal interval has no other.
	Level float64
	// Point is the number that stands for a distribution, by default [MeanPoint].
	Point Point
	// MeanAlone says that nothing is asked for but Mean, Point, InBox and Clamped: the other
	// numbers of a prediction are NaN, and it has no distribution. It spares what deviations
	// and intervals take, but where the target is transformed, whose mean is that of a
	// distribution. The point is the mean.
	MeanAlone bool
	// Range is where the target can lie, by default the model's ([box.Target]); one
	// without ends is anywhere. Means, points, intervals and distributions lie within: a
	// mean beyond is moved to the nearer end, and the distribution around it restricted to
	// the range, F(y) becoming (F(y) − F(lo)) / (F(hi) − F(lo)).
	Range *predictive.Range

	several bool // the target has three classes or more
}

// withDefaults returns the options with defaults in the place of zeros, policy and the
// range of target among them; Range is nil where the target can lie anywhere. It fails
// with an OptionError where one is out of range.
func (o PredictOptions) withDefaults(policy box.Policy, target box.Target) (PredictOptions, error) {
	if err := simd.Check(); err != nil {
		return o, &limit.OptionError{Option: "environment", Problem: err.Error()}
	}
	if err := limit.CheckWorkers(o.Workers); err != nil {
		return o, err
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Policy == "" {
		o.Policy = policy
	}
	if o.Interval == "" {
		o.Interval = PredictiveInterval
	}
	if o.Level == 0 {
		o.Level = Level
	}
	if _, high := tails(o.Level); !(o.Level > 0 && high < 1) {
		return o, &limit.OptionError{Option: "level", Problem: fmt.Sprintf("%g; it must be above 0 and below 1", o.Level)}
	}
	if o.Level != Level && o.Interval == ConformalInterval {
		return o, &limit.OptionError{Option: "level", Problem: fmt.Sprintf("%g; a model keeps the width of a conformal interval for %g alone: take that, or the predictive interval", o.Level, Level)}
	}
	switch o.Point {
	case "":
		o.Point = MeanPoint
	case MeanPoint, MedianPoint:
	default:
		return o, &limit.OptionError{Option: "point", Problem: fmt.Sprintf("%q is unknown; choose %s or %s", o.Point, MeanPoint, MedianPoint)}
	}
	if o.MeanAlone && o.Point != MeanPoint {
		return o, &limit.OptionError{Option: "point", Problem: fmt.Sprintf("%s, and the mean alone is asked for", o.Point)}
	}
	if o.Range == nil {
		o.Range = target.Range
	}
	if o.Range == nil || o.Range.Open() {
		o.Range = nil
		return o, nil
	}
	if err := o.Range.Check(); err != nil {
		return o, &limit.OptionError{Option: "range", Problem: err.Error()}
	}
	if target.Transform == box.Log1p && o.Range.Hi <= -1 {
		return o, &limit.OptionError{Option: "range", Problem: fmt.Sprintf("%v, and the target's transform %s takes numbers above −1", o.Range, target.Transform)}
	}
	return o, nil
}

// of refuses what a model of some kind cannot do.
func (o PredictOptions) of(k Kind) (PredictOptions, error) {
	o.several = k.Classes > 2
	lawful := o.several || k.Family.Law() != nil
	switch {
	case lawful && o.Range != nil:
		return o, &limit.OptionError{Option: "range", Problem: "the target's likelihood says itself where the target can lie; leave it out"}
	case o.several && o.Point != MeanPoint:
		return o, &limit.OptionError{Option: "point", Problem: string(o.Point) + ", and classes have none; leave it out"}
	case o.several && o.Level != Level:
		return o, &limit.OptionError{Option: "level", Problem: "classes have no interval; leave it out"}
	}
	return o, nil
}

// tails returns the probabilities below the ends of a central interval.
func tails(level float64) (low, high float64) {
	if level == Level { // 1 − 0.95 is not 0.05 in binary
		return (1 - Level) / 2, (1 + Level) / 2
	}
	return (1 - level) / 2, (1 + level) / 2
}

// Point is a number that stands for a distribution.
type Point string

const (
	// MeanPoint is the mean, for the least squared error.
	MeanPoint Point = "mean"
	// MedianPoint is the median, for the least absolute error.
	MedianPoint Point = "median"
)

// Interval is a way from a distribution to an interval.
type Interval string

const (
	// PredictiveInterval takes the quantiles of the predicted distribution.
	PredictiveInterval Interval = "predictive"
	// ConformalInterval is location ± q · scale, with q a quantile of |y − location|/scale at
	// rows that training has not seen: on average over rows like those it covers [Level]
	// whatever the distribution of the errors (cross-conformal prediction, Vovk 2015).
	ConformalInterval Interval = "conformal"
)
