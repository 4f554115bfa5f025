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
	n := float64(len(values))
	for row, v := range values {
		z, err := t.Apply(v, row+1)
		if err != nil {
			return t, err
		}
		t.Mean += z / n
	}
	var sum float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		z := transform.apply(v)
		sum += (z - t.Mean) * (z - t.Mean) / n
		low, high = min(low, v), max(high, v)
	}
	t.SD = math.Sqrt(sum)
	if low == high {
		return t, fmt.Errorf("target %q is %g in every training row: there is nothing to learn; choose another target", name, low)
	}
	return t, t.Check()
}

// Apply returns the transformed value of a row, counted from 1, or a
// [*TransformError] or a [*RangeError].
func (t Target) Apply(v float64, row int) (float64, error) {
	if t.Range != nil && !t.Range.Holds(v) {
		return v, &RangeError{Row: row, Target: t, Value: v}
	}
	z := t.Transform.apply(v)
	if math.IsNaN(z) {
		return z, &TransformError{Row: row, Target: t, Value: v}
	}
	return z, nil
}

// TransformError reports a value that the target's transform does not take.
type TransformError struct {
	Row    int // of the training rows, counted from 1
	Target Target
	Value  float64
}

func (e *TransformError) Error() string {
	return fmt.Sprintf("row %d, target %q: %s takes numbers above −1, not %g; choose another transform or remove the row", e.Row, e.Target.Name, e.Target.Transform, e.Value)
}

// RangeError reports a value that the target is said not to have.
type RangeError struct {
	Row    int // of the training rows, counted from 1
	Target Target
	Value  float64
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("row %d, target %q: %g lies beyond the range %v; widen the range or remove the row", e.Row, e.Target.Name, e.Value, e.Target.Range)
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
