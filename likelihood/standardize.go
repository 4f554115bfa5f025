package likelihood

import (
	"fmt"
	"math"

	"beziergp/box"
)

// Standardize returns a target with the mean and the deviation, divisor n, of n training
// values that come part by part. It fails when a value has no transform
// ([box.TransformError]), when one lies beyond the range ([box.RangeError]), and when
// the column is constant: there is nothing to learn then.
func Standardize(t box.Target, n int, values Values) (box.Target, error) {
	t.Mean, t.SD = 0, 0
	low, high, row := math.Inf(1), math.Inf(-1), 0
	err := values(func(part []float64) error {
		for _, v := range part {
			row++
			z, err := t.Apply(v, row)
			if err != nil {
				return err
			}
			t.Mean += z / float64(n)
			low, high = min(low, v), max(high, v)
		}
		return nil
	})
	if err != nil {
		return t, err
	}
	var sum float64
	err = values(func(part []float64) error {
		for _, v := range part {
			z, _ := t.Apply(v, 0) // it has one
			sum += (z - t.Mean) * (z - t.Mean) / float64(n)
		}
		return nil
	})
	if err != nil {
		return t, err
	}
	t.SD = math.Sqrt(sum)
	if low == high {
		return t, fmt.Errorf("target %q is %g in every training row: there is nothing to learn; choose another target", t.Name, low)
	}
	return t, t.Check()
}
