package box

import (
	"fmt"
	"math"
)

// Target standardises the target column and maps predictions back.
type Target struct {
	Name string  `json:"name"`
	Mean float64 `json:"mean"` // in the target's units
	SD   float64 `json:"sd"`   // divisor n
}

// FitTarget returns the standardisation of a column of training values. It fails
// when the column is constant: there is nothing to learn then.
func FitTarget(name string, values []float64) (Target, error) {
	t := Target{Name: name}
	n := float64(len(values))
	for _, v := range values {
		t.Mean += v / n
	}
	var sum float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		sum += (v - t.Mean) * (v - t.Mean) / n
		low, high = min(low, v), max(high, v)
	}
	t.SD = math.Sqrt(sum)
	if low == high {
		return t, fmt.Errorf("target %q is %g in every training row: there is nothing to learn; choose another target", name, low)
	}
	return t, t.Check()
}

// Check returns an error unless the standardisation can be undone.
func (t Target) Check() error {
	if math.IsNaN(t.Mean) || math.IsInf(t.Mean, 0) || !(t.SD > 0) || math.IsInf(t.SD, 0) {
		return fmt.Errorf("target %q: mean %g and deviation %g are out of a float64's range; rescale the column", t.Name, t.Mean, t.SD)
	}
	return nil
}

// Standardize writes the standardised values to dst.
func (t Target) Standardize(dst []float32, values []float64) {
	for i, v := range values {
		dst[i] = float32((v - t.Mean) / t.SD)
	}
}
