package model

import (
	"fmt"
	"math"
	"slices"

	"beziergp/internal/kernel"
	"beziergp/predictive"
)

// Level is the probability of the interval from Lower to Upper.
const Level = 0.95

// Predictions holds a row for every input row, in the target's units. Under the
// policy [box.Flag] rows outside the box hold NaN.
type Predictions struct {
	Mean  []float64 // of f, and with a transformed target of y
	StdF  []float64 // deviation of f: what the model does not know
	Std   []float64 // deviation of y: that and the noise
	Lower []float64 // central interval of y of probability Level
	Upper []float64
	InBox []bool // whether all inputs lie within the box

	// Location and Scale are those of the distribution of a row ([Predictions.Distribution]),
	// and Density its shape, [n, predictive.Nodes], nil where no row has one.
	Location, Scale, Density []float64
	// Family is what the distributions share.
	Family *predictive.Family
}

// Distribution returns that of the target of a row, in the target's units. It holds
// a part of p.
func (p *Predictions) Distribution(row int) predictive.Distribution {
	d := predictive.Distribution{Location: p.Location[row], Scale: p.Scale[row], Family: p.Family}
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
	p.InBox = resize(p.InBox, n)
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
// StdF, until then of the transformed target, in the target's units. Rows whose location
// is NaN have no prediction. The interval holds half scales on either side, or where half
// is 0 lies between quantiles. It fails where an undone transform overflows, and calls
// the first row before + 1.
func (p *Predictions) Finish(pool *kernel.Pool, half float64, before int) error {
	n := len(p.Location)
	pool.Do((n+finishedRows-1)/finishedRows, func(_, part int) {
		for row := part * finishedRows; row < min((part+1)*finishedRows, n); row++ {
			p.finish(row, half)
		}
	})
	if row := slices.IndexFunc(p.Std, func(v float64) bool { return math.IsInf(v, 0) }); row >= 0 {
		return fmt.Errorf("row %d: the prediction overflows when the target's transform is undone", before+row+1)
	}
	return nil
}

func (p *Predictions) finish(row int, half float64) {
	d := p.Distribution(row)
	if math.IsNaN(d.Location) {
		p.Mean[row], p.Std[row], p.Lower[row], p.Upper[row] = math.NaN(), math.NaN(), math.NaN(), math.NaN()
		return
	}
	p.Mean[row], p.Std[row] = d.Moments()
	if half > 0 {
		p.Lower[row], p.Upper[row] = d.Back(d.Location-half*d.Scale), d.Back(d.Location+half*d.Scale)
	} else {
		p.Lower[row], p.Upper[row] = d.Quantile((1-Level)/2), d.Quantile((1+Level)/2)
	}
	if p.Family.Transformed() {
		_, p.StdF[row] = predictive.Distribution{Location: d.Location, Scale: p.StdF[row], Family: p.Family}.Moments()
	} else {
		p.Mean[row] = d.Location // trained for the least squared error, which the shape is not
	}
}
