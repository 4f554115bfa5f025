package box

import (
	"fmt"
	"math"

	"beziergp/predictive"
)

// Transform is applied to the target before it is standardised.
type Transform string

const (
	Identity Transform = ""
	// Log1p is log(1 + y), for counts and sizes from 0 on.
	Log1p Transform = "log1p"
)

// ParseTransform returns the transform of that name; "none" is the identity.
func ParseTransform(name string) (Transform, error) {
	switch name {
	case "none", "":
		return Identity, nil
	case string(Log1p):
		return Log1p, nil
	}
	return "", fmt.Errorf("target transform %q is unknown; choose none or %s", name, Log1p)
}

// apply returns the transformed value, NaN where there is none.
func (t Transform) apply(v float64) float64 {
	if t == Log1p {
		if v <= -1 {
			return math.NaN()
		}
		return math.Log1p(v)
	}
	return v
}

// Target transforms and standardises the target column.
type Target struct {
	Name      string    `json:"name"`
	Mean      float64   `json:"mean"` // of the transformed target
	SD        float64   `json:"sd"`   // of the transformed target, divisor n
	Transform Transform `json:"transform,omitempty"`
	// Range is where the target can lie, nil for anywhere: predictions stay within.
	Range *predictive.Range `json:"range,omitempty"`
}

// FitTarget returns the standardisation of a column of training values. It fails
// when a value has no transform ([*TransformError]), when one lies beyond the range,
// nil for none ([*RangeError]), and when the column is constant: there is nothing to
// learn then.
func FitTarget(name string, values []float64, transform Transform, within *predictive.Range) (Target, error) {
	t := Target{Name: name, Transform: transform, Range: within}
	return t.Fit(len(values), func(visit func([]float64) error) error { return visit(values) })
}

// Fit returns the target of this name, transform and range with the scaling of n values
// that come part by part: pass visits all of them in order, each time it is called. It
// fails as [FitTarget] does.
func (t Target) Fit(n int, pass func(visit func(part []float64) error) error) (Target, error) {
	low, high, row := math.Inf(1), math.Inf(-1), 0
	err := pass(func(part []float64) error {
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
	err = pass(func(part []float64) error {
		for _, v := range part {
			z := t.Transform.apply(v)
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

// Apply returns the transformed value of a row, counted from 1, or a
// [*TransformError] or a [*RangeError].
func (t Target) Apply(v float64, row int) (float64, error) {
	if t.Range != nil && !t.Range.Holds(v) {
		return v, &RangeError{Place{Row: row, Column: t.Name}, t, v}
	}
	z := t.Transform.apply(v)
	if math.IsNaN(z) {
		return z, &TransformError{Place{Row: row, Column: t.Name}, t, v}
	}
	return z, nil
}

// Check returns an error unless the standardisation can be undone.
func (t Target) Check() error {
	if math.IsNaN(t.Mean) || math.IsInf(t.Mean, 0) || !(t.SD > 0) || math.IsInf(t.SD, 0) {
		return fmt.Errorf("target %q: mean %g and deviation %g are out of a float64's range; rescale the column", t.Name, t.Mean, t.SD)
	}
	if _, err := ParseTransform(string(t.Transform)); err != nil {
		return fmt.Errorf("target %q: %w", t.Name, err)
	}
	if t.Range != nil {
		if err := t.Range.Check(); err != nil {
			return fmt.Errorf("target %q: %w", t.Name, err)
		}
	}
	return nil
}

// Standardize writes the transformed and standardised values to dst.
func (t Target) Standardize(dst []float32, values []float64) {
	for i, v := range values {
		dst[i] = float32((t.Transform.apply(v) - t.Mean) / t.SD)
	}
}
