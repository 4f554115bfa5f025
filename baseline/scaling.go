package baseline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Scaling maps inputs and target to mean 0 and deviation 1 over the training rows,
// and predictions back. A column that is constant is only moved to 0.
type Scaling struct {
	inputs []affine
	target affine
}

// affine is (v − shift)/scale.
type affine struct{ shift, scale float64 }

// Standardise returns a standardised copy of data whose rows are put in one order, by
// their values, so that nothing learned from it depends on the order in which they
// came. It fails as [Method] says.
func Standardise(data Data) (Data, *Scaling, error) {
	if err := data.check(); err != nil {
		return Data{}, nil, err
	}
	out := sorted(data)
	s := &Scaling{inputs: make([]affine, data.Inputs)}
	column := make([]float64, data.Rows())
	for j := range s.inputs {
		for i := range column {
			column[i] = out.X[i*data.Inputs+j]
		}
		var err error
		if s.inputs[j], err = standard(column); err != nil {
			return Data{}, nil, fmt.Errorf("input %d: %w", j+1, err)
		}
	}
	var err error
	if s.target, err = standard(out.Y); err != nil {
		return Data{}, nil, fmt.Errorf("target: %w", err)
	}
	for i, y := range out.Y {
		out.Y[i] = (y - s.target.shift) / s.target.scale
	}
	s.apply(out.X, out.X)
	return out, s, nil
}

// sorted returns a copy of data with its rows in lexicographic order.
func sorted(data Data) Data {
	d := data.Inputs
	order := make([]int, data.Rows())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(slices.Compare(data.X[a*d:(a+1)*d], data.X[b*d:(b+1)*d]), cmp.Compare(data.Y[a], data.Y[b]))
	})
	out := Data{X: make([]float64, 0, len(data.X)), Y: make([]float64, 0, len(data.Y)), Inputs: d}
	for _, i := range order {
		out.X = append(out.X, data.X[i*d:(i+1)*d]...)
		out.Y = append(out.Y, data.Y[i])
	}
	return out
}

// standard returns the map of a column to mean 0 and deviation 1.
func standard(v []float64) (affine, error) {
	low, high := slices.Min(v), slices.Max(v)
	if low == high {
		return affine{low, 1}, nil // the sum of equal values, divided, need not be that value
	}
	var mean, square float64
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		square += (x - mean) * (x - mean) / float64(len(v))
	}
	a := affine{mean, math.Sqrt(square)}
	if !finite(mean) || !finite(a.scale) || a.scale == 0 {
		return affine{}, fmt.Errorf("values from %g to %g have no deviation in float64; measure them in another unit", low, high)
	}
	return a, nil
}

// Rows returns the standardised copy of new rows x [m, d], whose moments shall go to
// mean and std. It panics and fails as [Regressor] says.
func (s *Scaling) Rows(x, mean, std []float64) ([]float64, error) {
	if len(x) != len(mean)*len(s.inputs) || len(mean) != len(std) {
		panic(errPredict)
	}
	if err := finiteRows(x, len(s.inputs)); err != nil {
		return nil, err
	}
	out := make([]float64, len(x))
	s.apply(out, x)
	return out, nil
}

// apply sets dst to the standardised x, which may be dst.
func (s *Scaling) apply(dst, x []float64) {
	for i, v := range x {
		a := s.inputs[i%len(s.inputs)]
		dst[i] = (v - a.shift) / a.scale
	}
}

// Restore maps moments of the standardised target to its units, in place. It fails on
// a variance that is negative or not a number: an arithmetic that broke down is
// not passed on as certainty.
func (s *Scaling) Restore(mean, variance []float64) error {
	for i, v := range variance {
		if !(v >= 0) || !finite(v) || !finite(mean[i]) {
			return fmt.Errorf("row %d: mean %g and variance %g of the standardised target; the fit is ill-conditioned or the row too far off", i+1, mean[i], v)
		}
		mean[i] = s.target.shift + s.target.scale*mean[i]
		variance[i] = s.target.scale * math.Sqrt(v)
	}
	return nil
}
