package method

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Scaling maps inputs and target to mean 0 and deviation 1 over the training rows,
// and predictions back. A column that is constant is only moved to 0.
type Scaling struct {
	Inputs []Affine `json:"inputs"`
	Target Affine   `json:"target"`
}

// Affine is (v − shift)/scale.
type Affine struct {
	Shift float64 `json:"shift"`
	Scale float64 `json:"scale"`
}

// check refuses what Standardise does not make.
func (s *Scaling) check() error {
	if len(s.Inputs) == 0 {
		return errors.New("the scaling has no inputs")
	}
	for _, a := range append(slices.Clone(s.Inputs), s.Target) {
		if !finite(a.Shift) || !(a.Scale > 0) || !finite(a.Scale) {
			return fmt.Errorf("a scaling by %g from %g", a.Scale, a.Shift)
		}
	}
	return nil
}

// Standardise returns a standardised copy of data whose rows are put in one order, by
// their values, so that nothing learned from it depends on the order in which they
// came. It fails as [Method] says, and with [ErrLaw] where data have a law.
func Standardise(data Data) (Data, *Scaling, error) {
	if err := data.check(); err != nil {
		return Data{}, nil, err
	}
	if data.Law != nil {
		return Data{}, nil, ErrLaw
	}
	out := sorted(data)
	s := &Scaling{}
	if err := s.inputs(out); err != nil {
		return Data{}, nil, err
	}
	var err error
	if s.Target, err = standard(out.Y); err != nil {
		return Data{}, nil, &DataError{Err: fmt.Errorf("target: %w", err)}
	}
	for i, y := range out.Y {
		out.Y[i] = (y - s.Target.Shift) / s.Target.Scale
	}
	return out, s, nil
}

// inputs learns the scalings of the inputs and standardises them in place.
func (s *Scaling) inputs(data Data) error {
	s.Inputs = make([]Affine, data.Inputs)
	column := make([]float64, data.Rows())
	for j := range s.Inputs {
		for i := range column {
			column[i] = data.X[i*data.Inputs+j]
		}
		var err error
		if s.Inputs[j], err = standard(column); err != nil {
			return &DataError{Input: j + 1, Err: err}
		}
	}
	s.apply(data.X, data.X)
	return nil
}

// sorted returns a copy of data with its rows in lexicographic order.
func sorted(data Data) Data {
	d := data.Inputs
	order := make([]int, data.Rows())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(slices.Compare(data.X[a*d:(a+1)*d], data.X[b*d:(b+1)*d]), cmp.Compare(data.Y[a], data.Y[b]), cmp.Compare(data.OffsetOf(a), data.OffsetOf(b)))
	})
	out := Data{X: make([]float64, 0, len(data.X)), Y: make([]float64, 0, len(data.Y)), Inputs: d, Law: data.Law}
	for _, i := range order {
		out.X = append(out.X, data.X[i*d:(i+1)*d]...)
		out.Y = append(out.Y, data.Y[i])
		if data.Offset != nil {
			out.Offset = append(out.Offset, data.Offset[i])
		}
	}
	return out
}

// standard returns the map of a column to mean 0 and deviation 1.
func standard(v []float64) (Affine, error) {
	low, high := slices.Min(v), slices.Max(v)
	if low == high {
		return Affine{low, 1}, nil // the sum of equal values, divided, need not be that value
	}
	var mean, square float64
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		square += (x - mean) * (x - mean) / float64(len(v))
	}
	a := Affine{mean, math.Sqrt(square)}
	if !finite(mean) || !finite(a.Scale) || a.Scale == 0 {
		return Affine{}, fmt.Errorf("values from %g to %g have no deviation in float64; measure them in another unit", low, high)
	}
	return a, nil
}

// Predict does what a [Regressor]'s Predict does, where moments sets mean and variance
// of the standardised target at standardised rows.
func (s *Scaling) Predict(x, mean, std []float64, moments func(rows, mean, variance []float64) error) error {
	if len(x) != len(mean)*len(s.Inputs) || len(mean) != len(std) {
		panic(errPredict)
	}
	if err := finiteRows(x, len(s.Inputs)); err != nil {
		return err
	}
	rows := make([]float64, len(x))
	s.apply(rows, x)
	if err := moments(rows, mean, std); err != nil {
		return err
	}
	return s.restore(mean, std)
}

// Deviation maps a variance of the standardised target to a deviation in its units.
func (s *Scaling) Deviation(variance float64) float64 { return s.Target.Scale * math.Sqrt(variance) }

// apply sets dst to the standardised x, which may be dst.
func (s *Scaling) apply(dst, x []float64) {
	for i, v := range x {
		a := s.Inputs[i%len(s.Inputs)]
		dst[i] = (v - a.Shift) / a.Scale
	}
}

// restore maps moments of the standardised target to its units, in place. It fails on
// a variance that is negative or not a number: an arithmetic that broke down is
// not passed on as certainty.
func (s *Scaling) restore(mean, variance []float64) error {
	for i, v := range variance {
		if !(v >= 0) || !finite(v) || !finite(mean[i]) {
			return &RowError{i + 1, fmt.Errorf("mean %g and variance %g of the standardised target; the fit is ill-conditioned or the row too far off", mean[i], v)}
		}
		mean[i] = s.Target.Shift + s.Target.Scale*mean[i]
		variance[i] = s.Deviation(v)
	}
	return nil
}
